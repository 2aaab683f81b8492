import { CONTENT_TYPES, FEED_ORDERS, REACTION_TYPES } from '@lyceum/contract'
import { type Answer, type Context, type Fields, type Handler, type Handlers, named, saving } from './operations.ts'
import { surveyConfig } from './records/index.ts'
import { fieldsOf, isFields, isTrue, listOf, paginator, renamed, switchesOf, textOf, timeOf, without } from './values.ts'

const seconds = ({ now }: Context) => Math.floor(now.getTime() / 1000)
const dateOf = ({ now }: Context) => now.toISOString().slice(0, 19).replace('T', ' ')

/** A feed in both formats. */
export const feedOf = async ({ call }: Context, feed_id: unknown) => {
  const { data } = await call('feeds.byId', { params: { feed_id } })
  return data
}

// ---- input -------------------------------------------------------------------------------------------------

const slugOf = (label: string, i: number) =>
  `${
    label
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 80) || 'option'
  }-${i + 1}`

/** Converts `survey_config` to a Lyceum survey. If it has no question, `fallback` is used. */
const surveyOf = (config: Fields, fallback: string): Fields => {
  if (!('options' in config)) return config
  const options = listOf(config['options']).map((option, i) => {
    const { slug, label = option } = fieldsOf(option)
    return { slug: textOf(slug) || slugOf(textOf(label), i), label: textOf(label) }
  })
  return {
    question: textOf(config['question']) || fallback.slice(0, 500),
    options,
    allow_multiple: config['type'] === 'multi_choice' || isTrue(config['allow_multiple']),
    end_date: timeOf(textOf(config['end_date'])) ?? null,
  }
}

/** The media preview: a GIF, or a link preview. */
const previewOf = (media: unknown): Fields => {
  if (!isFields(media)) return {}
  const { image, url, provider, width, height, id, title } = media
  const size = { ...(width ? { width: Number(width) } : {}), ...(height ? { height: Number(height) } : {}) }
  if (provider === 'giphy') return { gif: { ...(id ? { id } : {}), url: image ?? url, ...(title ? { title } : {}), ...size } }
  if (isTrue(media['is_uploaded']))
    return { media_items: [{ url: image ?? url, ...(media['media_id'] ? { id: Number(media['media_id']) } : {}), type: 'image', ...size }] }
  return url ? { preview: { url, ...(image ? { image } : {}), ...(title ? { title } : {}) } } : {}
}

const itemOf = (item: unknown) => {
  if (!isFields(item)) return item
  const id = Number(item['media_id'] ?? item['id'])
  return { ...without(item, 'id', 'media_id'), ...(Number.isSafeInteger(id) && id > 0 ? { id } : {}) }
}

/** Converts attachments and surveys of a feed or comment, under all their names, to `meta`. */
const metaOf = (body: Fields, fallback: string): Fields => {
  const meta = fieldsOf(body['meta'])
  const { media_preview, survey_config, survey, giphy, media_items, ...own } = meta
  const pictures = [...listOf(media_items), ...listOf(body['media_images'])].map(itemOf)
  const config = body['survey'] ?? survey_config ?? survey
  return {
    ...without(own, 'preview_data', 'comments_disabled'),
    ...previewOf(media_preview),
    ...previewOf(isFields(giphy) ? { provider: 'giphy', ...giphy } : undefined),
    ...previewOf(body['media']),
    ...(pictures.length > 0 && { media_items: pictures }),
    ...(isFields(config) && Object.keys(config).length > 0 && { survey: surveyOf(config, fallback) }),
    ...switchesOf(meta, 'comments_disabled'),
  }
}

/** Space parameter: an id or a slug. */
const spaceOf = (value: unknown): Fields => {
  const text = textOf(value)
  if (text === '') return {}
  return /^\d+$/.test(text) ? { space_id: Number(text) } : { space: text }
}

