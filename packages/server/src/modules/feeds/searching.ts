import { type Db, idRows, parameters, rowVersion, runText } from '../../db/index.ts'
import { queryTokens } from '../../platform/content/search-text.ts'
import type { Actor, AskedRead } from '../../platform/context.ts'
import { visibleFeeds } from './access.ts'
import { type ListWhat, listFeeds, type PageWhat, searchInDatabase } from './lists.ts'
import { after, orderBy } from './orders.ts'
import { type FeedHit, ownColumns, sortColumns } from './rows.ts'
import type { Hits } from './search-hits.ts'
import { createSearchMemory, type SearchMemory } from './search-memory.ts'
import { placeKey, type Reach, reachOf } from './search-rights.ts'
import { momentOf, type Shelf, type Spot } from './search-shelf.ts'

export interface Found {
  readonly rows: FeedHit[]
  readonly total: number
}

/** Rows of an order's index that are read at once. */
const STRETCH = 250

const memories = new WeakMap<object, SearchMemory>()

const memoryOf = ({ services }: AskedRead): SearchMemory => {
  const known = memories.get(services.database)
  if (known) return known
  const made = createSearchMemory()
  memories.set(services.database, made)
  return made
}

/** Lists that a search in memory can narrow: what else they are filtered by is in the database alone. */
const isPlainSearch = ({ userId, status = 'published', type, topics, order }: ListWhat): boolean =>
  userId === undefined && status === 'published' && type === undefined && topics === undefined && !order.only

/** A search as one caller sees it. */
interface View {
  readonly shelf: Shelf
  readonly hits: Hits
  readonly total: number
  readonly sees: (id: number) => boolean
}

interface Seen {
  readonly spots: readonly Spot[]
  readonly codes: readonly boolean[]
}

/** Which spots somebody sees, by the places in his reach: these are the same object for as long as they are kept. */
const seen = new WeakMap<Reach['places'], Seen>()

const seenSpots = (shelf: Shelf, { places }: Reach, spaceId: number | undefined): readonly boolean[] => {
  const spots = shelf.spots()
  const make = () =>
    spots.map(({ space_id, privacy }) => (spaceId === undefined || space_id === spaceId) && places.has(placeKey(space_id, privacy)))
  if (spaceId !== undefined) return make()
  const known = seen.get(places)
  // There may be more of them by now.
  if (known?.spots === spots && known.codes.length === spots.length) return known.codes
  const codes = make()
  seen.set(places, { spots, codes })
  return codes
}

const viewOf = (shelf: Shelf, hits: Hits, reach: Reach, spaceId: number | undefined, pinned: readonly number[]): View => {
  const spots = shelf.spots()
  const isSeen = seenSpots(shelf, reach, spaceId)
  const inPlace = (code: number) => code !== 0 && (spaceId === undefined || spots[code - 1]?.space_id === spaceId)
  const seenAnyhow = new Set(
    reach.personal.filter((id) => {
      const code = shelf.codeOf(id)
      return inPlace(code) && !isSeen[code - 1] && hits.has(id)
    }),
  )
  const left = new Set(pinned)
  const sees = (id: number) => (isSeen[shelf.codeOf(id) - 1] === true || seenAnyhow.has(id)) && !left.has(id)
  let total = seenAnyhow.size
  for (const [code, n] of hits.tally) if (isSeen[code - 1]) total += n
  for (const id of left) if (hits.has(id) && (isSeen[shelf.codeOf(id) - 1] || seenAnyhow.has(id))) total -= 1
  return { shelf, hits, total, sees }
}

/** Ids of a page by time, out of memory. */
const byTime = ({ hits, sees }: View, descending: boolean, { limit, offset, cursor }: PageWhat): number[] => {
  const { walk } = hits
  const [time, id] = cursor?.values ?? []
  const step = descending ? -1 : 1
  const start = descending ? walk.size() - 1 : 0
  const behind = () => {
    const rank = walk.rankOf(momentOf(String(time)), Number(id))
    if (descending) return rank - 1
    return walk.at(rank) === Number(id) ? rank + 1 : rank
  }
  const ids: number[] = []
  let skip = cursor ? 0 : offset
  for (let rank = cursor ? behind() : start; rank >= 0 && rank < walk.size() && ids.length <= limit; rank += step) {
    const one = walk.at(rank)
    if ((!walk.sparse && !hits.has(one)) || !sees(one)) continue
    if (skip > 0) skip -= 1
    else ids.push(one)
  }
  return ids
}

/** SQL of what a page needs of its rows. */
const columnsOf = (db: Db, { columns }: ListWhat['order'], me: string): string =>
  ['f.id', ...sortColumns(columns), `${rowVersion(db, 'f')} as version`, ownColumns(me)].join(', ')

