import { shift } from '../../core/clock.ts'
import type { ReadContext } from '../../core/context.ts'
import type { Range } from './range.ts'

/** From this many contributions on, a slightly stale response is allowed. */
const LARGE = 20_000
/** Age up to which a stale value is returned without a refresh, and up to which it is returned at all. */
const FRESH_FOR_S = 60
const USABLE_FOR_S = 300
const MAX_ENTRIES = 200

interface CacheEntry {
  readonly computedAt: string
  readonly value: unknown
}

interface StaleCache {
  readonly entries: Map<string, CacheEntry>
  readonly inProgress: Map<string, Promise<unknown>>
}

const staleCaches = new WeakMap<ReadContext['services']['database'], StaleCache>()

const staleCacheOf = (database: ReadContext['services']['database']): StaleCache => {
  const found = staleCaches.get(database)
  if (found) return found
  const made: StaleCache = { entries: new Map(), inProgress: new Map() }
  staleCaches.set(database, made)
  return made
}

type MetricsRequest = Pick<ReadContext, 'services' | 'now'>
type Key = readonly unknown[]

const cacheKeyOf = ({ from, to, today, generation }: Range, key: Key): string => JSON.stringify([...key, from, to, today, generation])

/** The exact cache: the value if cached, and a function that stores it. */
const exactCache = <T>({ services: { caches } }: MetricsRequest, range: Range, key: Key) => {
  const entries = caches.of<{ readonly value: T }>('figures', MAX_ENTRIES)
  const since = caches.revision()
  const name = cacheKeyOf(range, key)
  return {
    found: entries.get(name, since, range.version),
    // Suspended accounts no longer count as active.
    store: (value: T) => entries.set(name, { value }, ['figures', 'people'], since, range.version),
  }
}

/** Computes a metric for a range; cached until any rollup changes. */
export const cachedMetric = async <T>(ctx: MetricsRequest, range: Range, key: Key, work: () => Promise<T>): Promise<T> => {
  const { found, store } = exactCache<T>(ctx, range, key)
  if (found) return found.value
  const value = await work()
  store(value)
  return value
}

/**
 * Like `cachedMetric`, but large metrics may be slightly stale, because in a large community their cost outweighs the latest seconds. A
 * value older than a minute is returned once more while it is refreshed. Concurrent requests share one computation. `amount` returns the
 * number of contributions.
 */
export const cachedOrStale = async <T>(
  ctx: MetricsRequest,
  range: Range,
  key: Key,
  work: () => Promise<T>,
  amount: () => Promise<number>,
): Promise<T> => {
  const { found: exact, store } = exactCache<T>(ctx, range, key)
  if (exact) return exact.value
  if ((await amount()) < LARGE) {
    const value = await work()
    store(value)
    return value
  }
  const { services, now } = ctx
  const { entries, inProgress } = staleCacheOf(services.database)
  const name = cacheKeyOf(range, key)
  const found = entries.get(name)
  if (found && found.computedAt > shift(now, -FRESH_FOR_S) && found.computedAt <= now) return found.value as T
  const refreshing = (inProgress.get(name) as Promise<T> | undefined) ?? refresh()
  if (!found || found.computedAt <= shift(now, -USABLE_FOR_S) || found.computedAt > now) return refreshing
  // The next caller sees the result or the error.
  refreshing.catch(() => {})
  return found.value as T

  function refresh(): Promise<T> {
    const made = work()
      .then((value) => {
        const oldest = entries.size >= MAX_ENTRIES ? entries.keys().next().value : undefined
        if (oldest !== undefined) entries.delete(oldest)
        entries.delete(name)
        entries.set(name, { computedAt: now, value })
        store(value)
        return value
      })
      .finally(() => inProgress.delete(name))
    inProgress.set(name, made)
    return made
  }
}
