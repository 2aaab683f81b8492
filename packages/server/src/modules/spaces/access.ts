import { isStaff, isStaffEverywhere, may, mayAny, staffSpaces } from '../../auth/authenticate.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError, invalidField, invalidParameter } from '../../core/errors.ts'
import { type Db, lockRow, type SpaceRow, statementOne } from '../../db/index.ts'
import { readSettings } from './settings.ts'

/** A space with the caller's membership. */
export interface SpaceFor extends SpaceRow {
  readonly my_role: 'member' | 'moderator' | 'admin' | null
  readonly my_status: 'active' | 'pending' | 'banned' | null
  readonly my_verified: 0 | 1
}

/** What abilities depend on. Without `my_verified` the member counts as not verified. */
export type SpaceAccess = Pick<SpaceFor, 'id' | 'privacy' | 'status' | 'settings' | 'my_role' | 'my_status'> & {
  readonly my_verified?: 0 | 1
}

/**
 * Abilities of a member in a space, from their membership and manager record. `view`: see that the space exists; `read`: see its content;
 * `moderate`: act on content of others; `manage`: change the space itself. Banned and pending members have the abilities of outsiders.
 */
export const spaceAbilities = (actor: Actor, space: SpaceAccess) => {
  const settings = readSettings(space.settings)
  const role = space.my_status === 'active' ? space.my_role : null
  const manage = role === 'admin' || may(actor, 'manage_spaces', space.id)
  const moderate = role === 'moderator' || role === 'admin' || may(actor, 'moderate_spaces', space.id) || actor.role === 'admin'
  const seesAll = isStaff(actor, space.id) || moderate || manage
  const hidden = space.status === 'draft' && !seesAll
  const member = role !== null && !hidden
  const view = !hidden && (seesAll || member || space.privacy !== 'secret')
  const read = !hidden && (seesAll || member || space.privacy === 'public')
  const open = space.status === 'published'
  const participate = open && read && (member || seesAll)
  const manageMembers = manage || may(actor, 'manage_space_members', space.id)
  const moderateFeeds = moderate || may(actor, 'manage_feeds', space.id)
  const approve = moderate || mayAny(actor, ['manage_feeds', 'resolve_reports'], space.id)
  const mayPost =
    settings.restricted_post_only === 'no' &&
    settings.allow_posts &&
    settings.post_permissions.includes('member') &&
    (settings.verified_post_only === 'no' || space.my_verified === 1)
  const shown = settings.members_page_status
  return {
    view,
    read,
    /** Comment, react and vote. */
    participate,
    comment: participate && (settings.allow_comments || moderate),
    react: participate && settings.allow_reactions,
    post: open && read && (moderateFeeds || manage || (member && mayPost)),
    /** Posts are published without approval. */
    postDirectly: approve || !settings.require_approval,
    moderate,
    /** Edit and delete feeds of others. */
    moderateFeeds,
    moderateComments: moderate || may(actor, 'manage_comments', space.id),
    /** Move content into and out of pending and spam, and see it there. */
    approve,
    pin: moderate || may(actor, 'pin_feeds', space.id),
    feature: moderate || mayAny(actor, ['pin_feeds', 'feature_content'], space.id),
    manage,
    manageMembers,
    /** See who the members are. */
    viewMembers: manageMembers || (read && shown !== 'admin_only' && (member || seesAll || shown !== 'members_only')),
    isMember: member,
  }
}

export type SpaceAbilities = ReturnType<typeof spaceAbilities>
export type SpaceAbility = keyof SpaceAbilities

/** Columns and tables of a space with the membership of the member with id `me` (a placeholder). */
const membershipColumns = (me: string) =>
  `m.role as my_role, m.status as my_status, (select v.is_verified from users v where v.id = ${me}) as my_verified`
export const spaceColumns = (me: string) => `s.*, ${membershipColumns(me)}`
export const spaceTables = (me: string) => `spaces s left join space_members m on m.space_id = s.id and m.user_id = ${me}`

const byId = statementOne<SpaceFor>(`select ${spaceColumns('$2')} from ${spaceTables('$2')} where s.id = $1`)
const bySlug = statementOne<SpaceFor>(`select ${spaceColumns('$2')} from ${spaceTables('$2')} where s.slug = $1`)

export const loadSpace = (db: Db, key: number | string, userId: number): Promise<SpaceFor | undefined> =>
  typeof key === 'number' ? byId(db, [key, userId]) : bySlug(db, [key, userId])

const accessColumns = (me: string) => `s.id, s.privacy, s.status, s.settings, ${membershipColumns(me)}`
const accessById = statementOne<SpaceAccess>(`select ${accessColumns('$2')} from ${spaceTables('$2')} where s.id = $1`)
const accessBySlug = statementOne<SpaceAccess>(`select ${accessColumns('$2')} from ${spaceTables('$2')} where s.slug = $1`)

/** What decides on access to a space, without the columns that change often. */
export const loadSpaceAccess = (db: Db, key: number | string, userId: number): Promise<SpaceAccess | undefined> =>
  typeof key === 'number' ? accessById(db, [key, userId]) : accessBySlug(db, [key, userId])

type AccessRequest = Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>

/**
 * Loads the space by id or slug and checks that the caller has the ability.
 * @throws 404 space_not_found if the space is hidden from the caller, 403 rest_forbidden if it is visible but the ability is missing
 */
