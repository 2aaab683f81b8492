import { api, type Bookmark, BookmarkWithFeed, type Infer, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { createFrame, type Fragment, fromSerializedResponse, joinItems, splitAt } from '../../cache/json-fragments.ts'
import { sharedResponseCache } from '../../cache/shared-response-cache.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { lazy } from '../../util/lazy.ts'
import { feedFragments, feedJson } from '../feeds/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { type BookmarkPage, bookmarkPage } from './bookmark-page-cache.ts'
import { viewBookmark } from './queries.ts'

type Answer = ResponseOf<typeof api.bookmarks.list>

/** Response bodies of pages. */
const responseCache = sharedResponseCache('bookmark-answers', { entries: 500, bytes: 6 * 2 ** 20 })

const serializer = lazy(() => fastJsonStringify(api.bookmarks.list.response as object))

const frame = createFrame<Infer<typeof Bookmark>>(BookmarkWithFeed, 'feed')

/** JSON of the bookmarks. Skips feeds that became hidden from the caller since the query. */
const bookmarkItems = (ctx: ReadRequest, rows: BookmarkPage['rows'], parts: readonly (Fragment | undefined)[]): Buffer[] =>
  rows.flatMap((row, i) => {
    const bookmark = viewBookmark({ ...row, id: row.bookmark_id, user_id: ctx.actor.id, feed_id: row.id, created_at: row.bookmarked_at })
    return feedJson([row.item], [parts[i]]).map((feed) => frame(bookmark, feed))
  })

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) => {
    const since = ctx.services.caches.revision()
    const spaceId = (await namedSpace(ctx, query, 'view'))?.id
    const { page, key } = await bookmarkPage(ctx, { order: query.order_by_type ?? 'latest', spaceId }, query, since)
    const { rows, total } = page
    const parts = await feedFragments(
      ctx,
      rows.map(({ item }) => item),
      since,
    )
    const cacheSource = key === null ? null : { key, parts: [page, ...parts] }
    const sent = responseCache(ctx, cacheSource, () => {
      const [head, rest] = splitAt(serializer()({ data: [], meta: pagination(total, query.page, query.per_page) }), 'data')
      return joinItems(head, bookmarkItems(ctx, rows, parts), rest)
    })
    return fromSerializedResponse<Answer>(sent, null)
  },
}
