import type { Database, Db } from '../../../server/src/db/database.ts'
import type { Value } from '../../../server/src/db/sql/statement.ts'

export interface Filled {
  readonly tables: readonly string[]
  /** Tables that keep their keys, since their rows are looked up meanwhile. */
  readonly keyed: readonly string[]
}

/**
 * A transaction that fills tables with millions of rows. Until they are complete they have no indexes and triggers, and on PostgreSQL only the
 * keys of `keyed` tables, so duplicates are not detected.
 */
export interface BulkLoader {
  readonly db: Db
  /** The same for code that expects a database; see `transactionDatabase`. */
  readonly database: Database
  /** Whether the database runs in another process, so that work for it can overlap with other work. */
  readonly isApart: boolean
  /** Adds rows as lists of column values. Table and column names must not come from users. */
  add(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>
  /** Number of indexes of a table that have not been created yet. */
  waiting(table: string): number
  /** Creates the indexes of a complete table, one per step. */
  index(table: string): AsyncGenerator<void>
}

/** Another process has the data open. */
export class ExclusiveAccessError extends Error {
  override name = 'ExclusiveAccessError'
}
