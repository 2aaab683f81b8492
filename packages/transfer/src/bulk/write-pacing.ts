import { setTimeout as pause } from 'node:timers/promises'

/** Target duration of a transaction, with and without a running server. */
const HOLD_MS = { beside: 60, alone: 1000 }
/** Long enough for a waiting server to get the lock: SQLite retries every 25 ms. */
const GAP_MS = 30
const FIRST_SIZE = 250
const LEAST_SIZE = 20
const MOST_SIZE = 4000

/** Thrown after an interruption; committed data is consistent. */
export class Interrupted extends Error {
  override name = 'Interrupted'
}

/** Controls the size of transactions and the gaps between them. */
export interface WritePacing {
  readonly size: (kind: string) => number
  /** Adapts the size to a finished transaction with this many rows and this duration. */
  readonly adapt: (kind: string, rows: number, milliseconds: number) => void
  /** Waits, to let a running server write. */
  readonly rest: () => Promise<void>
}

interface PacingOptions {
  /** Whether a server is running, which needs gaps between writes. */
  readonly beside: boolean
  /** Rows in the first transaction of a kind, before its duration is known. */
  readonly firstSize?: number | undefined
}

/** Sizes that adapt to the speed of the machine. */
export const createWritePacing = ({ beside, firstSize = FIRST_SIZE }: PacingOptions): WritePacing => {
  const hold = beside ? HOLD_MS.beside : HOLD_MS.alone
  const sizes = new Map<string, number>()
  const size = (kind: string) => sizes.get(kind) ?? firstSize
  return {
    size,
    adapt: (kind, rows, milliseconds) => {
      if (rows < size(kind) && milliseconds <= hold) return
      const wanted = rows * Math.min(2, hold / milliseconds)
      sizes.set(kind, Math.round(Math.min(MOST_SIZE, Math.max(LEAST_SIZE, wanted))))
    },
    rest: async () => {
      if (beside) await pause(GAP_MS)
    },
  }
}