export const spaceFor = async ({ db, actor }: AccessRequest, key: number | string, ability: SpaceAbility): Promise<SpaceFor> => {
  const space = await loadSpace(db, key, actor.id)
  if (!space) throw new ApiError('space_not_found')
  const abilities = spaceAbilities(actor, space)
  if (!abilities.view) throw new ApiError('space_not_found')
  if (!abilities[ability]) throw new ApiError('rest_forbidden')
  return space
}

/** The two ways in which a request can name a space. */
export interface SpaceNamed {
  readonly space_id?: number | null | undefined
  readonly space?: string | null | undefined
}

/**
 * The space that a list is limited to, by id or slug; undefined if none is named.
 * @throws as `spaceFor`, and 400 if id and slug name different spaces
 */
export const namedSpace = async ({ db, actor }: AccessRequest, { space_id, space }: SpaceNamed, ability: SpaceAbility) => {
  const key = space ?? space_id ?? undefined
  if (key === undefined) return undefined
  const found = await loadSpaceAccess(db, key, actor.id)
  const abilities = found && spaceAbilities(actor, found)
  if (!found || !abilities?.view) throw new ApiError('space_not_found')
  if (typeof space_id === 'number' && found.id !== space_id) throw invalidParameter('space_id', 'does not match space')
  if (!abilities[ability]) throw new ApiError('rest_forbidden')
  return found
}

/** An id that no space has. */
const NO_SPACE = -1

/**
 * The id of the space that a body names; null for none, undefined if the body does not say. Missing and hidden spaces give an id that no
 * space has, so the later lookup refuses both alike. An id or slug takes precedence over a null.
 * @throws invalid_data if id and slug name different spaces
 */
export const spaceIdIn = async ({ db, actor }: AccessRequest, { space_id, space }: SpaceNamed): Promise<number | null | undefined> => {
  if (typeof space !== 'string') return space_id === undefined ? space : space_id
  const found = await loadSpace(db, space, actor.id)
  if (!found || !spaceAbilities(actor, found).view) return NO_SPACE
  if (typeof space_id === 'number' && found.id !== space_id) throw invalidField('space_id', 'does not match space')
  return found.id
}

/** `spaceFor` for writes that change the space, its members or its counters: locks its row until the transaction ends. */
export const lockedSpaceFor = async (ctx: AccessRequest, key: number | string, ability: SpaceAbility): Promise<SpaceFor> => {
  const { id } = await spaceFor(ctx, key, 'view')
  await lockRow(ctx.db, 'spaces', id)
  return spaceFor(ctx, id, ability)
}

/** The caller's view of the space that a row belongs to; null if it belongs to none. */
export const spaceOf = async ({ db, actor }: AccessRequest, spaceId: number | null): Promise<SpaceFor | null> =>
  spaceId === null ? null : ((await loadSpace(db, spaceId, actor.id)) ?? null)

/** SQL condition on the setting `members_page_status`. Matches the stored JSON text, in which quotes are not escaped. */
const memberVisibilityIs = (s: string, ...to: readonly string[]): string =>
  `(${to.map((who) => `${s}.settings like '%"members_page_status":"${who}"%'`).join(' or ')})`

/** SQL condition for the spaces whose members the caller may see; equivalent to `viewMembers`, over the tables of `spaceTables`. */
export const spacesWithVisibleMembers = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string => {
  const manages = mayAny(actor, ['manage_spaces', 'manage_space_members'], null)
  if (manages) return '1 = 1'
  const isActive = `${m}.status = 'active'`
  const isLeader = `${m}.role in ('moderator', 'admin')`
  const own = (actor.managedSpaces ?? []).filter((id) => mayAny(actor, ['manage_spaces', 'manage_space_members'], id))
  const staffed = isStaffEverywhere(actor)
    ? ['1 = 1']
    : staffSpaces(actor).length > 0
      ? [`${s}.id in (${staffSpaces(actor).map(p).join(', ')})`]
      : []
  const managed = [`(${isActive} and ${m}.role = 'admin')`, ...(own.length > 0 ? [`${s}.id in (${own.map(p).join(', ')})`] : [])]
  const readable = [...staffed, `(${isActive} and (${s}.status <> 'draft' or ${isLeader}))`]
  const open = `(${s}.privacy = 'public' and ${s}.status <> 'draft' and ${memberVisibilityIs(s, 'everybody', 'logged_in')})`
  return `(${managed.join(' or ')} or (not ${memberVisibilityIs(s, 'admin_only')} and (${[...readable, open].join(' or ')})))`
}

/** SQL condition for the spaces whose individual memberships the caller may learn: public spaces hide them only as `admin_only`. */
export const spacesThatRevealMembers = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string =>
  `((${s}.privacy = 'public' and not ${memberVisibilityIs(s, 'admin_only')}) or ${spacesWithVisibleMembers(actor, p, s, m)})`

/**
 * SQL condition for the spaces visible to the caller. Every query that lists spaces must use it. Expects the tables of `spaceTables` under
 * these aliases; `p` adds a placeholder.
 */
export const visibleSpaces = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const managed = staffSpaces(actor)
  const staff = managed.length > 0 ? ` or ${s}.id in (${managed.map((id) => p(id)).join(', ')})` : ''
  return `((${s}.status <> 'draft' and (${s}.privacy <> 'secret' or ${m}.status = 'active'))
    or (${m}.status = 'active' and ${m}.role in ('moderator', 'admin'))${staff})`
}
