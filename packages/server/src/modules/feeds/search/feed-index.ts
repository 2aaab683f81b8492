import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { tokens } from '@lyceum/content'
import { LRUCache } from 'lru-cache'
import type { Services } from '../../../core/context.ts'
import type { RecurringTask } from '../../../core/module.ts'
import {
  type ChangePosition,
  type Db,
  feedChangesAfter,
  feedChangesNow,
  markFeedChanges,
  pruneFeedChanges,
  statement,
  statementIn,
} from '../../../db/index.ts'
import { OTHER_KINDS } from '../feed-row.ts'
import { SEARCHED_COLUMNS, type SearchedText, searchText } from '../fields.ts'
import { createFeedColumns, type FeedColumns, type ListedFeed } from './feed-columns.ts'
import type { IndexedFeed, Predicate } from './predicates.ts'
import { type ResultSet, resultSetOf } from './result-set.ts'

/** Rows read before yielding to other work, and changed feeds loaded per query. */
const BATCH_SIZE = 1000
/** With more changed feeds than this, all cached results are dropped instead of updated. */
const MAX_INCREMENTAL_CHANGES = 2000
/** Changes remembered to update cached results that have not been used since. */
const MAX_CHANGES = 2000
/** Size limit of the cached results. */
const MAX_BYTES = 32 * 2 ** 20
/** How long a search waits for the index to load, which takes a few seconds for a million feeds. After that the database answers it. */
const LOAD_TIMEOUT_MS = 25_000
/** Ids are array indexes. A community with higher ids is searched in the database. */
const MAX_ID = 2 ** 25

interface Change extends IndexedFeed {
  readonly id: number
  readonly previousCode: number
}

interface CacheEntry {
  readonly predicate: Predicate
  readonly hits: ResultSet
  /** Number of changes that are applied to the hits. */
  at: number
}

type TextRow = ListedFeed & SearchedText

/** Listed feeds in order of publication, from a covering index. */
const batchesInOrder = <R>(columns: string, where: string) =>
  statement<R & { id: number; published_at: string }>(
    `select f.id, f.published_at${columns} from feeds f
     where f.listed = 1${where} and f.published_at >= $1 and (f.published_at, f.id) > ($1, $2) order by f.published_at, f.id limit ${BATCH_SIZE}`,
  )
const locations = batchesInOrder<Pick<ListedFeed, 'space_id' | 'privacy'>>(', f.space_id, f.privacy', '')
const unanswered = batchesInOrder<object>('', ' and f.comments_count = 0')
const ofKind = new Map(OTHER_KINDS.map((kind) => [kind, batchesInOrder<object>('', ` and f.type = '${kind}'`)]))
const highestId = statement<{ id: number }>('select coalesce(max(f.id), 0) as id from feeds f')
const rowsOf = statementIn<TextRow>(
  (list) => `select f.id, f.space_id, f.privacy, f.published_at, f.type, f.comments_count,
    ${SEARCHED_COLUMNS.map((column) => `f.${column}`).join(', ')} from feeds f
    where f.listed = 1 and f.id in (${list})`,
)
const topicsOf = statementIn<{ feed_id: number; topic_id: number }>(
  (list) => `select c.feed_id, c.topic_id from feed_topics c where c.feed_id in (${list})`,
)

/** While nobody waits for the index, pause this many times as long as the last batch took. */
const REST_FACTOR = 2

/** Loads all listed feeds. Lets other work run between batches, little if `urgent` is aborted. Null if stopped before the end. */
const loadColumns = async (db: Db, urgent: AbortSignal, isStopped: () => boolean): Promise<FeedColumns | null> => {
  const columns = createFeedColumns()
  const eachRow = async <R extends { id: number; published_at: string }>(
    rowsAfter: (db: Db, values: readonly [string, number]) => Promise<R[]>,
    take: (row: R) => void,
  ): Promise<void> => {
    let from: readonly [string, number] = ['', 0]
    while (!isStopped()) {
      const began = performance.now()
      const rows = await rowsAfter(db, from)
      for (const row of rows) take(row)
      const last = rows.at(-1)
      if (!last || rows.length < BATCH_SIZE) return
      from = [last.published_at, last.id]
      if (urgent.aborted) await setImmediate()
      else await delay(REST_FACTOR * (performance.now() - began), undefined, { signal: urgent }).catch(() => {})
    }
  }
  await eachRow(locations, (row) => columns.insert({ ...row, type: 'text', comments_count: 1 }))
  await eachRow(unanswered, ({ id }) => columns.update(id, { answered: false }))
  for (const [kind, rows] of ofKind) await eachRow(rows, ({ id }) => columns.update(id, { kind }))
  return isStopped() ? null : columns
}

