import { queryTokens } from '@lyceum/content'
import { cachedAggregate, findAggregate } from '../../../cache/cached.ts'
import { unrecorded } from '../../../cache/index.ts'
import type { Actor, ReadRequest } from '../../../core/context.ts'
import { type Db, idsTable, limitTo, type Placeholder, rowVersion, selectRows, statementValues } from '../../../db/index.ts'
import { visibleFeeds } from '../access.ts'
import { type FeedHit, isPlain, sortColumns, viewerStateColumns } from '../feed-row.ts'
import { afterCursor, type ListFilter, listFeeds, orderBy, type PageRange } from '../list/queries.ts'
import { type FeedColumns, type FeedFacet, timestampOf } from './feed-columns.ts'
import { feedIndexOf } from './feed-index.ts'
import { inTopics, matching } from './predicates.ts'
import { type FeedSet, idsOf, intersection, resultSetOf } from './result-set.ts'
import { locationKey, type VisibleScope, visibleScopeOf } from './visibility.ts'

export interface FoundPage {
  readonly rows: FeedHit[]
  readonly total: number
}

/** Rows read at once when scanning an order's index. */
const SCAN_BATCH = 250

/** The feeds of a list that one caller sees. */
interface View {
  readonly columns: FeedColumns
  readonly result: FeedSet
  readonly total: number
  readonly isShown: (id: number) => boolean
}

/** Whether feeds with this facet belong to the list. */
const matchesFilter = ({ spaceId, type, order }: ListFilter, facet: FeedFacet): boolean =>
  (spaceId === undefined || facet.space_id === spaceId) &&
  (type === undefined || facet.kind === (isPlain(type) ? null : type)) &&
  !(order.only && facet.answered)

const viewOf = (columns: FeedColumns, result: FeedSet, scope: VisibleScope, filter: ListFilter, exclude: readonly number[]): View => {
  const facets = columns.facets()
  const isInList = facets.map((facet) => matchesFilter(filter, facet))
  const isVisible = facets.map(({ space_id, privacy }, i) => isInList[i] === true && scope.locations.has(locationKey(space_id, privacy)))
  const visibleAnyway = new Set(
    scope.personal.flatMap(({ id }) => {
      const at = columns.codeOf(id) - 1
      return isInList[at] && !isVisible[at] && result.has(id) ? [id] : []
    }),
  )
  const excluded = new Set(exclude)
  const isShown = (id: number) => (isVisible[columns.codeOf(id) - 1] === true || visibleAnyway.has(id)) && !excluded.has(id)
  let total = visibleAnyway.size
  for (const [code, n] of result.countByCode) if (isVisible[code - 1]) total += n
  for (const id of excluded) if (result.has(id) && (isVisible[columns.codeOf(id) - 1] || visibleAnyway.has(id))) total -= 1
  return { columns, result, total, isShown }
}

/** Ids of a page ordered by time, from memory. */
const idsByTime = ({ result, isShown }: View, descending: boolean, { limit, offset, cursor }: PageRange): number[] => {
  const { ranked } = result
  const [time, id] = cursor?.values ?? []
  const step = descending ? -1 : 1
  const start = descending ? ranked.size() - 1 : 0
  const startAfterCursor = () => {
    const rank = ranked.rankOf(timestampOf(String(time)), Number(id))
    if (descending) return rank - 1
    return ranked.at(rank) === Number(id) ? rank + 1 : rank
  }
  const ids: number[] = []
  let skip = cursor ? 0 : offset
  for (let rank = cursor ? startAfterCursor() : start; rank >= 0 && rank < ranked.size() && ids.length <= limit; rank += step) {
    const one = ranked.at(rank)
    if ((!ranked.exact && !result.has(one)) || !isShown(one)) continue
    if (skip > 0) skip -= 1
    else ids.push(one)
  }
  return ids
}

/** Rows of these feeds for a page, if they are still visible and in the space. `rest` is the end of the statement. */
const selectAmong = (db: Db, actor: Actor, filter: ListFilter, ids: readonly number[], rest: (p: Placeholder) => string) =>
  selectRows<FeedHit>(db, (p) => {
    const { order, spaceId, exclude } = filter
    const columns = ['f.id', ...sortColumns(order.columns), `${rowVersion(db, 'f')} as version`, viewerStateColumns(p(actor.id))].join(', ')
    const space = spaceId === undefined ? '' : ` and f.space_id = ${p(spaceId)}`
    const pinned = exclude === 'pinned' ? ' and f.is_sticky = 0' : ''
    return `select ${columns} from ${idsTable(db, ids, p, 'h')} cross join feeds f
      where f.id = h.value and ${visibleFeeds(actor, p)}${space}${pinned}${rest(p)}`
  })

