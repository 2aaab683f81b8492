import { addressOf, type DataLocation } from './data-location.ts'
import type { Database } from './database.ts'
import { openPostgres } from './postgres/database.ts'
import { openSqlite } from './sqlite/database.ts'

export { refreshStatistics, refreshStatisticsOf } from './analyze.ts'
export { loadAlone } from './bulk-load/index.ts'
export { type BulkLoad, NotAlone } from './bulk-load/types.ts'
export { insertRows, readRows, readSequences, reserveIds, reserveRange, updateRows, writeSequences } from './bulk-statements.ts'
export { type CodeState, codeState, installCode } from './code/install.ts'
export type { DataLocation } from './data-location.ts'
export { type Beside, DataLocked, type Hold, isServed, lockData, type Marks } from './data-lock/index.ts'
export type { Database, Db, Dialect, Following, PoolStats, Refusal } from './database.ts'
export { DatabaseUnavailable, isUniqueViolation } from './database.ts'
export { withoutTriggers } from './disable-triggers.ts'
export { findMalformedText } from './encoding-check.ts'
export { type EventPage, type EventPosition, eventsAfter, isLater, latestPosition, type TailedEvent } from './event-log-reader.ts'
export { type TableDifferences, tableDifferences } from './expected-tables.ts'
export {
  type ChangePosition,
  feedChangesAfter,
  feedChangesNow,
  markFeedChanges,
  noteFeedChange,
  pruneFeedChanges,
} from './feed-index-changelog.ts'
export { feedsMatching, indexFeed, indexFeeds, matchingFeeds, searchEntry } from './full-text.ts'
export { type ClaimedJob, claimJobs, type LeasedDelivery, leaseDeliveries, leaseJobs } from './job-claims.ts'
export { appliedMigrations, knownMigrations, type Migrated, migrate, migrateWithin, pending } from './migrate.ts'
export type { Listening, SignalListener } from './postgres/listen-notify.ts'
export { needsPrimary } from './postgres/read-router.ts'
export {
  isSingleWriter,
  keepCourseRow,
  type LockableTable,
  lockFreePeople,
  lockName,
  lockPeople,
  lockRow,
  lockRows,
  lockRowsShared,
  tryLockName,
} from './row-locks.ts'
export { rowVersion } from './row-version.ts'
export type * from './schema.ts'
export { unknownMigrations } from './schema-ownership.ts'
export { batchStatement } from './sql/batch-statement.ts'
export { found } from './sql/exists.ts'
export { idRows } from './sql/ids-table.ts'
export { rowsOfEach } from './sql/lateral.ts'
export { containing } from './sql/like.ts'
export { limitTo } from './sql/limit.ts'
export {
  chunkPadded,
  insertReturningId,
  type Placeholder,
  parameters,
  runText,
  statement,
  statementIn,
  statementOne,
  type Value,
} from './sql/statement.ts'
export type { ChangeListener } from './sqlite/change-triggers.ts'
export { listTables, type Table } from './table-catalog.ts'
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
} from './user-name-search.ts'

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
