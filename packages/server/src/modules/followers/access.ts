import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type ProfileRow, profileFor } from '../members/index.ts'
import { countAway, isFollowing, type Side } from './queries.ts'

/**
 * The profile whose relationships the caller may read. Those of a private one are for its owner, its active followers and moderators.
 * @throws invalid_username, user_not_found, rest_forbidden
 */
export const relationshipsFor = async (ctx: ReadRequest, username: string): Promise<ProfileRow> => {
  const { db, actor } = ctx
  const profile = await profileFor(ctx, username)
  const open = profile.is_private === 0 || profile.id === actor.id || actor.role !== 'member'
  if (open || (await isFollowing(db, actor.id, profile.id))) return profile
  throw new ApiError('rest_forbidden', { message: 'This profile is private.' })
}

type Counted = Pick<ProfileRow, 'id' | 'followers_count' | 'followings_count'>

/** How many followers and followings of a profile the caller may know of: as many as the lists have. */
export const followCounts = async ({ db, actor }: ReadRequest, profile: Counted): Promise<Omit<Counted, 'id'>> => {
  const { id: userId, followers_count, followings_count } = profile
  if (actor.role !== 'member') return { followers_count, followings_count }
  const away = (side: Side) => countAway(db, { side, userId, status: 'active', everybody: false })
  const [followers, followings] = await Promise.all([away('followers'), away('followings')])
  return { followers_count: Math.max(0, followers_count - followers), followings_count: Math.max(0, followings_count - followings) }
}
