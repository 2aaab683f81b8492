import type { Selectable } from 'kysely'
import { isStaff, isStaffEverywhere, may, mayAny, staffSpaces } from '../../auth/permissions.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError, invalidField, invalidParameter } from '../../core/errors.ts'
import { type Db, lockRow, type SpaceRow, statementOne } from '../../db/index.ts'
import { readSettings } from './settings.ts'

/** A space as the caller stands to it. */
export interface SpaceFor extends Selectable<SpaceRow> {
  readonly my_role: 'member' | 'moderator' | 'admin' | null
  readonly my_status: 'active' | 'pending' | 'banned' | null
  readonly my_verified: 0 | 1
}

/** What abilities depend on. Without `my_verified` somebody counts as not verified. */
type AccessContext = Pick<SpaceFor, 'id' | 'privacy' | 'status' | 'settings' | 'my_role' | 'my_status'> & { readonly my_verified?: 0 | 1 }

/**
 * What somebody may do in a space, from his place in it and his manager record.
 * `view`: see that it exists; `read`: see what is in it; `moderate`: act on others' content; `manage`: change the space itself.
 * Who is banned or waits for an answer stands outside.
 */
export const spaceAbilities = (actor: Actor, space: AccessContext) => {
  const settings = readSettings(space.settings)
  const role = space.my_status === 'active' ? space.my_role : null
  const manage = role === 'admin' || may(actor, 'manage_spaces', space.id)
  const moderate = role === 'moderator' || role === 'admin' || may(actor, 'moderate_spaces', space.id) || actor.role === 'admin'
  const insider = isStaff(actor, space.id) || moderate || manage
  const hidden = space.status === 'draft' && !insider
  const member = role !== null && !hidden
  const view = !hidden && (insider || member || space.privacy !== 'secret')
  const read = !hidden && (insider || member || space.privacy === 'public')
  const open = space.status === 'published'
  const participate = open && read && (member || insider)
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
    /** Takes part: comments, reacts, votes. */
    participate,
    comment: participate && (settings.allow_comments || moderate),
    react: participate && settings.allow_reactions,
    post: open && read && (moderateFeeds || manage || (member && mayPost)),
    /** What they post appears at once, even where others' posts wait for approval. */
    postDirectly: approve || !settings.require_approval,
    moderate,
    /** Edits and deletes others' feeds. */
    moderateFeeds,
    moderateComments: moderate || may(actor, 'manage_comments', space.id),
    /** Moves content into and out of pending and spam, and sees it there. */
    approve,
    pin: moderate || may(actor, 'pin_feeds', space.id),
    feature: moderate || mayAny(actor, ['pin_feeds', 'feature_content'], space.id),
    manage,
    manageMembers,
    /** Sees who is in it. */
    viewMembers: manageMembers || (read && shown !== 'admin_only' && (member || insider || shown !== 'members_only')),
    isMember: member,
  }
}

export type SpaceAbilities = ReturnType<typeof spaceAbilities>
export type SpaceAbility = keyof SpaceAbilities

/** Columns and tables of a space as the member whose id stands in `me` (a placeholder) stands to it. */
export const spaceColumns = (me: string) =>
  `s.*, m.role as my_role, m.status as my_status, (select v.is_verified from users v where v.id = ${me}) as my_verified`
export const spaceTables = (me: string) => `spaces s left join space_members m on m.space_id = s.id and m.user_id = ${me}`

const byId = statementOne<SpaceFor>(`select ${spaceColumns('$2')} from ${spaceTables('$2')} where s.id = $1`)
const bySlug = statementOne<SpaceFor>(`select ${spaceColumns('$2')} from ${spaceTables('$2')} where s.slug = $1`)

export const loadSpace = (db: Db, key: number | string, userId: number): Promise<SpaceFor | undefined> =>
  typeof key === 'number' ? byId(db, [key, userId]) : bySlug(db, [key, userId])

type Asking = Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>

/**
 * The space by id or slug, if the caller has that ability in it.
 * @throws 404 space_not_found where it must not be seen, 403 rest_forbidden where it may be seen but not that
 */
export const spaceFor = async ({ db, actor }: Asking, key: number | string, ability: SpaceAbility): Promise<SpaceFor> => {
  const space = await loadSpace(db, key, actor.id)
  if (!space) throw new ApiError('space_not_found')
  const abilities = spaceAbilities(actor, space)
  if (!abilities.view) throw new ApiError('space_not_found')
  if (!abilities[ability]) throw new ApiError('rest_forbidden')
  return space
}

/** How a request names a space. */
export interface SpaceNamed {
  readonly space_id?: number | null | undefined
  readonly space?: string | null | undefined
}

/**
 * The space that a list is narrowed to, by id or slug; undefined: none is named.
 * @throws as `spaceFor`, and 400 where id and slug name different spaces
 */
