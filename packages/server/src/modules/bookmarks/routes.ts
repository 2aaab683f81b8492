import { api, type Bookmark, BookmarkWithFeed, type Infer, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { CONTENT_TABLES, callerBody } from '../../cache/caller-response.ts'
import { createFrame, fromSerializedResponse, joinItems, splitAt } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { lazy } from '../../util/lazy.ts'
import { feedFragments, feedJson, itemOf } from '../feeds/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { type BookmarkedFeed, type BookmarkList, countBookmarks, listBookmarks, viewBookmark } from './queries.ts'

type Answer = ResponseOf<typeof api.bookmarks.list>

const serializer = lazy(() => fastJsonStringify(api.bookmarks.list.response as object))

const frame = createFrame<Infer<typeof Bookmark>>(BookmarkWithFeed, 'feed')

type Query = Input<typeof api.bookmarks.list>['query']

/** JSON of the bookmarks. Skips feeds that became hidden from the caller since the query. */
const bookmarkItems = async (ctx: ReadRequest, rows: readonly BookmarkedFeed[]): Promise<Buffer[]> => {
  const items = rows.map(itemOf)
  const parts = await feedFragments(ctx, items)
  return rows.flatMap((row, i) => {
    const bookmark = viewBookmark({ ...row, id: row.bookmark_id, user_id: ctx.actor.id, feed_id: row.id, created_at: row.bookmarked_at })
    return feedJson(items.slice(i, i + 1), parts.slice(i, i + 1)).map((feed) => frame(bookmark, feed))
  })
}

/** A page, cached until the caller's bookmarks, their visible feeds or a feed of the page changes. */
const bookmarkPage = (ctx: ReadRequest, query: Query) =>
  callerBody(ctx, query, async (track) => {
    const { db, actor } = ctx
    const spaceId = (await namedSpace(ctx, query, 'view'))?.id
    const list: BookmarkList = { order: query.order_by_type ?? 'latest', spaceId }
    // Other orders depend on feeds that are not on the page.
    if (list.order !== 'latest' && list.order !== 'oldest') track.skip()
    const [rows, total] = await Promise.all([listBookmarks(db, actor, list, pageOf(query)), countBookmarks(db, actor, list)])
    track.ignore(...CONTENT_TABLES)
    track.tag(`bookmarks:${actor.id}`, `marks:${actor.id}`, ...rows.map(({ id }) => `feed:${id}`))
    // The space may be named by its slug.
    if (spaceId !== undefined) track.tag('places')
    const [head, rest] = splitAt(serializer()({ data: [], meta: pagination(total, query.page, query.per_page) }), 'data')
    return joinItems(head, await bookmarkItems(ctx, rows), rest)
  })

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) => fromSerializedResponse<Answer>(await bookmarkPage(ctx, query), null),
}
