import type { Config } from '../config.ts'
import { appliedMigrations, type Database, knownMigrations, type Migrated, migrate } from '../db/index.ts'
import { containsCommunity } from './interrupted-restore.ts'

/** Migrates the tables, those of an existing community after a backup of it. */
export const migrateAfterBackup = async (config: Config, database: Database, now: string, keepsTriggers = false): Promise<Migrated> => {
  const run = () => migrate(database, now, keepsTriggers)
  const done = new Set(config.backupBeforeUpgrade === 'on' ? await appliedMigrations(database.read) : [])
  if (done.size === 0 || knownMigrations().every((name) => done.has(name))) return run()
  // Tables of another program have no accounts; the migration rejects them.
  if (!(await containsCommunity(database).catch(() => false))) return run()
  return (await import('@lyceum/transfer/before-upgrade')).migrateWithBackup(config, database, now, run)
}
