import { type Db, idsTable, selectRows, statementIn, type Tables } from '../../db/index.ts'

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

export type FeedFacts = Pick<Tables['feeds'], (typeof FEED_COLUMNS)[number]>
export type CommentFacts = Pick<Tables['comments'], (typeof COMMENT_COLUMNS)[number]>
export type SpaceFacts = Pick<Tables['spaces'], (typeof SPACE_COLUMNS)[number]>
export type MembershipFacts = Pick<Tables['space_members'], 'user_id' | 'space_id' | 'role' | 'status'>

const byId = <R extends { readonly id: number }>(table: string, columns: readonly string[]) => {
  const rows = statementIn<R>((list) => `select ${columns.join(', ')} from ${table} where id in (${list})`)
  return async (db: Db, ids: Iterable<number>): Promise<Map<number, R>> =>
    new Map((await rows(db, [...new Set(ids)])).map((row) => [row.id, row]))
}
export const loadFeedFacts = byId<FeedFacts>('feeds', FEED_COLUMNS)
export const loadCommentFacts = byId<CommentFacts>('comments', COMMENT_COLUMNS)
export const loadSpaceFacts = byId<SpaceFacts>('spaces', SPACE_COLUMNS)

export const loadMemberships = (db: Db, userIds: readonly number[], spaceIds: readonly number[]): Promise<MembershipFacts[]> =>
  selectRows(
    db,
    (p) => `select user_id, space_id, role, status from space_members where user_id in (select value from ${idsTable(db, userIds, p, 'd')})
      and space_id in (select value from ${idsTable(db, spaceIds, p, 'e')})`,
  )

export const loadFollows = (db: Db, followers: readonly number[], followed: readonly number[]) =>
  selectRows<{ follower_id: number; following_id: number }>(
    db,
    (p) => `select follower_id, following_id from followers where follower_id in (select value from ${idsTable(db, followers, p, 'd')})
      and following_id in (select value from ${idsTable(db, followed, p, 'e')}) and status = 'active'`,
  )
