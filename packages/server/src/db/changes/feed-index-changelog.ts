import { type Db, dialectOf } from '../database.ts'
import { statement } from '../sql/statement.ts'

/**
 * How far a process has read the changelog. PostgreSQL assigns positions before the commit: there everything from the oldest running
 * transaction on is read again, and `seen` contains the entries of it that are known. After a crash, transaction ids can be reassigned, so
 * entries with a higher position are read as well.
 */
export interface ChangePosition {
  readonly last: number
  readonly horizon: string
  readonly seen: ReadonlySet<number>
}

interface FeedChanges {
  /** Feeds that were listed, unlisted or moved, or whose text changed; each once. */
  readonly feeds: readonly number[]
  readonly next: ChangePosition
  /** Entries since then have been pruned, so the index must be rebuilt from the feeds. */
  readonly lost: boolean
}

interface Row {
  /** Null: no changes. */
  readonly position: number | null
  readonly feed_id: number | null
  readonly oldest: number | null
  readonly horizon: string
  readonly open: boolean | 0
}

const OLDEST = '(select min(e.position) from feed_index_changelog e) as oldest'
const HORIZON = 'select pg_snapshot_xmin(pg_current_snapshot()) as xmin'

const after = {
  sqlite: statement<Row>(
    `select c.position, c.feed_id, ${OLDEST}, '' as horizon, 0 as open
     from (select 1) o left join feed_index_changelog c on c.position > $1 and $2 = '' order by c.position`,
  ),
  postgres: statement<Row>(
    `select c.position, c.feed_id, ${OLDEST}, x.xmin::text as horizon, coalesce(c.xid >= x.xmin, false) as open
     from (${HORIZON}) x left join feed_index_changelog c on c.xid >= $2::xid8 or c.position > $1::bigint order by c.position`,
  ),
} as const

const latest = {
  sqlite: statement<{ last: number; horizon: string }>(
    `select coalesce(max(position), 0) as last, '' as horizon from feed_index_changelog`,
  ),
  postgres: statement<{ last: number; horizon: string }>(
    `select coalesce((select max(position) from feed_index_changelog), 0) as last, x.xmin::text as horizon from (${HORIZON}) x`,
  ),
} as const

const NOTHING_SEEN: ReadonlySet<number> = new Set()

/** The current position: reading from it misses no later change. */
export const feedChangesNow = async (db: Db): Promise<ChangePosition> => {
  const [row] = await latest[dialectOf(db)](db)
  return { last: row?.last ?? 0, horizon: row?.horizon ?? '', seen: NOTHING_SEEN }
}

export const feedChangesAfter = async (db: Db, from: ChangePosition): Promise<FeedChanges> => {
  const rows = await after[dialectOf(db)](db, [from.last, from.horizon])
  const [first] = rows
  const entries = rows.flatMap(({ position, feed_id, open }) =>
    position === null || feed_id === null ? [] : [{ position, feed_id, open }],
  )
  const fresh = entries.filter(({ position }) => !from.seen.has(position))
  const seen = entries.filter(({ open }) => open).map(({ position }) => position)
  return {
    feeds: [...new Set(fresh.map(({ feed_id }) => feed_id))],
    next: {
      last: Math.max(from.last, entries.at(-1)?.position ?? 0),
      horizon: first?.horizon ?? from.horizon,
      seen: seen.length > 0 ? new Set(seen) : NOTHING_SEEN,
    },
    lost: first?.oldest !== null && first?.oldest !== undefined && first.oldest > from.last + 1,
  }
}

const note = statement('insert into feed_index_changelog (feed_id) values ($1)')

/** Records that the searchable properties of a feed, such as its text or topics, have changed. */
export const noteFeedChange = async (db: Db, feedId: number): Promise<void> => {
  await note(db, [feedId])
}

const mark = statement('insert into feed_index_changelog (feed_id) values (0)')
const prune = statement<{ position: number }>(
  `delete from feed_index_changelog where position in (select position from feed_index_changelog
   where position < (select position from feed_index_changelog where feed_id = 0 order by position desc limit 1 offset 2) order by position limit $1) returning position`,
)

/** Adds a checkpoint; entries before the last but one checkpoint can be pruned. */
export const markFeedChanges = (db: Db) => mark(db)

/** Deletes at most `limit` entries that no process needs; returns their number. */
export const pruneFeedChanges = async (db: Db, limit: number): Promise<number> => (await prune(db, [limit])).length
