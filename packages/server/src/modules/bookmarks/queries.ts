import type { Actor } from '../../core/context.ts'
import { type BookmarkRow, type Db, type PageWindow, type Placeholder, rowVersion, selectPage, statementOne } from '../../db/index.ts'
import { type FoundFeed, hitColumns, orderBy, orderOf, visibleFeeds } from '../feeds/index.ts'

/** The columns of a row, which responses and the data export show. */
export const BOOKMARK_COLUMNS = ['id', 'user_id', 'feed_id', 'created_at'] as const satisfies readonly (keyof BookmarkRow)[]
const COLUMNS = BOOKMARK_COLUMNS.join(', ')
type Bookmark = Pick<BookmarkRow, (typeof BOOKMARK_COLUMNS)[number]>

/** Inserts a bookmark; undefined if there is one already. */
export const insertBookmark = statementOne<Bookmark>(
  `insert into bookmarks (feed_id, user_id, created_at) values ($1, $2, $3) on conflict (feed_id, user_id) do nothing
   returning ${COLUMNS}`,
)
/** Deletes a bookmark; undefined if there was none. */
export const deleteBookmark = statementOne<{ id: number }>('delete from bookmarks where feed_id = $1 and user_id = $2 returning id')
export const bookmarkOf = statementOne<Bookmark>(`select ${COLUMNS} from bookmarks where feed_id = $1 and user_id = $2`)

type OrderName = 'latest' | 'oldest' | 'new_activity' | 'likes' | 'popular' | 'alphabetical' | 'unanswered'

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

const whereOf = (actor: Actor, { order, spaceId }: BookmarkList, p: Placeholder): string => {
  // `+ 0` keeps PostgreSQL from starting with all feeds of the space.
  const space = spaceId === undefined ? '' : ` and f.space_id + 0 = ${p(spaceId)}`
  return `b.user_id = ${p(actor.id)}${space} and ${visibleFeeds(actor, p)}${orderClauses(order).only}`
}

/** A bookmarked feed with the caller's own state in it; the columns of the bookmark have a prefix. */
type BookmarkedFeed = FoundFeed & { readonly [C in keyof Bookmark as `b_${C}`]: Bookmark[C] }

export const bookmarkIn = (row: BookmarkedFeed) =>
  Object.fromEntries(BOOKMARK_COLUMNS.map((column) => [column, row[`b_${column}`]])) as unknown as Bookmark

const PREFIXED = BOOKMARK_COLUMNS.map((column) => `b.${column} as b_${column}`).join(', ')

/** A page of the caller's bookmarks, with the total. A member has few: `cross` makes SQLite start with them instead of an index of feeds. */
export const listBookmarks = (db: Db, actor: Actor, list: BookmarkList, page: PageWindow) =>
  selectPage<BookmarkedFeed>(
    db,
    {
      columns: (p) => `${PREFIXED}, ${hitColumns(p(actor.id), rowVersion(db, 'f'))}`,
      tables: 'bookmarks b cross join feeds f',
      where: (p) => `f.id = b.feed_id and ${whereOf(actor, list, p)}`,
      order: orderClauses(list.order).keys,
    },
    page,
  )
