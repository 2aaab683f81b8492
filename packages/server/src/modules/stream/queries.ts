import { chunkPadded, type Db, runText, statementIn } from '../../db/index.ts'

export interface FeedFacts {
  readonly id: number
  readonly user_id: number
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
  readonly status: 'published' | 'draft' | 'scheduled' | 'pending' | 'spam'
  readonly slug: string
  readonly is_sticky: 0 | 1
  readonly comments_count: number
  readonly reactions_count: number
  readonly lesson_id: number | null
}

export interface CommentFacts {
  readonly id: number
  readonly user_id: number
  readonly post_id: number
  readonly parent_id: number | null
  readonly status: 'published' | 'pending' | 'spam'
  readonly reactions_count: number
}

export interface SpaceFacts {
  readonly id: number
  readonly privacy: 'public' | 'private' | 'secret'
  readonly status: 'published' | 'draft' | 'archived'
  readonly settings: string
}

export interface MembershipFacts {
  readonly user_id: number
  readonly space_id: number
  readonly role: 'member' | 'moderator' | 'admin'
  readonly status: 'active' | 'pending' | 'banned'
}

const feedRows = statementIn<FeedFacts>(
  (list) =>
    `select id, user_id, space_id, privacy, status, slug, is_sticky, comments_count, reactions_count, lesson_id from feeds where id in (${list(1)})`,
)
const commentRows = statementIn<CommentFacts>(
  (list) => `select id, user_id, post_id, parent_id, status, reactions_count from comments where id in (${list(1)})`,
)
const spaceRows = statementIn<SpaceFacts>((list) => `select id, privacy, status, settings from spaces where id in (${list(1)})`)

const byId = async <R extends { readonly id: number }>(
  db: Db,
  rows: (db: Db, count: number, ids: readonly number[]) => Promise<R[]>,
  ids: Iterable<number>,
): Promise<Map<number, R>> => {
  const found = new Map<number, R>()
  for (const part of chunkPadded([...new Set(ids)])) for (const row of await rows(db, part.length, part)) found.set(row.id, row)
  return found
}

export const loadFeedFacts = (db: Db, ids: Iterable<number>) => byId(db, feedRows, ids)
export const loadCommentFacts = (db: Db, ids: Iterable<number>) => byId(db, commentRows, ids)
export const loadSpaceFacts = (db: Db, ids: Iterable<number>) => byId(db, spaceRows, ids)

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
