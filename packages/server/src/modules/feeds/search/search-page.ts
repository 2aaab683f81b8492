import { queryTokens } from '../../../content/tokenizer.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { type Db, idRows, limitTo, parameters, rowVersion, runText, statement } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'
import { type FeedHit, ownColumns, sortColumns } from '../feed-row.ts'
import { isPlain } from '../feed-types.ts'
import { type ListWhat, listFeeds, type PageWhat } from '../list/queries.ts'
import { after, orderBy } from '../list/sort-orders.ts'
import { type FeedColumns, type FeedFacet, momentOf } from './feed-columns.ts'
import { searchMemoryOf } from './feed-index.ts'
import { inTopics, matching } from './predicates.ts'
import { hitsOf, idsOf, inAll, type Some } from './result-set.ts'
import { placeKey, reachOf, type VisibleScope } from './visibility.ts'

export interface Found {
  readonly rows: FeedHit[]
  readonly total: number
}

/** Rows of an order's index that are read at once. */
const STRETCH = 250

/** What the database alone knows: what is not published, and whole lists of somebody, which are short. */
const isKnown = ({ search, userId, status = 'published', type, topics, order }: ListWhat): boolean =>
  status === 'published' &&
  (Boolean(search) || (userId === undefined && (type !== undefined || topics !== undefined || Boolean(order.only))))

/** Lists whose rows the database would look for among many others. */
const isRare = ({ search, type, topics, order }: ListWhat): boolean => {
  if (search) return true
  if (topics !== undefined) return type !== undefined || Boolean(order.only)
  return type !== undefined && (Boolean(order.only) || order.keys[0] !== 'f.published_at')
}

/** Some feeds as one caller sees them. */
interface View {
  readonly shelf: FeedColumns
  readonly found: Some
  readonly total: number
  readonly sees: (id: number) => boolean
}

interface Seen {
  readonly spots: readonly FeedFacet[]
  readonly codes: readonly boolean[]
}

/** Which spots somebody sees, by the places in his reach: these are the same object for as long as they are kept. */
const seen = new WeakMap<VisibleScope['places'], Seen>()

const seenSpots = (shelf: FeedColumns, { places }: VisibleScope): readonly boolean[] => {
  const spots = shelf.spots()
  const known = seen.get(places)
  // There may be more of them by now.
  if (known?.spots === spots && known.codes.length === spots.length) return known.codes
  const codes = spots.map(({ space_id, privacy }) => places.has(placeKey(space_id, privacy)))
  seen.set(places, { spots, codes })
  return codes
}

const isNarrow = ({ spaceId, type, order }: ListWhat): boolean => spaceId !== undefined || type !== undefined || Boolean(order.only)

/** Whether feeds of a spot belong to a list. */
const belongs = ({ spaceId, type, order }: ListWhat, spot: FeedFacet): boolean =>
  (spaceId === undefined || spot.space_id === spaceId) &&
  (type === undefined || spot.kind === (isPlain(type) ? null : type)) &&
  !(order.only && spot.answered)

const viewOf = (shelf: FeedColumns, found: Some, reach: VisibleScope, what: ListWhat, without: readonly number[]): View => {
  const spots = shelf.spots()
  const inReach = seenSpots(shelf, reach)
  const inList = (spot: FeedFacet | undefined) => spot !== undefined && belongs(what, spot)
  const isSeen = isNarrow(what) ? inReach.map((is, i) => is && inList(spots[i])) : inReach
  const seenAnyhow = new Set(
    reach.personal.filter((id) => {
      const code = shelf.codeOf(id)
      return inList(spots[code - 1]) && !isSeen[code - 1] && found.has(id)
    }),
  )
  const left = new Set(without)
  const sees = (id: number) => (isSeen[shelf.codeOf(id) - 1] === true || seenAnyhow.has(id)) && !left.has(id)
  let total = seenAnyhow.size
  for (const [code, n] of found.tally) if (isSeen[code - 1]) total += n
  for (const id of left) if (found.has(id) && (isSeen[shelf.codeOf(id) - 1] || seenAnyhow.has(id))) total -= 1
  return { shelf, found, total, sees }
}

/** Ids of a page by time, out of memory. */
const byTime = ({ found, sees }: View, descending: boolean, { limit, offset, cursor }: PageWhat): number[] => {
  const { walk } = found
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
    if ((!walk.sparse && !found.has(one)) || !sees(one)) continue
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
  const page = limitTo(db, limit + 1, cursor ? 0 : offset, p)
  const text = `select ${columnsOf(db, what.order, me)} from ${idRows(db, ids, p, 'h')} cross join feeds f
    where f.id = h.value and ${conditionOf(actor, what, p)}${beyond} order by ${orderBy(what.order)} ${page}`
  return runText<FeedHit>(db, text, values)
}

