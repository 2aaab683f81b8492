import type { ReadContext } from '../../platform/context.ts'
import type { Bucket, Span } from './calendar.ts'
import { totalsIn } from './community-queries.ts'
import { keptWhenLarge } from './kept.ts'
import { type Activity, activeMembers, activityIn, type PersonMetric, topAndActive, topPeople, withNames } from './people-queries.ts'
import type { Range } from './range.ts'

/** What happened in a range: no fewer than the rows that tell who did it. */
export const happened = async ({ db }: Pick<ReadContext, 'db'>, range: Range): Promise<number> => {
  const { posts, comments, reactions } = await totalsIn(db, range)
  return posts + comments + reactions
}

/** Who made most of something, with names. */
export const topIn = async (ctx: ReadContext, range: Range, metric: PersonMetric, limit: number) =>
  withNames(
    ctx.db,
    await keptWhenLarge(
      ctx,
      ['top', range, metric, limit],
      () => topPeople(ctx.db, range, metric, limit),
      () => happened(ctx, range),
    ),
  )

/** Who is the most engaged, with a name, and how many active accounts posted, commented or reacted in a range. */
export const topAndActiveIn = async (ctx: ReadContext, range: Range) => {
  const { active, top } = await keptWhenLarge(
    ctx,
    ['top and active', range],
    () => topAndActive(ctx.db, range),
    () => happened(ctx, range),
  )
  return { active, top: (await withNames(ctx.db, top))[0] ?? null }
}

/** How many active accounts posted, commented or reacted in a range. */
export const activeIn = (ctx: ReadContext, range: Range): Promise<number> =>
  keptWhenLarge(
    ctx,
    ['active', range],
    () => activeMembers(ctx.db, range),
    () => happened(ctx, range),
  )

/** The same for each bucket, and how many of them had been there before. */
export const activityOf = (ctx: ReadContext, range: Range, span: Span, buckets: readonly Bucket[]): Promise<Activity[]> =>
  keptWhenLarge(
    ctx,
    ['activity', range, span],
    () => activityIn(ctx.db, range, span, buckets),
    () => happened(ctx, range),
  )
