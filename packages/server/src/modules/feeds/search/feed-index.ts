import { setTimeout } from 'node:timers/promises'
import { searchText } from '../../../content/plain-text.ts'
import { tokens } from '../../../content/tokenizer.ts'
import { type ChangePosition, type Database, type Db, feedChangesAfter, feedChangesNow, statement, statementIn } from '../../../db/index.ts'
import { OTHER_KINDS } from '../feed-types.ts'
import { type CooperativeScheduler, createCooperativeScheduler } from './cooperative-scheduler.ts'
import { createFeedColumns, type FeedColumns, type Listed } from './feed-columns.ts'
import type { Known, Predicate } from './predicates.ts'
import { type Hits, hitsOf } from './result-set.ts'

/** Rows that are read before others get their turn, and changed feeds that are read at once. */
const PORTION = 1000
const CHANGED_AT_ONCE = 1000
/** More changed feeds than these at once are not looked at one by one: what was found is forgotten. */
const MANY = 2000
/** So many changes are remembered for results that nobody has asked for in between. */
const REMEMBERED = 2000
/** Bytes of results that are kept; the one that was not asked for the longest leaves first. */
const MOST_BYTES = 32 * 2 ** 20
/** Whoever asks first waits while it is read, which takes some seconds for a million feeds; after that long he is answered by the database. */
const PATIENCE_MS = 25_000
/** Ids are places in memory; a community whose ids are further apart is searched in the database. */
const HIGHEST_ID = 2 ** 25

interface Change extends Known {
  readonly id: number
  readonly was: number
}

interface CacheEntry {
  readonly ask: Predicate
  readonly hits: Hits
  /** How many changes it knows of. */
  at: number
}

type TextRow = Listed & { readonly title: string; readonly message_rendered: string }

/** Feeds in the order of their time, from an index that has all that is asked for. */
const inOrder = <R>(columns: string, where: string) =>
  statement<R & { id: number; published_at: string }>(
    `select f.id, f.published_at${columns} from feeds f
     where f.listed = 1${where} and f.published_at >= $1 and (f.published_at, f.id) > ($1, $2) order by f.published_at, f.id limit ${PORTION}`,
  )
const placed = inOrder<Pick<Listed, 'space_id' | 'privacy'>>(', f.space_id, f.privacy', '')
const unanswered = inOrder<object>('', ' and f.comments_count = 0')
const ofKind = new Map(OTHER_KINDS.map((kind) => [kind, inOrder<object>('', ` and f.type = '${kind}'`)]))
const highestId = statement<{ id: number }>('select coalesce(max(f.id), 0) as id from feeds f')
const rowsOf = statementIn<TextRow>(
  (list) => `select f.id, f.space_id, f.privacy, f.published_at, f.type, f.comments_count, f.title, f.message_rendered from feeds f
    where f.listed = 1 and f.id in (${list(1)})`,
)
const topicsOf = statementIn<{ feed_id: number; topic_id: number }>(
  (list) => `select c.feed_id, c.topic_id from feed_topics c where c.feed_id in (${list(1)})`,
)

/** Null: it was to end before it was through. */
const readShelf = async (db: Db, turns: CooperativeScheduler): Promise<FeedColumns | null> => {
  const shelf = createFeedColumns()
  const eachRow = async <R extends { id: number; published_at: string }>(
    rowsAfter: (db: Db, values: readonly [string, number]) => Promise<R[]>,
    take: (row: R) => void,
  ): Promise<boolean> => {
    let from: readonly [string, number] = ['', 0]
    for (;;) {
      const rows = await rowsAfter(db, from)
      for (const row of rows) take(row)
      const last = rows.at(-1)
      if (!last || rows.length < PORTION) return true
      from = [last.published_at, last.id]
      if (!(await turns.next())) return false
    }
  }
  if (!(await eachRow(placed, (row) => shelf.put({ ...row, type: 'text', comments_count: 1 })))) return null
  if (!(await eachRow(unanswered, ({ id }) => shelf.learn(id, { answered: false })))) return null
  for (const [kind, rows] of ofKind) if (!(await eachRow(rows, ({ id }) => shelf.learn(id, { kind })))) return null
  return shelf
}

/**
 * What lists hold and what was searched for, in the memory of this process. The database tells what changed since; it is asked before each
 * use, so a search answers for the moment at which it is asked, whoever wrote.
 */
