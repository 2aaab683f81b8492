import { api } from '@lyceum/contract'
import { ApiError } from '../../core/errors.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { revisionsOfComment } from '../revisions/index.ts'
import { commentFor } from './access.ts'
import { createComment, prepareComment, prepareUpdate, removeComment, setHelpful, updateComment } from './commands.ts'
import { presentComment } from './comment-json-cache.ts'
import { commentPage } from './list-comments.ts'

/** What the author of a comment is told, by what became of it. */
const SAID = { published: 'Comment published.', pending: 'Waits for a moderator.', spam: 'Marked as spam.' }

export const commentHandlers: Handlers<typeof api.comments> = {
  list: (ctx, input) => commentPage(ctx, input),

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
