import { coalesce } from '../../util/coalesce.ts'
import type { ChangeListener } from '../sqlite/change-detection.ts'
import { EVERYTHING } from './change-log-schema.ts'

/** Idle instances poll at this interval too, and entries that every instance has seen are pruned. */
const PRUNE_MS = 15_000
/** After a failed poll, requests do not wait for one until a retry has succeeded. */
const RETRY_MS = 250
/** If a transaction stays open while this many others start, the entries since then are too many to scan with each poll. */
const MAX_SNAPSHOT_AGE = 4000n

/** The snapshot of the last poll. `run` identifies the log's life: a crash empties the unlogged tables. */
interface Seen {
  readonly snapshot: string
  readonly oldest: bigint
  readonly run: string
}

interface Row {
  readonly snapshot: string
  /** Null: the log has no watermark yet. */
  readonly run: string | null
  /** No entry since the last poll has been pruned. */
  readonly whole: boolean | null
  readonly tags: string | null
}

/** The tags of the transactions that ended between two snapshots; none without an earlier snapshot. */
const POLL = `select pg_current_snapshot()::text as snapshot, f.run_id::text || pg_postmaster_start_time()::text as run, $1::xid8 >= f.watermark as whole,
    (select string_agg(l.tags, '') from cache_invalidations l where l.xid >= $1::xid8 and not pg_visible_in_snapshot(l.xid, $2::pg_snapshot)) as tags
  from (select 1) o left join cache_invalidation_watermark f on true`
const BEGIN = `insert into cache_invalidation_watermark (watermark, next_watermark) select xmin, xmin from pg_snapshot_xmin(pg_current_snapshot()) as xmin
  on conflict do nothing`

/** Entries restored from a dump of another cluster have transaction ids that this one has not assigned yet. */
const CLEAN = 'delete from cache_invalidations where xid >= pg_snapshot_xmax(pg_current_snapshot())'
/** Any instance can prune; it deletes the entries from before the last but one pruning. */
const PRUNE = `with due as (
    update cache_invalidation_watermark set watermark = next_watermark, next_watermark = pg_snapshot_xmin(pg_current_snapshot()),
      advanced_at = clock_timestamp()
    where advanced_at < clock_timestamp() - interval '${2 * PRUNE_MS} milliseconds' returning watermark)
  delete from cache_invalidations where xid < (select watermark from due)`

const seenOf = ({ snapshot, run }: Row): Seen | null => {
  const [oldest = 0n, next = 0n] = snapshot.split(':', 2).map(BigInt)
  return next - oldest > MAX_SNAPSHOT_AGE ? null : { snapshot, oldest, run: run ?? '' }
}

interface ChangeLogOptions {
  /** Queries the primary on a separate connection. */
  readonly query: (text: string, values: readonly unknown[]) => Promise<readonly object[]>
  readonly listener: ChangeListener
}

/**
 * Polls for the cache tags that any process has invalidated since the last poll. Concurrent polls share one statement. Every transaction that
 * ended before a poll began has been reported when it returns.
 */
export const createChangeLogPoller = ({ query, listener }: ChangeLogOptions) => {
  let seen: Seen | null = null
  let isFailing = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const lose = () => {
    seen = null
    listener('everything')
  }

  const compare = async (): Promise<Row> => {
    const [row] = (await query(POLL, [seen?.oldest.toString() ?? null, seen?.snapshot ?? null])) as readonly Row[]
    if (!row) throw new Error('the server did not return a snapshot')
    if (row.run !== null) return row
    await query(BEGIN, [])
    return compare()
  }

  const read = async () => {
    const row = await compare()
    const former = seen
    seen = seenOf(row)
    if (!former || !seen || !row.whole || former.run !== row.run || row.tags?.includes(EVERYTHING)) listener('everything')
    else if (row.tags) listener(new Set(row.tags.split('\n').filter(Boolean)))
  }

  const poll = coalesce(async (): Promise<boolean> => {
    try {
      await read()
      isFailing = false
    } catch {
      isFailing = true
      lose()
      if (!closed) retry = setTimeout(() => void poll(), RETRY_MS).unref()
    }
    return seen !== null
  })

  const prune = async () => {
    await poll()
    if (!isFailing) await query(PRUNE, []).catch(() => {})
  }
  const pruning = setInterval(() => void prune(), PRUNE_MS).unref()
  void query(CLEAN, []).catch(() => {})

  return {
    /** Polls; whether the caller may use the cache. */
    poll: (): boolean | Promise<boolean> => (isFailing ? false : poll()),
    isUpToDate: () => seen !== null,
    stop: () => {
      closed = true
      clearTimeout(retry)
      clearInterval(pruning)
    },
  }
}
