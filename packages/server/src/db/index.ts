import { addressOf, type Place } from './address.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { Place } from './address.ts'
export { insertRows, readRows, readSequences, reserveIds, updateRows, writeSequences } from './bulk.ts'
export { type ClaimedJob, claimJob, type LeasedDelivery, leaseDeliveries, leaseJobs } from './claims.ts'
export type { Database, Db, Dialect, Following } from './database.ts'
export { DatabaseUnavailable, isForeignKeyViolation, isUniqueViolation } from './database.ts'
export { type EventPage, type EventPosition, eventsAfter, isLater, latestPosition, type TailedEvent } from './event-tail.ts'
export { found } from './found.ts'
export { indexFeed, indexFeeds, matchingFeeds } from './full-text.ts'
export { DataHeld, type Hold, holdData, isServed } from './hold.ts'
export { containing } from './like.ts'
export { keepCourseRow, keepRow, type LockableTable, lockName, lockPeople, lockRow, tryLockName } from './locks.ts'
export { appliedMigrations, migrate, migrateWithin, pending, unknownMigrations } from './migrate.ts'
export { addPersonNames, beginningNames, matchingPeople, type Names, replacePersonNames } from './person-names.ts'
export { rowVersion } from './row-version.ts'
export type * from './schema.ts'
export { padded, parameters, runText, statement, statementFor, statementOne, type Value } from './statement.ts'
export { refreshStatistics } from './statistics.ts'
export { listTables, type Table } from './tables.ts'
export { findMalformedText } from './text-check.ts'
export { withoutTriggers } from './triggers.ts'

/** Opens the database of an address, and makes its file when it is one. `poolSize` is the most connections to a server. */
export const openDatabase = ({ poolSize, ...place }: Place & { readonly poolSize: number }): Database => {
  const address = addressOf(place)
  return 'file' in address ? openSqlite(address.file) : openPostgres(address.server, poolSize)
}
