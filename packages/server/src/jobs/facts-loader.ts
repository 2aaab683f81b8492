import type { WriteContext } from '../core/context.ts'
import { batchLock, batchStatement, type LockableTable, type LockMode, type Value } from '../db/index.ts'
import { distinctBy } from '../util/distinct.ts'

/** Gets the SQL of a table of events. */
type IdQuery = (rows: string) => string

interface FactsQuery<E> {
  /** The fields of the events that become columns of `rows`. */
  readonly columns: Partial<Record<keyof E, 'bigint' | 'text'>>
  /** Queries for the ids of the rows to lock, in the lock order. */
  readonly locks: Partial<Record<LockableTable, IdQuery>>
  /** The same for rows, of tables later in that order, that must not be deleted or moved, but whose counters may change. */
  readonly sharedLocks?: Partial<Record<LockableTable, IdQuery>>
  readonly select: (rows: string) => string
  /** A locking clause of this query. */
  readonly lock?: string
}

/**
 * Returns a function that takes the locks which the projectors of events need, then loads the rows that they use. What it loads stays true until
 * the end of the transaction, or is followed by an event whose projector waits for these locks.
 */
export const factsLoader = <E extends object, Facts>({ columns, locks, sharedLocks = {}, select, lock }: FactsQuery<E>) => {
  const types = columns as Record<string, 'bigint' | 'text'>
  const takeAll = (queries: Partial<Record<LockableTable, IdQuery>>, mode: LockMode) =>
    Object.entries(queries).map(([table, idsOf]) =>
      batchLock(types, 't', mode, (rows) => `select t.id from ${table} t where t.id in (${idsOf(rows)}) order by t.id`),
    )
  const takes = [...takeAll(locks, 'no key update'), ...takeAll(sharedLocks, 'key share')]
  const load = batchStatement<Facts>(types, select, lock)
  const rowOf = (event: E) => Object.keys(types).map((name) => (event as Record<string, Value | undefined>)[name] ?? null)
  return async ({ db }: Pick<WriteContext, 'db'>, events: readonly E[]): Promise<Facts[]> => {
    const rows = distinctBy(events.map(rowOf), (row) => JSON.stringify(row))
    // Sent together; PostgreSQL runs them in this order.
    const locked = takes.map((take) => take(db, rows))
    return (await Promise.all([load(db, rows), ...locked]))[0]
  }
}
