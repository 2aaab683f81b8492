import type { Actor } from '../../core/context.ts'
import { type Db, type Placeholder, parameters, rowVersion, runText, statementOne } from '../../db/index.ts'
import { type FoundFeed, hitColumns, orderBy, orderOf, visibleFeeds } from '../feeds/index.ts'
import type { BookmarkRow } from './view.ts'

const insert = statementOne<BookmarkRow>(
  `insert into bookmarks (user_id, feed_id, created_at) values ($1, $2, $3) on conflict (feed_id, user_id) do nothing
   returning id, user_id, feed_id, created_at`,
)
const remove = statementOne<{ id: number }>('delete from bookmarks where feed_id = $1 and user_id = $2 returning id')

const own = statementOne<BookmarkRow>('select id, user_id, feed_id, created_at from bookmarks where feed_id = $1 and user_id = $2')

export const bookmarkOf = (db: Db, userId: number, feedId: number): Promise<BookmarkRow | undefined> => own(db, [feedId, userId])

/** The new bookmark; undefined when there is one already. */
export const insertBookmark = (db: Db, userId: number, feedId: number, now: string) => insert(db, [userId, feedId, now])

/** The id of the bookmark that was removed; undefined when there was none. */
export const deleteBookmark = async (db: Db, userId: number, feedId: number): Promise<number | undefined> =>
  (await remove(db, [feedId, userId]))?.id

type OrderName = 'latest' | 'oldest' | 'new_activity' | 'likes' | 'popular' | 'alphabetical' | 'unanswered'

/** Sort keys of an order, and the feeds that it leaves in the list. */
const sorting = (name: OrderName): { keys: string; only: string } => {
  if (name === 'latest') return { keys: 'b.id desc', only: '' }
  if (name === 'oldest') return { keys: 'b.id', only: '' }
  const order = orderOf(name)
  return { keys: orderBy(order), only: order.only ? ` and ${order.only}` : '' }
}

export interface BookmarkList {
  readonly order: OrderName
  readonly spaceId?: number | undefined
}

/** Own bookmarks whose feeds are still seen in lists. */
const whereOf = (actor: Actor, { order, spaceId }: BookmarkList, p: Placeholder): string => {
  // PostgreSQL is not to begin with all feeds of the space either.
  const space = spaceId === undefined ? '' : ` and f.space_id + 0 = ${p(spaceId)}`
  return `b.user_id = ${p(actor.id)}${space} and ${visibleFeeds(actor, p)}${sorting(order).only}`
}

export interface BookmarkedFeed extends FoundFeed {
  readonly bookmark_id: number
  readonly bookmarked_at: string
}

/** Own bookmarks are few: `cross` lets SQLite begin with them, not with the feeds in their order or of the space. */
const TABLES = 'bookmarks b cross join feeds f'

/** One page of the caller's bookmarks with what is his own in their feeds. */
export const listBookmarks = (
  db: Db,
  actor: Actor,
  list: BookmarkList,
  { limit, offset }: { limit: number; offset: number },
): Promise<BookmarkedFeed[]> => {
  const { values, p } = parameters()
  const columns = hitColumns(p(actor.id), rowVersion(db, 'f'))
  const text = `select b.id as bookmark_id, b.created_at as bookmarked_at, ${columns} from ${TABLES}
    where f.id = b.feed_id and ${whereOf(actor, list, p)} order by ${sorting(list.order).keys} limit ${p(limit)} offset ${p(offset)}`
  return runText<BookmarkedFeed>(db, text, values)
}

export const countBookmarks = async (db: Db, actor: Actor, list: BookmarkList): Promise<number> => {
  const { values, p } = parameters()
  const text = `select count(*) as n from ${TABLES} where f.id = b.feed_id and ${whereOf(actor, list, p)}`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}
