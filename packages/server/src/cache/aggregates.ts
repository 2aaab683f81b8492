import { type CacheContext, cached, findCached } from './cached.ts'
import { defineCache } from './definition.ts'
import type { Track } from './track.ts'

interface Aggregate<T = unknown> {
  readonly value: T
}

/** Numbers and small lists that are counted from many rows. */
const aggregates = defineCache<Aggregate>({ name: 'aggregates', maxEntries: 30_000 })
const agedAggregates = defineCache<Aggregate>({ name: 'aged-aggregates', maxEntries: 700, ttlMs: 60_000, staleMs: 120_000 })

/** The cached aggregate of a key, if there is one. */
export const findAggregate = <T>(ctx: CacheContext, key: string): T | undefined => findCached(ctx, aggregates, key)?.value as T | undefined

/** An aggregate that is cached until its rows change. */
export const cachedAggregate = async <T>(ctx: CacheContext, key: string, count: (track: Track) => Promise<T>): Promise<T> =>
  (await cached(ctx, aggregates, key, async (track) => ({ value: await count(track) }))).value as T

/** An aggregate whose exact value would cost too much: it is up to a minute old, or another age that `count` sets. */
export const agedAggregate = async <T>(ctx: CacheContext, key: string, count: (track: Track) => Promise<T>): Promise<T> =>
  (await cached(ctx, agedAggregates, key, async (track) => ({ value: await count(track) }))).value as T
