import type { Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Id, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Notification } from './notifications.ts'

const unread_count = Type.Integer({ minimum: 0, description: 'Unread notifications that the caller may see' })
const space_id = nullable(Id)

/** The events of a stream by name, each with its data. */
export const STREAM_EVENTS = {
  ready: named('StreamReady', {
    unread_count,
    last_event_id: Type.String({ description: 'Where this stream begins; what happens from here on is told' }),
  }),
  reset: named('StreamReset', {}),
  notification: named('StreamNotification', { notification: Notification, unread_count }),
  unread: named('StreamUnread', { unread_count }),
  feed: named('StreamFeed', {
    action: oneOf(['published', 'updated', 'hidden', 'deleted'], {
      description: '`hidden`: it left the caller’s sight, and may come back',
    }),
    feed_id: Id,
    space_id,
    user_id: Type.Integer({ minimum: 1, description: 'The author' }),
    slug: Type.Optional(Type.String()),
    is_sticky: Type.Optional(Type.Boolean()),
    comments_count: Type.Optional(Count),
    reactions_count: Type.Optional(Count),
  }),
  comment: named('StreamComment', {
    action: oneOf(['published', 'updated', 'hidden', 'deleted']),
    comment_id: Id,
    feed_id: Id,
    space_id,
    user_id: Type.Integer({ minimum: 1, description: 'The author' }),
    parent_id: Type.Optional(nullable(Id)),
    comments_count: Type.Integer({ minimum: 0, description: 'Of the feed' }),
  }),
  reaction: named('StreamReaction', {
    feed_id: Id,
    comment_id: nullable(Id),
    space_id,
    reactions_count: Type.Integer({ minimum: 0, description: 'Of the comment, else of the feed' }),
  }),
  bookmark: named('StreamBookmark', { action: oneOf(['added', 'removed']), feed_id: Id }),
  space: named('StreamSpace', {
    action: oneOf(['created', 'updated', 'deleted', 'joined', 'left', 'role_changed'], {
      description: '`joined`, `left` and `role_changed` are about the caller',
    }),
    space_id: Id,
  }),
  closed: named('StreamClosed', {
    reason: oneOf(['replaced', 'signed_out', 'stopping'], {
      description:
        '`replaced`: the caller opened more streams than there may be; `signed_out`: these credentials are no longer good; `stopping`: the server stops, come back',
    }),
  }),
} as const

export type StreamEventName = keyof typeof STREAM_EVENTS
export type StreamEvent = {
  [N in StreamEventName]: { readonly event: N; readonly data: Static<(typeof STREAM_EVENTS)[N]> }
}[StreamEventName]

export const stream = {
  listen: route({
    method: 'GET',
    path: '/stream',
    access: 'member',
    summary: 'What happens, as it happens: Server-Sent Events',
    description:
      'The answer stays open. Each event has a name (`event:`), an id (`id:`) and one line of JSON (`data:`). First comes `ready`; then all that happens and that the caller may see at that moment. With the id of the last event, in the header `Last-Event-ID` or as `last_event_id`, what happened in between comes first; when that is too much or too long ago, `reset` says that everything must be loaded anew. A comment line every 15 seconds shows that the connection lives; it may bring a newer id. A member has at most 10 streams; a further one ends the oldest with `closed`.',
    query: Type.Object({
      last_event_id: Type.Optional(Type.String({ maxLength: 64, description: 'For clients that cannot send the header; the header wins' })),
    }),
    produces: 'events',
    response: Type.Unsafe<StreamEvent>({
      anyOf: Object.entries(STREAM_EVENTS).map(([name, data]) => Type.Object({ event: Type.Literal(name), data })),
    }),
  }),
} as const
