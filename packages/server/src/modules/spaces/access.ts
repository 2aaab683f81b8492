import type { Selectable } from 'kysely'
import { type Db, type SpaceRow, statementOne } from '../../db/index.ts'
import { isStaff, may, mayAny } from '../../platform/auth/permissions.ts'
import type { Actor, Asked, ReadContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'

/** A space as the caller stands to it. */
export interface SpaceFor extends Selectable<SpaceRow> {
  readonly my_role: 'member' | 'moderator' | 'admin' | null
  readonly my_status: 'active' | 'pending' | 'banned' | null
}

type Standing = Pick<SpaceFor, 'id' | 'privacy' | 'status' | 'settings' | 'my_role' | 'my_status'>

/**
 * What somebody may do in a space, from his place in it and his manager record.
 * `view`: see that it exists; `read`: see what is in it; `moderate`: act on others' content; `manage`: change the space itself.
 */
export const spaceAbilities = (actor: Actor, space: Standing) => {
  const role = space.my_status === 'active' ? space.my_role : null
  const manage = role === 'admin' || may(actor, 'manage_spaces', space.id)
  const moderate = role === 'moderator' || role === 'admin' || may(actor, 'moderate_spaces', space.id) || actor.role === 'admin'
  const staff = isStaff(actor, space.id)
  const insider = staff || moderate || manage
  const hidden = space.status === 'draft' && !insider
  const member = role !== null && !hidden
  const view = !hidden && (insider || member || space.privacy !== 'secret')
  const read = !hidden && (insider || member || space.privacy === 'public')
  const open = space.status === 'published'
  return {
    view,
    read,
    /** Takes part: comments, reacts, votes. */
    participate: open && read && (member || insider),
    post: open && read && (moderate || manage || may(actor, 'manage_feeds', space.id) || (member && mayPost(space.settings))),
    moderate,
    /** Edits and deletes others' feeds. */
    moderateFeeds: moderate || may(actor, 'manage_feeds', space.id),
    moderateComments: moderate || may(actor, 'manage_comments', space.id),
    /** Moves content into and out of pending and spam, and sees it there. */
    approve: moderate || mayAny(actor, ['manage_feeds', 'resolve_reports'], space.id),
    pin: moderate || may(actor, 'pin_feeds', space.id),
    feature: moderate || mayAny(actor, ['pin_feeds', 'feature_content'], space.id),
    manage,
    manageMembers: manage || may(actor, 'manage_space_members', space.id),
    isMember: member,
  }
}

export type SpaceAbility = keyof ReturnType<typeof spaceAbilities>

const mayPost = (settings: string): boolean => {
  const { restricted_post_only, allow_posts } = JSON.parse(settings) as { restricted_post_only?: string; allow_posts?: boolean }
  return restricted_post_only !== 'yes' && allow_posts !== false
}

const COLUMNS = `s.*, m.role as my_role, m.status as my_status from spaces s left join space_members m on m.space_id = s.id and m.user_id = $2`
const byId = statementOne<SpaceFor>(`select ${COLUMNS} where s.id = $1`)
const bySlug = statementOne<SpaceFor>(`select ${COLUMNS} where s.slug = $1`)

export const loadSpace = (db: Db, key: number | string, userId: number): Promise<SpaceFor | undefined> =>
  typeof key === 'number' ? byId(db, [key, userId]) : bySlug(db, [key, userId])

type Asking = Pick<ReadContext, 'db'> & Pick<Asked, 'actor'>

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

/** The caller's place in a space that a row belongs to; null when it belongs to none. */
export const spaceOf = async ({ db, actor }: Asking, spaceId: number | null): Promise<SpaceFor | null> =>
  spaceId === null ? null : ((await loadSpace(db, spaceId, actor.id)) ?? null)
