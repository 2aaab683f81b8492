import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Core, createCore } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { nowOf } from '../core/clock.ts'
import { resolveDataLocation } from '../db/data-location.ts'
import { appliedMigrations, type Database, type DataLocation, isServed, type Migrated, openDatabase, pending } from '../db/index.ts'
import { createLog } from '../observability/log.ts'
import { makeDirectory } from '../util/make-directory.ts'
import { rememberedAddress } from '../util/public-address.ts'
import { migrateAfterBackup } from './before-upgrade.ts'
import { containsCommunity } from './interrupted-restore.ts'
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

/** Creates the directory that a variable names if needed. @throws ConfigError if nothing can be written there */
const prepareDirectory = (variable: string, path: string): void => {
  try {
    makeDirectory(path)
    if (!statSync(path).isDirectory()) throw new Error('it is no directory')
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigError(`${variable} ${path} cannot be used: ${code ? `it cannot be written (${code})` : message}`)
  }
}

export const prepareDataDir = ({ dataDir }: Config): void => prepareDirectory('LYCEUM_DATA_DIR', dataDir)

/** A server must not find out at night that its backups have no place. */
export const prepareBackupDir = ({ backupDir }: Config): void => {
  if (backupDir) prepareDirectory('LYCEUM_BACKUP_DIR', backupDir)
}

/** Names the variable of a PostgreSQL that refuses the first connection; other errors stay as they are. */
export const nameDatabase =
  ({ databaseUrl, databaseDirectUrl }: Config) =>
  (error: unknown): never => {
    const url = databaseDirectUrl || databaseUrl
    const { cause = error } = error as Error
    const { code, message = '' } = cause as NodeJS.ErrnoException
    const isRefused = typeof code === 'string' || /timeout/.test(message)
    if (!isRefused || !/^postgres(ql)?:/.test(url)) throw error
    const name = databaseDirectUrl ? 'LYCEUM_DATABASE_DIRECT_URL' : 'LYCEUM_DATABASE_URL'
    throw new ConfigError(`${name} cannot be used: ${message || code}`)
  }

/** Opening a database creates it, so whether there is one is checked first. @throws CommandError */
export const requireCommunity = async (config: Config): Promise<void> => {
  const location = dataLocationOf(config)
  const address = resolveDataLocation(location)
  const isFile = 'file' in address
  const place = isFile ? address.file : 'the database (LYCEUM_DATABASE_URL)'
  const none = new CommandError(`there is no community in ${place}; "lyceum serve" creates one`)
  if (isFile && !statSync(address.file, { throwIfNoEntry: false })?.size) throw none
  await withDatabase(config, location, async (database) => {
    if ((await appliedMigrations(database.read).catch(nameDatabase(config))).length === 0) throw none
    if (isFile || config.secret || existsSync(join(config.dataDir, 'secret'))) return
    if (await containsCommunity(database))
      throw new CommandError(`the secret of the community is not in ${config.dataDir} (LYCEUM_DATA_DIR)`)
  })
}

/** Commands print for people: the log is shown only at the levels debug and trace. */
export const logFor = ({ logLevel }: Config) => createLog(logLevel === 'debug' || logLevel === 'trace' ? logLevel : 'silent')

const isOld = async (database: Database): Promise<boolean> =>
  (await appliedMigrations(database.read)).length > 0 && (await pending(database)).migrations.length > 0

/** Migrates tables and triggers to this version. @throws CommandError if a migration is pending and a server is running */
export const updateTables = async (database: Database, config: Config, now: string, keepsTriggers = false): Promise<Migrated> => {
  if ((await isOld(database)) && (await isServed(dataLocationOf(config))))
    throw new CommandError('a server is running on tables of an older version; stop it first')
  return migrateAfterBackup(config, database, now, keepsTriggers)
}

/**
 * Runs a command on the data of the community after migrating the tables; a server may be running. `keepsTriggers` keeps triggers that
 * differ, so that the command can report them; `creates` makes a community where there is none.
 */
export const withCore = async <T>(
  terminal: Terminal,
  work: (core: Core) => Promise<T>,
  { keepsTriggers = false, creates = false } = {},
): Promise<T> => {
  const config = configFor(terminal)
  if (creates) prepareDataDir(config)
  else await requireCommunity(config)
  const core = createCore({ config, log: logFor(config), ...(terminal.passwordCost && { passwordCost: terminal.passwordCost }) })
  const { database, clock } = core.services
  core.services.setOrigin(rememberedAddress(config.dataDir))
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
      { keepsTriggers },
    )
