import type { Static } from 'typebox'
import { route } from '../route.ts'
import { Count, Id, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Notification } from './notifications.ts'

const unread_count = Type.Integer({ minimum: 0, description: 'Number of unread notifications that the caller can see.' })
const space_id = nullable(Id)

/** Schemas of the data of each stream event. */
export const STREAM_EVENTS = {
  ready: named('StreamReady', {
    unread_count,
    last_event_id: Type.String({ description: 'Position at which the stream starts.' }),
  }),
  reset: named('StreamReset', {}),
  notification: named('StreamNotification', { notification: Notification, unread_count }),
  unread: named('StreamUnread', { unread_count }),
  feed: named('StreamFeed', {
    action: oneOf(['published', 'updated', 'hidden', 'deleted'], {
      description: 'What happened; `hidden` means that the caller can no longer see the feed, which may change again.',
    }),
    feed_id: Id,
    space_id,
    user_id: Type.Integer({ minimum: 1, description: 'Id of the author.' }),
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
    user_id: Type.Integer({ minimum: 1, description: 'Id of the author.' }),
    parent_id: Type.Optional(nullable(Id)),
    comments_count: Type.Integer({ minimum: 0, description: 'Number of comments on the feed.' }),
  }),
  reaction: named('StreamReaction', {
    feed_id: Id,
    comment_id: nullable(Id),
    space_id,
    reactions_count: Type.Integer({
      minimum: 0,
      description: 'Number of reactions to the comment, or to the feed if there is no comment.',
    }),
  }),
  bookmark: named('StreamBookmark', { action: oneOf(['added', 'removed']), feed_id: Id }),
  space: named('StreamSpace', {
    action: oneOf(['created', 'updated', 'deleted', 'joined', 'left', 'role_changed'], {
      description: 'What happened; `joined`, `left` and `role_changed` concern the caller.',
    }),
    space_id: Id,
  }),
  closed: named('StreamClosed', {
    reason: oneOf(['replaced', 'signed_out', 'stopping'], {
      description:
        '`replaced`: the caller opened too many streams. `signed_out`: the credentials are no longer valid. `stopping`: the server stops; reconnect.',
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
    summary: 'Stream events',
    description:
      'Server-Sent Events; the response stays open. Each event has a name (`event:`), an id (`id:`) and one line of JSON (`data:`). The first event is `ready`; then follow all events that the caller can see at that moment. With the id of the last event in the header `Last-Event-ID` or in `last_event_id`, missed events are sent first; if there are too many or they are too old, the event `reset` asks the client to reload everything. A comment line every 15 seconds keeps the connection alive; it may contain a newer id. A member can have at most 10 streams; another one closes the oldest with `closed`.',
    query: Type.Object({
      last_event_id: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'Id of the last received event, for clients that cannot send the header; the header takes precedence.',
        }),
      ),
    }),
    produces: 'events',
    response: Type.Unsafe<StreamEvent>({
      anyOf: Object.entries(STREAM_EVENTS).map(([name, data]) => Type.Object({ event: Type.Literal(name), data })),
    }),
  }),
} as const
