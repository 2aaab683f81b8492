import type { api, Infer, ScheduledPost } from '@lyceum/contract'
import type { Actor } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { pageOf, pagination } from '../../../core/pagination.ts'
import type { Handlers, Input } from '../../../http/pipeline/route-handlers.ts'
import { spanOfDays } from '../../settings/index.ts'
import { namedSpace, type SpaceFor, spaceAbilities } from '../../spaces/index.ts'
import { viewFeeds } from '../feed-json-cache.ts'
import { publishNow, reschedule } from '../scheduled-feeds.ts'
import { countScheduled, listScheduled, type ScheduleFilter } from './queries.ts'

type Query = Input<typeof api.scheduledPosts.list>['query']

/** Whose scheduled feeds are listed; undefined: all. @throws rest_forbidden for feeds of others */
const authorFilterOf = (actor: Actor, { user_id }: Query, space: SpaceFor | undefined): number | undefined => {
  const seesOthers = actor.role === 'admin' || (space !== undefined && spaceAbilities(actor, space).moderateFeeds)
  if (seesOthers) return user_id
  if (user_id !== undefined && user_id !== actor.id) throw new ApiError('rest_forbidden')
  return actor.id
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
