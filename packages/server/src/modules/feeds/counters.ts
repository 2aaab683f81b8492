import type { WriteContext } from '../../core/context.ts'
import { type Db, lockName, lockRow, statement, statementOne } from '../../db/index.ts'
import { countTopics } from '../topics/index.ts'

const addToFeedCount = statement(
  `insert into listed_feed_counts (space_id, privacy, feeds_count) values ($1, $2, $3)
   on conflict (space_id, privacy) do update set feeds_count = listed_feed_counts.feeds_count + excluded.feeds_count`,
)
const addToPostsCount = statement('update spaces set posts_count = posts_count + $2 where id = $1')
const spaceOfFeed = statementOne<{ space_id: number | null }>('select space_id from feeds where id = $1')
const unpin = statement<{ id: number }>(
  'update feeds set is_sticky = 0 where is_sticky = 1 and listed = 1 and coalesce(space_id, 0) = $1 and id <> $2 returning id',
)

/** The space and privacy under which a listed feed is counted. */
interface FeedLocation {
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
}

/** What list counters depend on. */
export interface Listing extends FeedLocation {
  readonly listed: 0 | 1 | boolean
  readonly is_sticky: 0 | 1
}

/**
 * Locks a feed, its space and the space it moves to until the transaction ends. Locks spaces before feeds, in id order, to prevent
 * deadlocks.
 */
export const lockFeed = async (db: Db, feedId: number, target?: number | null): Promise<void> => {
  const spaces = new Set([(await spaceOfFeed(db, [feedId]))?.space_id, target].filter((id) => typeof id === 'number'))
  // Statements that are issued together run in this order.
  await Promise.all([...[...spaces].sort((a, b) => a - b).map((id) => lockRow(db, 'spaces', id)), lockRow(db, 'feeds', feedId)])
}

const countListed = async (db: Db, { space_id, privacy }: FeedLocation, delta: number): Promise<void> => {
  await Promise.all([
    addToFeedCount(db, [space_id ?? 0, privacy, delta]),
    space_id === null ? undefined : addToPostsCount(db, [space_id, delta]),
  ])
}

export const isListed = (feed: { status: string; expired_at: string | null }, now: string): boolean =>
  feed.status === 'published' && (feed.expired_at === null || feed.expired_at > now)

const isPinned = (listing: Listing | null): boolean => Boolean(listing?.listed) && listing?.is_sticky === 1

/** Unpins the pinned feed of the space that a pinned feed enters. Call this before saving the row. */
export const replacePin = async ({ db, emit }: WriteContext, id: number, before: Listing | null, after: Listing): Promise<void> => {
  if (!isPinned(after) || (isPinned(before) && before?.space_id === after.space_id)) return
  const place = after.space_id ?? 0
  await lockName(db, `pinned feed ${place}`)
  for (const other of await unpin(db, [place, id])) await emit('feed.unpinned', { feed_id: other.id })
}

const lockOrderKey = ({ space_id, privacy }: FeedLocation) => `${String(space_id ?? 0).padStart(16, '0')} ${privacy}`

/**
 * Updates the counts of the feed's topics and of the locations it leaves and enters. `before` is null for a new feed, `after` for one that
 * is deleted. The caller holds the feed's lock and has saved it with its topics. Counts change in the order of their keys to prevent
 * deadlocks.
 */
export const updateCounts = async (db: Db, feedId: number, before: Listing | null, after: Listing | null): Promise<void> => {
  const left = before?.listed ? before : null
  const entered = after?.listed ? after : null
  if (Boolean(left) !== Boolean(entered)) await countTopics(db, feedId, entered ? 1 : -1)
  if (left && entered && lockOrderKey(left) === lockOrderKey(entered)) return
  const changes = [...(left ? [{ place: left, delta: -1 }] : []), ...(entered ? [{ place: entered, delta: 1 }] : [])]
  changes.sort((a, b) => (lockOrderKey(a.place) < lockOrderKey(b.place) ? -1 : 1))
  await Promise.all(changes.map(({ place, delta }) => countListed(db, place, delta)))
}

/** Changes the number of published comments and sets the time of the last activity. The caller holds the lock of the feed's row. */
export const countComments = statement('update feeds set comments_count = comments_count + $2, active_at = $3 where id = $1')

/** Changes the number of reactions to the feed itself. The caller holds the lock of the feed's row. */
export const countReactions = statement('update feeds set reactions_count = reactions_count + $2 where id = $1')
