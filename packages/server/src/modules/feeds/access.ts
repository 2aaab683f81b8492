import type { ErrorCode } from '@lyceum/contract'
import { isStaff, isStaffEverywhere, may, mayAny, staffSpaces } from '../../auth/authenticate.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Placeholder } from '../../db/index.ts'
import { lessonFor, managesAllCourses } from '../courses/index.ts'
import { type SpaceFor, spaceAbilities } from '../spaces/index.ts'
import { courseOf, type FeedAccessRow, followsAuthor, loadFeedAccess, lockFeedAccess, seesLesson } from './feed-row.ts'

const NOWHERE = {
  space_id: null,
  s_privacy: null,
  s_status: null,
  s_settings: null,
  my_role: null,
  my_status: null,
  follows_author: null,
  lesson_id: null,
  lesson_role: null,
}

export type AccessContext = Pick<FeedAccessRow, 'user_id' | 'privacy' | 'status' | keyof typeof NOWHERE>

/** The space-related part of a feed's access context, for a feed that does not exist yet. `null` means outside of all spaces. */
export const spaceContext = (space: Pick<SpaceFor, 'id' | 'privacy' | 'status' | 'settings' | 'my_role' | 'my_status'> | null) => {
  if (!space) return NOWHERE
  const { id, privacy, status, settings, my_role, my_status } = space
  return { ...NOWHERE, space_id: id, s_privacy: privacy, s_status: status, s_settings: settings, my_role, my_status }
}

/** Whether the actor moderates content in every space and outside of spaces. */
export const approvesEverywhere = (actor: Actor): boolean =>
  actor.role === 'admin' || mayAny(actor, ['manage_feeds', 'resolve_reports', 'moderate_spaces'], null)

/** What the actor may do in the space of the feed (or outside of spaces), before the feed's own status and privacy are considered. */
const locationAbilities = (actor: Actor, feed: AccessContext) => {
  if (feed.space_id !== null && feed.s_privacy && feed.s_status) {
    const space = spaceAbilities(actor, {
      id: feed.space_id,
      privacy: feed.s_privacy,
      status: feed.s_status,
      settings: feed.s_settings ?? '{}',
      my_role: feed.my_role,
      my_status: feed.my_status,
    })
    return { ...space, seesPrivate: space.isMember || space.moderate || isStaff(actor, feed.space_id) }
  }
  const admin = actor.role === 'admin'
  return {
    read: true,
    participate: true,
    seesPrivate: isStaff(actor, null),
    moderate: admin || may(actor, 'moderate_spaces', null),
    moderateFeeds: admin || mayAny(actor, ['manage_feeds', 'moderate_spaces'], null),
    moderateComments: admin || mayAny(actor, ['manage_comments', 'moderate_spaces'], null),
    approve: approvesEverywhere(actor),
    pin: admin || mayAny(actor, ['pin_feeds', 'moderate_spaces'], null),
    feature: admin || mayAny(actor, ['pin_feeds', 'feature_content', 'moderate_spaces'], null),
  }
}

/**
 * Abilities on the discussion feed of a lesson: students of the course take part, course managers moderate. The feed itself changes only
 * with its lesson. `assertUnlocked` checks separately whether the lesson is unlocked.
 */
const lessonFeedAbilities = (actor: Actor, { lesson_role }: AccessContext) => {
  const manage = lesson_role === 2 || managesAllCourses(actor)
  const view = manage || lesson_role === 1
  return {
    view,
    participate: view,
    edit: false,
    remove: false,
    moderate: manage,
    moderateComments: manage,
    approve: manage,
    pin: false,
    feature: false,
    seeResults: manage,
  }
}

/**
 * Abilities of the actor on a feed. A draft is visible only to its author. Scheduled, pending and spam feeds are also visible to those who
 * moderate them. A private feed is visible to its author, moderators and members of its space; outside of spaces, to followers of its
 * author.
 */
export const feedAbilities = (actor: Actor, feed: AccessContext) => {
  if (feed.lesson_id !== null) return lessonFeedAbilities(actor, feed)
  const location = locationAbilities(actor, feed)
  const own = feed.user_id === actor.id
  const seesStatus =
    feed.status === 'published' ||
    own ||
    (feed.status === 'scheduled' && location.moderateFeeds) ||
    ((feed.status === 'pending' || feed.status === 'spam') && location.approve)
  const follows = feed.space_id === null && feed.follows_author === 1
  const seesPrivacy = feed.privacy === 'public' || own || location.seesPrivate || follows
  const view = location.read && seesStatus && seesPrivacy
  return {
    view,
    /** Comment, react and vote. */
    participate: view && location.participate && feed.status === 'published',
    // Someone who is banned from the space may still delete what they wrote there, but not edit it.
    edit: view && ((own && feed.my_status !== 'banned') || location.moderateFeeds),
    remove: view && (own || location.moderateFeeds),
    moderate: view && location.moderateFeeds,
    moderateComments: view && location.moderateComments,
    approve: view && location.approve,
    pin: view && location.pin,
    feature: view && location.feature,
    /** May see survey results even where the survey hides them. */
    seeResults: view && (own || location.approve),
  }
}

