import { type Core, createCore } from '../app.ts'
import type { Config } from '../config.ts'
import { migrate, type Place } from '../db/index.ts'
import { nowOf } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { configFor, type Terminal } from './terminal.ts'

/** Where commands find the data: past a pooler, where that is possible. */
export const placeOf = ({ databaseUrl, databaseDirectUrl, databasePooler, dataDir }: Config): Place =>
  databaseDirectUrl ? { url: databaseDirectUrl, dataDir } : { url: databaseUrl, dataDir, pooler: databasePooler }

/** Commands speak to a person: what the platform logs beside that is shown where somebody looks for a mistake. */
export const logFor = ({ logLevel }: Config) => createLog(logLevel === 'debug' || logLevel === 'trace' ? logLevel : 'silent')

/** Runs a command on the community's data, beside a server if one runs; makes or updates the tables first. */
export const withCore = async <T>(terminal: Terminal, work: (core: Core) => Promise<T>): Promise<T> => {
  const config = configFor(terminal)
  const core = createCore({ config, log: logFor(config), ...(terminal.passwordCost && { passwordCost: terminal.passwordCost }) })
  try {
    await migrate(core.services.database, nowOf(core.services.clock))
    return await work(core)
  } finally {
    await core.close()
  }
}
