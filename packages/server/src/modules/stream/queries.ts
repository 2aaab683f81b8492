import type { Selectable } from 'kysely'
import {
  type CommentRow,
  chunkPadded,
  type Db,
  type FeedRow,
  runText,
  type SpaceMemberRow,
  type SpaceRow,
  statementIn,
} from '../../db/index.ts'

const FEED_COLUMNS = [
  'id',
  'user_id',
  'space_id',
  'privacy',
  'status',
  'slug',
  'is_sticky',
  'comments_count',
  'reactions_count',
  'lesson_id',
] as const
const COMMENT_COLUMNS = ['id', 'user_id', 'post_id', 'parent_id', 'status', 'reactions_count'] as const
const SPACE_COLUMNS = ['id', 'privacy', 'status', 'settings'] as const

export type FeedFacts = Pick<Selectable<FeedRow>, (typeof FEED_COLUMNS)[number]>
export type CommentFacts = Pick<Selectable<CommentRow>, (typeof COMMENT_COLUMNS)[number]>
export type SpaceFacts = Pick<Selectable<SpaceRow>, (typeof SPACE_COLUMNS)[number]>
export type MembershipFacts = Pick<Selectable<SpaceMemberRow>, 'user_id' | 'space_id' | 'role' | 'status'>

/** Loads rows of a table by id. */
const byId = <R extends { readonly id: number }>(table: string, columns: readonly string[]) => {
  const rows = statementIn<R>((list) => `select ${columns.join(', ')} from ${table} where id in (${list(1)})`)
  return async (db: Db, ids: Iterable<number>): Promise<Map<number, R>> => {
    const parts = await Promise.all(chunkPadded([...new Set(ids)]).map((part) => rows(db, part.length, part)))
    return new Map(parts.flat().map((row) => [row.id, row]))
  }
}
export const loadFeedFacts = byId<FeedFacts>('feeds', FEED_COLUMNS)
export const loadCommentFacts = byId<CommentFacts>('comments', COMMENT_COLUMNS)
export const loadSpaceFacts = byId<SpaceFacts>('spaces', SPACE_COLUMNS)

/** Rows of a table whose two columns are among these ids. */
const pairs = async <R>(db: Db, text: (a: string, b: string) => string, as: readonly number[], bs: readonly number[]): Promise<R[]> => {
  const found: R[] = []
  const list = (count: number, from: number) => Array.from({ length: count }, (_, i) => `$${from + i}`).join(', ')
  for (const a of chunkPadded(as))
    for (const b of chunkPadded(bs))
      found.push(...(await runText<R>(db, text(list(a.length, 1), list(b.length, a.length + 1)), [...a, ...b])))
  return found
}

/** The memberships of these users in these spaces. */
export const loadMemberships = (db: Db, userIds: readonly number[], spaceIds: readonly number[]): Promise<MembershipFacts[]> =>
  pairs(
    db,
    (users, spaces) => `select user_id, space_id, role, status from space_members where user_id in (${users}) and space_id in (${spaces})`,
    userIds,
    spaceIds,
  )

/** Which of the first users follow which of the second. */
export const loadFollows = (db: Db, followers: readonly number[], followed: readonly number[]) =>
  pairs<{ follower_id: number; following_id: number }>(
    db,
    (by, of) =>
      `select follower_id, following_id from followers where follower_id in (${by}) and following_id in (${of}) and status = 'active'`,
    followers,
    followed,
  )
