import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Db, insertRows } from '../../../server/src/db/index.ts'
import type { BulkLoad } from '../bulk-load/index.ts'
import type { Rows } from '../plan.ts'
import type { AddRows } from './activities.ts'
import { type Counters, createCounters } from './counters.ts'

/** Target duration of a transaction, with and without a running server. */
const HOLD_MS = { beside: 60, alone: 200 }
/** Long enough for a waiting server to get the lock: SQLite retries every 25 ms. */
export const GAP_MS = 30
const FIRST_SIZE = 250
const LEAST_SIZE = 20
const MOST_SIZE = 4000

/** Thrown after an interruption; committed data is consistent. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** Where a slice of rows is stored. */
export interface Slice {
  readonly db: Db
  readonly add: AddRows
  readonly counters: Counters
}

/** Stores rows that follow one another in the plan; `from` is the index of the first one. A transaction may be retried. */
type Store<Row, Result> = (slice: Slice, rows: readonly Row[], from: number) => Promise<Result>

/** Writes the rows of a plan: in one transaction, or in slices with a transaction each. */
export interface Writer {
  /** All rows become visible at once, so feeds and comments are inserted with their final counters. */
  readonly isOneTransaction: boolean
  /** Rows stored so far. */
  readonly counts: Readonly<Record<Rows, number>>
  readonly read: Db
  /** Runs a short piece of work in a transaction. */
  readonly transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
  /** Returns the results of the slices. */
  readonly write: <Row, Result>(kind: Rows, rows: readonly Row[], store: Store<Row, Result>) => Promise<Result[]>
}

export type OnProgress = (what: string, more: number) => void

const nothingYet = (): Record<Rows, number> => ({
  ...{ groups: 0, members: 0, spaces: 0, topics: 0, memberships: 0, follows: 0 },
  ...{ posts: 0, comments: 0, reactions: 0, bookmarks: 0, votes: 0 },
})

interface SliceOptions {
  readonly database: Database
  /** Whether a server is running, so that writes leave gaps for it. */
  readonly beside: boolean
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
  /** Rows in the first slice of a kind, before its duration is known. */
  readonly firstSize?: number
}

/** Commits in slices whose sizes adapt to the speed of the machine. Counters are part of each slice, so it can stop between any two. */
export const writeInSlices = ({ database, beside, signal, onProgress, firstSize = FIRST_SIZE }: SliceOptions): Writer => {
  const hold = beside ? HOLD_MS.beside : HOLD_MS.alone
  const counts = nothingYet()
  const sizes = new Map<Rows, number>()
  const adapt = (kind: Rows, size: number, took: number) => {
    const wanted = size * Math.min(2, hold / took)
    sizes.set(kind, Math.round(Math.min(MOST_SIZE, Math.max(LEAST_SIZE, wanted))))
  }
  return {
    isOneTransaction: false,
    counts,
    read: database.read,
    transaction: (work) => database.write(work),
    write: async (kind, rows, store) => {
      const results = []
      for (let at = 0; at < rows.length; ) {
        if (signal.aborted) throw new Interrupted('stopped')
        const size = sizes.get(kind) ?? firstSize
        const piece = rows.slice(at, at + size)
        const start = performance.now()
        const result = await database.write(async (db) => {
          const counters = createCounters()
          const stored = await store({ db, counters, add: (...what) => insertRows(db, ...what) }, piece, counts[kind])
          await counters.flush(db)
          return stored
        })
        const took = performance.now() - start
        results.push(result)
        counts[kind] += piece.length
        onProgress(kind, piece.length)
        if (piece.length === size || took > hold) adapt(kind, piece.length, took)
        at += piece.length
        if (beside) await pause(GAP_MS)
      }
      return results
    },
  }
}

interface LoadOptions {
  readonly load: BulkLoad
  /** Gets all counters; the caller flushes them. */
  readonly counters: Counters
  readonly onProgress: OnProgress
}

/** Writes into the transaction of a bulk load. */
export const writeInLoad = ({ load: { db, add }, counters, onProgress }: LoadOptions): Writer => {
  const counts = nothingYet()
  return {
    isOneTransaction: true,
    counts,
    read: db,
    transaction: (work) => work(db),
    write: async (kind, rows, store) => {
      const result = await store({ db, add, counters }, rows, counts[kind])
      counts[kind] += rows.length
      onProgress(kind, rows.length)
      return [result]
    },
  }
}
