import { type DataLocation, resolveDataLocation } from './data-location.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres/database.ts'
import { openSqlite } from './sqlite/database.ts'

export * from './bulk-statements.ts'
export * from './changes/event-log-reader.ts'
export * from './changes/feed-index-changelog.ts'
export { invalidateEverything } from './changes/invalidate-everything.ts'
export { type CodeState, codeState, installCode } from './code/install.ts'
export type { DataLocation } from './data-location.ts'
export { type ConfigFingerprint, DataLocked, isServed, lockData, type Peers, type ServerLock } from './data-lock/index.ts'
export { type ChangeSubscription, type Database, DatabaseUnavailable, type Db, isUniqueViolation } from './database.ts'
export * from './job-claims.ts'
export * from './migrations/migrate.ts'
export * from './outbox.ts'
export type { SignalListener, Subscription } from './postgres/listen-notify.ts'
export { needsPrimary } from './postgres/read-router.ts'
export { tableDifferences } from './schema/expected-tables.ts'
export { unknownMigrations } from './schema/schema-ownership.ts'
export { listTables, type Table } from './schema/table-catalog.ts'
export type * from './schema.ts'
export * from './sql/analyze.ts'
export * from './sql/batch-statement.ts'
export * from './sql/columns.ts'
export { withoutTriggers } from './sql/disable-triggers.ts'
export { findMalformedText } from './sql/encoding-check.ts'
export * from './sql/full-text.ts'
export * from './sql/row-locks.ts'
export * from './sql/select.ts'
export * from './sql/statement.ts'
export type { ChangeListener } from './sqlite/change-detection.ts'
export * from './user-name-search.ts'

export interface DatabaseOptions extends DataLocation {
  /** Maximum connections to the server, and to each replica. */
  readonly poolSize: number
  readonly replicaUrls?: readonly string[]
  /** How long a request waits for a connection, in milliseconds. */
  readonly timeoutMs?: number
  /** Receives warnings for the operator. */
  readonly warn?: (what: string) => void
}

/** Opens the database at a location; creates the file of SQLite if needed. */
export const openDatabase = ({ poolSize, replicaUrls = [], timeoutMs, warn = () => {}, ...location }: DatabaseOptions): Database => {
  const address = resolveDataLocation(location)
  if ('file' in address) return openSqlite(address.file)
  const { pooler = 'off', directUrl = '' } = location
  return openPostgres({ url: address.server, poolSize, pooler, directUrl, replicaUrls, ...(timeoutMs && { timeoutMs }), warn })
}
