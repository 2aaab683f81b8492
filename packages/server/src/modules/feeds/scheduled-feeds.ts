import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { feedAbilities } from './access.ts'
import { updateFeed } from './commands.ts'
import { loadStanding } from './feed-row.ts'
import { lockFeed } from './list-counters.ts'
import { scheduleOf } from './schedule-repository.ts'

/** Holds a feed that waits for its time. @throws not_found where it does not, or is not the caller's to see */
const heldPlan = async ({ db, actor }: WriteRequest, feedId: number): Promise<void> => {
  await lockFeed(db, feedId)
  const feed = await loadStanding(db, feedId, actor.id)
  if (feed?.status !== 'scheduled' || !feedAbilities(actor, feed).view) throw new ApiError('not_found')
}

/** Gives a scheduled feed another time. @throws not_found, rest_forbidden, invalid_scheduled_time, invalid_data */
export const replan = async (ctx: WriteRequest, feedId: number, body: { scheduled_at: string; timezone?: string | null | undefined }) => {
  await heldPlan(ctx, feedId)
  const { scheduled_at, updated_at } = await updateFeed(ctx, feedId, body, null)
  const timezone = (await scheduleOf(ctx.db, feedId))?.timezone ?? 'UTC'
  return { id: feedId, scheduled_at: scheduled_at ?? body.scheduled_at, timezone, updated_at }
}

/** Publishes a scheduled feed before its time, or after it, as any other feed. @throws not_found, rest_forbidden */
export const publishPlanned = async (ctx: WriteRequest, feedId: number) => {
  await heldPlan(ctx, feedId)
  return updateFeed(ctx, feedId, { status: 'published' }, null)
}
