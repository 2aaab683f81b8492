import { api, MAX_UNREAD_LISTED, type ResponseOf } from '@lyceum/contract'
import { CONTENT_TABLES, callerResponse } from '../../cache/caller-response.ts'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pageOf, paginator } from '../../core/pagination.ts'
import { lockRow } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { checkOwn, preferencesOf, savePreferences } from './preferences.ts'
import { makeNotifications, notificationTags, unreadCount } from './presenter.ts'
import {
  changeAll,
  countNotifications,
  holderOf,
  loadNotifications,
  markRead,
  pageOfNotifications,
  readState,
  removeNotification,
} from './queries.ts'

const { list: listRoute, unread: unreadRoute } = api.notifications
const cachedList = callerResponse<ResponseOf<typeof listRoute>>(listRoute)
const cachedUnread = callerResponse<ResponseOf<typeof unreadRoute>>(unreadRoute)

/** The caller's own visible notification. @throws rest_forbidden for another member's, notification_not_found */
const notificationFor = async ({ db, actor }: ReadRequest, id: number) => {
  const [row] = await loadNotifications(db, actor, [id])
  if (row) return row
  const holder = await holderOf(db, id)
  throw new ApiError(holder === undefined || holder === actor.id ? 'notification_not_found' : 'rest_forbidden')
}

/** Serializes a caller's changes, so that the counts of concurrent requests add up. */
const lockCaller = ({ db, actor }: WriteRequest) => lockRow(db, 'users', actor.id)

export const notificationHandlers: Handlers<typeof api.notifications> = {
  list: (ctx, { query }) => {
    const { db, actor, request } = ctx
    const { is_read: isRead, type, order = 'desc' } = query
    const filter = { isRead, type }
    return cachedList(ctx, query, async (track) => {
      const [ids, total, decisive] = await Promise.all([
        pageOfNotifications(db, actor, filter, order, pageOf(query)),
        countNotifications(db, actor, filter),
        notificationTags(ctx),
      ])
      const { views, tags } = await makeNotifications(ctx, ids)
      track.ignore(...CONTENT_TABLES)
      track.tag(...decisive, ...tags)
      return { notifications: paginator(request.url, query, views, total) }
    })
  },

  unread: (ctx, { query }) => {
    const { db, actor } = ctx
    return cachedUnread(ctx, query, async (track) => {
      const page = { limit: MAX_UNREAD_LISTED, offset: 0 }
      const [ids, count, decisive] = await Promise.all([
        pageOfNotifications(db, actor, { isRead: false }, 'desc', page),
        unreadCount(db, actor),
        notificationTags(ctx),
      ])
      const { views, tags } = await makeNotifications(ctx, ids)
      track.ignore(...CONTENT_TABLES)
      track.tag(...decisive, ...tags)
      return { notifications: views, unread_count: count }
    })
  },

  read: async (ctx, { params: { notification_id: id } }) => {
    const { db, actor, now } = ctx
    await lockCaller(ctx)
    const before = await notificationFor(ctx, id)
    if (before.is_read === 0) {
      await markRead(db, id, now)
      await ctx.emit('notification.read', { user_id: actor.id })
    }
    const after = await readState(db, id)
    return { message: 'The notification was marked as read.', data: { id, is_read: true, read_at: after?.read_at ?? now } }
  },

  markAllRead: async (ctx) => {
    await lockCaller(ctx)
    const marked = await changeAll(ctx.db, ctx.actor, 'read', ctx.now)
    if (marked > 0) await ctx.emit('notification.read', { user_id: ctx.actor.id })
    return { message: `${marked} notifications were marked as read.`, data: { marked_count: marked } }
  },

  remove: async (ctx, { params: { notification_id: id } }) => {
    const { db, actor, now } = ctx
    await lockCaller(ctx)
    const { is_read: isRead } = await notificationFor(ctx, id)
    await removeNotification(db, id, now)
    if (!isRead) await ctx.emit('notification.read', { user_id: actor.id })
    return { message: 'The notification was deleted.' }
  },

  removeAll: async (ctx) => {
    await lockCaller(ctx)
    const deleted = await changeAll(ctx.db, ctx.actor, 'removed', ctx.now)
    if (deleted > 0) await ctx.emit('notification.read', { user_id: ctx.actor.id })
    return { message: `${deleted} deleted.`, data: { deleted_count: deleted } }
  },

  preferences: async (ctx, { params }) => {
    await checkOwn(ctx, params.username)
    const found = await preferencesOf(ctx.db, [ctx.actor.id])
    return { data: found.get(ctx.actor.id)! }
  },

  savePreferences: async (ctx, { params, body }) => {
    await checkOwn(ctx, params.username)
    return { message: 'The preferences were saved.', data: await savePreferences(ctx, body) }
  },
}
