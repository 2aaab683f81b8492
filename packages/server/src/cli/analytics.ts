import type { Command } from 'commander'
import { rebuildRollups } from '../modules/analytics/index.ts'
import { coreAction } from './bootstrap.ts'
import { CommandError, type Terminal } from './terminal.ts'

export const analyticsCommand = (program: Command, terminal: Terminal) =>
  program
    .command('analytics')
    .description('manage the analytics of the community')
    .command('rebuild')
    .description('rebuild all rollups in the time zone of the community; reads see the current ones until it is done')
    .action(
      coreAction(terminal, async ({ services }) => {
        const counted = await rebuildRollups(services)
        if (counted === null) throw new CommandError('a rebuild is already running; try again in a minute')
        return [{ counted }, `Rebuilt the rollups from ${counted} rows.\n`]
      }),
    )
