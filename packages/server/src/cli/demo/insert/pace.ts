import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db } from '../../db/index.ts'

/** How long one write may hold up those of a server beside it. */
const HOLD_MS = 60
/** Long enough for a server that waits for its turn to take it: SQLite looks every 25 ms at the latest after so short a wait. */
const GAP_MS = 30
const FIRST_SIZE = 250
const LEAST_SIZE = 20
const MOST_SIZE = 4000

/** Somebody wants it to stop; everything that was written holds together. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

export interface Pace {
  /** Runs `work` on the rows piece by piece, each piece in a write of its own. */
  each<Row>(rows: readonly Row[], work: (db: Db, piece: readonly Row[], from: number) => Promise<void>): Promise<void>
}

interface PaceOptions {
  readonly database: Database
  /** Whether a server works on the same data. */
  readonly beside: boolean
  readonly signal: AbortSignal
}

/** Cuts bulk work into writes that are as large as they may be on this machine; leaves gaps for a server. */
export const createPace = ({ database, beside, signal }: PaceOptions): Pace => {
  // Each kind of row has a cost of its own.
  const sizes = new Map<unknown, number>()
  return {
    each: async (rows, work) => {
      for (let at = 0; at < rows.length; ) {
        if (signal.aborted) throw new Interrupted('stopped')
        const size = sizes.get(work.name) ?? FIRST_SIZE
        const piece = rows.slice(at, at + size)
        const start = performance.now()
        await database.write((db) => work(db, piece, at))
        const took = performance.now() - start
        if (piece.length === size || took > HOLD_MS) sizes.set(work.name, Math.round(Math.min(MOST_SIZE, Math.max(LEAST_SIZE, (size * Math.min(2, HOLD_MS / took))))))
        at += piece.length
        if (beside) await pause(GAP_MS)
      }
    },
  }
}
