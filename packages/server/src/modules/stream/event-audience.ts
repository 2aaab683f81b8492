import type { EventName, EventPayload, Infer, STREAM_EVENTS, StreamEventName } from '@lyceum/contract'
import type { TailedEvent } from '../../db/index.ts'
import type { DecodedEvent, Facts } from './decode-events.ts'
import type { CommentFacts, FeedFacts } from './queries.ts'
import type { Viewer } from './viewer-access.ts'

type Data<N extends StreamEventName> = Infer<(typeof STREAM_EVENTS)[N]>

/** A message of the stream: an event name with its data. The data of notifications is loaded per recipient. */
export type StreamMessage =
  | { [N in Exclude<StreamEventName, 'notification' | 'unread'>]: { readonly name: N; readonly data: Data<N> } }[Exclude<
      StreamEventName,
      'notification' | 'unread'
    >]
  | { readonly name: 'notification'; readonly id: number }
  | { readonly name: 'unread' }

/** The messages for one event, by viewer. */
export interface Audience {
  readonly event: TailedEvent
  /** The only recipient; null: everyone who may see it. */
  readonly recipientId: number | null
  readonly messagesFor: (viewer: Viewer) => readonly StreamMessage[]
}

type AudiencePart = Omit<Audience, 'event'>
type AudienceBuilder<N extends EventName> = (payload: EventPayload<N>, facts: Facts, actorId: number | null) => AudiencePart | null

const toAll = (messagesFor: (viewer: Viewer) => StreamMessage | null | false): AudiencePart => ({
  recipientId: null,
  messagesFor: (viewer) => {
    const message = messagesFor(viewer)
    return message ? [message] : []
  },
})
const toOne = (recipientId: number, messagesFor: (viewer: Viewer) => readonly StreamMessage[]): AudiencePart => ({
  recipientId,
  messagesFor,
})

const feedMessage = (action: 'published' | 'updated', feed: FeedFacts): StreamMessage => {
  const { id: feed_id, user_id, space_id, slug, is_sticky, comments_count, reactions_count } = feed
  return { name: 'feed', data: { action, feed_id, space_id, user_id, slug, is_sticky: is_sticky === 1, comments_count, reactions_count } }
}
const feedRemovedMessage = (action: 'hidden' | 'deleted', feed_id: number, space_id: number | null, user_id: number): StreamMessage => ({
  name: 'feed',
  data: { action, feed_id, space_id, user_id },
})

/** Viewers who see the feed get its new state; those who could see it at its old location and no longer do get `hidden`. */
const feedChanged = ({ feed_id, place_id, ...payload }: EventPayload<'feed.updated'>, { feeds }: Facts): AudiencePart | null => {
  const feed = feeds.get(feed_id)
  const space_id = payload.space_id ?? null
  if (!feed) return null
  const [seen, gone] = [feedMessage('updated', feed), feedRemovedMessage('hidden', feed_id, space_id, feed.user_id)]
  const stayed = space_id === null && place_id === undefined
  const before = { ...feed, space_id, privacy: place_id === undefined ? 'private' : 'public', status: 'published' } as const
  return toAll((viewer) => (viewer.seesFeed(feed) ? seen : !stayed && viewer.seesFeed(before) && gone))
}

