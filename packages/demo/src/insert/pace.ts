import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db } from '../../../server/src/db/index.ts'
import type { Rows } from '../plan.ts'

/** Target duration of a transaction, with and without a running server. */
const HOLD_MS = { beside: 60, alone: 200 }
/** Long enough for a waiting server to get the lock: SQLite retries every 25 ms. */
const GAP_MS = 30
const FIRST_SIZE = 250
const LEAST_SIZE = 20
const MOST_SIZE = 4000

/** Thrown after an interruption; committed data is consistent. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

interface Steps<Row, Result> {
  /** Batch sizes adapt per kind of row. */
  readonly kind: Rows
  readonly write: (db: Db, rows: readonly Row[]) => Promise<Result>
  /** Called once after the commit; `write` may be retried. */
  readonly written?: (result: Result, rows: readonly Row[]) => void
}

/** Writes rows in batches, each in its own transaction. */
export type WriteLimit = <Row, Result>(rows: readonly Row[], steps: Steps<Row, Result>) => Promise<void>

interface PaceOptions {
  readonly database: Database
  /** Whether a server is running. */
  readonly beside: boolean
  readonly signal: AbortSignal
  readonly onPiece: (kind: Rows, count: number) => void
  /** Rows in the first batch of a kind. */
  readonly firstSize?: number | undefined
}

/** Adapts batch sizes to the speed of the machine and leaves gaps for a running server. */
export const createPace = ({ database, beside, signal, onPiece, firstSize = FIRST_SIZE }: PaceOptions): WriteLimit => {
  const hold = beside ? HOLD_MS.beside : HOLD_MS.alone
  const sizes = new Map<Rows, number>()
  const adapt = (kind: Rows, size: number, took: number) => {
    const wanted = size * Math.min(2, hold / took)
    sizes.set(kind, Math.round(Math.min(MOST_SIZE, Math.max(LEAST_SIZE, wanted))))
  }
  return async (rows, { kind, write, written }) => {
    for (let at = 0; at < rows.length; ) {
      if (signal.aborted) throw new Interrupted('stopped')
      const size = sizes.get(kind) ?? firstSize
      const piece = rows.slice(at, at + size)
      const start = performance.now()
      const result = await database.write((db) => write(db, piece))
      const took = performance.now() - start
      written?.(result, piece)
      onPiece(kind, piece.length)
      if (piece.length === size || took > hold) adapt(kind, piece.length, took)
      at += piece.length
      if (beside) await pause(GAP_MS)
    }
  }
}
