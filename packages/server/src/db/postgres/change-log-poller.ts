import { shared } from '../../util/coalesce.ts'
import type { ChangeListener } from '../sqlite/change-triggers.ts'
import { EVERYTHING } from './change-log-schema.ts'

/** An instance that nobody asks looks all the same, and what everybody has seen goes. */
const TEND_MS = 15_000
/** After a look that failed nobody waits for another one until this one worked. */
const RETRY_MS = 250
/** Where a transaction has been open for so many others, what ended since is too much to be looked through each time. */
const MOST_OPEN = 4000n

/** What everybody who looks can see by now: a snapshot of PostgreSQL, and to which run of it, from crash to crash, it belongs. */
interface Seen {
  readonly snapshot: string
  readonly oldest: bigint
  readonly run: string
}

interface Row {
  readonly snapshot: string
  /** Null: the log is new. */
  readonly run: string | null
  /** Nothing that ended since is gone from the log. */
  readonly whole: boolean | null
  readonly tags: string | null
}

/** What ended between two snapshots; without the former one nothing is looked for. */
const LOOK = `select pg_current_snapshot()::text as snapshot, f.run_id::text || pg_postmaster_start_time()::text as run, $1::xid8 >= f.watermark as whole,
    (select string_agg(l.tags, '') from cache_invalidations l where l.xid >= $1::xid8 and not pg_visible_in_snapshot(l.xid, $2::pg_snapshot)) as tags
  from (select 1) o left join cache_invalidation_watermark f on true`
const BEGIN = `insert into cache_invalidation_watermark (watermark, next_watermark) select xmin, xmin from pg_snapshot_xmin(pg_current_snapshot()) as xmin
  on conflict do nothing`

/** Rows of another cluster, which a dump may bring along, have numbers that were not given out here yet. */
const CLEAN = 'delete from cache_invalidations where xid >= pg_snapshot_xmax(pg_current_snapshot())'
/** In turn by whoever comes first: what ended before the last turn but one goes. */
const TEND = `with due as (
    update cache_invalidation_watermark set watermark = next_watermark, next_watermark = pg_snapshot_xmin(pg_current_snapshot()),
      advanced_at = clock_timestamp()
    where advanced_at < clock_timestamp() - interval '${2 * TEND_MS} milliseconds' returning watermark)
  delete from cache_invalidations where xid < (select watermark from due)`

const seenOf = ({ snapshot, run }: Row): Seen | null => {
  const [oldest = 0n, next = 0n] = snapshot.split(':', 2).map(BigInt)
  return next - oldest > MOST_OPEN ? null : { snapshot, oldest, run: run ?? '' }
}

export interface ChangeLogOptions {
  /** Asks the primary, beside everything else that is asked there. */
  readonly ask: (text: string, values: readonly unknown[]) => Promise<readonly object[]>
  readonly listener: ChangeListener
}

/**
 * Tells what was committed since the last look, by whatever process: with one statement, which all share who look at the same time. Each
 * transaction that had ended when a look began has been told of when it ends.
 */
export const followChangeLog = ({ ask, listener }: ChangeLogOptions) => {
  let seen: Seen | null = null
  let away = false
  let closed = false
  let retry: NodeJS.Timeout | undefined

  const lose = () => {
    seen = null
    listener('everything')
  }

  const compare = async (): Promise<Row> => {
    const [row] = (await ask(LOOK, [seen?.oldest.toString() ?? null, seen?.snapshot ?? null])) as readonly Row[]
    if (!row) throw new Error('the server did not tell what it shows')
    if (row.run !== null) return row
    await ask(BEGIN, [])
    return compare()
  }

  const read = async () => {
    const row = await compare()
    const former = seen
    seen = seenOf(row)
    if (!former || !seen || !row.whole || former.run !== row.run || row.tags?.includes(EVERYTHING)) listener('everything')
    else if (row.tags) listener(new Set(row.tags.split('\n').filter(Boolean)))
  }

  const question = shared(async (): Promise<boolean> => {
    try {
      await read()
      away = false
    } catch {
      away = true
      lose()
      if (!closed) retry = setTimeout(() => void question(), RETRY_MS).unref()
    }
    return seen !== null
  })

  const tend = async () => {
    await question()
    if (!away) await ask(TEND, []).catch(() => {})
  }
  const tending = setInterval(() => void tend(), TEND_MS).unref()
  void ask(CLEAN, []).catch(() => {})

  return {
    /** Whether what is kept may be used by whoever looked. */
    look: (): boolean | Promise<boolean> => (away ? false : question()),
    holds: () => seen !== null,
    stop: () => {
      closed = true
      clearTimeout(retry)
      clearInterval(tending)
    },
  }
}
