import type { EventName, EventPayload, Infer, STREAM_EVENTS, StreamEventName } from '@lyceum/contract'
import type { TailedEvent } from '../../db/index.ts'
import type { Facts, Happened } from './decode-events.ts'
import type { CommentFacts, FeedFacts } from './queries.ts'
import type { Viewer } from './viewer-access.ts'

type Data<N extends StreamEventName> = Infer<(typeof STREAM_EVENTS)[N]>

/** Something to say: the event of the stream with its data; what concerns notifications is looked up for each recipient. */
export type Said =
  | { [N in Exclude<StreamEventName, 'notification' | 'unread'>]: { readonly name: N; readonly data: Data<N> } }[Exclude<
      StreamEventName,
      'notification' | 'unread'
    >]
  | { readonly name: 'notification'; readonly id: number }
  | { readonly name: 'unread' }

/** What is to be said of one event, and to whom. */
export interface Audience {
  readonly event: TailedEvent
  /** The only one whom it concerns; null: whoever may see it. */
  readonly only: number | null
  readonly hear: (viewer: Viewer) => readonly Said[]
}

type Part = Omit<Audience, 'event'>
type Make<N extends EventName> = (payload: EventPayload<N>, facts: Facts, actorId: number | null) => Part | null

const forAll = (hear: (viewer: Viewer) => Said | null | false): Part => ({
  only: null,
  hear: (viewer) => {
    const said = hear(viewer)
    return said ? [said] : []
  },
})
const forOne = (only: number, hear: (viewer: Viewer) => readonly Said[]): Part => ({ only, hear })

const feedSaid = (action: 'published' | 'updated', feed: FeedFacts): Said => {
  const { id: feed_id, user_id, space_id, slug, is_sticky, comments_count, reactions_count } = feed
  return { name: 'feed', data: { action, feed_id, space_id, user_id, slug, is_sticky: is_sticky === 1, comments_count, reactions_count } }
}
const feedGone = (action: 'hidden' | 'deleted', feed_id: number, space_id: number | null, user_id: number): Said => ({
  name: 'feed',
  data: { action, feed_id, space_id, user_id },
})

/** Who sees it hears how it is now; who could see it where it stood before, and no longer does, that it is hidden. */
const changedFeed = ({ feed_id, place_id, ...payload }: EventPayload<'feed.updated'>, { feeds }: Facts): Part | null => {
  const feed = feeds.get(feed_id)
  const space_id = payload.space_id ?? null
  if (!feed) return null
  const [seen, gone] = [feedSaid('updated', feed), feedGone('hidden', feed_id, space_id, feed.user_id)]
  const stayed = space_id === null && place_id === undefined
  const before = { ...feed, space_id, privacy: place_id === undefined ? 'private' : 'public', status: 'published' } as const
  return forAll((viewer) => (viewer.seesFeed(feed) ? seen : !stayed && viewer.seesFeed(before) && gone))
}

const commentSaid = (action: Data<'comment'>['action'], comment: CommentFacts, feed: FeedFacts): Said => ({
  name: 'comment',
  data: {
    action,
    comment_id: comment.id,
    feed_id: feed.id,
    space_id: feed.space_id,
    user_id: comment.user_id,
    parent_id: comment.parent_id,
    comments_count: feed.comments_count,
  },
})

/** What was published, or changed. Who no longer sees it hears that it is hidden: of comments that never were public nothing is told. */
const changedComment =
  (action: 'published' | 'updated') =>
  ({ comment_id }: { readonly comment_id: number }, { feeds, comments }: Facts): Part | null => {
    const comment = comments.get(comment_id)
    const feed = comment && feeds.get(comment.post_id)
    if (!comment || !feed) return null
    const [seen, hidden] = [commentSaid(action, comment, feed), commentSaid('hidden', comment, feed)]
    return forAll((viewer) => {
      if (viewer.seesComment(comment, feed)) return seen
      return comment.status !== 'published' && viewer.seesFeed(feed) && hidden
    })
  }

const countedReactions = ({ feed_id, comment_id }: EventPayload<'reaction.added'>, { feeds, comments }: Facts): Part | null => {
  const feed = feeds.get(feed_id)
  const comment = comment_id === undefined ? undefined : comments.get(comment_id)
  const target = comment_id === undefined ? feed : comment
  if (!feed || !target) return null
  const { reactions_count } = target
  const said: Said = { name: 'reaction', data: { feed_id, comment_id: comment_id ?? null, space_id: feed.space_id, reactions_count } }
  return forAll((viewer) => (comment ? viewer.seesComment(comment, feed) : viewer.seesFeed(feed)) && said)
}

