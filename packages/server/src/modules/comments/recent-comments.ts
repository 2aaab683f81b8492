import type { api, QueryOf, ResponseOf } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { newSinceOf } from '../../core/pagination.ts'
import { readPipeline } from '../../core/read-pipeline.ts'
import { limitTo, type Placeholder, selectRows } from '../../db/index.ts'
import { readCursor, visibleFeeds, writeCursor } from '../feeds/index.ts'
import { viewComment } from '../members/profiles/view.ts'
import { namedSpace } from '../spaces/index.ts'
import { reactionCountsOf } from './comment-json-cache.ts'
import { commentColumns, commentTables } from './view.ts'

type Query = QueryOf<typeof api.comments.all>
type Row = Parameters<typeof viewComment>[0]
type Place = Pick<Row, 'updated_at' | 'id'>

const ORDER = 'changed'
/** Comments that are looked at for one page, so that a page costs the same however few of them the caller sees. */
const WINDOW = 2000

/** The newest comments after the cursor, without access checks. */
const windowSql = (query: Query, p: Placeholder, limit: string): string => {
  const { since = '', updatedSince = '' } = newSinceOf(query)
  const [at, id] = query.cursor ? readCursor(query.cursor, ORDER, ['string', 'number']).values : []
  const parts = [
    // Nothing is edited before it is created, so this begins a range of the index.
    `c.updated_at >= ${p(since > updatedSince ? since : updatedSince)}`,
    ...(since ? [`c.created_at >= ${p(since)}`] : []),
    ...(at !== undefined && id !== undefined ? [`c.updated_at <= ${p(at)} and (c.updated_at, c.id) < (${p(at)}, ${p(id)})`] : []),
  ]
  return `select c.id, c.updated_at, c.post_id, c.status from comments c where ${parts.join(' and ')}
    order by c.updated_at desc, c.id desc limit ${limit}`
}

/** The comments of a page that are on feeds that the caller sees in lists, and where the next page starts. */
const findPage = async (ctx: ReadRequest, query: Query) => {
  const { db, actor } = ctx
  const { per_page: limit = 50 } = query
  const space = await namedSpace(ctx, query, 'view')
  const found = await selectRows<Place>(
    db,
    (p) => `select p1.id, p1.updated_at from (${windowSql(query, p, `${WINDOW}`)}) p1 cross join feeds f
      where f.id = p1.post_id and p1.status = 'published' and ${visibleFeeds(actor, p)}${space ? ` and f.space_id = ${p(space.id)}` : ''}
      order by p1.updated_at desc, p1.id desc ${limitTo(db, limit + 1, 0, p)}`,
  )
  const places = found.slice(0, limit)
  const [end] = found.length > limit ? places.slice(-1) : await selectRows<Place>(db, (p) => windowSql(query, p, `1 offset ${WINDOW - 1}`))
  return { ids: places.map(({ id }) => id), next_cursor: end ? writeCursor({ order: ORDER, values: [end.updated_at, end.id] }) : null }
}

const loadRows = async ({ db, actor }: ReadRequest, ids: readonly number[]): Promise<Row[]> => {
  if (ids.length === 0) return []
  const rows = await selectRows<Row>(
    db,
    (p) => `select ${commentColumns(p(actor.id))}, f.title as post_title, f.slug as post_slug, s.slug as s_slug
      from ${commentTables} join feeds f on f.id = c.post_id left join spaces s on s.id = f.space_id where c.id in (${ids.map(p).join(', ')}) and ${visibleFeeds(actor, p)}`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** GET /comments. */
export const recentComments = readPipeline({
  skeleton: (ctx, query: Query) => findPage(ctx, query),
  hydrate: async (ctx, { ids, next_cursor }) => {
    const rows = await loadRows(ctx, ids)
    return { rows, counts: await reactionCountsOf(ctx.db, rows), next_cursor }
  },
  // One of them may have been held since it was found.
  filter: (_ctx, { rows, ...page }) => ({ ...page, rows: rows.filter(({ status }) => status === 'published') }),
  present: ({ services }, { rows, counts, next_cursor }): ResponseOf<typeof api.comments.all> => ({
    comments: rows.map((row) => viewComment(row, counts.get(row.id) ?? [], services.origin())),
    next_cursor,
  }),
})
