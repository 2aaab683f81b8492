import { commentBody } from './feeds.ts'
import { type Answer, type Context, type Fields, type Handler, type Handlers, named, saving } from './operations.ts'
import { isTrue, switchesOf, table, textOf } from './values.ts'

const commentOf = async ({ call }: Context, comment_id: unknown) => (await call('comments.byId', { params: { comment_id } })).data

const saveComment = saving('comment', commentOf)

/** Clients that request no page expect all comments. */
const MOST_PAGES = 10

const list: Handler = async ({ call, params, query }) => {
  const orders = table<string>({ popular: 'likes', most_replied: 'likes' })
  const input = { ...query, orderby: query['orderby'] ?? orders[query['order_by'] ?? ''] }
  const first = await call('comments.list', { params, query: { per_page: 100, ...input } })
  const comments: Answer<'comments.list'>['comments'] = [...first.comments]
  const isWhole = query['page'] === undefined && query['per_page'] === undefined
  for (let page = 2; isWhole && page <= Math.min(MOST_PAGES, first.pagination.total_pages); page++)
    comments.push(...(await call('comments.list', { params, query: { per_page: 100, ...input, page } })).comments)
  return { ...first, comments, sticky_comment: comments.find(({ is_sticky }) => is_sticky) ?? null }
}

const react = async (ctx: Context, body: Fields) => {
  const { feed_id, comment_id } = ctx.params
  const answer = await ctx.call('reactions.toComment', { params: { feed_id, comment_id }, body })
  const { reactions_count, has_user_react } = await commentOf(ctx, comment_id)
  return { ...answer, liked: has_user_react !== null, reactions_count }
}

/** `state` sets the reaction; a `type` alone toggles it. */
const reactionBody = ({ body }: Context): Fields => {
  const type = textOf(body['type'] ?? body['react_type'])
  if (body['state'] === undefined && body['remove'] === undefined) return { type: type || 'like' }
  const wanted = body['state'] === undefined ? !isTrue(body['remove']) : isTrue(body['state'])
  return wanted ? { state: true, type: type || 'like' } : { state: false }
}

export const commentHandlers: Handlers = {
  'GET /feeds/{feed_id}/comments': list,
  'GET /comments/{comment_id}': named('comments.byId', ['comment']),
  'POST /feeds/{feed_id}/comments': saveComment('comments.create', commentBody),
  'POST /feeds/{feed_id}/comments/{comment_id}': saveComment('comments.update', commentBody),
  'PATCH /feeds/{feed_id}/comments/{comment_id}': saveComment('comments.patch', ({ body }) => ({
    ...body,
    ...switchesOf(body, 'is_sticky'),
  })),
  'POST /feeds/{feed_id}/comments/{comment_id}/reactions': (ctx) => react(ctx, reactionBody(ctx)),
  'POST /feeds/{feed_id}/comments/{comment_id}/reactions/toggle': (ctx) => react(ctx, { type: textOf(ctx.body['type']) || 'like' }),
}
