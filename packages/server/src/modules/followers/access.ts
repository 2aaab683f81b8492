import type { AskedRead } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { type ProfileRow, profileFor } from '../members/index.ts'
import { isFollowing } from './queries.ts'

/**
 * The profile whose relationships the caller may read. Those of a private one are for its owner, its active followers and moderators.
 * @throws invalid_username, user_not_found, rest_forbidden
 */
export const circleFor = async (ctx: AskedRead, username: string): Promise<ProfileRow> => {
  const { db, actor } = ctx
  const profile = await profileFor(ctx, username)
  const open = profile.is_private === 0 || profile.id === actor.id || actor.role !== 'member'
  if (open || (await isFollowing(db, actor.id, profile.id))) return profile
  throw new ApiError('rest_forbidden', { message: 'This profile is private.' })
}
