import { setImmediate } from 'node:timers/promises'
import { type ChangePosition, type Db, feedChangesAfter, feedChangesNow, feedsMatching, statement, statementFor } from '../../db/index.ts'
import { searchText } from '../../platform/content/plain.ts'
import { isFound, type SearchQuery, tokens } from '../../platform/content/search-text.ts'
import { type Hits, hitsOf } from './search-hits.ts'
import { createShelf, type Listed, type Shelf } from './search-shelf.ts'

/** Rows that are read before others get their turn. */
const PORTION = 1000
/** More changed feeds than these at once are not looked at one by one: what was found is forgotten. */
const MANY = 2000
/** So many changes are remembered for results that nobody has asked for in between. */
const REMEMBERED = 2000
/** Bytes of results that are kept; the one that was not asked for the longest leaves first. */
const MOST_BYTES = 32 * 2 ** 20
/** A community of fewer feeds is read while the first who searches waits; else he is answered by the database. */
const AT_ONCE = 10_000
/** Ids are places in memory; a community whose ids are further apart is searched in the database. */
const HIGHEST_ID = 2 ** 25

interface Change {
  readonly id: number
  readonly was: number
  readonly tokens: readonly string[]
}

interface Kept {
  readonly query: SearchQuery
  readonly hits: Hits
  /** How many changes it knows of. */
  at: number
}

type TextRow = Listed & { readonly title: string; readonly message_rendered: string }

const portion = statement<Listed>(
  `select f.id, f.space_id, f.privacy, f.published_at from feeds f
   where f.listed = 1 and f.published_at >= $1 and (f.published_at, f.id) > ($1, $2) order by f.published_at, f.id limit ${PORTION}`,
)
const extent = statement<{ highest: number; listed: number }>(
  'select coalesce((select max(f.id) from feeds f), 0) as highest, coalesce(sum(c.listed), 0) as listed from feed_counts c',
)
const rowsOf = statementFor<TextRow>(
  (list) => `select f.id, f.space_id, f.privacy, f.published_at, f.title, f.message_rendered from feeds f
    where f.listed = 1 and f.id in (${list(1)})`,
)

const readShelf = async (db: Db): Promise<Shelf> => {
  const shelf = createShelf()
  let from: readonly [string, number] = ['', 0]
  for (;;) {
    const rows = await portion(db, [...from])
    for (const row of rows) shelf.put(row)
    const last = rows.at(-1)
    if (!last || rows.length < PORTION) return shelf
    from = [last.published_at, last.id]
    await setImmediate()
  }
}

/**
 * What lists hold and what was searched for, in the memory of this process. The database tells what changed since; it is asked before each
 * use, so a search answers for the moment at which it is asked, whoever wrote.
 */
export const createSearchMemory = () => {
  let shelf: Shelf | null = null
  let position: ChangePosition | null = null
  let changes: Change[] = []
  /** How many changes there were before the first that is remembered. */
  let before = 0
  let making = 0
  const kept = new Map<string, Kept>()
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

  const note = (on: Shelf, id: number, row: TextRow | undefined) => {
    const was = on.codeOf(id)
    if (row) on.put(row)
    else on.take(id)
    const isOfUse = kept.size > 0 || making > 0
    const words = row && isOfUse ? tokens(searchText(row.title, row.message_rendered)) : []
    changes.push({ id, was, tokens: words })
  }

  const apply = async (db: Db, on: Shelf, ids: readonly number[]) => {
    if (ids.length > MANY) forgetAll()
    for (let at = 0; at < ids.length; at += PORTION) {
      const some = ids.slice(at, at + PORTION)
      const rows = new Map((await rowsOf(db, some.length, some)).map((row) => [row.id, row]))
      for (const id of some) note(on, id, rows.get(id))
    }
    const surplus = changes.length - REMEMBERED
    if (surplus <= 0) return
    changes = changes.slice(surplus)
    before += surplus
  }

  let reading: Promise<void> | null = null
  const read = async (db: Db) => {
    const since = await feedChangesNow(db)
    const made = await readShelf(db)
    forgetAll()
    shelf = made
    position = since
  }

  /** Begins to read the shelf; waits for it only where that is soon done. */
  const begin = async (db: Db) => {
    const [size] = await extent(db)
    if (!size || size.highest > HIGHEST_ID) return
    reading ??= read(db).finally(() => {
      reading = null
    })
    if (size.listed <= AT_ONCE) await reading
    else reading.catch(() => {})
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

  const bring = (entry: Kept) => {
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
    for (const [id, change] of last) if (isFound(entry.query, change.tokens)) entry.hits.add(id)
    bytes += entry.hits.bytes()
    entry.at = end
  }

  const make = async (db: Db, on: Shelf, query: SearchQuery): Promise<Kept | null> => {
    const since = before + changes.length
    making += 1
    const found = await feedsMatching(db, query).finally(() => {
      making -= 1
    })
    const later = changes.slice(since - before)
    // What changed in the meantime is known better by now.
    const changed = new Map(later.map((change) => [change.id, change]))
    const rest = changed.size > 0 ? found.filter((id) => !changed.has(id)) : found
    for (const { id, tokens: words } of changed.values()) if (isFound(query, words)) rest.push(id)
    return { query, hits: hitsOf(on, rest), at: before + changes.length }
  }

  return {
    /** The shelf as it is now, and what `query` finds on it; null while it is not there yet. `current`: nothing has happened since it was asked before. */
    find: async (db: Db, query: SearchQuery, current: boolean): Promise<{ shelf: Shelf; hits: Hits } | null> => {
      if (!shelf) await begin(db)
      if (!shelf) return null
      if (!current) await refresh(db)
      const on: Shelf | null = shelf
      if (!on) return null
      const key = JSON.stringify(query)
      const known = kept.get(key)
      if (known && known.at >= before) {
        bring(known)
        kept.delete(key)
        kept.set(key, known)
        return { shelf: on, hits: known.hits }
      }
      forget(key)
      const made = await make(db, on, query)
      if (!made) return null
      forget(key)
      kept.set(key, made)
      bytes += made.hits.bytes()
      for (const oldest of kept.keys()) {
        if (bytes <= MOST_BYTES || oldest === key) break
        forget(oldest)
      }
      return { shelf: on, hits: made.hits }
    },
  }
}

export type SearchMemory = ReturnType<typeof createSearchMemory>
