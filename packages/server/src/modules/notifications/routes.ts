import { api, MAX_UNREAD_LISTED, type ResponseOf } from '@lyceum/contract'
import { callerResponse } from '../../cache/caller-response.ts'
import type { Track } from '../../cache/index.ts'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pageOf, paginator } from '../../core/pagination.ts'
import { readPipeline } from '../../core/read-pipeline.ts'
import { lockRow, type PageWindow } from '../../db/index.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { checkOwn, preferencesOf, savePreferences } from './preferences.ts'
import { inOrder } from './presenter.ts'
import {
  changeAll,
  countNotifications,
  holderOf,
  loadNotifications,
  markRead,
  NO_ROWS,
  type NotificationFilter,
  type NotificationFor,
  pageOfNotifications,
  readState,
  removeNotification,
  spacesOfJoins,
  tagsOf,
} from './queries.ts'
import { viewNotification } from './view.ts'

const { list: listRoute, unread: unreadRoute } = api.notifications
const cachedList = callerResponse<ResponseOf<typeof listRoute>>(listRoute)
const cachedUnread = callerResponse<ResponseOf<typeof unreadRoute>>(unreadRoute)

interface Page {
  readonly ids: readonly number[]
  readonly total: number
}

const findPage = async ({ db, actor }: ReadRequest, filter: NotificationFilter, order: 'asc' | 'desc', page: PageWindow, track: Track) => {
  const [ids, total, spaces] = await Promise.all([
    pageOfNotifications(db, actor, filter, order, page),
    countNotifications(db, actor, filter),
    spacesOfJoins(db, [actor.id]),
  ])
  track.cover('visibility')
  // They decide which notifications the caller sees, besides their own permissions.
  track.tag(`notices:${actor.id}`, ...spaces.map((id) => `within:${id}`))
  return { ids, total }
}

/** The steps that both lists share. The rows that are loaded are those that the caller still sees. */
const steps = {
  hydrate: async ({ db, actor }: ReadRequest, { ids, total }: Page, track: Track) => {
    const rows = await loadNotifications(db, actor, ids)
    track.tag(...NO_ROWS, ...rows.flatMap(tagsOf))
    return { ids, total, rows }
  },
  filter: (_ctx: ReadRequest, { ids, total, rows }: Page & { rows: NotificationFor[] }) => ({ total, rows: inOrder(ids, rows) }),
}

const notificationPage = readPipeline({
  ...steps,
  skeleton: (ctx, query: Input<typeof listRoute>['query'], track) =>
    findPage(ctx, { isRead: query.is_read, type: query.type }, query.order ?? 'desc', pageOf(query), track),
  present: ({ request, services }, { rows, total }, query) => ({
    notifications: paginator(
      request.url,
      query,
      rows.map((row) => viewNotification(row, services.origin())),
      total,
    ),
  }),
})

const unreadPage = readPipeline({
  ...steps,
  skeleton: (ctx, _query: object, track) => findPage(ctx, { isRead: false }, 'desc', { limit: MAX_UNREAD_LISTED, offset: 0 }, track),
  present: ({ services }, { rows, total }) => ({
    notifications: rows.map((row) => viewNotification(row, services.origin())),
    unread_count: total,
  }),
})

/** The caller's own visible notification. @throws rest_forbidden for another member's, notification_not_found */
const notificationFor = async ({ db, actor }: ReadRequest, id: number) => {
  const [row] = await loadNotifications(db, actor, [id])
  if (row) return row
  const holder = await holderOf(db, [id])
  throw new ApiError(holder === undefined || holder.user_id === actor.id ? 'notification_not_found' : 'rest_forbidden')
}

/** Serializes a caller's changes, so that the counts of concurrent requests add up. */
const lockCaller = ({ db, actor }: WriteRequest) => lockRow(db, 'users', actor.id)

export const notificationHandlers: Handlers<typeof api.notifications> = {
  list: (ctx, { query }) => cachedList(ctx, query, (track) => notificationPage(ctx, query, track)),
  unread: (ctx, { query }) => cachedUnread(ctx, query, (track) => unreadPage(ctx, query, track)),

  read: async (ctx, { params: { notification_id: id } }) => {
    const { db, actor, now } = ctx
    await lockCaller(ctx)
    const before = await notificationFor(ctx, id)
    if (before.is_read === 0) {
      await markRead(db, [id, now])
      await ctx.emit('notification.read', { user_id: actor.id })
    }
    const after = await readState(db, [id])
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
    await removeNotification(db, [id, now])
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