/** A page in another order, by walking its index and passing over what was not found. */
const passing = async (db: Db, actor: Actor, what: ListWhat, view: View, { limit, offset, cursor }: PageWhat): Promise<FeedHit[]> => {
  const { order, spaceId, without } = what
  const list = { order: { ...order, only: undefined }, spaceId, without }
  const rows: FeedHit[] = []
  let skip = cursor ? 0 : offset
  let from = cursor
  for (;;) {
    const stretch = await listFeeds(db, actor, list, { limit: STRETCH, offset: 0, cursor: from })
    for (const row of stretch.slice(0, STRETCH)) {
      if (!view.found.has(row.id) || !view.sees(row.id)) continue
      if (skip > 0) skip -= 1
      else if (rows.push(row) > limit) return rows
    }
    const last = stretch[STRETCH - 1]
    if (!last || stretch.length <= STRETCH) return rows
    from = { order: order.name, values: order.valuesOf(last) }
  }
}

const pinnedFeeds = async ({ db }: ReadRequest): Promise<number[]> =>
  (await runText<{ id: number }>(db, 'select f.id from feeds f where f.is_sticky = 1 and f.listed = 1', [])).map(({ id }) => id)

const leftOut = async (ctx: ReadRequest, { without }: ListWhat): Promise<readonly number[]> => {
  if (without === 'pinned') return pinnedFeeds(ctx)
  return without === undefined ? [] : [without]
}

const ofAuthor = statement<{ id: number }>('select f.id from feeds f where f.user_id = $1 and f.listed = 1')

/** The list as the caller sees it at this moment; null where the database alone can tell. */
const findView = async (ctx: ReadRequest, what: ListWhat): Promise<View | 'nothing' | null> => {
  const { search, topics, userId } = what
  const query = search ? queryTokens(search) : null
  if (search && !query) return 'nothing'
  if (topics?.groups.some(({ ids }) => ids.length === 0)) return 'nothing'
  const asks = [...(query ? [matching(query)] : []), ...(topics?.groups.map(({ ids }) => inTopics(ids)) ?? [])]
  const [reach, without] = await Promise.all([reachOf(ctx), leftOut(ctx, what)])
  const written = userId === undefined ? null : (await ofAuthor(ctx.db, [userId])).map(({ id }) => id)
  const { caches } = ctx.services
  const since = caches.now()
  const lately = caches.of<true>('search-changes', 1)
  const known = await searchMemoryOf(ctx.services.database).find(ctx.db, asks, lately.get('', since) === true)
  if (!known) return null
  lately.set('', true, ['finds'], since)
  const { shelf, found } = known
  return viewOf(shelf, inAll(shelf, written ? [...found, hitsOf(shelf, written)] : found), reach, what, without)
}

const pageOfView = async ({ db, actor }: ReadRequest, what: ListWhat, view: View, page: PageWhat): Promise<FeedHit[] | null> => {
  const { total, shelf } = view
  if (total === 0) return []
  if (what.order.keys[0] === 'f.published_at') return rowsInTurn(db, actor, what, byTime(view, what.order.descending, page))
  const steps = ((page.offset + page.limit + 1) * shelf.size()) / total
  return steps < total ? passing(db, actor, what, view, page) : sorted(db, actor, what, idsOf(view.found).filter(view.sees), page)
}

/** The size of a list that is filtered, from what is kept in memory about all feeds; null where the database must tell. */
export const totalInMemory = async (ctx: ReadRequest, what: ListWhat): Promise<number | null> => {
  const view = isKnown(what) ? await findView(ctx, what) : null
  return view === 'nothing' ? 0 : (view?.total ?? null)
}

/**
 * A page of what would be looked for among many others, with the size of the whole: from what is kept in memory about all feeds, and lately
 * was searched for. Null where the database must tell.
 */
export const findInMemory = async (ctx: ReadRequest, what: ListWhat, page: PageWhat): Promise<Found | null> => {
  const view = isRare(what) && isKnown(what) ? await findView(ctx, what) : null
  if (view === 'nothing') return { rows: [], total: 0 }
  const rows = view && (await pageOfView(ctx, what, view, page))
  return rows && view && { rows, total: view.total }
}
