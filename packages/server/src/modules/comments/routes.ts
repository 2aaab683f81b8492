import { api } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { revisionsOfComment } from '../revisions/index.ts'
import { commentFor } from './access.ts'
import { createComment, prepareComment, prepareUpdate, removeComment, setHelpful, updateComment } from './commands.ts'
import { presentComment } from './comment-json-cache.ts'
import { commentPage } from './list-comments.ts'
import { recentComments } from './recent-comments.ts'

/** Message for the author by the status of the new comment. */
const CREATED_MESSAGES = {
  published: 'The comment was published.',
  pending: 'The comment is waiting for approval.',
  spam: 'The comment was marked as spam.',
}

export const commentHandlers: Handlers<typeof api.comments> = {
  list: (ctx, input) => commentPage(ctx, input),
  all: (ctx, { query }) => recentComments(ctx, query),

  byId: async (ctx, { params }) => ({ data: await presentComment(ctx.db, (await commentFor(ctx, params.comment_id, 'view')).comment) }),

  revisions: async (ctx, { params, query }) => {
    const { comment, can } = await commentFor(ctx, params.comment_id, 'view')
    if (comment.user_id !== ctx.actor.id && !can.moderate) throw new ApiError('comment_not_found')
    return revisionsOfComment(ctx.db, comment.id, { query, namesEditor: can.moderate })
  },

  create: prepared(
    api.comments.create,
    (ctx, { body }) => prepareComment(ctx, body),
    async (ctx, { params, body }, rendered) => {
      const data = await createComment(ctx, params.feed_id, body, rendered)
      return { message: CREATED_MESSAGES[data.status], data }
    },
  ),

  update: prepared(
    api.comments.update,
    (ctx, { params, body }) => prepareUpdate(ctx, params.feed_id, params.comment_id, body),
    async (ctx, { params, body }, rendered) => ({
      message: 'The comment was updated.',
      data: await updateComment(ctx, params.feed_id, params.comment_id, body, rendered),
    }),
  ),

  patch: async (ctx, { params, body }) => {
    const { id, updated_at } = await updateComment(ctx, params.feed_id, params.comment_id, body, null)
    const is_sticky = Boolean(body.is_sticky)
    return { message: is_sticky ? 'The comment was pinned.' : 'The comment was unpinned.', data: { id, is_sticky, updated_at } }
  },

  remove: async (ctx, { params }) => {
    await removeComment(ctx, params.feed_id, params.comment_id)
    return { message: 'The comment was deleted.' }
  },

  markHelpful: async (ctx, { params, body }) => {
    const data = await setHelpful(ctx, params.feed_id, params.comment_id, !body.remove)
    return { message: data.is_helpful ? 'The comment was marked as helpful.' : 'The comment is no longer marked as helpful.', data }
  },

  unmarkHelpful: async (ctx, { params }) => ({
    message: 'The comment is no longer marked as helpful.',
    data: await setHelpful(ctx, params.feed_id, params.comment_id, false),
  }),
}
