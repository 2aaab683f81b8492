import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type ProfileRow, profileFor } from '../members/index.ts'
import { countInactive, isFollowing, type Side } from './queries.ts'

/**
 * The profile whose followers and followings the caller may read. Those of a private profile are visible to its owner, its active followers
 * and moderators.
 * @throws invalid_username, user_not_found, rest_forbidden
 */
export const relationshipsFor = async (ctx: ReadRequest, username: string): Promise<ProfileRow> => {
  const { db, actor } = ctx
  const profile = await profileFor(ctx, username)
  const isReadable = profile.is_private === 0 || profile.id === actor.id || actor.role !== 'member'
  if (isReadable || (await isFollowing(db, actor.id, profile.id))) return profile
  throw new ApiError('rest_forbidden', { message: 'This profile is private.' })
}

type ProfileCounts = Pick<ProfileRow, 'id' | 'followers_count' | 'followings_count'>

/** Numbers of followers and followings as visible to the caller; they equal the lengths of the lists. */
export const followCounts = async ({ db, actor }: ReadRequest, profile: ProfileCounts): Promise<Omit<ProfileCounts, 'id'>> => {
  const { id: userId, followers_count, followings_count } = profile
  if (actor.role !== 'member') return { followers_count, followings_count }
  const countHidden = (side: Side) => countInactive(db, { side, userId, status: 'active', includeInactive: false })
  const [followers, followings] = await Promise.all([countHidden('followers'), countHidden('followings')])
  return { followers_count: Math.max(0, followers_count - followers), followings_count: Math.max(0, followings_count - followings) }
}
