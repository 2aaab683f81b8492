import { agedAggregate, cachedAggregate } from '../../cache/cached.ts'
import type { CacheContext, Track } from '../../cache/index.ts'
import type { Range } from './range.ts'

/** From this many contributions on, a slightly stale response is allowed. */
const LARGE = 20_000
/** Age up to which a stale value is returned without a refresh, and up to which it is returned at all. */
const FRESH_FOR_MS = 60_000
const USABLE_FOR_MS = 300_000

type Key = readonly unknown[]

const keyOf = ({ from, to, today, generation }: Range, key: Key, ...more: unknown[]): string =>
  `metric ${JSON.stringify([...key, from, to, today, generation, ...more])}`

/** Suspended accounts no longer count as active. */
const tag = (track: Track) => track.tag('figures', 'people')

/** Computes a metric for a range; cached until any rollup changes. */
export const cachedMetric = <T>(ctx: CacheContext, range: Range, key: Key, work: () => Promise<T>): Promise<T> =>
  cachedAggregate(ctx, keyOf(range, key, range.version), (track) => {
    tag(track)
    return work()
  })

/**
 * Like `cachedMetric`, but large metrics may be slightly stale, because in a large community their cost outweighs the latest seconds. A
 * value older than a minute is returned once more while it is refreshed. `amount` returns the number of contributions.
 */
export const cachedOrStale = <T>(
  ctx: CacheContext,
  range: Range,
  key: Key,
  work: () => Promise<T>,
  amount: () => Promise<number>,
): Promise<T> =>
  cachedAggregate(ctx, keyOf(range, key, range.version, 'exact'), async (track) => {
    tag(track)
    if ((await amount()) < LARGE) return work()
    return agedAggregate(ctx, keyOf(range, key), (aged) => {
      aged.ttl(FRESH_FOR_MS, USABLE_FOR_MS)
      return work()
    })
  })