const commentMessage = (action: Data<'comment'>['action'], comment: CommentFacts, feed: FeedFacts): StreamMessage => ({
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

/** A published or changed comment. Viewers who no longer see it get `hidden`; comments that were never public send nothing. */
const commentChanged =
  (action: 'published' | 'updated') =>
  ({ comment_id }: { readonly comment_id: number }, { feeds, comments }: Facts): AudiencePart | null => {
    const comment = comments.get(comment_id)
    const feed = comment && feeds.get(comment.post_id)
    if (!comment || !feed) return null
    const [seen, hidden] = [commentMessage(action, comment, feed), commentMessage('hidden', comment, feed)]
    return toAll((viewer) => {
      if (viewer.seesComment(comment, feed)) return seen
      return comment.status !== 'published' && viewer.seesFeed(feed) && hidden
    })
  }

const reactionsChanged = ({ feed_id, comment_id }: EventPayload<'reaction.added'>, { feeds, comments }: Facts): AudiencePart | null => {
  const feed = feeds.get(feed_id)
  const comment = comment_id === undefined ? undefined : comments.get(comment_id)
  const target = comment_id === undefined ? feed : comment
  if (!feed || !target) return null
  const { reactions_count } = target
  const message: StreamMessage = {
    name: 'reaction',
    data: { feed_id, comment_id: comment_id ?? null, space_id: feed.space_id, reactions_count },
  }
  return toAll((viewer) => (comment ? viewer.seesComment(comment, feed) : viewer.seesFeed(feed)) && message)
}

const bookmark =
  (action: 'added' | 'removed') =>
  ({ user_id, feed_id }: EventPayload<'bookmark.added'>, { feeds }: Facts): AudiencePart | null => {
    const feed = feeds.get(feed_id)
    return feed ? toOne(user_id, (viewer) => (viewer.seesFeed(feed) ? [{ name: 'bookmark', data: { action, feed_id } }] : [])) : null
  }

const spaceChanged =
  (action: 'created' | 'updated') =>
  ({ space_id }: { readonly space_id: number }): AudiencePart =>
    toAll((viewer) => viewer.seesSpace(space_id) && { name: 'space', data: { action, space_id } })

/** The member's own membership: they get its current state and their number of unread notifications. */
const membershipChanged =
  (action: 'joined' | 'role_changed' | 'left') =>
  ({ space_id, user_id }: EventPayload<'space.member_left'>): AudiencePart =>
    toOne(user_id, (viewer) => {
      const now = viewer.isIn(space_id) ? (action === 'left' ? 'joined' : action) : 'left'
      return [{ name: 'space', data: { action: now, space_id } }, { name: 'unread' }]
    })

const AUDIENCE_BUILDERS: { readonly [N in EventName]?: AudienceBuilder<N> } = {
  'notification.created': ({ notification_id, user_id }) => toOne(user_id, () => [{ name: 'notification', id: notification_id }]),
  'notification.read': ({ user_id }) => toOne(user_id, () => [{ name: 'unread' }]),
  'feed.published': ({ feed_id }, { feeds }) => {
    const feed = feeds.get(feed_id)
    const message = feed && feedMessage(feed.status === 'published' ? 'published' : 'updated', feed)
    return message ? toAll((viewer) => viewer.seesFeed(feed) && message) : null
  },
  'feed.updated': feedChanged,
  'feed.pinned': feedChanged,
  'feed.unpinned': feedChanged,
  'feed.hidden': feedChanged,
  'feed.deleted': ({ feed_id, user_id, space_id = null, place_id }) => {
    const message = feedRemovedMessage('deleted', feed_id, space_id, user_id)
    const privacy = place_id === undefined ? 'private' : 'public'
    const sees = (viewer: Viewer) => viewer.seesFeed({ user_id, space_id, privacy, status: 'published', lesson_id: null })
    // If it is not certain that everyone could see it, only the author is notified.
    return place_id === undefined ? toOne(user_id, (viewer) => (sees(viewer) ? [message] : [])) : toAll((viewer) => sees(viewer) && message)
  },
  'comment.published': commentChanged('published'),
  'comment.updated': commentChanged('updated'),
  'comment.deleted': ({ comment_id, feed_id, user_id, place_id }, { feeds }) => {
    const feed = feeds.get(feed_id)
    if (!feed) return null
    const { space_id, comments_count } = feed
    const message: StreamMessage = { name: 'comment', data: { action: 'deleted', comment_id, feed_id, space_id, user_id, comments_count } }
    const messagesFor = (viewer: Viewer) => viewer.seesFeed(feed) && message
    return place_id === undefined ? { ...toAll(messagesFor), recipientId: user_id } : toAll(messagesFor)
  },
  'reaction.added': reactionsChanged,
  'reaction.removed': reactionsChanged,
  'bookmark.added': bookmark('added'),
  'bookmark.removed': bookmark('removed'),
  'space.created': spaceChanged('created'),
  'space.updated': spaceChanged('updated'),
  'space.deleted': ({ space_id, place_id }, _facts, actorId) => {
    const messagesFor = (): readonly StreamMessage[] => [{ name: 'space', data: { action: 'deleted', space_id } }]
    if (place_id !== undefined) return { recipientId: null, messagesFor }
    return actorId === null ? null : { recipientId: actorId, messagesFor }
  },
  'space.member_joined': membershipChanged('joined'),
  'space.member_invited': membershipChanged('joined'),
  'space.member_updated': membershipChanged('role_changed'),
  'space.member_left': membershipChanged('left'),
  // No message, but naming the user as recipient makes the server load their account, so it notices accounts that are no longer active.
  'user.status_changed': ({ user_id }) => toOne(user_id, () => []),
  'user.deleted': ({ user_id }) => toOne(user_id, () => []),
}

export const audiencesOf = (events: readonly DecodedEvent[], facts: Facts): Audience[] =>
  events.flatMap(({ name, payload, event }) => {
    const build = AUDIENCE_BUILDERS[name] as AudienceBuilder<typeof name> | undefined
    const part = build?.(payload as never, facts, event.actor_id)
    return part ? [{ ...part, event }] : []
  })
