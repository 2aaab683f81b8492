import type { EventName, EventPayload } from '@lyceum/contract'
import type { Db, TailedEvent } from '../../db/index.ts'
import { type CommentFacts, type FeedFacts, loadCommentFacts, loadFeedFacts, loadSpaceFacts, type SpaceFacts } from './queries.ts'

export type DecodedEvent = {
  [N in EventName]: { readonly name: N; readonly payload: EventPayload<N>; readonly event: TailedEvent }
}[EventName]

type Ids = { readonly [field: string]: number | undefined }

/** Of several events with the same key, only the last one is sent. */
const DEDUP_KEYS: Partial<Record<EventName, (ids: Ids) => string>> = {
  'feed.updated': ({ feed_id, space_id, place_id }) => `feed ${feed_id} ${space_id} ${place_id}`,
  'feed.pinned': ({ feed_id }) => `feed ${feed_id} undefined undefined`,
  'feed.unpinned': ({ feed_id }) => `feed ${feed_id} undefined undefined`,
  'comment.updated': ({ comment_id }) => `comment ${comment_id}`,
  'reaction.added': ({ feed_id, comment_id }) => `reactions ${feed_id} ${comment_id}`,
  'reaction.removed': ({ feed_id, comment_id }) => `reactions ${feed_id} ${comment_id}`,
  'notification.read': ({ user_id }) => `unread ${user_id}`,
  'space.updated': ({ space_id }) => `space ${space_id}`,
}

export const decodeEvents = (events: readonly TailedEvent[]): DecodedEvent[] => {
  const seen = new Set<string>()
  return events
    .map((event) => ({ name: event.name, payload: JSON.parse(event.payload), event }) as DecodedEvent)
    .toReversed()
    .filter(({ name, payload }) => {
      const key = DEDUP_KEYS[name]?.(payload as Ids)
      if (key === undefined) return true
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    })
    .toReversed()
}

export interface Facts {
  readonly feeds: ReadonlyMap<number, FeedFacts>
  readonly comments: ReadonlyMap<number, CommentFacts>
  readonly spaces: ReadonlyMap<number, SpaceFacts>
}

const idsOf = (events: readonly DecodedEvent[], ...fields: readonly string[]): number[] =>
  events.flatMap(({ payload }) => fields.flatMap((field) => (payload as Ids)[field] ?? []))

export const loadFacts = async (db: Db, events: readonly DecodedEvent[]): Promise<Facts> => {
  const feeds = await loadFeedFacts(db, idsOf(events, 'feed_id'))
  const comments = await loadCommentFacts(db, idsOf(events, 'comment_id'))
  const spaces = await loadSpaceFacts(db, [
    ...idsOf(events, 'space_id', 'place_id').filter((id) => id > 0),
    ...[...feeds.values()].flatMap(({ space_id }) => space_id ?? []),
  ])
  return { feeds, comments, spaces }
}
