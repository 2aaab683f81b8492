import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockUsers } from '../../db/index.ts'
import { job } from '../../jobs/index.ts'
import { type ProfileRow, profileFor } from '../members/index.ts'
import {
  approveRequest,
  countFollow,
  deleteFollow,
  type Follow,
  findRequest,
  insertFollow,
  isPrivate,
  rejectRequest,
  requestsTo,
} from './queries.ts'

const idsOf = ({ follower_id, following_id }: Follow) => ({ follower_id, following_id })

/** Locks the caller and the other person, so that operations between the two are serialized. */
const lockBoth = async (ctx: WriteRequest, username: string, self: 'cannot_follow_self' | 'not_following'): Promise<ProfileRow> => {
  const { id, username: name } = await profileFor(ctx, username)
  if (id === ctx.actor.id) throw new ApiError(self)
  await lockUsers(ctx.db, [ctx.actor.id, id])
  const locked = await profileFor(ctx, name)
  if (locked.id !== id) throw new ApiError('user_not_found')
  return locked
}

const startFollow = async (ctx: WriteContext, follow: Follow): Promise<void> => {
  await countFollow(ctx.db, follow, 1)
  await ctx.emit('follow.started', { follow_id: follow.id, ...idsOf(follow) })
}

const endFollow = async (ctx: WriteContext, follow: Follow): Promise<void> => {
  if (follow.status === 'active') await countFollow(ctx.db, follow, -1)
  await ctx.emit('follow.ended', { ...idsOf(follow), ...(follow.status !== 'active' && { request_id: follow.id }) })
}

/**
 * The caller follows a member, or requests to if the profile is private.
 * @throws invalid_username, user_not_found, cannot_follow_self, already_following
 */
export const follow = async (ctx: WriteRequest, username: string): Promise<Follow> => {
  const target = await lockBoth(ctx, username, 'cannot_follow_self')
  const created = await insertFollow(ctx.db, ctx.actor.id, target.id, target.is_private ? 'pending' : 'active', ctx.now)
  if (!created) throw new ApiError('already_following')
  if (created.status === 'active') await startFollow(ctx, created)
  else await ctx.emit('follow.requested', { follow_id: created.id, ...idsOf(created) })
  return created
}

/** Ends a follow of the caller or withdraws their request. @throws invalid_username, user_not_found, not_following */
export const unfollow = async (ctx: WriteRequest, username: string): Promise<void> => {
  const target = await lockBoth(ctx, username, 'not_following')
  const deleted = await deleteFollow(ctx.db, [ctx.actor.id, target.id])
  if (!deleted) throw new ApiError('not_following')
  await endFollow(ctx, deleted)
}

/** Removes a follower of the caller or rejects their request. @throws invalid_username, user_not_found, not_following */
export const removeFollower = async (ctx: WriteRequest, username: string): Promise<void> => {
  const { id } = await lockBoth(ctx, username, 'not_following')
  const deleted = await deleteFollow(ctx.db, [id, ctx.actor.id])
  if (!deleted) throw new ApiError('not_following', { message: 'This member does not follow you.' })
  await endFollow(ctx, deleted)
}

/** Locks both people of a request to the caller. Requests by people hidden from the caller count as missing. @throws request_not_found */
const lockRequest = async ({ db, actor }: WriteRequest, id: number): Promise<void> => {
  const request = await findRequest(db, id, actor.id)
  if (!request || (request.u_status !== 'active' && actor.role === 'member')) throw new ApiError('request_not_found')
  await lockUsers(db, [request.follower_id, actor.id])
}

/**
 * Of a concurrent approval, rejection and withdrawal, exactly one succeeds.
 * @throws request_not_found, also for a request to someone else
 */
export const approve = async (ctx: WriteRequest, id: number): Promise<Follow> => {
  await lockRequest(ctx, id)
  const approved = await approveRequest(ctx.db, [id, ctx.actor.id, ctx.now])
  if (!approved) throw new ApiError('request_not_found')
  await startFollow(ctx, approved)
  return approved
}

/** Rejects a request; it may be sent again. @throws request_not_found, also for a request to someone else */
export const reject = async (ctx: WriteRequest, id: number): Promise<void> => {
  await lockRequest(ctx, id)
  const deleted = await rejectRequest(ctx.db, [id, ctx.actor.id])
  if (!deleted) throw new ApiError('request_not_found')
  await endFollow(ctx, deleted)
}

const BATCH_SIZE = 100

const ACCEPT_JOB = 'followers.accept'

const acceptBatch = async (ctx: WriteContext, userId: number, found: readonly Follow[]): Promise<void> => {
  for (const { id } of found) {
    const accepted = await approveRequest(ctx.db, [id, userId, ctx.now])
    if (accepted) await startFollow(ctx, accepted)
  }
  if ((await requestsTo(ctx.db, [userId, 1])).length > 0) await ctx.enqueue(ACCEPT_JOB, { user_id: userId })
}

const lockRequests = async (db: Db, userId: number): Promise<readonly Follow[]> => {
  const found = await requestsTo(db, [userId, BATCH_SIZE])
  await lockUsers(db, [userId, ...found.map(({ follower_id }) => follower_id)])
  return found
}

/**
 * Accepts all pending requests when a profile becomes public: the first batch immediately, the others in jobs. Call this in the transaction
 * of that change before locking or writing the person's row, so that users are locked in id order.
 */
export const acceptAllPending = async (ctx: WriteContext, userId: number): Promise<void> => {
  await acceptBatch(ctx, userId, await lockRequests(ctx.db, userId))
}

/** Accepts the next batch, unless the profile is private again. */
export const acceptRemaining = job<{ user_id: number }>(ACCEPT_JOB, async (ctx, { user_id }) => {
  const found = await lockRequests(ctx.db, user_id)
  if (!(await isPrivate(ctx.db, user_id))) await acceptBatch(ctx, user_id, found)
})
