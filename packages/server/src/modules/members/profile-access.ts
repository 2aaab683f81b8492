import { may } from '../../auth/authenticate.ts'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { statementOne, type UserRow } from '../../db/index.ts'
import { formerOwner, isWaiting, readUsername } from '../accounts/index.ts'
import { type PageOf, readPage } from '../settings/index.ts'

/** An account without its password, and its role as a manager. */
export type ProfileRow = Readonly<Omit<UserRow, 'password_hash'>> & { readonly manager_role: string | null }

const PROFILE = `select u.id, u.username, u.email, u.display_name, u.first_name, u.last_name, u.short_description, u.location, u.website, u.avatar,
   u.cover_photo, u.social_links, u.badge_slugs, u.lang, u.is_verified, u.is_private, u.status, u.total_points, u.followers_count,
   u.followings_count, u.created_at, u.updated_at, u.last_activity, m.role as manager_role
   from users u left join managers m on m.user_id = u.id and m.status = 'active'`

const profileByName = statementOne<ProfileRow>(`${PROFILE} where u.username = $1`)
export const profileById = statementOne<ProfileRow>(`${PROFILE} where u.id = $1`)

type AccessContext = Pick<ProfileRow, 'id' | 'status' | 'is_private'>

/** Community settings on what members may see of each other. */
type PrivacySettings = Pick<PageOf<'privacy'>, 'profile_page_visibility' | 'user_space_visibility'>

/**
 * What the caller may see of a profile. Suspended and banned accounts are visible to moderators only, registrations awaiting approval to
 * those who manage members, deleted accounts to nobody.
 */
export const profileAbilities = (actor: Actor, profile: AccessContext, privacy: PrivacySettings) => {
  const own = actor.id === profile.id
  const staff = actor.role !== 'member'
  const canSeeInactive = isWaiting(profile.status) ? may(actor, 'manage_members', null) : staff
  return {
    view:
      profile.status !== 'deleted' &&
      (own || canSeeInactive || (profile.status === 'active' && privacy.profile_page_visibility !== 'admin_only')),
    seeEmail: own || actor.role === 'admin',
    seeSpaces: own || staff || (profile.is_private === 0 && privacy.user_space_visibility !== 'admin_only'),
    edit: own,
  }
}

const profileByFormerName = async (ctx: ReadRequest, username: string): Promise<ProfileRow | undefined> => {
  const owner = await formerOwner(ctx, username)
  return owner === null ? undefined : profileById(ctx.db, [owner])
}

/** The profile with that current or former username; `me` is the caller's own. @throws 400 invalid_username, 404 user_not_found */
export const profileFor = async (ctx: ReadRequest, username: string): Promise<ProfileRow> => {
  const { db, actor } = ctx
  const privacy = await readPage(db, 'privacy')
  const name = username === 'me' ? actor.username : readUsername(username)
  const profile = (await profileByName(db, [name])) ?? (await profileByFormerName(ctx, name))
  if (!profile || !profileAbilities(actor, profile, privacy).view) throw new ApiError('user_not_found')
  return profile
}

/** Whether the caller may see the last activity of others. */
export const seesActivity = async ({ db, actor }: Pick<ReadRequest, 'db' | 'actor'>): Promise<boolean> =>
  actor.role !== 'member' || (await readPage(db, 'privacy')).show_last_activity === 'yes'
