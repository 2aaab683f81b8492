import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { fromSerializedResponse, joinItems, type SerializedResponse, splitAt, withItems } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { lazy } from '../../util/lazy.ts'
import { visibilityOf } from '../feeds/index.ts'
import { type CommentHit, commentItems } from './comment-json-cache.ts'
import { type CommentList, listComments, pinnedComment, sizeOfList } from './queries.ts'
import { type ViewerState, viewerStateOf } from './viewer-state.ts'

type Answer = ResponseOf<typeof api.comments.list>
type ListInput = Input<typeof api.comments.list>

/** The comments on a page. */
interface Page {
  readonly hits: readonly CommentHit[]
  readonly total: number
}

/** Limits of the caches of pages (as ids) and of response bodies. */
const MAX_CACHED_PAGES = 10_000
const MAX_CACHED_RESPONSES = 2_000
const RESPONSE_CACHE_BYTES = 16 * 2 ** 20

const serializer = lazy(() => fastJsonStringify(api.comments.list.response as object))

/** Loads a page: its comments, the pinned one included, and the total. */
const findPage = async ({ db }: ReadRequest, list: CommentList, query: ListInput['query'], published: number): Promise<Page> => {
  const { limit, offset } = pageOf(query)
  const [pinned, total] = await Promise.all([list.parentId ? undefined : pinnedComment(db, list.feedId), sizeOfList(db, list, published)])
  // The pinned comment is the first of the first page and shifts all others by one.
  const onFirst = pinned !== undefined && offset === 0
  const window = pinned === undefined ? { limit, offset } : onFirst ? { limit: limit - 1, offset } : { limit, offset: offset - 1 }
  const rows = await listComments(db, list, window)
  return { hits: onFirst ? [pinned, ...rows] : rows, total }
}

/** Callers with the same value see the same list: moderators, everyone, or one author of held comments. */
const audienceOf = ({ unpublished, viewerId }: CommentList, { hasUnpublished }: ViewerState) =>
  unpublished ? 'all' : hasUnpublished ? viewerId : ''

/**
 * A page of the comments of a feed. The ids are cached until something in the feed changes. For callers without own reactions or held
 * comments, the response body is cached and shared.
 */
export const commentPage = async (ctx: ReadRequest, { params, query }: ListInput): Promise<Answer> => {
  const { actor, services } = ctx
  const since = services.caches.revision()
  const feedId = params.feed_id
  const [visibility, viewerState] = await Promise.all([visibilityOf(ctx, feedId, since), viewerStateOf(ctx, feedId, since)])
  const { version } = visibility.item
  const unpublished = visibility.decidesOnComments
  const [order, direction] = [query.orderby ?? ('created_at' as const), query.order ?? ('asc' as const)]
  const list: CommentList = { feedId, parentId: query.parent_id, viewerId: actor.id, unpublished, order, direction }
  const audience = audienceOf(list, viewerState)
  const { limit, offset } = pageOf({ page: query.page ?? 1, per_page: query.per_page ?? 50 })
  const key = `${feedId} ${query.parent_id ?? ''} ${order} ${direction} ${limit} ${offset} ${audience}`
  const isShared = audience === '' && viewerState.reactions.size === 0
  const responses = services.caches.of<SerializedResponse>('comment-answers', MAX_CACHED_RESPONSES, RESPONSE_CACHE_BYTES)
  const cachedResponse = isShared ? responses.get(key, since, version) : undefined
  if (cachedResponse) return fromSerializedResponse(cachedResponse, null)

  const pages = services.caches.of<Page>('comment-pages', MAX_CACHED_PAGES)
  const cachedPage = pages.get(key, since, version)
  const page = cachedPage ?? (await findPage(ctx, list, query, visibility.commentsCount))
  if (!cachedPage) pages.set(key, page, [`feed:${feedId}`], since, version)
  const { items, tags } = await commentItems(ctx, { unpublished, reactions: viewerState.reactions }, page.hits, since)
  const frame = { comments: [], pagination: pagination(page.total, query.page, query.per_page) }
  if (!isShared || !services.caches.isUsable()) return withItems<Answer>(frame, 'comments', items)
  const [head, rest] = splitAt(serializer()(frame), 'comments')
  const sent = joinItems(head, items, rest)
  responses.set(key, sent, [`feed:${feedId}`, ...tags], since, version)
  return fromSerializedResponse(sent, null)
}
