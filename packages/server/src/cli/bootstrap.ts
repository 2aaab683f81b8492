import type { Command } from 'commander'
import { type Core, createCore } from '../app.ts'
import type { Config } from '../config.ts'
import { nowOf } from '../core/clock.ts'
import {
  appliedMigrations,
  type Database,
  type DataLocation,
  isServed,
  type Migrated,
  migrate,
  openDatabase,
  pending,
} from '../db/index.ts'
import { createLog } from '../observability/log.ts'
import { CommandError, configFor, printResult, type Terminal } from './terminal.ts'

/** Where commands connect to the data: directly, not through a pooler, if an address for that is configured. */
export const dataLocationOf = ({ databaseUrl, databaseDirectUrl, databasePooler, dataDir }: Config): DataLocation =>
  databaseDirectUrl ? { url: databaseDirectUrl, dataDir } : { url: databaseUrl, dataDir, pooler: databasePooler }

/** Runs work on the database without the services of the server. */
export const withDatabase = async <T>(
  { databasePool }: Config,
  location: DataLocation,
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = openDatabase({ ...location, poolSize: databasePool })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Commands print for people: the log is shown only at the levels debug and trace. */
export const logFor = ({ logLevel }: Config) => createLog(logLevel === 'debug' || logLevel === 'trace' ? logLevel : 'silent')

const isOld = async (database: Database): Promise<boolean> =>
  (await appliedMigrations(database.read)).length > 0 && (await pending(database)).migrations.length > 0

/** Migrates tables and triggers to this version. @throws CommandError if a migration is pending and a server is running */
export const updateTables = async (database: Database, config: Config, now: string, keepsTriggers = false): Promise<Migrated> => {
  if ((await isOld(database)) && (await isServed(dataLocationOf(config))))
    throw new CommandError('a server is running on tables of an older version; stop it first')
  return migrate(database, now, keepsTriggers)
}

/**
 * Runs a command on the data of the community after migrating the tables; a server may be running. `keepsTriggers` keeps triggers that
 * differ, so that the command can report them.
 */
export const withCore = async <T>(terminal: Terminal, work: (core: Core) => Promise<T>, keepsTriggers = false): Promise<T> => {
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

/** What a command prints: the result with `--json`, otherwise the text. */
export type Output = readonly [result: unknown, text: string]

/** The action of a command on the data of the community. `work` receives the arguments and options of the command. */
export const coreAction =
  <Args extends unknown[]>(terminal: Terminal, work: (core: Core, ...args: Args) => Promise<Output>, keepsTriggers = false) =>
  (...args: [...Args, ...Command[]]): Promise<void> =>
    withCore(
      terminal,
      async (core) => {
        const { json } = (args.at(-1) as Command).opts<{ json?: true }>()
        printResult(terminal, json, ...(await work(core, ...(args as unknown as Args))))
      },
      keepsTriggers,
    )
