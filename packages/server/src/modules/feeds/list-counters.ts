import type { WriteContext } from '../../core/context.ts'
import { type Db, lockName, lockRow, statement, statementOne } from '../../db/index.ts'
import { countTopics } from '../topics/index.ts'

const addToCount = statement(
  `insert into listed_feed_counts (space_id, privacy, feeds_count) values ($1, $2, $3)
   on conflict (space_id, privacy) do update set feeds_count = listed_feed_counts.feeds_count + excluded.feeds_count`,
)
const addToSpace = statement('update spaces set posts_count = posts_count + $2 where id = $1')
const spaceOfFeed = statementOne<{ space_id: number | null }>('select space_id from feeds where id = $1')
const unpin = statement<{ id: number }>(
  'update feeds set is_sticky = 0 where is_sticky = 1 and listed = 1 and coalesce(space_id, 0) = $1 and id <> $2 returning id',
)

/** Where a listed feed counts. */
export interface FeedLocation {
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
}

/** What lists know of a feed. */
export interface Listing extends FeedLocation {
  readonly listed: 0 | 1 | boolean
  readonly is_sticky: 0 | 1
}

/**
 * Holds a feed and its space, and the space that it is to move to, for the rest of the transaction: spaces before feeds, in the order
 * of their ids, so that two writes never wait for each other.
 */
export const lockFeed = async (db: Db, feedId: number, target?: number | null): Promise<void> => {
  const spaces = new Set([(await spaceOfFeed(db, [feedId]))?.space_id, target].filter((id) => typeof id === 'number'))
  for (const id of [...spaces].sort((a, b) => a - b)) await lockRow(db, 'spaces', id)
  await lockRow(db, 'feeds', feedId)
}

/** Counts a feed in (+1) or out (−1) of the lists of its place. */
const countListed = async (db: Db, { space_id, privacy }: FeedLocation, by: number): Promise<void> => {
  await addToCount(db, [space_id ?? 0, privacy, by])
  if (space_id !== null) await addToSpace(db, [space_id, by])
}

/** Whether lists hold such a feed at that moment. */
export const isListed = (feed: { status: string; expired_at: string | null }, now: string): boolean =>
  feed.status === 'published' && (feed.expired_at === null || feed.expired_at > now)

const isPinned = (listing: Listing | null): boolean => Boolean(listing?.listed) && listing?.is_sticky === 1

/** To be called before a row is saved: a pinned feed that comes into a place unpins the one that was pinned there. */
export const takePin = async ({ db, emit }: WriteContext, id: number, before: Listing | null, after: Listing): Promise<void> => {
  if (!isPinned(after) || (isPinned(before) && before?.space_id === after.space_id)) return
  const place = after.space_id ?? 0
  await lockName(db, `pinned feed ${place}`)
  for (const other of await unpin(db, [place, id])) await emit('feed.unpinned', { feed_id: other.id })
}

const keyOf = ({ space_id, privacy }: FeedLocation) => `${String(space_id ?? 0).padStart(16, '0')} ${privacy}`

/**
 * Brings the counts of the topics of a feed, and of the places that it leaves and enters, in line; null: it is new, or about to go. The
 * feed is held and saved with its topics. Counts change in the order of their places, for the same reason as rows are locked in one.
 */
export const recount = async (db: Db, feedId: number, before: Listing | null, after: Listing | null): Promise<void> => {
  const left = before?.listed ? before : null
  const entered = after?.listed ? after : null
  if (Boolean(left) !== Boolean(entered)) await countTopics(db, feedId, entered ? 1 : -1)
  if (left && entered && keyOf(left) === keyOf(entered)) return
  const changes = [...(left ? [{ place: left, by: -1 }] : []), ...(entered ? [{ place: entered, by: 1 }] : [])]
  changes.sort((a, b) => (keyOf(a.place) < keyOf(b.place) ? -1 : 1))
  for (const { place, by } of changes) await countListed(db, place, by)
}