export const namedSpace = async (ctx: Asking, { space_id, space }: SpaceNamed, ability: SpaceAbility): Promise<SpaceFor | undefined> => {
  const key = space ?? space_id ?? undefined
  if (key === undefined) return undefined
  const found = await spaceFor(ctx, key, 'view')
  if (typeof space_id === 'number' && found.id !== space_id) throw invalidParameter('space_id', 'does not match space')
  if (!spaceAbilities(ctx.actor, found)[ability]) throw new ApiError('rest_forbidden')
  return found
}

/** An id that no space has. */
const NO_SPACE = -1

/**
 * The id of the space that a body names, for a loader that then refuses one that does not exist or must not be seen; null: none, undefined:
 * nothing is said. An id or slug counts more than a null beside it.
 * @throws invalid_data where id and slug name different spaces
 */
export const spaceIdIn = async ({ db, actor }: Asking, { space_id, space }: SpaceNamed): Promise<number | null | undefined> => {
  if (typeof space !== 'string') return space_id === undefined ? space : space_id
  const found = await loadSpace(db, space, actor.id)
  if (!found || !spaceAbilities(actor, found).view) return NO_SPACE
  if (typeof space_id === 'number' && found.id !== space_id) throw invalidField('space_id', 'does not match space')
  return found.id
}

/** The same for a write that changes the space, its members or its counters: its row is held until the end of the transaction. */
export const lockedSpaceFor = async (ctx: Asking, key: number | string, ability: SpaceAbility): Promise<SpaceFor> => {
  const { id } = await spaceFor(ctx, key, 'view')
  await lockRow(ctx.db, 'spaces', id)
  return spaceFor(ctx, id, ability)
}

/** The caller's place in a space that a row belongs to; null when it belongs to none. */
export const spaceOf = async ({ db, actor }: Asking, spaceId: number | null): Promise<SpaceFor | null> =>
  spaceId === null ? null : ((await loadSpace(db, spaceId, actor.id)) ?? null)

/** SQL: what the space lets others know of its members. A setting stands in the stored text as it was serialised, its quotes unescaped. */
const showsMembers = (s: string, ...to: readonly string[]): string =>
  `(${to.map((who) => `${s}.settings like '%"members_page_status":"${who}"%'`).join(' or ')})`

/**
 * SQL that holds for the spaces whose members the caller may see: `viewMembers` over the tables of `spaceTables`, for queries that tell of
 * people and their places.
 */
export const spacesWithVisibleMembers = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string => {
  const manages = mayAny(actor, ['manage_spaces', 'manage_space_members'], null)
  if (manages) return '1 = 1'
  const isActive = `${m}.status = 'active'`
  const leads = `${m}.role in ('moderator', 'admin')`
  const own = (actor.managedSpaces ?? []).filter((id) => mayAny(actor, ['manage_spaces', 'manage_space_members'], id))
  const staffed = isStaffEverywhere(actor)
    ? ['1 = 1']
    : staffSpaces(actor).length > 0
      ? [`${s}.id in (${staffSpaces(actor).map(p).join(', ')})`]
      : []
  const runs = [`(${isActive} and ${m}.role = 'admin')`, ...(own.length > 0 ? [`${s}.id in (${own.map(p).join(', ')})`] : [])]
  const inside = [...staffed, `(${isActive} and (${s}.status <> 'draft' or ${leads}))`]
  const open = `(${s}.privacy = 'public' and ${s}.status <> 'draft' and ${showsMembers(s, 'everybody', 'logged_in')})`
  return `(${runs.join(' or ')} or (not ${showsMembers(s, 'admin_only')} and (${[...inside, open].join(' or ')})))`
}

/**
 * SQL that holds for the spaces of which the caller may know that somebody is in them: a public one says so of its members one by one, unless
 * they are for its administrators alone.
 */
export const spacesToldOfMembers = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string =>
  `((${s}.privacy = 'public' and not ${showsMembers(s, 'admin_only')}) or ${spacesWithVisibleMembers(actor, p, s, m)})`

/**
 * The predicate of every query that lists spaces: SQL that holds for those the caller may see. The query has the tables of
 * `spaceTables`, under these aliases; `p` gives placeholders.
 */
export const visibleSpaces = (actor: Actor, p: (value: number) => string, s = 's', m = 'm'): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const managed = staffSpaces(actor)
  const staff = managed.length > 0 ? ` or ${s}.id in (${managed.map((id) => p(id)).join(', ')})` : ''
  return `((${s}.status <> 'draft' and (${s}.privacy <> 'secret' or ${m}.status = 'active'))
    or (${m}.status = 'active' and ${m}.role in ('moderator', 'admin'))${staff})`
}
