import type { Actor, AskedRead } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { readUsername } from '../accounts/index.ts'
import { type ProfileRow, profileByName } from './profile-row.ts'

type Standing = Pick<ProfileRow, 'id' | 'status' | 'is_private'>

/** What the caller may see of a person. Suspended and banned people are there for moderators only. */
export const profileAbilities = (actor: Actor, profile: Standing) => {
  const own = actor.id === profile.id
  const staff = actor.role !== 'member'
  return {
    view: own || staff || profile.status === 'active',
    seeEmail: own || actor.role === 'admin',
    seeSpaces: own || staff || profile.is_private === 0,
    edit: own,
  }
}

/**
 * The profile of that username; `me` is the caller's.
 * @throws 400 invalid_username, 404 user_not_found
 */
export const profileFor = async ({ db, actor }: AskedRead, username: string): Promise<ProfileRow> => {
  const profile = await profileByName(db, username === 'me' ? actor.username : readUsername(username))
  if (!profile || !profileAbilities(actor, profile).view) throw new ApiError('user_not_found')
  return profile
}
