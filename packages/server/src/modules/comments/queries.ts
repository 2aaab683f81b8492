import type { COMMENT_ORDERS } from '@lyceum/contract'
import { type Db, limitTo, type PageWindow, type Placeholder, rowVersion, runText, selectNumber, selectRows } from '../../db/index.ts'
import type { CommentHit } from './comment-json-cache.ts'

type OrderName = (typeof COMMENT_ORDERS)[number]
type Direction = 'asc' | 'desc'

/** The column of each order, and its direction if that is fixed. */
const ORDERS: Readonly<Record<OrderName, { readonly column: string; readonly fixed?: Direction }>> = {
  created_at: { column: 'c.created_at' },
  reactions_count: { column: 'c.reactions_count' },
  oldest: { column: 'c.created_at', fixed: 'asc' },
  latest: { column: 'c.created_at', fixed: 'desc' },
  newest: { column: 'c.created_at', fixed: 'desc' },
  likes: { column: 'c.reactions_count', fixed: 'desc' },
}

export interface CommentList {
  readonly feedId: number
  /** 0: top-level comments; an id: replies to it; undefined: all comments. */
  readonly parentId?: number | undefined
  readonly viewerId: number
  /** Whether pending and spam comments of others are listed. */
  readonly unpublished: boolean
  readonly order: OrderName
  readonly direction: Direction
}

const inThread = (parentId: number | undefined, p: Placeholder): string => {
  if (parentId === undefined) return ''
  return parentId === 0 ? ' and c.parent_id is null' : ` and c.parent_id = ${p(parentId)}`
}

/** One page of a list, without the pinned comment. */
export const listComments = (db: Db, list: CommentList, { limit, offset }: PageWindow) =>
  selectRows<CommentHit>(db, (p) => {
    const { column, fixed } = ORDERS[list.order]
    const direction = fixed ?? list.direction
    const where = `c.post_id = ${p(list.feedId)}${inThread(list.parentId, p)} and c.is_sticky = 0`
    const status = list.unpublished ? '' : ` and (c.status = 'published' or c.user_id = ${p(list.viewerId)})`
    return `select c.id, ${rowVersion(db, 'c')} as version from comments c where ${where}${status}
      order by ${column} ${direction}, c.id ${direction} ${limitTo(db, limit, offset, p)}`
  })

/** The pinned comment of a feed; it is always published and top-level. */
export const pinnedComment = async (db: Db, feedId: number): Promise<CommentHit | undefined> => {
  const text = `select c.id, ${rowVersion(db, 'c')} as version from comments c where c.post_id = $1 and c.is_sticky = 1`
  return (await runText<CommentHit>(db, text, [feedId]))[0]
}

/** The size of the list, given the number of published comments of the feed. */
export const sizeOfList = (db: Db, { feedId, parentId, viewerId, unpublished }: CommentList, published: number): Promise<number> =>
  selectNumber(db, (p) => {
    const all = `select count(*) from comments c where c.post_id = ${p(feedId)}${inThread(parentId, p)}`
    const unpublishedOnes = `${all} and c.status <> 'published'`
    const everything = parentId === undefined ? `${p(published)} + (${unpublishedOnes})` : `(${all})`
    const hidden = unpublished ? '' : ` - (${unpublishedOnes} and c.user_id <> ${p(viewerId)})`
    return `select ${everything}${hidden} as n`
  })