/**
 * In-memory index of all listed feeds, and a cache of search results. Each use first reads the committed changes from the database, so
 * results are never stale, whichever process wrote.
 */
const createFeedIndex = () => {
  let columns: FeedColumns | null = null
  let position: ChangePosition | null = null
  let changes: Change[] = []
  /** Number of the first remembered change. */
  let firstChange = 0
  let computing = 0
  const cache = new LRUCache<string, CacheEntry>({ maxSize: MAX_BYTES, sizeCalculation: ({ hits }) => hits.bytes() + 1 })

  const recordChange = (target: FeedColumns, id: number, row: TextRow | undefined, topics: readonly number[]) => {
    const previousCode = target.codeOf(id)
    if (row) target.insert(row)
    else target.take(id)
    const isNeeded = cache.size > 0 || computing > 0
    const words = row && isNeeded ? tokens(searchText(row)) : []
    changes.push({ id, previousCode, words, topics })
  }

  const apply = async (db: Db, target: FeedColumns, ids: readonly number[]) => {
    if (ids.length > MAX_INCREMENTAL_CHANGES) cache.clear()
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      const some = ids.slice(at, at + BATCH_SIZE)
      const [found, topicRows] = await Promise.all([rowsOf(db, some), topicsOf(db, some)])
      const rows = new Map(found.map((row) => [row.id, row]))
      const topics = Map.groupBy(topicRows, ({ feed_id }) => feed_id)
      for (const id of some) recordChange(target, id, rows.get(id), topics.get(id)?.map(({ topic_id }) => topic_id) ?? [])
    }
    const excess = changes.length - MAX_CHANGES
    if (excess <= 0) return
    changes = changes.slice(excess)
    firstChange += excess
  }

  let loading: Promise<void> | null = null
  let urgent = new AbortController()
  let stopped = false
  const load = async (db: Db) => {
    const since = await feedChangesNow(db)
    const loaded = await loadColumns(db, urgent.signal, () => stopped)
    if (!loaded) return
    cache.clear()
    columns = loaded
    position = since
  }

  /** Starts loading unless already started. Does nothing if the highest id exceeds `MAX_ID` or does not exceed `minId`. */
  const startLoading = async (db: Db, minId: number): Promise<void> => {
    const [highest] = await highestId(db)
    if (!highest || highest.id > MAX_ID || highest.id <= minId || stopped || loading !== null) return
    urgent = new AbortController()
    loading = load(db).finally(() => {
      loading = null
    })
    // Those who await `loading` handle the error.
    loading.catch(() => {})
  }

  /** Waits for the load in progress, or starts one. */
  const waitForColumns = async (db: Db) => {
    if (loading === null) await startLoading(db, -1)
    urgent.abort()
    if (loading !== null) await Promise.race([loading, delay(LOAD_TIMEOUT_MS, undefined, { ref: false })])
  }

  const catchUp = async (db: Db): Promise<void> => {
    if (!columns || !position) return
    const { feeds, next, lost } = await feedChangesAfter(db, position)
    if (lost) {
      columns = null
      return
    }
    if (feeds.length > 0) await apply(db, columns, feeds)
    position = next
  }

  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  /** Runs one refresh at a time; callers that arrive before the next one starts share it. */
  const refresh = (db: Db): Promise<void> => {
    if (waiting) return waiting
    const mine = running.then(() => {
      waiting = null
      return catchUp(db)
    })
    waiting = mine
    running = mine.catch(() => {})
    return mine
  }

  /** The hits of an entry after all changes so far. */
  const currentHits = (entry: CacheEntry): ResultSet => {
    const stop = firstChange + changes.length
    const { predicate, hits } = entry
    const first = new Map<number, Change>()
    const last = new Map<number, Change>()
    for (const change of changes.slice(entry.at - firstChange)) {
      if (!first.has(change.id)) first.set(change.id, change)
      last.set(change.id, change)
    }
    for (const [id, { previousCode }] of first) hits.remove(id, previousCode)
    for (const [id, change] of last) if (predicate.holds(change)) hits.add(id)
    if (entry.at === stop && cache.has(predicate.key)) return hits
    entry.at = stop
    // An entry that is set again keeps its former size.
    cache.delete(predicate.key)
    cache.set(predicate.key, entry)
    return hits
  }

  const compute = async (db: Db, target: FeedColumns, predicate: Predicate): Promise<CacheEntry> => {
    const since = firstChange + changes.length
    computing += 1
    const found = await predicate.ids(db).finally(() => {
      computing -= 1
    })
    const later = changes.slice(since - firstChange)
    // Feeds that changed during the query are evaluated from the changes instead.
    const changed = new Map(later.map((change) => [change.id, change]))
    const rest = changed.size > 0 ? found.filter((id) => !changed.has(id)) : found
    for (const [id, change] of changed) if (predicate.holds(change)) rest.push(id)
    return { predicate, hits: resultSetOf(target, rest), at: firstChange + changes.length }
  }

  const entryOf = async (db: Db, target: FeedColumns, predicate: Predicate): Promise<CacheEntry> => {
    const known = cache.get(predicate.key)
    return known && known.at >= firstChange ? known : compute(db, target, predicate)
  }

  return {
    /**
     * The index and the results of the predicates, both current; null if the index is not loaded. `unchanged`: nothing was committed since
     * the last call.
     */
    find: async (
      db: Db,
      predicates: readonly Predicate[],
      unchanged: boolean,
    ): Promise<{ columns: FeedColumns; found: readonly ResultSet[] } | null> => {
      if (!columns) await waitForColumns(db)
      if (!columns) return null
      if (!unchanged) await refresh(db)
      const target: FeedColumns | null = columns
      if (!target) return null
      const entries: CacheEntry[] = []
      for (const predicate of predicates) entries.push(await entryOf(db, target, predicate))
      // More changes may have arrived while results were computed.
      if (columns !== target || entries.some(({ at }) => at < firstChange)) return null
      return { columns: target, found: entries.map(currentHits) }
    },
    /** Loads the index before the first search, yielding to other work; does nothing if no id exceeds `minId`. */
    preload: async (db: Db, minId: number): Promise<void> => {
      if (!columns) await startLoading(db, minId)
      await loading
    },
    stop: () => {
      stopped = true
      urgent.abort()
    },
  }
}

