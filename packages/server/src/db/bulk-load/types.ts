import type { Database, Db } from '../database.ts'
import type { Value } from '../sql/statement.ts'

export interface Filled {
  readonly tables: readonly string[]
  /** Those among them whose rows are looked up while they are filled. */
  readonly keyed: readonly string[]
}

/**
 * One transaction that fills tables with millions of rows. Until they are complete they have no indexes and no triggers, and on PostgreSQL no
 * keys either but those that are named: nothing notices meanwhile when a row comes twice.
 */
export interface BulkLoad {
  readonly db: Db
  /** The same for code that expects a database; see `databaseWithin`. */
  readonly database: Database
  /** Whether the database works in a process of its own, so that whoever waits for something else may give it more to do meanwhile. */
  readonly isApart: boolean
  /** Adds rows, given as lists of the columns' values. Names of tables and columns are never a user's. */
  add(table: string, columns: readonly string[], rows: readonly (readonly Value[])[]): Promise<void>
  /** How many indexes of a table wait to be made. */
  waiting(table: string): number
  /** Gives a table whose rows are all there its indexes back, one at each step. */
  index(table: string): AsyncGenerator<void>
}

/** Somebody else has the data open, so that nobody can be alone with them. */
export class NotAlone extends Error {
  override name = 'NotAlone'
}
