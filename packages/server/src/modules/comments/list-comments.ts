import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { cached, defineCache } from '../../cache/index.ts'
import { fromSerializedResponse, joinItems, sharedResponse, splitAt } from '../../cache/json-fragments.ts'
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

/** Pages of comments as ids, for all callers who see the same list. */
const pages = defineCache<Page>({ name: 'comment-pages', maxEntries: 10_000 })

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
  const { actor } = ctx
  const feedId = params.feed_id
  const [visibility, viewerState] = await Promise.all([visibilityOf(ctx, feedId), viewerStateOf(ctx, feedId)])
  const unpublished = visibility.decidesOnComments
  const [order, direction] = [query.orderby ?? ('created_at' as const), query.order ?? ('asc' as const)]
  const list: CommentList = { feedId, parentId: query.parent_id, viewerId: actor.id, unpublished, order, direction }
  const audience = audienceOf(list, viewerState)
  const { limit, offset } = pageOf({ page: query.page ?? 1, per_page: query.per_page ?? 50 })
  const key = `${feedId} ${visibility.item.version} ${query.parent_id ?? ''} ${order} ${direction} ${limit} ${offset} ${audience}`

  const make = async () => {
    const page = await cached(ctx, pages, key, (track) => {
      track.tag(`feed:${feedId}`)
      return findPage(ctx, list, query, visibility.commentsCount)
    })
    const items = await commentItems(ctx, { unpublished, reactions: viewerState.reactions }, page.hits)
    const frame = serializer()({ comments: [], pagination: pagination(page.total, query.page, query.per_page) })
    const [head, rest] = splitAt(frame, 'comments')
    return joinItems(head, items, rest)
  }
  const isShared = audience === '' && viewerState.reactions.size === 0
  return fromSerializedResponse<Answer>(await (isShared ? sharedResponse(ctx, `comments ${key}`, make) : make()), null)
}
