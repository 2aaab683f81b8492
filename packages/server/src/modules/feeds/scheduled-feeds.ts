import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { feedAbilities } from './access.ts'
import { updateFeed } from './commands.ts'
import { loadFeedAccess } from './feed-row.ts'
import { lockFeed } from './list-counters.ts'
import { scheduleOf } from './schedule-repository.ts'

/** Locks a scheduled feed. @throws not_found if it is not scheduled or not visible to the caller */
const lockScheduledFeed = async ({ db, actor }: WriteRequest, feedId: number): Promise<void> => {
  await lockFeed(db, feedId)
  const feed = await loadFeedAccess(db, feedId, actor.id)
  if (feed?.status !== 'scheduled' || !feedAbilities(actor, feed).view) throw new ApiError('not_found')
}

/** Changes the publication time. @throws not_found, rest_forbidden, invalid_scheduled_time, invalid_data */
export const reschedule = async (
  ctx: WriteRequest,
  feedId: number,
  body: { scheduled_at: string; timezone?: string | null | undefined },
) => {
  await lockScheduledFeed(ctx, feedId)
  const { scheduled_at, updated_at } = await updateFeed(ctx, feedId, body, null)
  const timezone = (await scheduleOf(ctx.db, feedId))?.timezone ?? 'UTC'
  return { id: feedId, scheduled_at: scheduled_at ?? body.scheduled_at, timezone, updated_at }
}

/** Publishes a scheduled feed immediately. @throws not_found, rest_forbidden */
export const publishNow = async (ctx: WriteRequest, feedId: number) => {
  await lockScheduledFeed(ctx, feedId)
  return updateFeed(ctx, feedId, { status: 'published' }, null)
}
