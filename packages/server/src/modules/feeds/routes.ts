import { api, MESSAGE_BYTES, type ResponseOf } from '@lyceum/contract'
import { render } from '../../platform/content/render.ts'
import { byteLength } from '../../platform/content/url.ts'
import type { AskedRead } from '../../platform/context.ts'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import { wholeData, withItems } from '../../platform/http/fragments.ts'
import { type Handlers, type Input, prepared } from '../../platform/http/handlers.ts'
import { pageOf } from '../../platform/pagination.ts'
import { spaceAbilities, spaceFor } from '../spaces/index.ts'
import { approvesEverywhere, feedAbilities, feedFor } from './access.ts'
import { topicFilter } from './by-topic.ts'
import { createFeed, prepareFeed, prepareUpdate, removeFeed, updateFeed } from './changes.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { feedItems, viewFeeds } from './hydrate.ts'
import { countFeeds, isFiltered, type ListWhat, listFeeds, type PageWhat, pinnedFeed, searchFeeds } from './lists.ts'
import { orderOf } from './orders.ts'
import { type FeedHit, loadFeeds } from './rows.ts'

const SEARCH_LENGTH = 200

type ListInput = Input<typeof api.feeds.list>['query']

const readOne = async (ctx: AskedRead, key: number | string) => {
  const since = ctx.services.caches.now()
  const [item] = await feedItems(ctx, [await feedFor(ctx, key, 'view')], since)
  if (!item) throw new ApiError('feed_not_found')
  return wholeData<ResponseOf<typeof api.feeds.byId>>(item)
}

const readPinned = async (ctx: AskedRead, id: number) => {
  const rows = (await loadFeeds(ctx.db, [id], ctx.actor.id)).filter((row) => feedAbilities(ctx.actor, row).view)
  return (await viewFeeds(ctx, rows))[0] ?? null
}

/** Which list a query names. A pinned feed stands above unfiltered lists and is left out of them. */
const describeList = async (ctx: AskedRead, query: ListInput) => {
  const { space, user_id, status, type, topic_slug, topics, disable_sticky } = query
  const search = query.search?.trim()
  if (search && [...search].length > SEARCH_LENGTH) throw invalidParameter('search', `must have at most ${SEARCH_LENGTH} characters`)
  const place = space === undefined ? undefined : await spaceFor(ctx, space, 'view')
  const spaceId = place?.id
  const order = orderOf(query.order_by_type)
  const noPins = disable_sticky === 'yes'
  const byTopic = await topicFilter(ctx.db, { slug: topic_slug, ids: topics }, spaceId)
  const withPin = !noPins && !search && !byTopic && user_id === undefined && (status === undefined || status === 'published')
  const sticky = withPin ? await findPinned(ctx, spaceId) : undefined
  const what: ListWhat = {
    order,
    spaceId,
    userId: user_id,
    status,
    decides: approvesEverywhere(ctx.actor) || (place !== undefined && spaceAbilities(ctx.actor, place).approve),
    type,
    search,
    topics: byTopic,
    without: noPins ? 'pinned' : sticky?.id,
  }
  return { what, sticky }
}

/** Most figures about lists that are kept. */
const KEPT = 10_000

/** Keeps a figure about an unfiltered list until a feed comes, goes or moves, or the caller's place changes. */
const keeping = async <V>({ services: { caches }, actor }: AskedRead, name: string, what: string, work: () => Promise<V>): Promise<V> => {
  const kept = caches.of<{ value: V }>(name, KEPT, 'rights')
  const key = `${actor.id} ${what}`
  const since = caches.now()
  const found = kept.get(key, since)
  if (found) return found.value
  const value = await work()
  kept.set(key, { value }, ['lists', `member:${actor.id}`, `user:${actor.id}`], since)
  return value
}

