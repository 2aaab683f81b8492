import type { ReadContext } from '../../core/context.ts'
import { type DayTotals, daysIn, hoursIn, type Totals, totalsEver, totalsIn } from './community-queries.ts'
import type { Bucket, Span } from './date-buckets.ts'
import { type Activity, activeMembers, activityIn, type PersonMetric, topAndActive, topPeople, withNames } from './member-queries.ts'
import { keptFigures, keptWhenLarge } from './metrics-cache.ts'
import type { Range } from './range.ts'

/** What was written, and who came, in a range. */
export const totalsOf = (ctx: ReadContext, range: Range): Promise<Totals> =>
  keptFigures(ctx, range, ['totals'], () => totalsIn(ctx.db, range))

/** The same of all time. */
export const totalsSoFar = (ctx: ReadContext, range: Range): Promise<Totals> =>
  keptFigures(ctx, range, ['totals so far'], () => totalsEver(ctx.db, range))

/** What happened on each day, in the whole community. */
export const daysOfAll = (ctx: ReadContext, range: Range): Promise<DayTotals[]> =>
  keptFigures(ctx, range, ['days'], () => daysIn(ctx.db, range))

/** What happened at each hour of the day. */
export const hoursOf = (ctx: ReadContext, range: Range) => keptFigures(ctx, range, ['hours'], () => hoursIn(ctx.db, range))

/** What happened in a range: no fewer than the rows that tell who did it. */
export const happened = async (ctx: ReadContext, range: Range): Promise<number> => {
  const { posts, comments, reactions } = await totalsOf(ctx, range)
  return posts + comments + reactions
}

/** Who made most of something, with names. */
export const topIn = async (ctx: ReadContext, range: Range, metric: PersonMetric, limit: number) =>
  withNames(
    ctx.db,
    await keptWhenLarge(
      ctx,
      range,
      ['top', metric, limit],
      () => topPeople(ctx.db, range, metric, limit),
      () => happened(ctx, range),
    ),
  )

/** Who is the most engaged, with a name, and how many active accounts posted, commented or reacted in a range. */
export const topAndActiveIn = async (ctx: ReadContext, range: Range) => {
  const { active, top } = await keptWhenLarge(
    ctx,
    range,
    ['top and active'],
    () => topAndActive(ctx.db, range),
    () => happened(ctx, range),
  )
  return { active, top: (await withNames(ctx.db, top))[0] ?? null }
}

/** How many active accounts posted, commented or reacted in a range. */
export const activeIn = (ctx: ReadContext, range: Range): Promise<number> =>
  keptWhenLarge(
    ctx,
    range,
    ['active'],
    () => activeMembers(ctx.db, range),
    () => happened(ctx, range),
  )

/** The same for each bucket, and how many of them had been there before. */
export const activityOf = (ctx: ReadContext, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> =>
  keptWhenLarge(
    ctx,
    range,
    ['activity', span],
    () => activityIn(ctx.db, range, span, buckets),
    () => happened(ctx, range),
  )