export const createSearchMemory = () => {
  let shelf: FeedColumns | null = null
  let position: ChangePosition | null = null
  let changes: Change[] = []
  /** How many changes there were before the first that is remembered. */
  let before = 0
  let making = 0
  const kept = new Map<string, CacheEntry>()
  let bytes = 0

  const forget = (key: string) => {
    const found = kept.get(key)
    if (!found) return
    kept.delete(key)
    bytes -= found.hits.bytes()
  }

  const forgetAll = () => {
    kept.clear()
    bytes = 0
  }

  const note = (on: FeedColumns, id: number, row: TextRow | undefined, topics: readonly number[]) => {
    const was = on.codeOf(id)
    if (row) on.put(row)
    else on.take(id)
    const isOfUse = kept.size > 0 || making > 0
    const words = row && isOfUse ? tokens(searchText(row.title, row.message_rendered)) : []
    changes.push({ id, was, words, topics })
  }

  const apply = async (db: Db, on: FeedColumns, ids: readonly number[]) => {
    if (ids.length > MANY) forgetAll()
    for (let at = 0; at < ids.length; at += CHANGED_AT_ONCE) {
      const some = ids.slice(at, at + CHANGED_AT_ONCE)
      const [found, carried] = await Promise.all([rowsOf(db, some.length, some), topicsOf(db, some.length, some)])
      const rows = new Map(found.map((row) => [row.id, row]))
      const topics = Map.groupBy(carried, ({ feed_id }) => feed_id)
      for (const id of some) note(on, id, rows.get(id), topics.get(id)?.map(({ topic_id }) => topic_id) ?? [])
    }
    const surplus = changes.length - REMEMBERED
    if (surplus <= 0) return
    changes = changes.slice(surplus)
    before += surplus
  }

  let reading: Promise<void> | null = null
  let turns: CooperativeScheduler | null = null
  let ended = false
  const read = async (db: Db, between: CooperativeScheduler) => {
    const since = await feedChangesNow(db)
    const made = await readShelf(db, between)
    if (!made) return
    forgetAll()
    shelf = made
    position = since
  }

  /** Begins to read the shelf, unless somebody is at it; not where ids are too high for it, or not higher than `few`. */
  const begin = async (db: Db, few: number): Promise<void> => {
    const [highest] = await highestId(db)
    if (!highest || highest.id > HIGHEST_ID || highest.id <= few || ended || reading !== null) return
    turns = createCooperativeScheduler()
    reading = read(db, turns).finally(() => {
      reading = null
      turns = null
    })
    // Whoever waits hears of it.
    reading.catch(() => {})
  }

  /** Waits for the shelf, together with all who do. */
  const wait = async (db: Db) => {
    if (reading === null) await begin(db, -1)
    turns?.hurry()
    if (reading !== null) await Promise.race([reading, setTimeout(PATIENCE_MS, undefined, { ref: false })])
  }

  /** Brings the shelf in line with what is committed. */
  const catchUp = async (db: Db): Promise<void> => {
    if (!shelf || !position) return
    const { feeds, next, lost } = await feedChangesAfter(db, position)
    if (lost) {
      shelf = null
      return
    }
    if (feeds.length > 0) await apply(db, shelf, feeds)
    position = next
  }

  let running: Promise<void> = Promise.resolve()
  let waiting: Promise<void> | null = null
  /** One after the other; who comes while one waits to begin goes with it. */
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

  const bring = (entry: CacheEntry) => {
    const end = before + changes.length
    if (entry.at === end) return
    const first = new Map<number, Change>()
    const last = new Map<number, Change>()
    for (let at = entry.at - before; at < changes.length; at++) {
      const change = changes[at]
      if (!change) continue
      if (!first.has(change.id)) first.set(change.id, change)
      last.set(change.id, change)
    }
    bytes -= entry.hits.bytes()
    for (const [id, { was }] of first) entry.hits.drop(id, was)
    for (const [id, change] of last) if (entry.ask.holds(change)) entry.hits.add(id)
    bytes += entry.hits.bytes()
    entry.at = end
  }

  const make = async (db: Db, on: FeedColumns, ask: Predicate): Promise<CacheEntry> => {
    const since = before + changes.length
    making += 1
    const found = await ask.ids(db).finally(() => {
      making -= 1
    })
    const later = changes.slice(since - before)
    // What changed in the meantime is known better by now.
    const changed = new Map(later.map((change) => [change.id, change]))
    const rest = changed.size > 0 ? found.filter((id) => !changed.has(id)) : found
    for (const [id, change] of changed) if (ask.holds(change)) rest.push(id)
    return { ask, hits: hitsOf(on, rest), at: before + changes.length }
  }

  const keep = (entry: CacheEntry) => {
    const { key } = entry.ask
    forget(key)
    kept.set(key, entry)
    bytes += entry.hits.bytes()
    for (const oldest of kept.keys()) {
      if (bytes <= MOST_BYTES || oldest === key) break
      forget(oldest)
    }
  }

  const entryOf = async (db: Db, on: FeedColumns, ask: Predicate): Promise<CacheEntry> => {
    const known = kept.get(ask.key)
    const entry = known && known.at >= before ? known : await make(db, on, ask)
    if (entry === known) {
      kept.delete(ask.key)
      kept.set(ask.key, entry)
    } else keep(entry)
    return entry
  }

  return {
    /** The shelf as it is now, and what is found on it; null while it is not there yet. `current`: nothing has happened since it was asked before. */
    find: async (db: Db, asks: readonly Predicate[], current: boolean): Promise<{ shelf: FeedColumns; found: readonly Hits[] } | null> => {
      if (!shelf) await wait(db)
      if (!shelf) return null
      if (!current) await refresh(db)
      const on: FeedColumns | null = shelf
      if (!on) return null
      const entries: CacheEntry[] = []
      for (const ask of asks) entries.push(await entryOf(db, on, ask))
      // More may have happened while one of them was made.
      if (shelf !== on || entries.some(({ at }) => at < before)) return null
      for (const entry of entries) bring(entry)
      return { shelf: on, found: entries.map(({ hits }) => hits) }
    },
    /** Reads the shelf before anybody asks, and leaves much room for others; not at all where no id is higher than `few`. */
    readAhead: async (db: Db, few: number): Promise<void> => {
      if (!shelf) await begin(db, few)
      await reading
    },
    /** Ends a reading that is under way. */
    end: () => {
      ended = true
      turns?.end()
    },
  }
}

export type SearchMemory = ReturnType<typeof createSearchMemory>

const memories = new WeakMap<Database, SearchMemory>()

/** What this process knows of the feeds of a database. */
export const searchMemoryOf = (database: Database): SearchMemory => {
  const known = memories.get(database)
  if (known) return known
  const made = createSearchMemory()
  memories.set(database, made)
  return made
}