const feedBody = ({ body }: Context): Fields => {
  const { space, space_id, new_space_id, move_to_profile, content_type, ...rest } = body
  const place = { ...spaceOf(space_id), ...(textOf(space) !== '' && { space: textOf(space) }), ...spaceOf(new_space_id) }
  const meta = metaOf(body, textOf(body['title']) || textOf(body['message']) || 'Survey')
  return {
    ...without(rest, 'survey', 'media', 'media_images', 'meta', 'send_announcement_email', 'document_ids', 'is_admin'),
    ...place,
    ...(isTrue(move_to_profile) && { space_id: null }),
    ...((CONTENT_TYPES as readonly unknown[]).includes(content_type) && { content_type }),
    ...(Object.keys(meta).length > 0 && { meta }),
  }
}

/** A comment with its attachments. */
export const commentBody = ({ body }: Context): Fields => {
  const meta = metaOf(body, '')
  const { parent_id } = body
  return {
    ...without(body, 'media', 'media_images', 'meta', 'parent_id'),
    ...(textOf(parent_id) !== '' && { parent_id }),
    ...(Object.keys(meta).length > 0 && { meta }),
  }
}

/** List parameters. Unknown orders are replaced with the default. */
const listQuery = ({ query }: Context): Fields => {
  const { space_id, order_by_type, since, updated_since, ...rest } = query
  return {
    ...rest,
    ...spaceOf(space_id),
    ...((FEED_ORDERS as readonly unknown[]).includes(order_by_type) && { order_by_type }),
    since: timeOf(since),
    updated_since: timeOf(updated_since),
  }
}

// ---- answers -----------------------------------------------------------------------------------------------

const saveFeed = saving('feed', feedOf, (ctx) => ({ last_fetched_timestamp: seconds(ctx) }))

const patchBody = ({ body }: Context): Fields => ({ ...body, ...switchesOf(body, 'is_sticky', 'comments_disabled') })

/** An empty string, the only id, or all ids: the format of select fields. */
const chosen = (ids: readonly number[]) => (ids.length > 1 ? ids : (ids[0] ?? ''))

/** Further data for the editor. */
const forEditing = (ctx: Context, { terms, meta }: Answer<'feeds.byId'>['data']): Fields => {
  if (ctx.query['context'] !== 'edit') return {}
  return {
    topic_ids: chosen(terms.map(({ id }) => id)),
    media_images: listOf(meta['media_items']),
    ...(isFields(meta['survey']) && { survey: meta['survey'] }),
  }
}

/** The complete space and topics of a feed. */
const surroundings = async ({ call }: Context, { space, terms }: Answer<'feeds.byId'>['data']): Promise<Fields> => {
  const topics = terms.length > 0 ? (await call('topics.list')).topics : []
  return {
    ...(space && { space: { ...(await call('spaces.byId', { params: { space_id: space.id } })).data, ...space } }),
    terms: terms.map((term) => {
      const { description = '', admin_only = 'no', created_at, updated_at } = topics.find(({ id }) => id === term.id) ?? {}
      return { ...term, parent_id: null, description, settings: { admin_only }, created_at, updated_at }
    }),
  }
}

const one =
  (operation: 'feeds.byId' | 'feeds.bySlug'): Handler =>
  async (ctx) => {
    const { data } = await ctx.call(operation, { params: ctx.params })
    const around = operation === 'feeds.bySlug' ? await surroundings(ctx, data) : {}
    const feed = { ...data, ...around, ...forEditing(ctx, data) }
    return { data: feed, feed, execution_time: 0 }
  }

/** The reaction that a body requests. A `type` alone toggles it, as in Lyceum. */
const reactionBody = (body: Fields): Fields => {
  const { react_type, reaction, remove, state } = body
  const asked = textOf(react_type ?? reaction)
  if (asked === '' && remove === undefined && state === undefined) return body
  const type = (REACTION_TYPES as readonly string[]).find((known) => known === (asked || body['type'])) ?? 'like'
  const wanted = state === undefined ? !isTrue(remove) : isTrue(state)
  if (asked === 'bookmark') return { react_type: 'bookmark', state: wanted }
  return wanted ? { type, state: true } : { state: false }
}

