import type { api, Infer, ScheduledPost } from '@lyceum/contract'
import type { Actor, WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { pageOf, pagination } from '../../../core/pagination.ts'
import type { Handlers, Input } from '../../../http/pipeline/route-handlers.ts'
import { spanOfDays } from '../../settings/index.ts'
import { namedSpace, type SpaceAccess, spaceAbilities } from '../../spaces/index.ts'
import { feedAbilities } from '../access.ts'
import { updateFeed } from '../commands.ts'
import { lockFeed } from '../counters.ts'
import { viewFeeds } from '../feed-json-cache.ts'
import { loadFeedAccess } from '../feed-row.ts'
import { scheduleOf } from '../schedule-repository.ts'
import { countScheduled, listScheduled, type ScheduleFilter } from './queries.ts'

type Query = Input<typeof api.scheduledPosts.list>['query']

/** Whose scheduled feeds are listed; undefined: all. @throws rest_forbidden for feeds of others */
const authorFilterOf = (actor: Actor, { user_id }: Query, space: SpaceAccess | undefined): number | undefined => {
  const seesOthers = actor.role === 'admin' || (space !== undefined && spaceAbilities(actor, space).moderateFeeds)
  if (seesOthers) return user_id
  if (user_id !== undefined && user_id !== actor.id) throw new ApiError('rest_forbidden')
  return actor.id
}

/** Locks a scheduled feed. @throws not_found if it is not scheduled or not visible to the caller */
const lockScheduledFeed = async ({ db, actor }: WriteRequest, feedId: number): Promise<void> => {
  await lockFeed(db, feedId)
  const feed = await loadFeedAccess(db, feedId, actor.id)
  if (feed?.status !== 'scheduled' || !feedAbilities(actor, feed).view) throw new ApiError('not_found')
}

/** Changes the publication time. @throws not_found, rest_forbidden, invalid_scheduled_time, invalid_data */
const reschedule = async (ctx: WriteRequest, feedId: number, body: { scheduled_at: string; timezone?: string | null | undefined }) => {
  await lockScheduledFeed(ctx, feedId)
  const { scheduled_at, updated_at } = await updateFeed(ctx, feedId, body, null)
  const timezone = (await scheduleOf(ctx.db, [feedId]))?.timezone ?? 'UTC'
  return { id: feedId, scheduled_at: scheduled_at ?? body.scheduled_at, timezone, updated_at }
}

/** Publishes a scheduled feed immediately. @throws not_found, rest_forbidden */
const publishNow = async (ctx: WriteRequest, feedId: number) => {
  await lockScheduledFeed(ctx, feedId)
  return updateFeed(ctx, feedId, { status: 'published' }, null)
}

export const scheduledHandlers: Handlers<typeof api.scheduledPosts> = {
  list: async (ctx, { query }) => {
    const { db, actor } = ctx
    const space = await namedSpace(ctx, query, 'view')
    const list: ScheduleFilter = { userId: authorFilterOf(actor, query, space), spaceId: space?.id, ...(await spanOfDays(db, query)) }
    const [rows, total] = await Promise.all([listScheduled(db, actor, list, pageOf(query)), countScheduled(db, actor, list)])
    const feeds = await viewFeeds(ctx, rows)
    const posts = rows.flatMap(({ timezone, auto_publish, notification_sent }, i): Infer<typeof ScheduledPost>[] => {
      const feed = feeds[i]
      return feed ? [{ ...feed, timezone, auto_publish: auto_publish === 1, notification_sent: notification_sent === 1 }] : []
    })
    return { posts, pagination: pagination(total, query.page, query.per_page) }
  },

  reschedule: async (ctx, { params, body }) => ({ ...(await reschedule(ctx, params.feed_id, body)), message: 'The feed was rescheduled.' }),

  publish: async (ctx, { params }) => {
    const { id, status, updated_at } = await publishNow(ctx, params.feed_id)
    if (status !== 'published') return { id, status: 'pending', published_at: null, message: 'The feed is waiting for approval.' }
    return { id, status, published_at: updated_at, message: 'The feed was published.' }
  },
}
