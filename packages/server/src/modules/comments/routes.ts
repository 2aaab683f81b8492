import { api, type ResponseOf } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { withItems } from '../../platform/http/fragments.ts'
import { type Handlers, type Input, prepared } from '../../platform/http/handlers.ts'
import { pageOf, pagination } from '../../platform/pagination.ts'
import { feedFor } from '../feeds/index.ts'
import { commentFor, seesUnpublished } from './access.ts'
import { createComment, prepareComment, prepareUpdate, removeComment, setHelpful, updateComment } from './changes.ts'
import { type CommentHit, commentItems } from './items.ts'
import { type CommentList, listComments, pinnedComment, sizeOfList } from './lists.ts'
import { viewComment } from './view.ts'

type ListInput = Input<typeof api.comments.list>

/** What stands around the pages of a list: the pinned comment and how many there are. */
interface Frame {
  readonly pinned: CommentHit | undefined
  readonly total: number
}

/** Most frames that are kept. */
const KEPT = 10_000

const frameOf = async ({ db, services: { caches } }: AskedRead, what: CommentList, published: number, since: number): Promise<Frame> => {
  const kept = caches.of<Frame>('comment-frames', KEPT, 'rights')
  const key = `${what.feedId} ${what.viewerId} ${what.parentId} ${what.unpublished}`
  const found = kept.get(key, since)
  if (found) return found
  const [pinned, total] = await Promise.all([what.parentId ? undefined : pinnedComment(db, what.feedId), sizeOfList(db, what, published)])
  kept.set(key, { pinned, total }, [`feed:${what.feedId}`], since)
  return { pinned, total }
}

const list = async (ctx: AskedRead, { params, query }: ListInput) => {
  const { db, actor } = ctx
  const since = ctx.services.caches.now()
  const feed = await feedFor(ctx, params.feed_id, 'view')
  const what: CommentList = {
    feedId: feed.id,
    parentId: query.parent_id,
    viewerId: actor.id,
    unpublished: seesUnpublished(actor, feed),
    order: query.orderby ?? 'created_at',
    direction: query.order ?? 'asc',
  }
  const { limit, offset } = pageOf(query)
  const { pinned, total } = await frameOf(ctx, what, feed.comments_count, since)
  // The pinned comment takes the first place of the first page; everything behind it moves on by one.
  const onFirst = pinned !== undefined && offset === 0
  const window = pinned === undefined ? { limit, offset } : onFirst ? { limit: limit - 1, offset } : { limit, offset: offset - 1 }
  const rows = await listComments(db, what, window)
  const answer: ResponseOf<typeof api.comments.list> = { comments: [], pagination: pagination(total, query.page, query.per_page) }
  return withItems(answer, 'comments', await commentItems(ctx, what, onFirst ? [pinned, ...rows] : rows, since))
}

/** What the author of a comment is told, by what became of it. */
const SAID = { published: 'Comment published.', pending: 'Waits for a moderator.', spam: 'Marked as spam.' }

export const commentHandlers: Handlers<typeof api.comments> = {
  list,

  byId: async (ctx, { params }) => ({ data: viewComment((await commentFor(ctx, params.comment_id, 'view')).comment) }),

  create: prepared(
    api.comments.create,
    (ctx, { body }) => prepareComment(ctx, body),
    async (ctx, { params, body }, rendered) => {
      const data = await createComment(ctx, params.feed_id, body, rendered)
      return { message: SAID[data.status], data }
    },
  ),

  update: prepared(
    api.comments.update,
    (ctx, { params, body }) => prepareUpdate(ctx, params.feed_id, params.comment_id, body),
    async (ctx, { params, body }, rendered) => ({
      message: 'Saved.',
      data: await updateComment(ctx, params.feed_id, params.comment_id, body, rendered),
    }),
  ),

  remove: async (ctx, { params }) => {
    await removeComment(ctx, params.feed_id, params.comment_id)
    return { message: 'Deleted.' }
  },

  markHelpful: async (ctx, { params, body }) => {
    const data = await setHelpful(ctx, params.feed_id, params.comment_id, !body.remove)
    return { message: data.is_helpful ? 'Marked as helpful.' : 'The mark is taken away.', data }
  },

  unmarkHelpful: async (ctx, { params }) => ({
    message: 'The mark is taken away.',
    data: await setHelpful(ctx, params.feed_id, params.comment_id, false),
  }),
}
