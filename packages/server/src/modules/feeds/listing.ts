import { type Db, statement } from '../../db/index.ts'

const addToCount = statement(
  `insert into feed_counts (space_id, privacy, listed) values ($1, $2, $3)
   on conflict (space_id, privacy) do update set listed = feed_counts.listed + excluded.listed`,
)
const addToSpace = statement('update spaces set posts_count = posts_count + $2 where id = $1')
const setListed = statement('update feeds set listed = $2 where id = $1')

/** Where a listed feed counts. */
export interface Place {
  readonly space_id: number | null
  readonly privacy: 'public' | 'private'
}

/** Counts a feed in (+1) or out (−1) of the lists of its place. */
export const countListed = async (db: Db, { space_id, privacy }: Place, by: 1 | -1): Promise<void> => {
  await addToCount(db, [space_id ?? 0, privacy, by])
  if (space_id !== null) await addToSpace(db, [space_id, by])
}

/** Whether lists hold such a feed at that moment. */
export const isListed = (feed: { status: string; expired_at: string | null }, now: string): boolean =>
  feed.status === 'published' && (feed.expired_at === null || feed.expired_at > now)

/** Brings the flag and the counts in line after a feed changed its state or place; the row is locked. */
export const relist = async (db: Db, id: number, before: Place & { listed: 0 | 1 }, after: Place & { listed: boolean }): Promise<void> => {
  const moved = before.space_id !== after.space_id || before.privacy !== after.privacy
  if (before.listed && (!after.listed || moved)) await countListed(db, before, -1)
  if (after.listed && (!before.listed || moved)) await countListed(db, after, 1)
  if (Boolean(before.listed) !== after.listed) await setListed(db, [id, after.listed ? 1 : 0])
}
