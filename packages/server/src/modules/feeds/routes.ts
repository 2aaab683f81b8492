import { api, type BodyOf, type ResponseOf } from '@lyceum/contract'
import { dataOf, fromSerializedResponse, sharedResponse } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { renderMessage } from '../members/index.ts'
import { revisionsOfFeed } from '../revisions/index.ts'
import { feedAbilities, feedFor } from './access.ts'
import { createFeed, prepareFeed, prepareUpdate, removeFeed, updateFeed } from './commands.ts'
import { feedJson } from './feed-json-cache.ts'
import { respondWithList } from './list/list-feeds.ts'
import { visibilityOf } from './visible-feed-cache.ts'

const readOne = async (ctx: ReadRequest, key: number | string): Promise<ResponseOf<typeof api.feeds.byId>> => {
  const { item } = await visibilityOf(ctx, key)
  const sent = await sharedResponse(ctx, `feed ${item.id} ${item.version} ${item.viewerJson}`, async () => {
    const [json] = await feedJson(ctx, [item])
    if (!json) throw new ApiError('feed_not_found')
    return dataOf(json)
  })
  return fromSerializedResponse(sent, null)
}

/** Message for the author by the status of the new feed. */
const CREATED_MESSAGES = {
  published: 'The feed was published.',
  draft: 'The draft was saved.',
  scheduled: 'The feed was scheduled.',
  pending: 'The feed is waiting for approval.',
  spam: 'The feed was marked as spam.',
}

/** A change of a feed's state as an update. */
const updateOf = ({ comments_disabled, ...state }: BodyOf<typeof api.feeds.patch>): BodyOf<typeof api.feeds.update> =>
  comments_disabled === undefined ? state : { ...state, meta: { comments_disabled: Boolean(comments_disabled) } }

export const feedHandlers: Handlers<typeof api.feeds> = {
  list: (ctx, { query }) => respondWithList(ctx, query),

  byId: (ctx, { params }) => readOne(ctx, params.feed_id),
  bySlug: (ctx, { params }) => readOne(ctx, params.feed_slug),

  revisions: async (ctx, { params, query }) => {
    const feed = await feedFor(ctx, params.feed_id, 'view')
    const { moderate } = feedAbilities(ctx.actor, feed)
    if (feed.user_id !== ctx.actor.id && !moderate) throw new ApiError('feed_not_found')
    return revisionsOfFeed(ctx.db, feed.id, { query, namesEditor: moderate })
  },

  create: prepared(
    api.feeds.create,
    (ctx, { body }) => prepareFeed(ctx, body),
    async (ctx, { body }, ready) => {
      const { id, title, slug, message, status } = await createFeed(ctx, body, ready)
      return { message: CREATED_MESSAGES[status], data: { id, title, slug, message, status, created_at: ctx.now } }
    },
  ),

  update: prepared(
    api.feeds.update,
    (ctx, { params, body }) => prepareUpdate(ctx, params.feed_id, body),
    async (ctx, { params, body }, rendered) => {
      const { id, title, updated_at, held, status } = await updateFeed(ctx, params.feed_id, body, rendered)
      return { message: held ? CREATED_MESSAGES[status] : 'The feed was updated.', data: { id, title, updated_at } }
    },
  ),

  patch: prepared(
    api.feeds.patch,
    (ctx, { params, body }) => prepareUpdate(ctx, params.feed_id, updateOf(body)),
    async (ctx, { params, body }, rendered) => {
      const { id, is_sticky, priority, meta, updated_at } = await updateFeed(ctx, params.feed_id, updateOf(body), rendered)
      const data = { id, is_sticky: is_sticky === 1, priority, comments_disabled: meta['comments_disabled'] === true, updated_at }
      return { message: 'The feed was updated.', data }
    },
  ),

  remove: async (ctx, { params }) => {
    await removeFeed(ctx, params.feed_id)
    return { message: 'The feed was deleted.' }
  },

  preview: async (ctx, { body }) => {
    if (Buffer.byteLength(body.content) > ctx.services.config.messageLimit)
      throw new ApiError('invalid_content', { data: { field: 'content' } })
    return { html: await renderMessage(ctx, body.content, 'markdown') }
  },
}
