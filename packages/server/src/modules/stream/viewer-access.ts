import type { Actor, ReadContext } from '../../core/context.ts'
import { commentAbilities } from '../comments/index.ts'
import { type LessonAccessLevel, loadLessonAccess } from '../courses/index.ts'
import { type AccessContext, feedAbilities } from '../feeds/index.ts'
import { spaceAbilities } from '../spaces/index.ts'
import type { Facts } from './decode-events.ts'
import { type CommentFacts, type FeedFacts, loadFollows, loadPlaces, type Place } from './queries.ts'

type VisibleFacts = Pick<FeedFacts, 'user_id' | 'space_id' | 'privacy' | 'status' | 'lesson_id'>

/** What one member may see of what happened, as he stands now. */
export interface Viewer {
  readonly actor: Actor
  readonly seesFeed: (feed: VisibleFacts) => boolean
  readonly seesComment: (comment: CommentFacts, feed: VisibleFacts) => boolean
  readonly seesSpace: (spaceId: number) => boolean
  readonly isIn: (spaceId: number) => boolean
}

const NO_LESSON = { lesson_id: null, lesson_place: null }

const isForFollowers = ({ privacy, space_id }: VisibleFacts) => privacy === 'private' && space_id === null

interface Standings {
  readonly places: ReadonlyMap<string, Place>
  readonly follows: ReadonlySet<string>
  readonly lessonPlace: (userId: number, lessonId: number) => LessonAccessLevel
}

const viewer = (actor: Actor, { spaces }: Facts, { places, follows, lessonPlace }: Standings): Viewer => {
  const placeIn = (spaceId: number) => places.get(`${actor.id} ${spaceId}`)
  const standing = (feed: VisibleFacts): AccessContext | null => {
    const { user_id, space_id, privacy, status, lesson_id } = feed
    const outside = { s_privacy: null, s_status: null, s_settings: null, my_role: null, my_status: null }
    if (lesson_id !== null) {
      // What is said under a lesson is for those who can open it now.
      const lesson_place = lessonPlace(actor.id, lesson_id)
      return lesson_place === 0 ? null : { user_id, space_id, privacy, status, follows_author: null, ...outside, lesson_id, lesson_place }
    }
    const follows_author = isForFollowers(feed) && follows.has(`${actor.id} ${user_id}`) ? 1 : null
    const nowhere = { ...outside, ...NO_LESSON }
    if (space_id === null) return { user_id, space_id, privacy, status, follows_author, ...nowhere }
    const space = spaces.get(space_id)
    const place = placeIn(space_id)
    return space
      ? {
          ...{ user_id, space_id, privacy, status, follows_author },
          ...{ s_privacy: space.privacy, s_status: space.status, s_settings: space.settings },
          ...{ my_role: place?.role ?? null, my_status: place?.status ?? null },
          ...NO_LESSON,
        }
      : null
  }
  return {
    actor,
    seesFeed: (feed) => {
      const own = standing(feed)
      return own !== null && feedAbilities(actor, own).view
    },
    seesComment: (comment, feed) => {
      const own = standing(feed)
      return own !== null && commentAbilities(actor, comment, own).view
    },
    seesSpace: (id) => {
      const space = spaces.get(id)
      const place = placeIn(id)
      return space !== undefined && spaceAbilities(actor, { ...space, my_role: place?.role ?? null, my_status: place?.status ?? null }).view
    },
    isIn: (id) => placeIn(id)?.status === 'active',
  }
}

/** How each of these members stands to the places of what happened: a few queries for all of them together. */
export const loadViewers = async (
  { db, now }: Pick<ReadContext, 'db' | 'now'>,
  facts: Facts,
  actors: readonly Actor[],
): Promise<Viewer[]> => {
  const ids = actors.map(({ id }) => id)
  const authors = [...facts.feeds.values()].filter(isForFollowers).map(({ user_id }) => user_id)
  const places = await loadPlaces(db, ids, [...facts.spaces.keys()])
  const follows = await loadFollows(db, ids, [...new Set(authors)])
  const lessons = [...facts.feeds.values()].flatMap(({ lesson_id }) => lesson_id ?? [])
  const lessonPlace = await loadLessonAccess(db, now, lessons, actors)
  const placeOf = new Map(places.map((place) => [`${place.user_id} ${place.space_id}`, place]))
  const follow = new Set(follows.map(({ follower_id, following_id }) => `${follower_id} ${following_id}`))
  return actors.map((actor) => viewer(actor, facts, { places: placeOf, follows: follow, lessonPlace }))
}
