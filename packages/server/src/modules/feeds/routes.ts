import { type api, MESSAGE_BYTES } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { render } from '../../platform/content/render.ts'
import { byteLength } from '../../platform/content/url.ts'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { Handlers, Input } from '../../platform/http/handlers.ts'
import { pageOf } from '../../platform/pagination.ts'
import { spaceFor } from '../spaces/index.ts'
import { feedFor } from './access.ts'
import { createFeed, removeFeed, updateFeed } from './changes.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { viewFeeds } from './hydrate.ts'
import { countFeeds, type ListWhat, listFeeds, type PageWhat, pinnedFeed, searchFeeds } from './lists.ts'
import { orderOf } from './orders.ts'

const SEARCH_LENGTH = 200

type ListInput = Input<typeof api.feeds.list>['query']

const readOne = async (ctx: AskedRead, key: number | string) => {
  const [feed] = await viewFeeds(ctx, [await feedFor(ctx, key, 'view')])
  if (!feed) throw new ApiError('feed_not_found')
  return { data: feed }
}

/** Which list a query names. A pinned feed stands above unfiltered lists and is left out of them. */
const describeList = async (ctx: AskedRead, query: ListInput) => {
  const { space, user_id, status, type, topic_slug, disable_sticky } = query
  const search = query.search?.trim()
  if (search && search.length > SEARCH_LENGTH) throw invalidParameter('search', `must have at most ${SEARCH_LENGTH} characters`)
  const spaceId = space === undefined ? undefined : (await spaceFor(ctx, space, 'view')).id
  const order = orderOf(query.order_by_type)
  const noPins = disable_sticky === 'yes'
  const withPin = !noPins && !search && user_id === undefined && (status === undefined || status === 'published')
  const sticky = withPin ? await pinnedFeed(ctx.db, ctx.actor, spaceId) : undefined
  const what: ListWhat = { order, spaceId, userId: user_id, status, type, search, topic: topic_slug, without: noPins ? 'pinned' : sticky?.id }
  return { what, sticky }
}

const readPage = async ({ db, actor }: AskedRead, what: ListWhat, page: PageWhat) => {
  if (what.search) return searchFeeds(db, actor, what, page)
  const [rows, total] = await Promise.all([listFeeds(db, actor, what, page), countFeeds(db, actor, what)])
  return { rows, total }
}

export const feedHandlers: Handlers<typeof api.feeds> = {
  list: async (ctx, { query }) => {
    const { page = 1, per_page = 10 } = query
    const { what, sticky } = await describeList(ctx, query)
    const { limit, offset } = pageOf({ page, per_page })
    const cursor = query.cursor ? readCursor(query.cursor, what.order.name, what.order.types) : undefined
    const { rows: found, total } = await readPage(ctx, what, { limit, offset, cursor })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const has_more = found.length > limit
    const showSticky = sticky !== undefined && page === 1 && !cursor
    const views = await viewFeeds(ctx, showSticky ? [...rows, sticky] : rows)
    return {
      feeds: {
        data: views.slice(0, rows.length),
        current_page: page,
        per_page,
        from: rows.length > 0 && !cursor ? offset + 1 : null,
        to: rows.length > 0 && !cursor ? offset + rows.length : null,
        has_more,
        total,
        next_cursor: has_more && last ? writeCursor({ order: what.order.name, values: what.order.valuesOf(last) }) : null,
      },
      sticky: showSticky ? (views.at(-1) ?? null) : null,
      execution_time: Math.round((performance.now() - ctx.request.startedAt) * 100) / 100_000,
    }
  },

  byId: (ctx, { params }) => readOne(ctx, params.feed_id),
  bySlug: (ctx, { params }) => readOne(ctx, params.feed_slug),

  create: async (ctx, { body }) => {
    const { id, title, slug, message, status, held } = await createFeed(ctx, body)
    const said = { published: 'Published.', draft: 'Saved as a draft.', scheduled: 'Scheduled.', pending: 'Waits for a moderator.', spam: 'Marked as spam.' }
    return { message: held ? said.pending : said[status], data: { id, title, slug, message, status, created_at: ctx.now } }
  },

  update: async (ctx, { params, body }) => {
    const { id, title, updated_at, held } = await updateFeed(ctx, params.feed_id, body)
    return { message: held ? 'Waits for a moderator.' : 'Saved.', data: { id, title, updated_at } }
  },

  remove: async (ctx, { params }) => {
    await removeFeed(ctx, params.feed_id)
    return { message: 'Deleted.' }
  },

  preview: async (_ctx, { body }) => {
    if (byteLength(body.content) > MESSAGE_BYTES) throw new ApiError('invalid_content', { data: { field: 'content' } })
    return { html: render(body.content, 'markdown') }
  },
}
