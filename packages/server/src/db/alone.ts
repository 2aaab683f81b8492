import type { Database, Db } from './database.ts'
import type { Value } from './statement.ts'

/** One transaction that fills tables with millions of rows. Until they are complete they have no indexes but their keys, and no triggers. */
export interface BulkLoad {
  readonly db: Db
  /** The same for code that expects a database; see `databaseWithin`. */
  readonly database: Database
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
