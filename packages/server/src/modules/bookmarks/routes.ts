import type { api } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { withItems } from '../../platform/http/fragments.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { pagination } from '../../platform/pagination.ts'
import { feedItems } from '../feeds/index.ts'
import { spaceFor } from '../spaces/index.ts'
import { type BookmarkPage, bookmarkPage } from './listing.ts'

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

/** Bookmarks as JSON. A feed that has left the caller's sight meanwhile is found one by one. */
const bookmarkItems = async (ctx: AskedRead, rows: BookmarkPage['rows'], since: number): Promise<Buffer[]> => {
  const wrap = (feeds: readonly Buffer[], among: BookmarkPage['rows']) =>
    feeds.flatMap((feed, i) => (among[i] ? [around(among[i], ctx.actor.id, feed)] : []))
  const items = rows.map(({ item }) => item)
  const feeds = await feedItems(ctx, items, since)
  if (feeds.length === rows.length) return wrap(feeds, rows)
  const each = await Promise.all(rows.map(async (row) => wrap(await feedItems(ctx, [row.item], since), [row])))
  return each.flat()
}

export const bookmarkHandlers: Handlers<typeof api.bookmarks> = {
  list: async (ctx, { query }) => {
    const since = ctx.services.caches.now()
    const spaceId = query.space === undefined ? undefined : (await spaceFor(ctx, query.space, 'view')).id
    const { rows, total } = await bookmarkPage(ctx, { order: query.order_by_type ?? 'latest', spaceId }, query, since)
    const data = await bookmarkItems(ctx, rows, since)
    return withItems({ data: [], meta: pagination(total, query.page, query.per_page) }, 'data', data)
  },
}
