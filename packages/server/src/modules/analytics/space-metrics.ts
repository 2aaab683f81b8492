import type { ReadContext } from '../../core/context.ts'
import { happened } from './member-metrics.ts'
import { keptWhenLarge } from './metrics-cache.ts'
import type { Range } from './range.ts'
import { postsIn, type Scope, type SpaceDay, type SpaceFigures, spaceDays, spaceFigures } from './space-queries.ts'

const EVER = { from: '1000-01-01', to: '9000-12-31' }

/** What each space had in a range. */
export const figuresIn = (ctx: ReadContext, range: Range, scope: Scope): Promise<SpaceFigures[]> =>
  keptWhenLarge(
    ctx,
    range,
    ['spaces', scope],
    () => spaceFigures(ctx.db, range, scope),
    () => happened(ctx, range),
  )

/** What spaces had on each day. */
export const daysOf = (ctx: ReadContext, range: Range, scope: Scope): Promise<SpaceDay[]> =>
  keptWhenLarge(
    ctx,
    range,
    ['days of spaces', scope],
    () => spaceDays(ctx.db, range, scope),
    () => happened(ctx, range),
  )

/** How many posts are in spaces, whenever they were written. */
export const postsEver = (ctx: ReadContext, range: Range, scope: Scope): Promise<number> => {
  const ever = { ...range, ...EVER, today: '' }
  return keptWhenLarge(
    ctx,
    ever,
    ['posts in spaces', scope],
    () => postsIn(ctx.db, ever, scope),
    () => happened(ctx, ever),
  )
}
