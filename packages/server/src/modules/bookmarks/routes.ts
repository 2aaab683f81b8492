import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import type { AskedRead } from '../../platform/context.ts'
import { type Fragment, joinItems, sentAgain, splitAt } from '../../platform/http/fragments.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { sameAnswers } from '../../platform/http/same-answers.ts'
import { whenWanted } from '../../platform/library.ts'
import { pagination } from '../../platform/pagination.ts'
import { feedFragments, feedJson } from '../feeds/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { type BookmarkPage, bookmarkPage } from './listing.ts'

type Answer = ResponseOf<typeof api.bookmarks.list>

/** Pages that are kept as they are sent. */
const again = sameAnswers('bookmark-answers', { entries: 500, bytes: 6 * 2 ** 20 })

const serializer = whenWanted(() => fastJsonStringify(api.bookmarks.list.response as object))

const END = Buffer.from('}')

/** A bookmark as JSON, around the JSON of its feed. */
const around = (
  { bookmark_id: id, id: feed_id, bookmarked_at: created_at }: BookmarkPage['rows'][number],
  user_id: number,
  feed: Buffer,
) => {
  const own = JSON.stringify({ id, user_id, feed_id, created_at })
  return Buffer.concat([Buffer.from(`${own.slice(0, -1)},"feed":`), feed, END])
}

/** Bookmarks as JSON. A feed that has left the caller's sight meanwhile is not among them. */
const bookmarkItems = (ctx: AskedRead, rows: BookmarkPage['rows'], parts: readonly (Fragment | undefined)[]): Buffer[] =>
  rows.flatMap((row, i) => feedJson([row.item], [parts[i]]).map((feed) => around(row, ctx.actor.id, feed)))

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) => {
    const since = ctx.services.caches.now()
    const spaceId = (await namedSpace(ctx, query, 'view'))?.id
    const { page, key } = await bookmarkPage(ctx, { order: query.order_by_type ?? 'latest', spaceId }, query, since)
    const { rows, total } = page
    const parts = await feedFragments(
      ctx,
      rows.map(({ item }) => item),
      since,
    )
    const of = key === null ? null : { key, parts: [page, ...parts] }
    const sent = again(ctx, of, () => {
      const [head, rest] = splitAt(serializer()({ data: [], meta: pagination(total, query.page, query.per_page) }), 'data')
      return joinItems(head, bookmarkItems(ctx, rows, parts), rest)
    })
    return sentAgain<Answer>(sent, null)
  },
}
