import { may } from '../../auth/permissions.ts'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { formerOwner, isWaiting, readUsername } from '../accounts/index.ts'
import { type PageOf, readPage } from '../settings/index.ts'
import { type ProfileRow, profileById, profileByName } from './profile-row.ts'

type AccessContext = Pick<ProfileRow, 'id' | 'status' | 'is_private'>

/** What the community lets members see of each other. */
type Openness = Pick<PageOf<'privacy'>, 'profile_page_visibility' | 'user_space_visibility'>

/**
 * What the caller may see of a person. Suspended and banned people are there for moderators only, those who wait for whoever lets them in,
 * deleted ones for nobody.
 */
export const profileAbilities = (actor: Actor, profile: AccessContext, open: Openness) => {
  const own = actor.id === profile.id
  const staff = actor.role !== 'member'
  const told = isWaiting(profile.status) ? may(actor, 'manage_members', null) : staff
  return {
    view: profile.status !== 'deleted' && (own || told || (profile.status === 'active' && open.profile_page_visibility !== 'admin_only')),
    seeEmail: own || actor.role === 'admin',
    seeSpaces: own || staff || (profile.is_private === 0 && open.user_space_visibility !== 'admin_only'),
    edit: own,
  }
}

const byFormerName = async (ctx: ReadRequest, username: string): Promise<ProfileRow | undefined> => {
  const owner = await formerOwner(ctx, username)
  return owner === null ? undefined : profileById(ctx.db, owner)
}

/**
 * The profile of that username, current or former; `me` is the caller's.
 * @throws 400 invalid_username, 404 user_not_found
 */
export const profileFor = async (ctx: ReadRequest, username: string): Promise<ProfileRow> => {
  const { db, actor } = ctx
  const open = await readPage(db, 'privacy')
  const name = username === 'me' ? actor.username : readUsername(username)
  const profile = (await profileByName(db, name)) ?? (await byFormerName(ctx, name))
  if (!profile || !profileAbilities(actor, profile, open).view) throw new ApiError('user_not_found')
  return profile
}

/** Whether the caller is told when others were last here. */
export const seesActivity = async ({ db, actor }: Pick<ReadRequest, 'db' | 'actor'>): Promise<boolean> =>
  actor.role !== 'member' || (await readPage(db, 'privacy')).show_last_activity === 'yes'
