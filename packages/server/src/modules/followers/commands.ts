import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockPeople } from '../../db/index.ts'
import { job } from '../../jobs/index.ts'
import { type ProfileRow, profileFor } from '../members/index.ts'
import {
  approveRequest,
  circleOf,
  countFollow,
  deleteAllFollows,
  deleteFollow,
  type Follow,
  findRequest,
  insertFollow,
  isPrivate,
  rejectRequest,
  requestsTo,
} from './queries.ts'

const idsOf = ({ follower_id, following_id }: Follow) => ({ follower_id, following_id })

/** The caller and the person of that name are held: what one does to the other then happens one after the other. */
const lockBoth = async (ctx: WriteRequest, username: string, self: 'cannot_follow_self' | 'not_following'): Promise<ProfileRow> => {
  const { id, username: name } = await profileFor(ctx, username)
  if (id === ctx.actor.id) throw new ApiError(self)
  await lockPeople(ctx.db, [ctx.actor.id, id])
  const held = await profileFor(ctx, name)
  if (held.id !== id) throw new ApiError('user_not_found')
  return held
}

const start = async (ctx: WriteContext, follow: Follow): Promise<void> => {
  await countFollow(ctx.db, follow, 1)
  await ctx.emit('follow.started', { follow_id: follow.id, ...idsOf(follow) })
}

const end = async (ctx: WriteContext, follow: Follow): Promise<void> => {
  if (follow.status === 'active') await countFollow(ctx.db, follow, -1)
  await ctx.emit('follow.ended', { ...idsOf(follow), ...(follow.status !== 'active' && { request_id: follow.id }) })
}

/**
 * The caller follows somebody, or asks to where the profile is private.
 * @throws invalid_username, user_not_found, cannot_follow_self, already_following
 */
export const follow = async (ctx: WriteRequest, username: string): Promise<Follow> => {
  const target = await lockBoth(ctx, username, 'cannot_follow_self')
  const made = await insertFollow(ctx.db, ctx.actor.id, target.id, target.is_private ? 'pending' : 'active', ctx.now)
  if (!made) throw new ApiError('already_following')
  if (made.status === 'active') await start(ctx, made)
  else await ctx.emit('follow.requested', { follow_id: made.id, ...idsOf(made) })
  return made
}

/** Ends what the caller follows, or takes his request back. @throws invalid_username, user_not_found, not_following */
export const unfollow = async (ctx: WriteRequest, username: string): Promise<void> => {
  const target = await lockBoth(ctx, username, 'not_following')
  const gone = await deleteFollow(ctx.db, ctx.actor.id, target.id)
  if (!gone) throw new ApiError('not_following')
  await end(ctx, gone)
}

/** Ends that somebody follows the caller, or refuses the request to. @throws invalid_username, user_not_found, not_following */
export const removeFollower = async (ctx: WriteRequest, username: string): Promise<void> => {
  const { id } = await lockBoth(ctx, username, 'not_following')
  const gone = await deleteFollow(ctx.db, id, ctx.actor.id)
  if (!gone) throw new ApiError('not_following', { message: 'This member does not follow you.' })
  await end(ctx, gone)
}

/** The two people of a request to the caller are held. Whom the caller must not see asks for nothing. @throws request_not_found */
const lockRequest = async ({ db, actor }: WriteRequest, id: number): Promise<void> => {
  const request = await findRequest(db, id, actor.id)
  if (!request || (request.u_status !== 'active' && actor.role === 'member')) throw new ApiError('request_not_found')
  await lockPeople(db, [request.follower_id, actor.id])
}

/** Of an approval, a refusal and a withdrawal at the same moment one wins. @throws request_not_found, also for another's request */
export const approve = async (ctx: WriteRequest, id: number): Promise<Follow> => {
  await lockRequest(ctx, id)
  const approved = await approveRequest(ctx.db, id, ctx.actor.id, ctx.now)
  if (!approved) throw new ApiError('request_not_found')
  await start(ctx, approved)
  return approved
}

/** Refuses a request; it may be sent again. @throws request_not_found, also for another's request */
export const reject = async (ctx: WriteRequest, id: number): Promise<void> => {
  await lockRequest(ctx, id)
  const gone = await rejectRequest(ctx.db, id, ctx.actor.id)
  if (!gone) throw new ApiError('request_not_found')
  await end(ctx, gone)
}

/** Requests that one transaction accepts. */
const AT_ONCE = 100

const REST = 'followers.accept'

const accept = async (ctx: WriteContext, userId: number, found: readonly Follow[]): Promise<void> => {
  for (const { id } of found) {
    const accepted = await approveRequest(ctx.db, id, userId, ctx.now)
    if (accepted) await start(ctx, accepted)
  }
  if ((await requestsTo(ctx.db, userId, 1)).length > 0) await ctx.enqueue(REST, { user_id: userId })
}

const lockRequests = async (db: Db, userId: number): Promise<readonly Follow[]> => {
  const found = await requestsTo(db, userId, AT_ONCE)
  await lockPeople(db, [userId, ...found.map(({ follower_id }) => follower_id)])
  return found
}

/**
 * Somebody's profile becomes public: whoever waits follows from now on, the first of them at once and the others by a job. To be called in
 * the transaction of that change, before the person's row is held or written, so that people are held in the order of their ids.
 */
export const acceptAllPending = async (ctx: WriteContext, userId: number): Promise<void> => {
  await accept(ctx, userId, await lockRequests(ctx.db, userId))
}

/** Goes on with it, unless the profile was made private again meanwhile. */
export const acceptRest = job<{ user_id: number }>(REST, async (ctx, { user_id }) => {
  const found = await lockRequests(ctx.db, user_id)
  if (!(await isPrivate(ctx.db, user_id))) await accept(ctx, user_id, found)
})

/**
 * Ends every follow and request of an account that goes away, and counts it out of those of others. To be called before its row is held.
 */
export const eraseFollows = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await lockPeople(db, [userId, ...(await circleOf(db, userId))])
  await deleteAllFollows(db, userId)
}
