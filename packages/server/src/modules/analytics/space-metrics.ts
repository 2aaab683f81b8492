import type { ReadContext } from '../../core/context.ts'
import { activityCount } from './member-metrics.ts'
import { cachedOrStale } from './metrics-cache.ts'
import type { Range } from './range.ts'
import { postsIn, type Scope, type SpaceDay, type SpaceMetrics, spaceDays, spaceMetrics } from './space-queries.ts'

const ALL_TIME = { from: '1000-01-01', to: '9000-12-31' }

/** Metrics of each space in a range. */
export const metricsIn = (ctx: ReadContext, range: Range, scope: Scope): Promise<SpaceMetrics[]> =>
  cachedOrStale(
    ctx,
    range,
    ['spaces', scope],
    () => spaceMetrics(ctx.db, range, scope),
    () => activityCount(ctx, range),
  )

/** Metrics of the spaces on each day. */
export const daysOf = (ctx: ReadContext, range: Range, scope: Scope): Promise<SpaceDay[]> =>
  cachedOrStale(
    ctx,
    range,
    ['days of spaces', scope],
    () => spaceDays(ctx.db, range, scope),
    () => activityCount(ctx, range),
  )

/** The number of posts in the spaces, of all time. */
export const totalPosts = (ctx: ReadContext, range: Range, scope: Scope): Promise<number> => {
  const ever = { ...range, ...ALL_TIME, today: '' }
  return cachedOrStale(
    ctx,
    ever,
    ['posts in spaces', scope],
    () => postsIn(ctx.db, ever, scope),
    () => activityCount(ctx, ever),
  )
}