type FeedAbilities = ReturnType<typeof feedAbilities>
export type FeedAbility = keyof FeedAbilities

/** Whether these abilities allow every highlight the feed has: pinned, announcement, priority. */
export const mayHighlight = (
  can: Pick<FeedAbilities, 'pin' | 'feature'>,
  { is_sticky, type, priority }: Pick<FeedAccessRow, 'is_sticky' | 'type' | 'priority'>,
): boolean => (can.pin || (is_sticky === 0 && type !== 'announcement')) && (can.feature || priority === 0)

type AccessRequest = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

/** True unless the feed belongs to a lesson that the caller cannot open now. */
export const isUnlocked = async (ctx: AccessRequest, { lesson_id }: Pick<FeedAccessRow, 'lesson_id'>): Promise<boolean> => {
  if (lesson_id === null) return true
  const lesson = await courseOf(ctx.db, lesson_id)
  if (!lesson) return false
  const refused = (error: unknown) => {
    if (error instanceof ApiError) return false
    throw error
  }
  return lessonFor(ctx, lesson.course_id, lesson_id, 'read').then(() => true, refused)
}

/** @throws 404 `missing` if the feed belongs to a lesson that the caller cannot open now */
export const assertUnlocked = async (ctx: AccessRequest, feed: Pick<FeedAccessRow, 'lesson_id'>, missing: ErrorCode): Promise<void> => {
  if (!(await isUnlocked(ctx, feed))) throw new ApiError(missing)
}

/**
 * Loads the feed by id or slug and checks that the caller has the ability. `missing` is the error code for feeds that do not exist or are
 * hidden from the caller.
 * @throws 404 `missing`, 403 rest_forbidden if the feed is visible but the ability is missing
 */
export const feedFor = async (
  ctx: AccessRequest,
  key: number | string,
  ability: FeedAbility,
  missing: 'feed_not_found' | 'content_not_found' | 'comment_not_found' = 'feed_not_found',
): Promise<FeedAccessRow> => {
  return withAbility(ctx, await loadFeedAccess(ctx.db, key, ctx.actor.id), ability, missing)
}

/** The same for a write, which also locks the feed's row. */
export const lockedFeedFor = async (ctx: AccessRequest, feedId: number, ability: FeedAbility): Promise<FeedAccessRow> =>
  withAbility(ctx, await lockFeedAccess(ctx.db, feedId, ctx.actor.id), ability, 'feed_not_found')

const withAbility = async (ctx: AccessRequest, feed: FeedAccessRow | undefined, ability: FeedAbility, missing: ErrorCode) => {
  if (!feed) throw new ApiError(missing)
  const abilities = feedAbilities(ctx.actor, feed)
  if (!abilities.view) throw new ApiError(missing)
  await assertUnlocked(ctx, feed, missing)
  if (!abilities[ability]) throw new ApiError('rest_forbidden')
  return feed
}

/**
 * SQL condition on feed row `alias`: its space and privacy let the actor see it, whatever its status. Includes lesson feeds of the actor's
 * courses, without checking whether the lesson is locked.
 */
export const reachableFeeds = (actor: Actor, p: Placeholder, alias = 'f'): string => {
  if (managesAllCourses(actor)) return '1 = 1'
  return `((${alias}.lesson_id is null and ${reachablePosts(actor, p, alias)}) or ${seesLesson(p(actor.id), alias)})`
}

/** Like `reachableFeeds`, but only for feeds that do not belong to lessons. */
const reachablePosts = (actor: Actor, p: Placeholder, alias = 'f'): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const me = p(actor.id)
  const managed = staffSpaces(actor)
  const staff = managed.length > 0 ? ` or ${alias}.space_id in (${managed.map((id) => p(id)).join(', ')})` : ''
  return `(
    (${alias}.space_id is null and (${alias}.privacy = 'public' or ${alias}.user_id = ${me} or exists (${followsAuthor(me, alias)})))
    or exists (select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = ${alias}.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))
      and (vm.id is not null or (vs.privacy = 'public' and (${alias}.privacy = 'public' or ${alias}.user_id = ${me}))))${staff})`
}

/**
 * SQL condition on feed row `alias` for the listed feeds that the actor may see. Every query over published feeds must use it. `p` adds a
 * placeholder.
 */
export const visibleFeeds = (actor: Actor, p: Placeholder, alias = 'f'): string =>
  `${alias}.listed = 1 and ${reachablePosts(actor, p, alias)}`
