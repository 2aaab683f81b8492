import type { ReadRequest } from '../../core/context.ts'
import {
  countRows,
  type Db,
  type FollowerRow,
  limitTo,
  type PageWindow,
  selectRows,
  statement,
  statementIn,
  statementNumber,
  statementOne,
} from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'

export type Follow = FollowerRow
export type FollowStatus = Follow['status']

const insert = statementOne<Follow>(
  `insert into followers (follower_id, following_id, status, created_at, updated_at) values ($1, $2, $3, $4, $4)
   on conflict (follower_id, following_id) do nothing returning *`,
)
export const findFollow = statementOne<Follow>(`select * from followers where follower_id = $1 and following_id = $2`)
/** Deletes a follow and returns it; undefined if there was none. */
export const deleteFollow = statementOne<Follow>(`delete from followers where follower_id = $1 and following_id = $2 returning *`)

/** Inserts a follow; undefined if there is one already, even a pending one. */
export const insertFollow = (db: Db, followerId: number, followingId: number, status: FollowStatus, now: string) =>
  insert(db, [followerId, followingId, status, now])

const request = statementOne<{ follower_id: number; u_status: string }>(
  `select r.follower_id, u.status as u_status from followers r join users u on u.id = r.follower_id
   where r.id = $1 and r.following_id = $2 and r.status = 'pending'`,
)
export const approveRequest = statementOne<Follow>(
  `update followers set status = 'active', updated_at = $3 where id = $1 and following_id = $2 and status = 'pending' returning *`,
)
export const rejectRequest = statementOne<Follow>(
  `delete from followers where id = $1 and following_id = $2 and status = 'pending' returning *`,
)

export const findRequest = (db: Db, id: number, followingId: number) => request(db, [id, followingId])

const addFollowers = statement('update users set followers_count = followers_count + $2 where id = $1')
const addFollowings = statement('update users set followings_count = followings_count + $2 where id = $1')

/** Changes the follow counts of both sides, whose rows are locked. */
export const countFollow = async (db: Db, { follower_id, following_id }: Follow, delta: 1 | -1): Promise<void> => {
  await addFollowers(db, [following_id, delta])
  await addFollowings(db, [follower_id, delta])
}

export const requestsTo = statement<Follow>(`select * from followers where following_id = $1 and status = 'pending' order by id limit $2`)

const privacy = statementOne<{ is_private: 0 | 1 }>('select is_private from users where id = $1')
export const isPrivate = async (db: Db, userId: number): Promise<boolean> => (await privacy(db, [userId]))?.is_private !== 0

export type Side = 'followers' | 'followings'

export interface FollowList {
  readonly side: Side
  readonly userId: number
  readonly status: FollowStatus
  /** Include suspended and banned people. */
  readonly includeInactive: boolean
}

export type ListedFollow = Follow & PersonColumns

const columnsOf = (side: Side) =>
  side === 'followers'
    ? ({ ofColumn: 'r.following_id', shownColumn: 'r.follower_id' } as const)
    : ({ ofColumn: 'r.follower_id', shownColumn: 'r.following_id' } as const)

export const listFollows = (db: Db, { side, userId, status, includeInactive }: FollowList, page: PageWindow): Promise<ListedFollow[]> => {
  const { ofColumn, shownColumn } = columnsOf(side)
  return selectRows<ListedFollow>(
    db,
    (p) => `select r.*, ${PERSON_COLUMNS}
      from followers r join users u on u.id = ${shownColumn}
      where ${ofColumn} = ${p(userId)} and r.status = ${p(status)}${includeInactive ? '' : ` and u.status = 'active'`}
      order by r.id desc ${limitTo(db, page.limit, page.offset, p)}`,
  )
}

/** Number of people in the list who are hidden from members. Inactive accounts are few and have a partial index. */
export const countInactive = (db: Db, { side, userId, status }: FollowList): Promise<number> => {
  const { ofColumn, shownColumn } = columnsOf(side)
  return countRows(
    db,
    (p) => `users u cross join followers r
      where u.status <> 'active' and ${shownColumn} = u.id and ${ofColumn} = ${p(userId)} and r.status = ${p(status)}`,
  )
}

const countBySide = {
  followers: statementNumber('select count(*) as n from followers where following_id = $1 and status = $2'),
  followings: statementNumber('select count(*) as n from followers where follower_id = $1 and status = $2'),
}

/** Size of a list including inactive accounts. Only needed for requests: the counts of active follows are stored. */
export const countFollows = (db: Db, { side, userId, status }: FollowList): Promise<number> => countBySide[side](db, [userId, status])

const followedAmong = statementIn<{ following_id: number }>(
  (list) => `select following_id from followers where follower_id = $1 and status = 'active' and following_id in (${list})`,
)

/** Which of these users the caller actively follows: user id → 1. */
export const followsAmong = async (
  { db, actor }: ReadRequest,
  users: readonly { readonly user_id: number }[],
): Promise<Record<string, number>> => {
  const ids = users.map(({ user_id }) => user_id)
  return Object.fromEntries((await followedAmong(db, ids, [actor.id])).map(({ following_id }) => [following_id, 1]))
}

/** Whether a person actively follows another. Pending requests grant no rights. */
export const isFollowing = async (db: Db, followerId: number, followingId: number): Promise<boolean> =>
  (await findFollow(db, [followerId, followingId]))?.status === 'active'