/** Loads the rows in the given order; null if one of them is no longer visible. */
const loadRowsInOrder = async (db: Db, actor: Actor, filter: ListFilter, ids: readonly number[]): Promise<FeedHit[] | null> => {
  if (ids.length === 0) return []
  const rows = new Map((await selectAmong(db, actor, filter, ids, () => '')).map((row) => [row.id, row]))
  return rows.size === ids.length ? ids.flatMap((id) => rows.get(id) ?? []) : null
}

/** A page in another order: the database sorts the matches. */
const sortMatches = (db: Db, actor: Actor, filter: ListFilter, ids: readonly number[], { limit, offset, cursor }: PageRange) =>
  selectAmong(db, actor, filter, ids, (p) => {
    const afterClause = cursor ? ` and ${afterCursor(filter.order, cursor.values.map(p))}` : ''
    return `${afterClause} order by ${orderBy(filter.order)} ${limitTo(db, limit + 1, cursor ? 0 : offset, p)}`
  })

/** A page in another order: scans the index of the order and skips rows that do not match. */
const scanInOrder = async (
  db: Db,
  actor: Actor,
  filter: ListFilter,
  view: View,
  { limit, offset, cursor }: PageRange,
): Promise<FeedHit[]> => {
  const { order, spaceId, exclude } = filter
  const list = { order: { ...order, only: undefined }, spaceId, exclude }
  const rows: FeedHit[] = []
  let skip = cursor ? 0 : offset
  let from = cursor
  for (;;) {
    const batch = await listFeeds(db, actor, list, { limit: SCAN_BATCH, offset: 0, cursor: from })
    for (const row of batch.slice(0, SCAN_BATCH)) {
      if (!view.result.has(row.id) || !view.isShown(row.id)) continue
      if (skip > 0) skip -= 1
      else if (rows.push(row) > limit) return rows
    }
    const last = batch[SCAN_BATCH - 1]
    if (!last || batch.length <= SCAN_BATCH) return rows
    from = { order: order.name, values: order.valuesOf(last) }
  }
}

const pinnedFeeds = statementValues<number>('select f.id from feeds f where f.is_sticky = 1 and f.listed = 1')
const feedsOfAuthor = statementValues<number>('select f.id from feeds f where f.user_id = $1 and f.listed = 1')

/** Cached while the index in memory is up to date. */
const INDEX_UNCHANGED = 'feed index unchanged'

/** The list as the caller sees it now; null if only the database can answer. */
const resolveView = async (ctx: ReadRequest, filter: ListFilter): Promise<View | 'nothing' | null> => {
  const { search, topics, userId } = filter
  const query = search ? queryTokens(search) : null
  if (search && !query) return 'nothing'
  if (topics?.groups.some(({ ids }) => ids.length === 0)) return 'nothing'
  const predicates = [...(query ? [matching(query)] : []), ...(topics?.groups.map(({ ids }) => inTopics(ids)) ?? [])]
  const excluded = filter.exclude === 'pinned' ? pinnedFeeds(ctx.db) : [filter.exclude ?? []].flat()
  const [scope, exclude] = await Promise.all([visibleScopeOf(ctx), excluded])
  const byAuthor = userId === undefined ? null : await feedsOfAuthor(ctx.db, [userId])
  const isUnchanged = findAggregate<true>(ctx, INDEX_UNCHANGED) === true
  // The tag `finds` reports what the index in memory is made from.
  const current = await unrecorded(() => feedIndexOf(ctx.services).find(ctx.db, predicates, isUnchanged))
  if (!current) return null
  await cachedAggregate(ctx, INDEX_UNCHANGED, async (track) => {
    track.tag('finds')
    return true
  })
  const { columns, found: result } = current
  return viewOf(columns, intersection(columns, byAuthor ? [...result, resultSetOf(columns, byAuthor)] : result), scope, filter, exclude)
}

const pageOfView = async ({ db, actor }: ReadRequest, filter: ListFilter, view: View, page: PageRange): Promise<FeedHit[] | null> => {
  const { total, columns } = view
  if (total === 0) return []
  if (filter.order.keys[0] === 'f.published_at') return loadRowsInOrder(db, actor, filter, idsByTime(view, filter.order.descending, page))
  const steps = ((page.offset + page.limit + 1) * columns.size()) / total
  return steps < total
    ? scanInOrder(db, actor, filter, view, page)
    : sortMatches(db, actor, filter, idsOf(view.result).filter(view.isShown), page)
}

/** The size of a filtered list from the in-memory index; null if only the database can answer. */
export const totalInMemory = async (ctx: ReadRequest, filter: ListFilter): Promise<number | null> => {
  const view = await resolveView(ctx, filter)
  return view === 'nothing' ? 0 : (view?.total ?? null)
}

/** A page of a list and its total number, from the in-memory index. Null if the database must answer. */
export const findInMemory = async (ctx: ReadRequest, filter: ListFilter, page: PageRange): Promise<FoundPage | null> => {
  const view = await resolveView(ctx, filter)
  if (view === 'nothing') return { rows: [], total: 0 }
  const rows = view && (await pageOfView(ctx, filter, view, page))
  return rows && view && { rows, total: view.total }
}
