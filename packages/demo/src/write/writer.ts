import { type Database, type Db, insertRows } from '../../../server/src/db/index.ts'
import type { AddRows } from '../../../transfer/src/bulk/activities.ts'
import { type Counters, createCounters } from '../../../transfer/src/bulk/counters.ts'
import { createWritePacing, Interrupted } from '../../../transfer/src/bulk/write-pacing.ts'
import type { BulkLoader } from '../bulk-load/index.ts'
import type { Rows } from '../generator.ts'

/** Where a slice of rows is stored. */
export interface Slice {
  readonly db: Db
  readonly add: AddRows
  readonly counters: Counters
}

/** Stores rows that follow one another in the generated data; `from` is the index of the first one. A transaction may be retried. */
type Store<Row, Result> = (slice: Slice, rows: readonly Row[], from: number) => Promise<Result>

/** Writes generated rows: in one transaction, or in slices with a transaction each. */
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
export const writeInSlices = ({ database, beside, signal, onProgress, firstSize }: SliceOptions): Writer => {
  const counts = nothingYet()
  const pacing = createWritePacing({ beside, firstSize })
  return {
    isOneTransaction: false,
    counts,
    read: database.read,
    transaction: (work) => database.write(work),
    write: async (kind, rows, store) => {
      const results = []
      for (let at = 0; at < rows.length; ) {
        if (signal.aborted) throw new Interrupted('stopped')
        const piece = rows.slice(at, at + pacing.size(kind))
        const start = performance.now()
        const result = await database.write(async (db) => {
          const counters = createCounters()
          const stored = await store({ db, counters, add: (...what) => insertRows(db, ...what) }, piece, counts[kind])
          await counters.flush(db)
          return stored
        })
        pacing.adapt(kind, piece.length, performance.now() - start)
        results.push(result)
        counts[kind] += piece.length
        onProgress(kind, piece.length)
        at += piece.length
        await pacing.rest()
      }
      return results
    },
  }
}

interface LoadOptions {
  readonly load: BulkLoader
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