const react = async (ctx: Context, body: Fields) => {
  const { feed_id } = ctx.params
  const answer = await ctx.call('reactions.toFeed', { params: { feed_id }, body })
  const { reactions_count, has_user_react, bookmarked } = await feedOf(ctx, feed_id)
  return { ...answer, new_count: reactions_count, has_user_react: has_user_react !== null, bookmarked }
}

/** New posts and notifications since a time. */
const ticker: Handler = async (ctx) => {
  const { call, query } = ctx
  const since = timeOf(query['since'] ?? query['last_fetched_timestamp'])
  const activities = (await call('activities.ticker')).activities
  const { unread_count } = await call('notifications.unread')
  const feeds = since ? (await call('feeds.list', { query: { updated_since: since, per_page: 20 } })).feeds.data : []
  return {
    activities,
    has_changes: feeds.length > 0,
    timestamp: dateOf(ctx),
    last_fetched_timestamp: seconds(ctx),
    new_items_count: feeds.filter(({ created_at }) => since !== undefined && created_at >= since).length,
    feeds: feeds.map(({ id, updated_at }) => ({ id, updated_at })),
    notifications: { unread_count, new_count: unread_count },
    spaces: [],
    execution_time: 0,
  }
}

const updates: Handler = async (ctx) => {
  const since = timeOf(ctx.query['since'])
  const [, kind, id] = /^(space|user)-(\d+)$/.exec(ctx.query['context'] ?? '') ?? []
  const place = kind === undefined ? {} : { [`${kind}_id`]: id }
  const feeds = since ? (await ctx.call('feeds.list', { query: { ...place, updated_since: since, per_page: 20 } })).feeds.data : []
  const action = (created: string) => (since !== undefined && created >= since ? 'created' : 'updated')
  return {
    updates: feeds.map(({ id, updated_at, created_at }) => ({ id, updated_at, action: action(created_at) })),
    timestamp: dateOf(ctx),
    has_changes: feeds.length > 0,
  }
}

const MOST_AT_ONCE = 20

const isMissing = (error: unknown) => (error as { status?: unknown }).status === 404

const batch: Handler = async (ctx) => {
  const feeds: object[] = []
  for (const id of listOf(ctx.body['feed_ids']).slice(0, MOST_AT_ONCE)) {
    const feed = await feedOf(ctx, id).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    if (feed) feeds.push(feed)
  }
  return { feeds, count: feeds.length }
}

const vote: Handler = async (ctx) => {
  const { params, body, call } = ctx
  const slugs = listOf(body['vote_indexes'] ?? body['option_slug']).map(textOf)
  const answer = await call('surveys.vote', { params, body: { option_slug: slugs.length === 1 ? slugs[0] : slugs } })
  const { meta } = await feedOf(ctx, params['feed_id'])
  return { ...answer, ...surveyConfig(meta['survey']) }
}

const voters: Handler = async ({ call, params, query }) => {
  const answer = await call('surveys.voters', { params, query })
  const { feed_id, option_slug } = params
  const row = ({ id, display_name, avatar, voted_at }: (typeof answer.voters)[number]) => ({
    id,
    display_name,
    avatar,
    voted_at,
    user_id: id,
    object_id: Number(feed_id),
    parent_id: null,
    object_type: option_slug,
    type: 'survey_vote',
    created_at: voted_at,
    updated_at: voted_at,
    xprofile: { user_id: id, display_name, avatar },
  })
  return { ...answer, voters: answer.voters.map(row) }
}

const scheduled =
  (operation: 'scheduledPosts.reschedule' | 'scheduledPosts.publish'): Handler =>
  async (ctx) => {
    const answer = await ctx.call(operation, ctx)
    const feed = await feedOf(ctx, ctx.params['feed_id'])
    return { ...answer, feed, data: feed }
  }