/** The pinned feed; that there is none, as is usual, is kept. */
const findPinned = async (ctx: AskedRead, spaceId: number | undefined): Promise<FeedHit | undefined> => {
  const load = () => pinnedFeed(ctx.db, ctx.actor, spaceId)
  const exists = await keeping(ctx, 'pinned', String(spaceId ?? 0), async () => (await load()) !== undefined)
  return exists ? load() : undefined
}

const readPage = async (ctx: AskedRead, what: ListWhat, page: PageWhat) => {
  const { db, actor } = ctx
  if (what.search) return searchFeeds(db, actor, what, page)
  const count = () => countFeeds(db, actor, what)
  // A topic alone narrows a list to what is kept as well as the whole of it.
  const rest = { ...what, topics: undefined }
  const topics = JSON.stringify(what.topics?.groups.map(({ ids }) => ids))
  const total = isFiltered(rest) ? count() : keeping(ctx, 'totals', `${what.spaceId ?? 0} ${what.without ?? ''} ${topics}`, count)
  const [rows, size] = await Promise.all([listFeeds(db, actor, what, page), total])
  return { rows, total: size }
}

/** What a new feed's author is told, by what became of it. */
const SAID = {
  published: 'Published.',
  draft: 'Saved as a draft.',
  scheduled: 'Scheduled.',
  pending: 'Waits for a moderator.',
  spam: 'Marked as spam.',
}

export const feedHandlers: Handlers<typeof api.feeds> = {
  list: async (ctx, { query }) => {
    const { page = 1, per_page = 10 } = query
    const since = ctx.services.caches.now()
    const { what, sticky } = await describeList(ctx, query)
    const { limit, offset } = pageOf({ page, per_page })
    const cursor = query.cursor ? readCursor(query.cursor, what.order.name, what.order.types) : undefined
    const { rows: found, total } = await readPage(ctx, what, { limit, offset, cursor })
    const rows = found.slice(0, limit)
    const last = rows.at(-1)
    const has_more = found.length > limit
    const showSticky = sticky !== undefined && page === 1 && !cursor
    const [items, pinned] = await Promise.all([feedItems(ctx, rows, since), showSticky ? readPinned(ctx, sticky.id) : null])
    const answer: ResponseOf<typeof api.feeds.list> = {
      feeds: {
        data: [],
        current_page: page,
        per_page,
        from: rows.length > 0 && !cursor ? offset + 1 : null,
        to: rows.length > 0 && !cursor ? offset + rows.length : null,
        has_more,
        total,
        next_cursor: has_more && last ? writeCursor({ order: what.order.name, values: what.order.valuesOf(last) }) : null,
      },
      sticky: pinned,
      execution_time: Math.round((performance.now() - ctx.request.startedAt) * 100) / 100_000,
    }
    return withItems(answer, 'data', items)
  },

  byId: (ctx, { params }) => readOne(ctx, params.feed_id),
  bySlug: (ctx, { params }) => readOne(ctx, params.feed_slug),

  create: prepared(
    api.feeds.create,
    (ctx, { body }) => prepareFeed(ctx, body),
    async (ctx, { body }, ready) => {
      const { id, title, slug, message, status } = await createFeed(ctx, body, ready)
      return { message: SAID[status], data: { id, title, slug, message, status, created_at: ctx.now } }
    },
  ),

  update: prepared(
    api.feeds.update,
    (ctx, { params, body }) => prepareUpdate(ctx, params.feed_id, body),
    async (ctx, { params, body }, rendered) => {
      const { id, title, updated_at, held, status } = await updateFeed(ctx, params.feed_id, body, rendered)
      return { message: held ? SAID[status] : 'Saved.', data: { id, title, updated_at } }
    },
  ),

  remove: async (ctx, { params }) => {
    await removeFeed(ctx, params.feed_id)
    return { message: 'Deleted.' }
  },

  preview: async (_ctx, { body }) => {
    if (byteLength(body.content) > MESSAGE_BYTES) throw new ApiError('invalid_content', { data: { field: 'content' } })
    return { html: render(body.content, 'markdown') }
  },
}
