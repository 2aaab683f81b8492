import { api, type QueryOf, type ReactionType } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { addBookmark, removeBookmark, setBookmark } from '../bookmarks/index.ts'
import { commentFor } from '../comments/index.ts'
import { feedFor } from '../feeds/index.ts'
import { followsAmong } from '../followers/index.ts'
import { desiredState, prepareReaction, reactToComment, reactToFeed, removeReaction } from './commands.ts'
import { countOfType, listReactions, type ReactionTarget } from './queries.ts'
import { viewReactionWithProfile } from './view.ts'

type Query = QueryOf<typeof api.reactions.ofFeed>

/** One page of reactions; `all` is the target's reaction counter. */
const list = async (ctx: ReadRequest, target: ReactionTarget, query: Query, all: number) => {
  const { db, actor } = ctx
  const type: ReactionType | undefined = query.type
  const [rows, total] = await Promise.all([
    listReactions(db, target, type, pageOf(query)),
    type === undefined ? all : countOfType(db, target, type),
  ])
  return {
    reactions: rows.map((row) => viewReactionWithProfile(row, actor.id)),
    pagination: pagination(total, query.page, query.per_page),
    current_user_follows: await followsAmong(ctx, rows),
  }
}

export const reactionHandlers: Handlers<typeof api.reactions> = {
  toFeed: prepared(
    api.reactions.toFeed,
    async (ctx, { body }) => (body.react_type === 'bookmark' ? null : prepareReaction(ctx, body)),
    async (ctx, { params, body }, reaction) => {
      if (reaction) return reactToFeed(ctx, params.feed_id, reaction)
      const wanted = desiredState(body)
      if (body.state !== undefined) return setBookmark(ctx, params.feed_id, wanted === true)
      if (wanted !== false) {
        const bookmark = await addBookmark(ctx, params.feed_id)
        return { message: 'The feed was bookmarked.', data: { bookmark, action: 'added' } }
      }
      await removeBookmark(ctx, params.feed_id)
      return { message: 'The bookmark was removed.', data: { action: 'removed' } }
    },
  ),

  toComment: prepared(
    api.reactions.toComment,
    (ctx, { body }) => prepareReaction(ctx, body),
    (ctx, { params }, reaction) => reactToComment(ctx, params.feed_id, params.comment_id, reaction),
  ),

  ofFeed: async (ctx, { params, query }) => {
    const feed = await feedFor(ctx, params.feed_id, 'view', 'content_not_found')
    return list(ctx, { feedId: feed.id, commentId: null }, query, feed.reactions_count)
  },

  ofComment: async (ctx, { params, query }) => {
    const { comment } = await commentFor(ctx, params.comment_id, 'view', { missing: 'content_not_found' })
    return list(ctx, { feedId: comment.post_id, commentId: comment.id }, query, comment.reactions_count)
  },

  remove: async (ctx, { params }) => {
    await removeReaction(ctx, params.reaction_id)
    return { message: 'The reaction was removed.' }
  },
}
