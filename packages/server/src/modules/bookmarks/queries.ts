import type { Bookmark, Infer } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type Db, type Placeholder, parameters, rowVersion, runText, statementOne } from '../../db/index.ts'
import { type FoundFeed, hitColumns, orderBy, orderOf, visibleFeeds } from '../feeds/index.ts'

export interface BookmarkRow {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly created_at: string
}

/** The columns of a row, all of which the data export has too. */
export const BOOKMARK_COLUMNS = ['id', 'user_id', 'feed_id', 'created_at'] as const satisfies readonly (keyof BookmarkRow)[]
const COLUMNS = BOOKMARK_COLUMNS.join(', ')

/** Converts a bookmark row to the bookmark of the API. */
export const viewBookmark = ({ id, user_id, feed_id, created_at }: BookmarkRow): Infer<typeof Bookmark> => ({
  id,
  user_id,
  feed_id,
  created_at,
})

const insert = statementOne<BookmarkRow>(
  `insert into bookmarks (user_id, feed_id, created_at) values ($1, $2, $3) on conflict (feed_id, user_id) do nothing
   returning ${COLUMNS}`,
)
const remove = statementOne<{ id: number }>('delete from bookmarks where feed_id = $1 and user_id = $2 returning id')

const ownBookmark = statementOne<BookmarkRow>(`select ${COLUMNS} from bookmarks where feed_id = $1 and user_id = $2`)

export const bookmarkOf = (db: Db, userId: number, feedId: number): Promise<BookmarkRow | undefined> => ownBookmark(db, [feedId, userId])

/** Inserts a bookmark; undefined if there is one already. */
export const insertBookmark = (db: Db, userId: number, feedId: number, now: string) => insert(db, [userId, feedId, now])

/** Deletes a bookmark and returns its id; undefined if there was none. */
export const deleteBookmark = async (db: Db, userId: number, feedId: number): Promise<number | undefined> =>
  (await remove(db, [feedId, userId]))?.id

type OrderName = 'latest' | 'oldest' | 'new_activity' | 'likes' | 'popular' | 'alphabetical' | 'unanswered'

/** Sort keys of an order, and its additional condition. */
const orderClauses = (name: OrderName): { keys: string; only: string } => {
  if (name === 'latest') return { keys: 'b.id desc', only: '' }
  if (name === 'oldest') return { keys: 'b.id', only: '' }
  const order = orderOf(name)
  return { keys: orderBy(order), only: order.only ? ` and ${order.only}` : '' }
}

export interface BookmarkList {
  readonly order: OrderName
  readonly spaceId?: number | undefined
}

/** The caller's bookmarks of feeds that are listed and visible to them. */
const whereOf = (actor: Actor, { order, spaceId }: BookmarkList, p: Placeholder): string => {
  // `+ 0` keeps PostgreSQL from starting with all feeds of the space.
  const space = spaceId === undefined ? '' : ` and f.space_id + 0 = ${p(spaceId)}`
  return `b.user_id = ${p(actor.id)}${space} and ${visibleFeeds(actor, p)}${orderClauses(order).only}`
}

/** The columns of the feed have their own names; those of the bookmark that would clash have a prefix. */
export interface BookmarkedFeed extends FoundFeed, Omit<BookmarkRow, 'id' | 'user_id' | 'feed_id' | 'created_at'> {
  readonly bookmark_id: number
  readonly bookmarked_at: string
}

/** A member has few bookmarks: `cross` makes SQLite start with them instead of an index of the feeds. */
const TABLES = 'bookmarks b cross join feeds f'

/** One page of the caller's bookmarks, with their own state in the feeds. */
export const listBookmarks = (
  db: Db,
  actor: Actor,
  list: BookmarkList,
  { limit, offset }: { limit: number; offset: number },
): Promise<BookmarkedFeed[]> => {
  const { values, p } = parameters()
  const columns = hitColumns(p(actor.id), rowVersion(db, 'f'))
  const text = `select b.id as bookmark_id, b.created_at as bookmarked_at, ${columns} from ${TABLES}
    where f.id = b.feed_id and ${whereOf(actor, list, p)} order by ${orderClauses(list.order).keys} limit ${p(limit)} offset ${p(offset)}`
  return runText<BookmarkedFeed>(db, text, values)
}

export const countBookmarks = async (db: Db, actor: Actor, list: BookmarkList): Promise<number> => {
  const { values, p } = parameters()
  const text = `select count(*) as n from ${TABLES} where f.id = b.feed_id and ${whereOf(actor, list, p)}`
  const [row] = await runText<{ n: number }>(db, text, values)
  return row?.n ?? 0
}
