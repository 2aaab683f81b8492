import type { Command } from 'commander'
import { nowOf, systemClock } from '../core/clock.ts'
import { openDatabase, pending } from '../db/index.ts'
import { dataLocationOf, updateTables } from './bootstrap.ts'
import { configFor, type Terminal } from './terminal.ts'

const words = (migrations: readonly string[], code: readonly string[], dryRun: boolean): string => {
  const lines = [
    ...migrations.map((name) => `${dryRun ? 'pending' : 'applied'} ${name}`),
    ...(code.length > 0 ? [`${dryRun ? 'outdated' : 'installed'} ${code.length} triggers: ${code.join(', ')}`] : []),
  ]
  return lines.length > 0 ? `${lines.join('\n')}\n` : 'The tables are up to date.\n'
}

export const migrateCommand = (program: Command, terminal: Terminal) =>
  program
    .command('migrate')
    .description('migrate the tables to this version; "serve" does so on start')
    .option('--dry-run', 'only print what would be done')
    .option('--json', 'print machine-readable output')
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const config = configFor(terminal)
      const database = openDatabase({ ...dataLocationOf(config), poolSize: config.databasePool })
      try {
        const { migrations, code } = dryRun ? await pending(database) : await updateTables(database, config, nowOf(systemClock))
        if (json)
          terminal.out(`${JSON.stringify(dryRun ? { pending: migrations, outdated: code } : { applied: migrations, installed: code })}\n`)
        else terminal.out(words(migrations, code, Boolean(dryRun)))
      } finally {
        await database.close()
      }
    })