const bookmark =
  (action: 'added' | 'removed') =>
  ({ user_id, feed_id }: EventPayload<'bookmark.added'>, { feeds }: Facts): Part | null => {
    const feed = feeds.get(feed_id)
    return feed ? forOne(user_id, (viewer) => (viewer.seesFeed(feed) ? [{ name: 'bookmark', data: { action, feed_id } }] : [])) : null
  }

const changedSpace =
  (action: 'created' | 'updated') =>
  ({ space_id }: { readonly space_id: number }): Part =>
    forAll((viewer) => viewer.seesSpace(space_id) && { name: 'space', data: { action, space_id } })

/** Somebody's own place: he hears how it is now, and what it does to the number of what he has not read. */
const changedPlace =
  (action: 'joined' | 'role_changed' | 'left') =>
  ({ space_id, user_id }: EventPayload<'space.member_left'>): Part =>
    forOne(user_id, (viewer) => {
      const now = viewer.isIn(space_id) ? (action === 'left' ? 'joined' : action) : 'left'
      return [{ name: 'space', data: { action: now, space_id } }, { name: 'unread' }]
    })

const MAKE: { readonly [N in EventName]?: Make<N> } = {
  'notification.created': ({ notification_id, user_id }) => forOne(user_id, () => [{ name: 'notification', id: notification_id }]),
  'notification.read': ({ user_id }) => forOne(user_id, () => [{ name: 'unread' }]),
  'feed.published': ({ feed_id }, { feeds }) => {
    const feed = feeds.get(feed_id)
    const said = feed && feedSaid(feed.status === 'published' ? 'published' : 'updated', feed)
    return said ? forAll((viewer) => viewer.seesFeed(feed) && said) : null
  },
  'feed.updated': changedFeed,
  'feed.pinned': changedFeed,
  'feed.unpinned': changedFeed,
  'feed.hidden': changedFeed,
  'feed.deleted': ({ feed_id, user_id, space_id = null, place_id }) => {
    const said = feedGone('deleted', feed_id, space_id, user_id)
    const privacy = place_id === undefined ? 'private' : 'public'
    const sees = (viewer: Viewer) => viewer.seesFeed({ user_id, space_id, privacy, status: 'published', lesson_id: null })
    // Where it is not sure that all could see it, the author alone hears of it.
    return place_id === undefined ? forOne(user_id, (viewer) => (sees(viewer) ? [said] : [])) : forAll((viewer) => sees(viewer) && said)
  },
  'comment.published': changedComment('published'),
  'comment.updated': changedComment('updated'),
  'comment.deleted': ({ comment_id, feed_id, user_id, place_id }, { feeds }) => {
    const feed = feeds.get(feed_id)
    if (!feed) return null
    const { space_id, comments_count } = feed
    const said: Said = { name: 'comment', data: { action: 'deleted', comment_id, feed_id, space_id, user_id, comments_count } }
    const hear = (viewer: Viewer) => viewer.seesFeed(feed) && said
    return place_id === undefined ? { ...forAll(hear), only: user_id } : forAll(hear)
  },
  'reaction.added': countedReactions,
  'reaction.removed': countedReactions,
  'bookmark.added': bookmark('added'),
  'bookmark.removed': bookmark('removed'),
  'space.created': changedSpace('created'),
  'space.updated': changedSpace('updated'),
  'space.deleted': ({ space_id, place_id }, _facts, actorId) => {
    const hear = (): readonly Said[] => [{ name: 'space', data: { action: 'deleted', space_id } }]
    if (place_id !== undefined) return { only: null, hear }
    return actorId === null ? null : { only: actorId, hear }
  },
  'space.member_joined': changedPlace('joined'),
  'space.member_invited': changedPlace('joined'),
  'space.member_updated': changedPlace('role_changed'),
  'space.member_left': changedPlace('left'),
  // Nobody hears of it; but whose account is no longer active is noticed, since he is asked for.
  'user.status_changed': ({ user_id }) => forOne(user_id, () => []),
  'user.deleted': ({ user_id }) => forOne(user_id, () => []),
}

/** What is to be said of what happened. */
export const audiencesOf = (happened: readonly Happened[], facts: Facts): Audience[] =>
  happened.flatMap(({ name, payload, event }) => {
    const make = MAKE[name] as Make<typeof name> | undefined
    const part = make?.(payload as never, facts, event.actor_id)
    return part ? [{ ...part, event }] : []
  })
