import type { Command } from 'commander'
import { rebuildRollups } from '../modules/analytics/index.ts'
import { withCore } from './bootstrap.ts'
import { CommandError, printResult, type Terminal } from './terminal.ts'

export const analyticsCommand = (program: Command, terminal: Terminal) =>
  program
    .command('analytics')
    .description('manage the analytics of the community')
    .command('rebuild')
    .description('rebuild all rollups in the time zone of the community; reads see the current ones until it is done')
    .option('--json', 'print machine-readable output')
    .action(({ json }: { json?: true }) =>
      withCore(terminal, async ({ services }) => {
        const counted = await rebuildRollups(services)
        if (counted === null) throw new CommandError('a rebuild is already running; try again in a minute')
        printResult(terminal, json, { counted }, `Rebuilt the rollups from ${counted} rows.\n`)
      }),
    )
