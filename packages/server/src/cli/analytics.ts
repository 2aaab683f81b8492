import type { Command } from 'commander'
import { rebuildRollups } from '../modules/analytics/index.ts'
import { withCore } from './bootstrap.ts'
import { CommandError, type Terminal } from './terminal.ts'

export const analyticsCommand = (program: Command, terminal: Terminal) =>
  program
    .command('analytics')
    .description('look after the figures of the community')
    .command('rebuild')
    .description('count everything again, in the community’s time zone; readers see the present figures meanwhile')
    .option('--json', 'print machine-readable output')
    .action(({ json }: { json?: true }) =>
      withCore(terminal, async ({ services }) => {
        const counted = await rebuildRollups(services)
        if (counted === null) throw new CommandError('the figures are being counted again already; try once more in a minute')
        terminal.out(json ? `${JSON.stringify({ counted })}\n` : `${counted} counted again.\n`)
      }),
    )
