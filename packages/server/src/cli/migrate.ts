import type { Command } from 'commander'
import { nowOf, systemClock } from '../core/clock.ts'
import { pending } from '../db/index.ts'
import { dataLocationOf, prepareDataDir, updateTables, withDatabase } from './bootstrap.ts'
import { configFor, printResult, type Terminal } from './terminal.ts'

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
    .action(async ({ dryRun, json }: { dryRun?: true; json?: true }) => {
      const config = configFor(terminal)
      prepareDataDir(config)
      await withDatabase(config, dataLocationOf(config), async (database) => {
        const { migrations, code } = dryRun ? await pending(database) : await updateTables(database, config, nowOf(systemClock))
        const result = dryRun ? { pending: migrations, outdated: code } : { applied: migrations, installed: code }
        printResult(terminal, json, result, words(migrations, code, Boolean(dryRun)))
      })
    })
