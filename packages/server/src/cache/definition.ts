import { estimateBytes } from './estimate-bytes.ts'

export interface CacheOptions<L, V> {
  /** Name in the metrics. */
  readonly name: string
  readonly maxEntries: number
  readonly maxBytes?: number
  /** Makes the stored value from what `load` returns, for example its JSON. */
  readonly serialize?: (loaded: L) => V
  /** Bytes of a stored value, if it needs more memory than it contains. */
  readonly weigh?: (value: V) => number
  /**
   * Tables that `load` reads and that need no tag of the table, although no tag covers them: their rows do not affect the value, or only the
   * rows that have tags do.
   */
  readonly ignoredTables?: readonly string[]
  /** Whether concurrent callers with the same key and snapshot share one load; true by default. */
  readonly sharesLoads?: boolean
  /** For values that changes of the database do not invalidate: they are used for this long. */
  readonly ttlMs?: number
  /** After `ttlMs`, a value is still used for this long in total while a new one is loaded. */
  readonly staleMs?: number
}

export interface CacheDefinition<L = unknown, V = L> {
  readonly index: number
  readonly name: string
  readonly maxEntries: number
  readonly maxBytes: number
  readonly serialize: ((loaded: L) => V) | null
  readonly weigh: (value: V) => number
  readonly ignoredTables: ReadonlySet<string>
  readonly sharesLoads: boolean
  readonly ttlMs: number
  readonly staleMs: number
}

/** Default capacity of a cache in bytes. */
const DEFAULT_BYTES = 24 * 2 ** 20

const names: string[] = []

/** Defines a cache of the process. Call it once per cache, when a module is loaded. */
export const defineCache = <L, V = L>(options: CacheOptions<L, V>): CacheDefinition<L, V> => {
  const {
    name,
    maxEntries,
    maxBytes = DEFAULT_BYTES,
    serialize = null,
    weigh = estimateBytes,
    ignoredTables = [],
    sharesLoads = true,
    ttlMs = 0,
    staleMs = ttlMs,
  } = options
  if (names.includes(name)) throw new Error(`the cache ${name} is defined twice`)
  return {
    index: names.push(name) - 1,
    name,
    maxEntries,
    maxBytes,
    serialize,
    weigh,
    ignoredTables: new Set(ignoredTables),
    sharesLoads,
    ttlMs,
    staleMs,
  }
}
