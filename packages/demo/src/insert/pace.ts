import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db } from '../../../server/src/db/index.ts'
import type { Rows } from '../plan.ts'

/** How long one write may hold up those of a server beside it, and of one that comes while it runs. */
const HOLD_MS = { beside: 60, alone: 200 }
/** Long enough for a server that waits for its turn to take it: after so short a wait SQLite looks every 25 ms. */
const GAP_MS = 30
const FIRST_SIZE = 250
const LEAST_SIZE = 20
const MOST_SIZE = 4000

/** Somebody wants it to stop; what was written until then holds together. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

interface Steps<Row, Result> {
  /** Each kind of row has a cost of its own. */
  readonly kind: Rows
  readonly write: (db: Db, rows: readonly Row[]) => Promise<Result>
  /** Called once they are stored; `write` may run more often. */
  readonly written?: (result: Result, rows: readonly Row[]) => void
}

/** Writes rows piece by piece, each piece in a transaction of its own. */
export type WriteLimit = <Row, Result>(rows: readonly Row[], steps: Steps<Row, Result>) => Promise<void>

interface PaceOptions {
  readonly database: Database
  /** Whether a server works on the same data. */
  readonly beside: boolean
  readonly signal: AbortSignal
  readonly onPiece: (kind: Rows, count: number) => void
  /** How many rows the first piece of a kind has. */
  readonly firstSize?: number | undefined
}

/** Cuts bulk work into writes that are as large as this machine allows, and leaves gaps for a server. */
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
