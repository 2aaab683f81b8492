import { agedAggregate, cachedAggregate } from '../../cache/cached.ts'
import type { ReadContext } from '../../core/context.ts'
import { daysIn, hoursIn, totalsIn } from './community-queries.ts'
import { activeMembers, activityIn, topAndActive, topMembers } from './member-queries.ts'
import type { Range } from './range.ts'
import { postsIn, spaceDays, spaceMetrics } from './space-queries.ts'

/** From this many contributions on, a slightly stale response is allowed. */
const LARGE = 20_000
/** Age up to which a stale value is returned without a refresh, and up to which it is returned at all. */
const FRESH_FOR_MS = 60_000
const USABLE_FOR_MS = 300_000

type Metric<A extends readonly unknown[], T> = (ctx: ReadContext, range: Range, ...args: A) => Promise<T>

const keyOf = ({ from, to, today, generation }: Range, ...parts: readonly unknown[]): string =>
  `metric ${JSON.stringify([from, to, today, generation, ...parts])}`

/** A metric that is cached until any rollup changes. */
const metric =
  <A extends readonly unknown[], T>(name: string, compute: Metric<A, T>): Metric<A, T> =>
  (ctx, range, ...args) =>
    cachedAggregate(ctx, keyOf(range, name, args, range.version), (track) => {
      // Suspended accounts no longer count as active.
      track.tag('analytics', 'people')
      return compute(ctx, range, ...args)
    })

export const totalsOf = metric('totals', totalsIn)
export const daysOfAll = metric('days', daysIn)
export const hoursOf = metric('hours', hoursIn)

/**
 * A metric that may be slightly stale in a large community, where its cost outweighs the latest seconds: a value older than a minute is
 * returned once more while it is refreshed.
 */
const largeMetric = <A extends readonly unknown[], T>(name: string, compute: Metric<A, T>): Metric<A, T> =>
  metric(`exact ${name}`, async (ctx, range, ...args) => {
    const { posts, comments, reactions } = await totalsOf(ctx, range)
    if (posts + comments + reactions < LARGE) return compute(ctx, range, ...args)
    return agedAggregate(ctx, keyOf(range, name, args), (aged) => {
      aged.ttl(FRESH_FOR_MS, USABLE_FOR_MS)
      return compute(ctx, range, ...args)
    })
  })

export const metricsIn = largeMetric('spaces', spaceMetrics)
export const daysOf = largeMetric('days of spaces', spaceDays)
export const topMembersIn = largeMetric('top', topMembers)
export const topAndActiveIn = largeMetric('top and active', topAndActive)
export const activeIn = largeMetric('active', activeMembers)
export const activityOf = largeMetric('activity', activityIn)

const allTime = (range: Range): Range => ({ ...range, from: '0000-01-01', to: '9999-12-31', today: '' })
const postsOf = largeMetric('posts in spaces', postsIn)

export const totalPosts: typeof postsOf = (ctx, range, scope) => postsOf(ctx, allTime(range), scope)

/** Totals of all time. The key contains the range, so that no part of a response is newer than its whole. */
export const totalsSoFar: typeof totalsOf = metric('totals so far', (ctx, range) => totalsIn(ctx, allTime(range)))