export const feedIndexOf = ({ stateOf }: Pick<Services, 'stateOf'>) => stateOf(createFeedIndex)

/** Leaves the first seconds after startup to requests. */
const DELAY_MS = 2000
/** With lower ids only, the index loads within a tenth of a second, so no warm-up is needed. */
const MIN_FEED_ID = 20_000

/** Loads the search index soon after startup, in the background, so that the first search need not wait. */
export const createSearchWarmup = (
  services: Pick<Services, 'database' | 'log' | 'stateOf'>,
  { afterMs: delayMs = DELAY_MS, few: minFeedId = MIN_FEED_ID } = {},
) => {
  const { database, log } = services
  const index = feedIndexOf(services)
  let timer: NodeJS.Timeout | null = null
  let loading: Promise<void> = Promise.resolve()
  const load = () => {
    // The first search tries again.
    loading = index
      .preload(database.read, minFeedId)
      .catch((error) => log.warn({ event: 'search_warmup_failed', err: error }, 'search index warm-up failed'))
  }
  return {
    start: () => {
      timer = setTimeout(load, delayMs).unref()
    },
    stop: async () => {
      if (timer) clearTimeout(timer)
      index.stop()
      await loading
    },
  }
}

const PRUNE_BATCH_SIZE = 2000

/** Deletes change log entries older than some hours. A process that has not read them by then reloads its feed index. */
export const pruneChanges: RecurringTask = {
  name: 'feed_changes',
  run: async ({ database }) => {
    await database.write((db) => markFeedChanges(db))
    let total = 0
    for (let removed = PRUNE_BATCH_SIZE; removed === PRUNE_BATCH_SIZE; total += removed)
      removed = await database.write((db) => pruneFeedChanges(db, PRUNE_BATCH_SIZE))
    return total
  },
}
