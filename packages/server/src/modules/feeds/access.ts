import type { ErrorCode } from '@lyceum/contract'
import { isStaff, isStaffEverywhere, may, mayAny, staffSpaces } from '../../auth/permissions.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lessonFor, managesAllCourses } from '../courses/index.ts'
import { type SpaceFor, spaceAbilities } from '../spaces/index.ts'
import { type FeedStanding, followOf, learnsIn, lessonOf, loadStanding } from './feed-row.ts'

export type AccessContext = Pick<
  FeedStanding,
  | 'user_id'
  | 'space_id'
  | 'privacy'
  | 'status'
  | 's_privacy'
  | 's_status'
  | 's_settings'
  | 'my_role'
  | 'my_status'
  | 'follows_author'
  | 'lesson_id'
  | 'lesson_place'
>

const NOWHERE = {
  space_id: null,
  s_privacy: null,
  s_status: null,
  s_settings: null,
  my_role: null,
  my_status: null,
  follows_author: null,
  lesson_id: null,
  lesson_place: null,
}

/** The part of a standing that a space gives, for a feed that is not there yet; null: outside of spaces. */
export const standingIn = (space: SpaceFor | null) => {
  if (!space) return NOWHERE
  const { id, privacy, status, settings, my_role, my_status } = space
  return { ...NOWHERE, space_id: id, s_privacy: privacy, s_status: status, s_settings: settings, my_role, my_status }
}

/** Decides about content of all spaces, and about what stands in none. */
export const approvesEverywhere = (actor: Actor): boolean =>
  actor.role === 'admin' || mayAny(actor, ['manage_feeds', 'resolve_reports', 'moderate_spaces'], null)

/** What may be done where the feed stands, before the feed itself is looked at. */
const surroundings = (actor: Actor, feed: AccessContext) => {
  if (feed.space_id !== null && feed.s_privacy && feed.s_status) {
    const space = spaceAbilities(actor, {
      id: feed.space_id,
      privacy: feed.s_privacy,
      status: feed.s_status,
      settings: feed.s_settings ?? '{}',
      my_role: feed.my_role,
      my_status: feed.my_status,
    })
    return { ...space, insider: space.isMember || space.moderate || isStaff(actor, feed.space_id) }
  }
  const admin = actor.role === 'admin'
  return {
    read: true,
    participate: true,
    insider: isStaff(actor, null),
    moderate: admin || may(actor, 'moderate_spaces', null),
    moderateFeeds: admin || mayAny(actor, ['manage_feeds', 'moderate_spaces'], null),
    moderateComments: admin || mayAny(actor, ['manage_comments', 'moderate_spaces'], null),
    approve: approvesEverywhere(actor),
    pin: admin || mayAny(actor, ['pin_feeds', 'moderate_spaces'], null),
    feature: admin || mayAny(actor, ['pin_feeds', 'feature_content', 'moderate_spaces'], null),
  }
}

/**
 * What the caller may do with the feed of a lesson: who learns in the course talks there, who runs it moderates. The feed itself changes
 * with its lesson only. Whether the lesson is unlocked is asked by `assertUnlocked`.
 */
