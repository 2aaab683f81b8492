import type { Command } from 'commander'
import { openDatabase, pending } from '../db/index.ts'
import { nowOf, systemClock } from '../platform/clock.ts'
import { placeOf, updateTables } from './core.ts'
import { configFor, type Terminal } from './terminal.ts'

export const migrateCommand = (program: Command, terminal: Terminal) =>
  program
    .command('migrate')
    .description('bring the tables up to this version; "serve" does so by itself')
    .option('--dry-run', 'only say what would be done')
    .option('--json', 'print machine-readable output')
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const config = configFor(terminal)
      const database = openDatabase({ ...placeOf(config), poolSize: config.databasePool })
      try {
        const names = dryRun ? await pending(database) : await updateTables(database, config, nowOf(systemClock))
        if (json) terminal.out(`${JSON.stringify({ [dryRun ? 'pending' : 'applied']: names })}\n`)
        else
          terminal.out(
            names.length > 0
              ? `${names.map((name) => `${dryRun ? 'pending' : 'applied'} ${name}`).join('\n')}\n`
              : 'The tables are up to date.\n',
          )
      } finally {
        await database.close()
      }
    })
