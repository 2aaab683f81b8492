import type { Actor, ReadContext } from '../../core/context.ts'
import { commentAbilities } from '../comments/index.ts'
import { type LessonAccessLevel, loadLessonAccess } from '../courses/index.ts'
import { type AccessContext, feedAbilities, spaceContext } from '../feeds/index.ts'
import { spaceAbilities } from '../spaces/index.ts'
import type { Facts } from './decode-events.ts'
import { type CommentFacts, type FeedFacts, loadFollows, loadMemberships, type MembershipFacts } from './queries.ts'

type VisibleFacts = Pick<FeedFacts, 'user_id' | 'space_id' | 'privacy' | 'status' | 'lesson_id'>

/** What one member may see of the events, by their current permissions. */
export interface Viewer {
  readonly actor: Actor
  readonly seesFeed: (feed: VisibleFacts) => boolean
  readonly seesComment: (comment: CommentFacts, feed: VisibleFacts) => boolean
  readonly seesSpace: (spaceId: number) => boolean
  readonly isIn: (spaceId: number) => boolean
}

const isForFollowers = ({ privacy, space_id }: VisibleFacts) => privacy === 'private' && space_id === null

interface ViewerRelations {
  readonly memberships: ReadonlyMap<string, MembershipFacts>
  readonly follows: ReadonlySet<string>
  readonly lessonAccess: (userId: number, lessonId: number) => LessonAccessLevel
}

const createViewer = (actor: Actor, { spaces }: Facts, { memberships, follows, lessonAccess }: ViewerRelations): Viewer => {
  const membershipIn = (spaceId: number) => memberships.get(`${actor.id} ${spaceId}`)
  const spaceFor = (id: number) => {
    const space = spaces.get(id)
    const { role = null, status = null } = membershipIn(id) ?? {}
    return space ? { ...space, my_role: role, my_status: status } : null
  }
  const accessContext = (feed: VisibleFacts): AccessContext | null => {
    const { user_id, space_id, privacy, status, lesson_id } = feed
    const own = { ...spaceContext(null), user_id, privacy, status }
    if (lesson_id !== null) {
      // Comments of a lesson are for those who can open the lesson now.
      const lesson_role = lessonAccess(actor.id, lesson_id)
      return lesson_role === 0 ? null : { ...own, space_id, lesson_id, lesson_role }
    }
    if (space_id === null) return { ...own, follows_author: isForFollowers(feed) && follows.has(`${actor.id} ${user_id}`) ? 1 : null }
    const space = spaceFor(space_id)
    return space && { ...own, ...spaceContext(space) }
  }
  return {
    actor,
    seesFeed: (feed) => {
      const context = accessContext(feed)
      return context !== null && feedAbilities(actor, context).view
    },
    seesComment: (comment, feed) => {
      const context = accessContext(feed)
      return context !== null && commentAbilities(actor, comment, context).view
    },
    seesSpace: (id) => {
      const space = spaceFor(id)
      return space !== null && spaceAbilities(actor, space).view
    },
    isIn: (id) => membershipIn(id)?.status === 'active',
  }
}

/** The relations of these members to the spaces, authors and lessons of the events, in a few queries for all of them. */
export const loadViewers = async (
  { db, now }: Pick<ReadContext, 'db' | 'now'>,
  facts: Facts,
  actors: readonly Actor[],
): Promise<Viewer[]> => {
  const ids = actors.map(({ id }) => id)
  const authors = [...facts.feeds.values()].filter(isForFollowers).map(({ user_id }) => user_id)
  const memberships = await loadMemberships(db, ids, [...facts.spaces.keys()])
  const follows = await loadFollows(db, ids, [...new Set(authors)])
  const lessons = [...facts.feeds.values()].flatMap(({ lesson_id }) => lesson_id ?? [])
  const lessonAccess = await loadLessonAccess(db, now, lessons, actors)
  const membershipOf = new Map(memberships.map((membership) => [`${membership.user_id} ${membership.space_id}`, membership]))
  const follow = new Set(follows.map(({ follower_id, following_id }) => `${follower_id} ${following_id}`))
  return actors.map((actor) => createViewer(actor, facts, { memberships: membershipOf, follows: follow, lessonAccess }))
}