const lessonFeedAbilities = (actor: Actor, { lesson_place }: AccessContext) => {
  const manage = lesson_place === 2 || managesAllCourses(actor)
  const view = manage || lesson_place === 1
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
 * What the caller may do with a feed. A draft is its author's alone; scheduled, pending and spam ones are also seen by those who
 * decide about them; a private one by its author, moderators and the space's members, outside of spaces by those who follow the author.
 */
export const feedAbilities = (actor: Actor, feed: AccessContext) => {
  if (feed.lesson_id !== null) return lessonFeedAbilities(actor, feed)
  const around = surroundings(actor, feed)
  const own = feed.user_id === actor.id
  const seesStatus =
    feed.status === 'published' ||
    own ||
    (feed.status === 'scheduled' && around.moderateFeeds) ||
    ((feed.status === 'pending' || feed.status === 'spam') && around.approve)
  const follows = feed.space_id === null && feed.follows_author === 1
  const seesPrivacy = feed.privacy === 'public' || own || around.insider || follows
  const view = around.read && seesStatus && seesPrivacy
  return {
    view,
    /** Comments, reacts, votes. */
    participate: view && around.participate && feed.status === 'published',
    // Who is banned from the space takes away what he wrote there, and adds nothing.
    edit: view && ((own && feed.my_status !== 'banned') || around.moderateFeeds),
    remove: view && (own || around.moderateFeeds),
    moderate: view && around.moderateFeeds,
    moderateComments: view && around.moderateComments,
    approve: view && around.approve,
    pin: view && around.pin,
    feature: view && around.feature,
    /** Sees survey results whatever the survey says. */
    seeResults: view && (own || around.approve),
  }
}

type FeedAbilities = ReturnType<typeof feedAbilities>
export type FeedAbility = keyof FeedAbilities

/** Whether what makes a feed stand out from others is among what these abilities give. */
export const mayMark = (
  can: Pick<FeedAbilities, 'pin' | 'feature'>,
  { is_sticky, type, priority }: Pick<FeedStanding, 'is_sticky' | 'type' | 'priority'>,
): boolean => (can.pin || (is_sticky === 0 && type !== 'announcement')) && (can.feature || priority === 0)

type Asking = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

/** Whether the feed is of no lesson, or of one that the caller can open at this moment. */
export const isUnlocked = async (ctx: Asking, { lesson_id }: Pick<FeedStanding, 'lesson_id'>): Promise<boolean> => {
  if (lesson_id === null) return true
  const place = await lessonOf(ctx.db, lesson_id)
  if (!place) return false
  const refused = (error: unknown) => {
    if (error instanceof ApiError) return false
    throw error
  }
  return lessonFor(ctx, place.course_id, lesson_id, 'read').then(() => true, refused)
}

/** @throws 404 `missing` where the feed is of a lesson that the caller cannot open at this moment */
export const assertUnlocked = async (ctx: Asking, feed: Pick<FeedStanding, 'lesson_id'>, missing: ErrorCode): Promise<void> => {
  if (!(await isUnlocked(ctx, feed))) throw new ApiError(missing)
}

/**
 * The feed by id or slug, if the caller has that ability. `missing` is the code where it does not exist or must not be seen.
 * @throws 404 `missing`, 403 rest_forbidden where it may be seen but not that
 */
export const feedFor = async (
  ctx: Asking,
  key: number | string,
  ability: FeedAbility,
  missing: 'feed_not_found' | 'content_not_found' | 'comment_not_found' = 'feed_not_found',
): Promise<FeedStanding> => {
  const feed = await loadStanding(ctx.db, key, ctx.actor.id)
  if (!feed) throw new ApiError(missing)
  const abilities = feedAbilities(ctx.actor, feed)
  if (!abilities.view) throw new ApiError(missing)
  await assertUnlocked(ctx, feed, missing)
  if (!abilities[ability]) throw new ApiError('rest_forbidden')
  return feed
}

type Placeholder = (value: number) => string

/**
 * SQL over the feed row `alias` that holds where its place and privacy let the caller see it, whatever its status. Of the feeds of lessons
 * those of courses in which he learns; what is locked there is not asked.
 */
export const feedsInReach = (actor: Actor, p: Placeholder, alias = 'f'): string => {
  if (managesAllCourses(actor)) return '1 = 1'
  return `((${alias}.lesson_id is null and ${postsInReach(actor, p, alias)}) or ${learnsIn(p(actor.id), alias)})`
}

/** The same for feeds that are not of lessons. */
const postsInReach = (actor: Actor, p: Placeholder, alias = 'f'): string => {
  if (isStaffEverywhere(actor)) return '1 = 1'
  const me = p(actor.id)
  const managed = staffSpaces(actor)
  const staff = managed.length > 0 ? ` or ${alias}.space_id in (${managed.map((id) => p(id)).join(', ')})` : ''
  return `(
    (${alias}.space_id is null and (${alias}.privacy = 'public' or ${alias}.user_id = ${me} or exists (${followOf(me, alias)})))
    or exists (select 1 from spaces vs left join space_members vm on vm.space_id = vs.id and vm.user_id = ${me} and vm.status = 'active'
      where vs.id = ${alias}.space_id and (vs.status <> 'draft' or vm.role in ('moderator', 'admin'))
      and (vm.id is not null or (vs.privacy = 'public' and (${alias}.privacy = 'public' or ${alias}.user_id = ${me}))))${staff})`
}

/**
 * The one predicate of every query that touches published feeds: SQL over the feed row `alias` that holds for those the caller may see
 * in lists. `p` gives placeholders. Rows that are not listed are never covered by it.
 */
export const visibleFeeds = (actor: Actor, p: Placeholder, alias = 'f'): string =>
  `${alias}.listed = 1 and ${postsInReach(actor, p, alias)}`
