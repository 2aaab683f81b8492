import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { joinItems, type SentAnswer, sentAgain, splitAt, withItems } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Input } from '../../http/pipeline/route-handlers.ts'
import { lazy } from '../../util/lazy.ts'
import { visibilityOf } from '../feeds/index.ts'
import { type CommentHit, commentItems } from './comment-json-cache.ts'
import { type CommentList, listComments, pinnedComment, sizeOfList } from './queries.ts'
import { type OwnMarks, ownMarks } from './viewer-state.ts'

type Answer = ResponseOf<typeof api.comments.list>
type ListInput = Input<typeof api.comments.list>

/** Which comments stand on a page. */
interface Page {
  readonly hits: readonly CommentHit[]
  readonly total: number
}

/** Most pages that are kept by ids, and bytes of those that are kept as they are sent. */
const MAX_CACHED_PAGES = 10_000
const KEPT_ANSWERS = 2_000
const ANSWER_BYTES = 16 * 2 ** 20

const serializer = lazy(() => fastJsonStringify(api.comments.list.response as object))

/** What stands around the pages of a list: the pinned comment and how many there are. */
const findPage = async ({ db }: ReadRequest, what: CommentList, query: ListInput['query'], published: number): Promise<Page> => {
  const { limit, offset } = pageOf(query)
  const [pinned, total] = await Promise.all([what.parentId ? undefined : pinnedComment(db, what.feedId), sizeOfList(db, what, published)])
  // The pinned comment takes the first place of the first page; everything behind it moves on by one.
  const onFirst = pinned !== undefined && offset === 0
  const window = pinned === undefined ? { limit, offset } : onFirst ? { limit: limit - 1, offset } : { limit, offset: offset - 1 }
  const rows = await listComments(db, what, window)
  return { hits: onFirst ? [pinned, ...rows] : rows, total }
}

/** For whom a list is the same: everybody, who decides about comments, or who wrote some that others do not see. */
const audienceOf = ({ unpublished, viewerId }: CommentList, { hasHeld }: OwnMarks) => (unpublished ? 'all' : hasHeld ? viewerId : '')

/**
 * A page of the comments of a feed. Which ones stand on it is kept until something changes in the feed, and for those who have nothing of
 * their own in it also the whole answer, which everybody shares.
 */
export const commentPage = async (ctx: ReadRequest, { params, query }: ListInput): Promise<Answer> => {
  const { actor, services } = ctx
  const since = services.caches.now()
  const feedId = params.feed_id
  const [sight, marks] = await Promise.all([visibilityOf(ctx, feedId, since), ownMarks(ctx, feedId, since)])
  const { version } = sight.item
  const unpublished = sight.decidesOnComments
  const [order, direction] = [query.orderby ?? ('created_at' as const), query.order ?? ('asc' as const)]
  const what: CommentList = { feedId, parentId: query.parent_id, viewerId: actor.id, unpublished, order, direction }
  const audience = audienceOf(what, marks)
  const { limit, offset } = pageOf({ page: query.page ?? 1, per_page: query.per_page ?? 50 })
  const key = `${feedId} ${query.parent_id ?? ''} ${order} ${direction} ${limit} ${offset} ${audience}`
  const isShared = audience === '' && marks.reactions.size === 0
  const answers = services.caches.of<SentAnswer>('comment-answers', KEPT_ANSWERS, ANSWER_BYTES)
  const whole = isShared ? answers.get(key, since, version) : undefined
  if (whole) return sentAgain(whole, null)

  const pages = services.caches.of<Page>('comment-pages', MAX_CACHED_PAGES)
  const known = pages.get(key, since, version)
  const page = known ?? (await findPage(ctx, what, query, sight.commentsCount))
  if (!known) pages.set(key, page, [`feed:${feedId}`], since, version)
  const { items, subjects } = await commentItems(ctx, { unpublished, reactions: marks.reactions }, page.hits, since)
  const frame = { comments: [], pagination: pagination(page.total, query.page, query.per_page) }
  if (!isShared || !services.caches.holds()) return withItems<Answer>(frame, 'comments', items)
  const [head, rest] = splitAt(serializer()(frame), 'comments')
  const sent = joinItems(head, items, rest)
  answers.set(key, sent, [`feed:${feedId}`, ...subjects], since, version)
  return sentAgain(sent, null)
}
