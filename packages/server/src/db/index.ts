import { join } from 'node:path'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { Database, Db, Dialect } from './database.ts'
export { type ClaimedJob, claimJob } from './claims.ts'
export { DatabaseUnavailable, isForeignKeyViolation, isUniqueViolation } from './database.ts'
export { indexFeed, matchingFeeds } from './full-text.ts'
export { lockRow, tryLockName } from './locks.ts'
export { migrate, pending } from './migrate.ts'
export type * from './schema.ts'
export { parameters, runText, statement, statementFor, statementOne } from './statement.ts'

/** The file of a community on SQLite, in its data directory. */
export const sqliteFile = (dataDir: string) => join(dataDir, 'lyceum.db')

/** Opens what `url` names: `postgres://…`, a SQLite file (`sqlite:PATH` or a path), or the data directory's own file when it is empty. */
export const openDatabase = ({ url, dataDir, poolSize }: { url: string; dataDir: string; poolSize: number }): Database => {
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, poolSize)
  return openSqlite(url ? url.replace(/^(sqlite|file):(\/\/)?/, '') : sqliteFile(dataDir))
}
