import { lazy } from '@lyceum/content/lazy'
import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { cached, defineCache } from '../../cache/index.ts'
import { fromSerializedResponse, joinItems, sharedResponse, splitAt } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { sharedReadPipeline } from '../../core/read-pipeline.ts'
import { statement } from '../../db/index.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { cachedViewerState, visibilityOf } from '../feeds/index.ts'
import { type CommentHit, commentJson } from './comment-json-cache.ts'
import { type CommentList, listComments, pinnedComment, sizeOfList } from './queries.ts'

type Answer = ResponseOf<typeof api.comments.list>
type ListInput = Input<typeof api.comments.list>

/** The comments on a page. */
interface Page {
  readonly hits: readonly CommentHit[]
  readonly total: number
  /** The key of the serialized page. */
  readonly contentKey: string
}

/** Pages of comments as ids, for all callers who see the same list. */
const pages = defineCache<Page>({ name: 'comment-pages', maxEntries: 10_000 })

const serializer = lazy(() => fastJsonStringify(api.comments.list.response as object))

/** The comments of a feed. Callers without own reactions or held comments share the response. */
export const commentPage = sharedReadPipeline(
  {
    skeleton: async (ctx, { params, query }: ListInput) => {
      const feedId = params.feed_id
      const [visibility, viewerState] = await Promise.all([visibilityOf(ctx, feedId), viewerStateOf(ctx, feedId)])
      const unpublished = visibility.decidesOnComments
      const [order, direction] = [query.orderby ?? ('created_at' as const), query.order ?? ('asc' as const)]
      const list: CommentList = { feedId, parentId: query.parent_id, viewerId: ctx.actor.id, unpublished, order, direction }
      const audience = audienceOf(list, viewerState)
      const { limit, offset } = pageOf({ page: query.page ?? 1, per_page: query.per_page ?? 50 })
      const key = `${feedId} ${visibility.item.version} ${query.parent_id ?? ''} ${order} ${direction} ${limit} ${offset} ${audience}`
      const page = await cached(ctx, pages, key, (track) => {
        track.tag(`feed:${feedId}`)
        return findPage(ctx, list, query, visibility.commentsCount)
      })
      return { page, unpublished, reactions: viewerState.reactions, isShared: audience === '' && viewerState.reactions.size === 0 }
    },
    hydrate: async (ctx, { page, ...viewer }) => ({ total: page.total, comments: await commentJson(ctx, viewer, page.hits) }),
    filter: (_ctx, { total, comments }, track) => {
      const visible = comments.filter((comment) => comment !== undefined)
      if (visible.length < comments.length) track.skip()
      return { total, comments: visible }
    },
    present: (_ctx, { total, comments }, { query }) => {
      const [head, rest] = splitAt(serializer()({ comments: [], pagination: pagination(total, query.page, query.per_page) }), 'comments')
      return joinItems(head, comments, rest)
    },
  },
  async (ctx, { page, isShared }, build) =>
    fromSerializedResponse<Answer>(await (isShared ? sharedResponse(ctx, page.contentKey, build) : build()), null),
)

/** Loads a page: its comments, the pinned one included, and the total. */
const findPage = async ({ db }: ReadRequest, list: CommentList, query: ListInput['query'], published: number): Promise<Page> => {
  const { limit, offset } = pageOf(query)
  const [pinned, total] = await Promise.all([list.parentId ? undefined : pinnedComment(db, list.feedId), sizeOfList(db, list, published)])
  // The pinned comment is the first of the first page and shifts all others by one.
  const onFirst = pinned !== undefined && offset === 0
  const window = pinned === undefined ? { limit, offset } : onFirst ? { limit: limit - 1, offset } : { limit, offset: offset - 1 }
  const rows = await listComments(db, list, window)
  const hits = onFirst ? [pinned, ...rows] : rows
  const contentKey = `comments ${limit} ${offset} ${total} ${hits.map(({ id, version }) => `${id} ${version ?? ''}`).join()}`
  return { hits, total, contentKey }
}

/** The caller's own state among the comments of a feed. */
interface ViewerState {
  /** The caller's reactions by comment id. */
  readonly reactions: ReadonlyMap<number, string>
  /** Whether the caller wrote comments that others cannot see. */
  readonly hasUnpublished: boolean
}

const EMPTY: ViewerState = { reactions: new Map(), hasUnpublished: false }

const find = statement<{ comment_id: number; type: string | null }>(
  `select r.comment_id, r.type from reactions r where r.user_id = $1 and r.feed_id = $2 and r.comment_id is not null
   union all select c.id, null from comments c where c.post_id = $2 and c.user_id = $1 and c.status <> 'published'`,
)

const viewerStateOf = async (ctx: ReadRequest, feedId: number): Promise<ViewerState> => {
  const { db, actor } = ctx
  return cachedViewerState(ctx, `comments ${actor.id} ${feedId}`, async (track) => {
    track.tag(`feed:${feedId}`, `viewer_state:${actor.id}`)
    const rows = await find(db, [actor.id, feedId])
    if (rows.length === 0) return EMPTY
    const reactions = new Map(rows.flatMap(({ comment_id, type }): [number, string][] => (type === null ? [] : [[comment_id, type]])))
    return { reactions, hasUnpublished: reactions.size < rows.length }
  })
}

/** Callers with the same value see the same list: moderators, everyone, or one author of held comments. */
const audienceOf = ({ unpublished, viewerId }: CommentList, { hasUnpublished }: ViewerState) =>
  unpublished ? 'all' : hasUnpublished ? viewerId : ''