export const feedHandlers: Handlers = {
  'GET /feeds': async (ctx) => {
    const answer = await ctx.call('feeds.list', { query: listQuery(ctx) })
    const { total, per_page } = answer.feeds
    return {
      ...answer,
      feeds: { ...answer.feeds, last_page: Math.max(1, Math.ceil(total / per_page)) },
      last_fetched_timestamp: seconds(ctx),
    }
  },
  'GET /feeds/{feed_id}/by-id': one('feeds.byId'),
  'GET /feeds/{feed_slug}/by-slug': one('feeds.bySlug'),
  'POST /feeds': saveFeed('feeds.create', feedBody),
  'POST /feeds/{feed_id}': saveFeed('feeds.update', feedBody),
  'PATCH /feeds/{feed_id}': saveFeed('feeds.patch', patchBody),
  'POST /feeds/{feed_id}/react': (ctx) => react(ctx, reactionBody(ctx.body)),
  'DELETE /feeds/{feed_id}/react': (ctx) => react(ctx, { state: false }),
  'POST /feeds/{feed_id}/reactions/toggle': (ctx) => react(ctx, { type: textOf(ctx.body['type'] ?? ctx.body['react_type']) || 'like' }),
  'POST /feeds/{feed_id}/apps/survey-vote': vote,
  'GET /feeds/{feed_id}/apps/survey-voters/{option_slug}': voters,
  'GET /feeds/ticker': ticker,
  'GET /feeds/ticker-updates': updates,
  'POST /feeds/batch': batch,
  'POST /feeds/markdown-preview': async ({ call, body }) => {
    const answer = await call('feeds.preview', { body: { content: body['content'] ?? body['text'] } })
    return { ...answer, message_rendered: answer.html, meta: {} }
  },
  'GET /feeds/oembed': async ({ call, query }) => {
    const { data } = await call('media.oembed', { query })
    const { title, author_name, provider_name: provider, type, html, thumbnail_url: image } = data
    return { data, oembed: { title, author_name, type, provider, content_type: type, url: query['url'] ?? '', html, image } }
  },
  'POST /feeds/media-upload': named('media.upload', ['media']),
  'GET /feeds/bookmarks': async ({ call, query }) => {
    const answer = await call('bookmarks.list', { query: { ...query, order_by_type: query['order_by_type'] } })
    return {
      ...answer,
      feeds: paginator(
        answer.data.map(({ feed }) => feed),
        answer.meta,
      ),
      last_id: answer.data.at(-1)?.id ?? 0,
    }
  },
  'POST /feeds/links': ({ call, body }) =>
    call('links.save', {
      body: {
        links: listOf(body['links'])
          .map(fieldsOf)
          .map((link) => ({
            ...renamed(link, { permalink: 'url', icon_image: 'icon' }),
            enabled: link['enabled'] !== 'no',
            new_tab: isTrue(link['new_tab']),
          })),
      },
    }),
  'GET /giphy': async ({ call, query }) => {
    const answer = await call('gif.search', { query: { ...query, q: query['q'] ?? query['search'] } })
    const gifs = answer.data.map(({ images, ...gif }) => ({
      ...gif,
      images: {
        ...images,
        preview_gif: images.preview ?? images.fixed_height_small ?? images.original,
        downsized_medium: images.downsized ?? images.original,
      },
    }))
    return { ...answer, gifs }
  },
  'GET /scheduled-posts': async ({ call, query }) => {
    const { posts, pagination } = await call('scheduledPosts.list', { query })
    return { posts, pagination, feeds: paginator(posts, pagination) }
  },
  'PUT /scheduled-posts/{feed_id}': scheduled('scheduledPosts.reschedule'),
  'POST /scheduled-posts/publish/{feed_id}': scheduled('scheduledPosts.publish'),
  'GET /activities': async ({ call, query }) => {
    const answer = await call('activities.list', { query })
    const { total, per_page, current_page } = answer.activities
    return {
      ...answer,
      activities: { ...answer.activities, has_more: current_page * per_page < total },
      pinned_posts: [],
      pending_count: 0,
    }
  },
}
