import type { WriteContext } from '../core/context.ts'
import { batchLock, batchStatement, type LockableTable, type Value } from '../db/index.ts'
import { distinctBy } from '../util/distinct.ts'

interface FactsQuery<E> {
  /** The fields of the events that become columns of `rows`. */
  readonly columns: Partial<Record<keyof E, 'bigint' | 'text'>>
  /** Queries for the ids of the rows to lock, in the lock order. */
  readonly locks: Partial<Record<LockableTable, (rows: string) => string>>
  readonly select: (rows: string) => string
  /** A locking clause of this query. */
  readonly lock?: string
}

/**
 * Returns a function that takes the locks which the projectors of events need, then loads the rows that they use. What it loads stays true until
 * the end of the transaction, so the locks must be those that a change of these rows needs.
 */
export const factsLoader = <E extends object, Facts>({ columns, locks, select, lock }: FactsQuery<E>) => {
  const types = columns as Record<string, 'bigint' | 'text'>
  const takes = Object.entries(locks).map(([table, idsOf]) =>
    batchLock(types, 't', (rows) => `select t.id from ${table} t where t.id in (${idsOf(rows)}) order by t.id`),
  )
  const load = batchStatement<Facts>(types, select, lock)
  const rowOf = (event: E) => Object.keys(types).map((name) => (event as Record<string, Value | undefined>)[name] ?? null)
  return async ({ db }: Pick<WriteContext, 'db'>, events: readonly E[]): Promise<Facts[]> => {
    const rows = distinctBy(events.map(rowOf), (row) => JSON.stringify(row))
    // Sent together; PostgreSQL runs them in this order.
    const locked = takes.map((take) => take(db, rows))
    return (await Promise.all([load(db, rows), ...locked]))[0]
  }
}
