import { REACTION_TYPES, type ReactionType } from '@lyceum/contract'
import { lockRow } from '../../db/index.ts'
import type { AskedWrite, WriteContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { commentFor, countCommentReactions } from '../comments/index.ts'
import { assertUnlocked, countReactions, type FeedStanding, feedAbilities, feedFor, loadFeed, parseMeta } from '../feeds/index.ts'
import { readSetting } from '../settings/index.ts'
import { deleteReaction, insertReaction, loadReaction, reactionOf, retypeReaction, type Target } from './queries.ts'
import { type ReactionColumns, viewReaction } from './view.ts'

/** @throws invalid_reaction_type */
export const reactionType = (value: string | undefined): ReactionType => {
  const type = REACTION_TYPES.find((known) => known === value)
  if (!type) throw new ApiError('invalid_reaction_type', { data: { field: 'type' } })
  return type
}

const count = ({ db }: WriteContext, { feedId, commentId }: Target, by: 1 | -1) =>
  commentId === null ? countReactions(db, feedId, by) : countCommentReactions(db, commentId, by)

const idsOf = ({ id, user_id, feed_id, comment_id }: ReactionColumns) => ({
  reaction_id: id,
  user_id,
  feed_id,
  ...(comment_id !== null && { comment_id }),
})

/** Removes a reaction, whose feed is held. */
export const take = async (ctx: WriteContext, reaction: ReactionColumns) => {
  await deleteReaction(ctx.db, reaction.id)
  await count(ctx, { feedId: reaction.feed_id, commentId: reaction.comment_id }, -1)
  await ctx.emit('reaction.removed', idsOf(reaction))
}

/**
 * The toggle: none → added; the same type → removed; another type → that type, in the same row and without an event, since the number
 * of reactions stays as it is. The row of the feed is locked, `present` was read after that.
 */
const toggle = async (ctx: AskedWrite, target: Target, present: string | null, type: ReactionType) => {
  const { db, actor, request, now } = ctx
  const before = present === null ? undefined : await reactionOf(db, target, actor.id)
  if (before?.type === type) {
    await take(ctx, before)
    return { message: 'Reaction removed.', data: { action: 'removed' as const } }
  }
  const added = before
    ? await retypeReaction(db, before.id, type, request.ip, now)
    : await insertReaction(db, target, { userId: actor.id, type, ip: request.ip, now })
  if (!before) {
    await count(ctx, target, 1)
    await ctx.emit('reaction.added', idsOf(added))
  }
  return { message: 'Reaction added.', data: { reaction: viewReaction(added, actor.id), action: 'added' as const } }
}

/** The community, or a space, may take no reactions at all. */
const checkOpen = async ({ db }: WriteContext, feed: FeedStanding) => {
  if (!(await readSetting(db, 'allow_reactions'))) throw new ApiError('rest_forbidden', { message: 'Reactions are switched off.' })
  if (parseMeta(feed.s_settings ?? '{}').allow_reactions === false)
    throw new ApiError('rest_forbidden', { message: 'This space takes no reactions.' })
}

/** Everything that hangs on a feed changes under the feed's lock, so that counters never drift. */
export const reactToFeed = async (ctx: AskedWrite, feedId: number, type: ReactionType) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await feedFor(ctx, feedId, 'participate', 'content_not_found')
  await checkOpen(ctx, feed)
  return toggle(ctx, { feedId, commentId: null }, feed.my_reaction, type)
}

export const reactToComment = async (ctx: AskedWrite, feedId: number, commentId: number, type: ReactionType) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const { comment, feed } = await commentFor(ctx, commentId, 'react', { feedId, missing: 'content_not_found' })
  await checkOpen(ctx, feed)
  return toggle(ctx, { feedId, commentId }, comment.my_reaction, type)
}

/** Whether the caller moderates where a reaction stands; refuses one that must not be seen. */
const moderates = async (ctx: AskedWrite, { feed_id, comment_id }: ReactionColumns): Promise<boolean> => {
  const missing = 'reaction_not_found'
  const feed =
    comment_id === null ? await loadFeed(ctx.db, feed_id, ctx.actor.id) : (await commentFor(ctx, comment_id, 'view', { missing })).feed
  const can = feed && feedAbilities(ctx.actor, feed)
  if (!feed || !can?.view) throw new ApiError(missing)
  await assertUnlocked(ctx, feed, missing)
  return can.moderate || can.moderateComments
}

/**
 * Takes a reaction back, one's own or as a moderator.
 * @throws reaction_not_found, rest_forbidden
 */
export const removeReaction = async (ctx: AskedWrite, id: number): Promise<void> => {
  const found = await loadReaction(ctx.db, id)
  if (found) await lockRow(ctx.db, 'feeds', found.feed_id)
  const reaction = found && (await loadReaction(ctx.db, id))
  if (!reaction) throw new ApiError('reaction_not_found')
  if (!(await moderates(ctx, reaction)) && reaction.user_id !== ctx.actor.id) throw new ApiError('rest_forbidden')
  await take(ctx, reaction)
}
