import { type Core, createCore } from '../app.ts'
import type { Config } from '../config.ts'
import { nowOf } from '../core/clock.ts'
import { appliedMigrations, type Database, type DataLocation, isServed, type Migrated, migrate, pending } from '../db/index.ts'
import { createLog } from '../observability/log.ts'
import { CommandError, configFor, type Terminal } from './terminal.ts'

/** Where commands find the data: past a pooler, where that is possible. */
export const placeOf = ({ databaseUrl, databaseDirectUrl, databasePooler, dataDir }: Config): DataLocation =>
  databaseDirectUrl ? { url: databaseDirectUrl, dataDir } : { url: databaseUrl, dataDir, pooler: databasePooler }

/** Commands speak to a person: what the platform logs beside that is shown where somebody looks for a mistake. */
export const logFor = ({ logLevel }: Config) => createLog(logLevel === 'debug' || logLevel === 'trace' ? logLevel : 'silent')

const isOld = async (database: Database): Promise<boolean> =>
  (await appliedMigrations(database.read)).length > 0 && (await pending(database)).migrations.length > 0

/**
 * Brings tables and triggers up to date.
 * @throws CommandError while a server runs that knows the tables as they are
 */
export const updateTables = async (database: Database, config: Config, now: string, keepsTriggers = false): Promise<Migrated> => {
  if ((await isOld(database)) && (await isServed(placeOf(config))))
    throw new CommandError('the tables are those of an older version, and a server runs on them: stop it first')
  return migrate(database, now, keepsTriggers)
}

interface CoreNeeds {
  /** Triggers that differ stay as they are, to be reported. */
  readonly keepsTriggers?: true
}

/** Runs a command on the community's data, beside a server if one runs; makes or updates the tables first. */
export const withCore = async <T>(terminal: Terminal, work: (core: Core) => Promise<T>, { keepsTriggers }: CoreNeeds = {}): Promise<T> => {
  const config = configFor(terminal)
  const core = createCore({ config, log: logFor(config), ...(terminal.passwordCost && { passwordCost: terminal.passwordCost }) })
  const { database, clock } = core.services
  try {
    await updateTables(database, config, nowOf(clock), keepsTriggers)
    return await work(core)
  } finally {
    await core.close()
  }
}
