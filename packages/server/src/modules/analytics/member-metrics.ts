import type { ReadContext } from '../../core/context.ts'
import { type DayTotals, daysIn, hoursIn, type Totals, totalsEver, totalsIn } from './community-queries.ts'
import type { Bucket, Span } from './date-buckets.ts'
import { type Activity, activeMembers, activityIn, type PersonMetric, topAndActive, topMembers, withNames } from './member-queries.ts'
import { cachedMetric, cachedOrStale } from './metrics-cache.ts'
import type { Range } from './range.ts'

/** Content created and members joined in a range. */
export const totalsOf = (ctx: ReadContext, range: Range): Promise<Totals> =>
  cachedMetric(ctx, range, ['totals'], () => totalsIn(ctx.db, range))

/** Totals of all time. */
export const totalsSoFar = (ctx: ReadContext, range: Range): Promise<Totals> =>
  cachedMetric(ctx, range, ['totals so far'], () => totalsEver(ctx.db, range))

/** Totals of each day in the community. */
export const daysOfAll = (ctx: ReadContext, range: Range): Promise<DayTotals[]> =>
  cachedMetric(ctx, range, ['days'], () => daysIn(ctx.db, range))

/** Activity by hour of day. */
export const hoursOf = (ctx: ReadContext, range: Range) => cachedMetric(ctx, range, ['hours'], () => hoursIn(ctx.db, range))

/** Contributions in a range; an upper bound for the number of member rows. */
export const activityCount = async (ctx: ReadContext, range: Range): Promise<number> => {
  const { posts, comments, reactions } = await totalsOf(ctx, range)
  return posts + comments + reactions
}

/** Top members by a metric, with names. */
export const topMembersIn = async (ctx: ReadContext, range: Range, metric: PersonMetric, limit: number) =>
  withNames(
    ctx.db,
    await cachedOrStale(
      ctx,
      range,
      ['top', metric, limit],
      () => topMembers(ctx.db, range, metric, limit),
      () => activityCount(ctx, range),
    ),
  )

/** The most engaged member, with name, and the number of active members in a range. */
export const topAndActiveIn = async (ctx: ReadContext, range: Range) => {
  const { active, top } = await cachedOrStale(
    ctx,
    range,
    ['top and active'],
    () => topAndActive(ctx.db, range),
    () => activityCount(ctx, range),
  )
  return { active, top: (await withNames(ctx.db, top))[0] ?? null }
}

/** The number of members who posted, commented or reacted in a range. */
export const activeIn = (ctx: ReadContext, range: Range): Promise<number> =>
  cachedOrStale(
    ctx,
    range,
    ['active'],
    () => activeMembers(ctx.db, range),
    () => activityCount(ctx, range),
  )

/** Active members per bucket, and how many of them joined before it. */
export const activityOf = (ctx: ReadContext, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> =>
  cachedOrStale(
    ctx,
    range,
    ['activity', span],
    () => activityIn(ctx.db, range, span, buckets),
    () => activityCount(ctx, range),
  )
