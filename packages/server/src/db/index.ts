import { addressOf, type DataLocation } from './address.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export type { DataLocation } from './address.ts'
export { type BulkLoad, NotAlone } from './alone.ts'
export { insertRows, readRows, readSequences, reserveIds, reserveRange, updateRows, writeSequences } from './bulk.ts'
export { type ClaimedJob, claimJobs, type LeasedDelivery, leaseDeliveries, leaseJobs } from './claims.ts'
export { type CodeState, codeState, installCode } from './code/install.ts'
export type { Database, Db, Dialect, Following, PoolStats, Refusal } from './database.ts'
export { DatabaseUnavailable, isUniqueViolation } from './database.ts'
export { type EventPage, type EventPosition, eventsAfter, isLater, latestPosition, type TailedEvent } from './event-tail.ts'
export { type TableDifferences, tableDifferences } from './expected-tables.ts'
export {
  type ChangePosition,
  feedChangesAfter,
  feedChangesNow,
  forgetFeedChanges,
  markFeedChanges,
  noteFeedChange,
} from './feed-changes.ts'
export type { ChangeListener } from './follow.ts'
export { unknownMigrations } from './foreign.ts'
export { found } from './found.ts'
export { feedsMatching, indexFeed, indexFeeds, matchingFeeds, searchEntry } from './full-text.ts'
export { type Beside, DataLocked, type Hold, lockData, isServed, type Marks } from './hold.ts'
export { idRows } from './id-rows.ts'
export { containing } from './like.ts'
export { limitTo } from './limit.ts'
export { loadAlone } from './load.ts'
export {
  keepCourseRow,
  lockRowsShared,
  type LockableTable,
  lockFreePeople,
  lockName,
  lockPeople,
  lockRow,
  lockRows,
  tryLockName,
  isSingleWriter,
} from './locks.ts'
export { appliedMigrations, knownMigrations, type Migrated, migrate, migrateWithin, pending } from './migrate.ts'
export {
  addPersonNames,
  beginningNames,
  matchingPeople,
  matchingPeopleOrEmails,
  NAME_COLUMNS,
  type Names,
  nameRows,
  namesOf,
  replacePersonNames,
} from './person-names.ts'
export { needsPrimary } from './postgres-replicas.ts'
export type { Listening, SignalListener } from './postgres-signals.ts'
export { rowVersion } from './row-version.ts'
export { rowsOfEach } from './rows-of-each.ts'
export type * from './schema.ts'
export { insertReturningId, type Placeholder, chunkPadded, parameters, runText, statement, statementIn, statementOne, type Value } from './statement.ts'
export { batchStatement } from './statement-over.ts'
export { refreshStatistics, refreshStatisticsOf } from './statistics.ts'
export { listTables, type Table } from './tables.ts'
export { findMalformedText } from './text-check.ts'
export { withoutTriggers } from './triggers.ts'

export interface Opening extends DataLocation {
  /** Most connections to a server, and to each replica. */
  readonly poolSize: number
  /** Standbys that reads may go to. */
  readonly replicaUrls?: readonly string[]
  /** How long a request waits for a connection, in ms. */
  readonly patienceMs?: number
  /** Hears what an operator should know. */
  readonly warn?: (what: string) => void
}

/** Opens the database of an address, and makes its file when it is one. */
export const openDatabase = ({ poolSize, replicaUrls = [], patienceMs, warn = () => {}, ...place }: Opening): Database => {
  const address = addressOf(place)
  if ('file' in address) return openSqlite(address.file)
  const { pooler = 'off', directUrl = '' } = place
  return openPostgres({ url: address.server, poolSize, pooler, directUrl, replicaUrls, ...(patienceMs && { patienceMs }), warn })
}
