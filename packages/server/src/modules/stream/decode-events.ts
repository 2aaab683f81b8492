import type { EventName, EventPayload } from '@lyceum/contract'
import type { Db, TailedEvent } from '../../db/index.ts'
import { type CommentFacts, type FeedFacts, loadCommentFacts, loadFeedFacts, loadSpaceFacts, type SpaceFacts } from './queries.ts'

/** An event of the table, its payload read; one of those that the stream knows. */
export type Happened = { [N in EventName]: { readonly name: N; readonly payload: EventPayload<N>; readonly event: TailedEvent } }[EventName]

type Ids = { readonly [field: string]: number | undefined }

/** Of several that would say the same, the last one says it: names with the ids that they are about. */
const SAME: Partial<Record<EventName, (ids: Ids) => string>> = {
  'feed.updated': ({ feed_id, space_id, place_id }) => `feed ${feed_id} ${space_id} ${place_id}`,
  'feed.pinned': ({ feed_id }) => `feed ${feed_id} undefined undefined`,
  'feed.unpinned': ({ feed_id }) => `feed ${feed_id} undefined undefined`,
  'comment.updated': ({ comment_id }) => `comment ${comment_id}`,
  'reaction.added': ({ feed_id, comment_id }) => `reactions ${feed_id} ${comment_id}`,
  'reaction.removed': ({ feed_id, comment_id }) => `reactions ${feed_id} ${comment_id}`,
  'notification.read': ({ user_id }) => `unread ${user_id}`,
  'space.updated': ({ space_id }) => `space ${space_id}`,
}

export const readEvents = (events: readonly TailedEvent[]): Happened[] => {
  const seen = new Set<string>()
  const read = events.map((event) => ({ name: event.name, payload: JSON.parse(event.payload), event }) as Happened)
  return read
    .toReversed()
    .filter(({ name, payload }) => {
      const key = SAME[name]?.(payload as Ids)
      if (key === undefined) return true
      const isFirst = !seen.has(key)
      seen.add(key)
      return isFirst
    })
    .toReversed()
}

/** The rows that events are about, as they are now. */
export interface Facts {
  readonly feeds: ReadonlyMap<number, FeedFacts>
  readonly comments: ReadonlyMap<number, CommentFacts>
  readonly spaces: ReadonlyMap<number, SpaceFacts>
}

const idsOf = (happened: readonly Happened[], ...fields: readonly string[]): number[] =>
  happened.flatMap(({ payload }) => fields.flatMap((field) => (payload as Ids)[field] ?? []))

export const loadFacts = async (db: Db, happened: readonly Happened[]): Promise<Facts> => {
  const feeds = await loadFeedFacts(db, idsOf(happened, 'feed_id'))
  const comments = await loadCommentFacts(db, idsOf(happened, 'comment_id'))
  const spaces = await loadSpaceFacts(db, [
    ...idsOf(happened, 'space_id', 'place_id').filter((id) => id > 0),
    ...[...feeds.values()].flatMap(({ space_id }) => space_id ?? []),
  ])
  return { feeds, comments, spaces }
}