/** SQL of what a list's rows are beside their status: the database says it once more when rows are read. */
const conditionOf = (actor: Actor, { spaceId, without }: ListWhat, p: (value: number) => string): string => {
  const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
  return `${visibleFeeds(actor, p)}${space}${without === 'pinned' ? ' and f.is_sticky = 0' : ''}`
}

/** Null where one of them changed while they were looked for. */
const rowsInTurn = async (db: Db, actor: Actor, what: ListWhat, ids: readonly number[]): Promise<FeedHit[] | null> => {
  if (ids.length === 0) return []
  const { values, p } = parameters()
  const me = p(actor.id)
  const text = `select ${columnsOf(db, what.order, me)} from ${idRows(db, ids, p, 'h')} cross join feeds f
    where f.id = h.value and ${conditionOf(actor, what, p)}`
  const rows = new Map((await runText<FeedHit>(db, text, values)).map((row) => [row.id, row]))
  return rows.size === ids.length ? ids.flatMap((id) => rows.get(id) ?? []) : null
}

/** A page in another order, by sorting what was found. */
const sorted = (db: Db, actor: Actor, what: ListWhat, ids: readonly number[], { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const { values, p } = parameters()
  const me = p(actor.id)
  const beyond = cursor ? ` and ${after(what.order, cursor.values.map(p))}` : ''
  const skip = cursor || offset === 0 ? '' : ` offset ${p(offset)}`
  const text = `select ${columnsOf(db, what.order, me)} from ${idRows(db, ids, p, 'h')} cross join feeds f
    where f.id = h.value and ${conditionOf(actor, what, p)}${beyond} order by ${orderBy(what.order)} limit ${p(limit + 1)}${skip}`
  return runText<FeedHit>(db, text, values)
}

/** A page in another order, by walking its index and passing over what was not found. */
const passing = async (db: Db, actor: Actor, what: ListWhat, hits: Hits, { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const list = { ...what, search: undefined }
  const rows: FeedHit[] = []
  let skip = cursor ? 0 : offset
  let from = cursor
  for (;;) {
    const stretch = await listFeeds(db, actor, list, { limit: STRETCH, offset: 0, cursor: from })
    for (const row of stretch.slice(0, STRETCH)) {
      if (!hits.has(row.id)) continue
      if (skip > 0) skip -= 1
      else if (rows.push(row) > limit) return rows
    }
    const last = stretch[STRETCH - 1]
    if (!last || stretch.length <= STRETCH) return rows
    from = { order: what.order.name, values: what.order.valuesOf(last) }
  }
}

/** The feeds found that the caller sees. */
const seenIds = ({ hits, sees }: View): number[] => {
  const ids: number[] = []
  for (let rank = 0; rank < hits.walk.size(); rank++) {
    const id = hits.walk.at(rank)
    if ((hits.walk.sparse || hits.has(id)) && sees(id)) ids.push(id)
  }
  return ids
}

const pinnedFeeds = async ({ db }: AskedRead): Promise<number[]> =>
  (await runText<{ id: number }>(db, 'select f.id from feeds f where f.is_sticky = 1 and f.listed = 1', [])).map(({ id }) => id)

const inMemory = async (ctx: AskedRead, what: ListWhat, page: PageWhat): Promise<Found | null> => {
  const query = queryTokens(what.search ?? '')
  if (!query) return { rows: [], total: 0 }
  const { db, actor } = ctx
  const [reach, pinned] = await Promise.all([reachOf(ctx), what.without === 'pinned' ? pinnedFeeds(ctx) : []])
  const { caches } = ctx.services
  const since = caches.now()
  const lately = caches.of<true>('search-changes', 1, 'rights')
  const found = await memoryOf(ctx).find(db, query, lately.get('', since) === true)
  if (!found) return null
  lately.set('', true, ['finds'], since)
  const view = viewOf(found.shelf, found.hits, reach, what.spaceId, pinned)
  const { total, hits, shelf } = view
  if (what.order.keys[0] === 'f.published_at') {
    const rows = await rowsInTurn(db, actor, what, byTime(view, what.order.descending, page))
    return rows && { rows, total }
  }
  if (total === 0) return { rows: [], total }
  const steps = ((page.offset + page.limit + 1) * shelf.size()) / total
  const rows = steps < total ? await passing(db, actor, what, hits, page) : await sorted(db, actor, what, seenIds(view), page)
  return { rows, total }
}

/**
 * A page of a search with the size of the whole result: from what is kept in memory about searches of all callers, else by the database
 * alone.
 */
export const searchFeeds = async (ctx: AskedRead, what: ListWhat, page: PageWhat): Promise<Found> =>
  (isPlainSearch(what) ? await inMemory(ctx, what, page) : null) ?? searchInDatabase(ctx.db, ctx.actor, what, page)
