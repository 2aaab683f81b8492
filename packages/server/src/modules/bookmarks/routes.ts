import type { api } from '@lyceum/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import { pageOf, pagination } from '../../platform/pagination.ts'
import { viewFeeds } from '../feeds/index.ts'
import { spaceFor } from '../spaces/index.ts'
import { type BookmarkList, countBookmarks, listBookmarks } from './queries.ts'

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) => {
    const { db, actor } = ctx
    const spaceId = query.space === undefined ? undefined : (await spaceFor(ctx, query.space, 'view')).id
    const what: BookmarkList = { order: query.order_by_type ?? 'latest', spaceId }
    const [rows, total] = await Promise.all([listBookmarks(db, actor, what, pageOf(query)), countBookmarks(db, actor, what)])
    const feeds = await viewFeeds(ctx, rows)
    const data = feeds.flatMap((feed, i) => {
      const row = rows[i]
      return row ? [{ id: row.bookmark_id, user_id: actor.id, feed_id: row.id, created_at: row.bookmarked_at, feed }] : []
    })
    return { data, meta: pagination(total, query.page, query.per_page) }
  },
}
