import { lazy } from '@lyceum/content/lazy'
import { api, type Bookmark, BookmarkWithFeed, type Infer, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { callerBody } from '../../cache/caller-response.ts'
import { createFrame, fromSerializedResponse, joinItems, splitAt } from '../../cache/json-fragments.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { readPipeline } from '../../core/read-pipeline.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { feedJson, itemOf } from '../feeds/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { type BookmarkList, bookmarkIn, listBookmarks } from './queries.ts'

type Answer = ResponseOf<typeof api.bookmarks.list>
type Query = Input<typeof api.bookmarks.list>['query']

const serializer = lazy(() => fastJsonStringify(api.bookmarks.list.response as object))
const frame = createFrame<Infer<typeof Bookmark>>(BookmarkWithFeed, 'feed')

/** GET /bookmarks. The body is cached until the caller's bookmarks, their visible feeds or a feed of the page changes. */
const bookmarkPage = readPipeline({
  skeleton: async (ctx, query: Query, track) => {
    const { db, actor } = ctx
    const spaceId = (await namedSpace(ctx, query, 'view'))?.id
    // The space may be named by its slug.
    if (spaceId !== undefined) track.tag('spaces')
    const list: BookmarkList = { order: query.order_by_type ?? 'latest', spaceId }
    // Other orders depend on feeds that are not on the page.
    if (list.order !== 'latest' && list.order !== 'oldest') track.skip()
    return listBookmarks(db, actor, list, pageOf(query))
  },
  hydrate: async (ctx, { rows, total }, track) => {
    track.cover('visibility')
    track.tag(`bookmarks:${ctx.actor.id}`, `viewer_state:${ctx.actor.id}`, 'feed:0', ...rows.map(({ id }) => `feed:${id}`))
    const feeds = await feedJson(ctx, rows.map(itemOf))
    return { total, bookmarks: rows.map((row, i) => ({ row, feed: feeds[i] })) }
  },
  filter: (_ctx, { total, bookmarks }) => ({
    total,
    bookmarks: bookmarks.flatMap(({ row, feed }) => (feed ? [{ row, feed }] : [])),
  }),
  present: (_ctx, { total, bookmarks }, { page, per_page }) => {
    const [head, rest] = splitAt(serializer()({ data: [], meta: pagination(total, page, per_page) }), 'data')
    const items = bookmarks.map(({ row, feed }) => frame(bookmarkIn(row), feed))
    return joinItems(head, items, rest)
  },
})

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) =>
    fromSerializedResponse<Answer>(await callerBody(ctx, query, (track) => bookmarkPage(ctx, query, track)), null),
}
