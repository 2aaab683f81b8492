import { REACTION_TYPES, type ReactionType } from '@lyceum/contract'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
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

const count = ({ db }: WriteContext, { feedId, commentId }: Target, by: 1 | 0 | -1) =>
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

/** What is asked for: the reaction toggled, or there, or not there (whichever it is, where no type is named). */
export type Wish =
  | { readonly to: 'toggle' | 'set'; readonly type: ReactionType }
  | { readonly to: 'clear'; readonly type: ReactionType | undefined }

interface Said {
  readonly type?: string | undefined
  readonly state?: boolean | 0 | 1 | undefined
  readonly remove?: boolean | 0 | 1 | undefined
}

/** Whether something is to be there afterwards; undefined: it is toggled. @throws invalid_data where a body contradicts itself */
export const stateOf = ({ state, remove }: Said): boolean | undefined => {
  if (state !== undefined && remove && state) throw invalidField('remove', 'contradicts state')
  return remove ? false : state === undefined ? undefined : Boolean(state)
}

/** @throws invalid_reaction_type, invalid_data */
export const wishOf = (said: Said): Wish => {
  const state = stateOf(said)
  if (state === undefined) return { to: 'toggle', type: reactionType(said.type) }
  if (state) return { to: 'set', type: reactionType(said.type ?? 'like') }
  return { to: 'clear', type: said.type === undefined ? undefined : reactionType(said.type) }
}

const unchanged = (message: string, reaction: ReactionColumns | undefined, userId: number) => ({
  message,
  data: { ...(reaction && { reaction: viewReaction(reaction, userId) }), action: 'unchanged' as const },
})

/**
 * The toggle: none → added; the same type → removed; another type → that type, in the same row and without an event, since the number
 * of reactions stays as it is. What is set or cleared and is so already stays. The row of the feed is locked, `present` was read after that.
 */
const fulfil = async (ctx: WriteRequest, target: Target, present: string | null, wish: Wish) => {
  const { db, actor, request, now } = ctx
  const before = present === null ? undefined : await reactionOf(db, target, actor.id)
  const isThere = before !== undefined && (wish.type === undefined || before.type === wish.type)
  if (wish.to === 'set' && isThere) return unchanged('You have reacted so already.', before, actor.id)
  if (wish.to === 'clear' && !isThere) return unchanged('There is no such reaction of yours.', before, actor.id)
  if (isThere || wish.to === 'clear') {
    await take(ctx, before as ReactionColumns)
    return { message: 'The reaction was removed.', data: { action: 'removed' as const } }
  }
  const { type } = wish
  const added = before
    ? await retypeReaction(db, before.id, type, request.ip, now)
    : await insertReaction(db, target, { userId: actor.id, type, ip: request.ip, now })
  if (before) {
    // What is kept of a comment is made anew when its row changes; a feed follows its reactions.
    if (target.commentId !== null) await count(ctx, target, 0)
  } else {
    await count(ctx, target, 1)
    await ctx.emit('reaction.added', idsOf(added))
  }
  return { message: 'The reaction was added.', data: { reaction: viewReaction(added, actor.id), action: 'added' as const } }
}

/** The community, or a space, may take no reactions at all. */
const checkOpen = async ({ db }: WriteContext, feed: FeedStanding) => {
  if (!(await readSetting(db, 'allow_reactions'))) throw new ApiError('rest_forbidden', { message: 'Reactions are disabled.' })
  if (parseMeta(feed.s_settings ?? '{}').allow_reactions === false)
    throw new ApiError('rest_forbidden', { message: 'Reactions are disabled in this space.' })
}

/** Everything that hangs on a feed changes under the feed's lock, so that counters never drift. */
export const reactToFeed = async (ctx: WriteRequest, feedId: number, wish: Wish) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await feedFor(ctx, feedId, 'participate', 'content_not_found')
  await checkOpen(ctx, feed)
  return fulfil(ctx, { feedId, commentId: null }, feed.my_reaction, wish)
}

export const reactToComment = async (ctx: WriteRequest, feedId: number, commentId: number, wish: Wish) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const { comment, feed } = await commentFor(ctx, commentId, 'react', { feedId, missing: 'content_not_found' })
  await checkOpen(ctx, feed)
  return fulfil(ctx, { feedId, commentId }, comment.my_reaction, wish)
}

/** Whether the caller moderates where a reaction stands; refuses one that must not be seen. */
const moderates = async (ctx: WriteRequest, { feed_id, comment_id }: ReactionColumns): Promise<boolean> => {
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
export const removeReaction = async (ctx: WriteRequest, id: number): Promise<void> => {
  const found = await loadReaction(ctx.db, id)
  if (found) await lockRow(ctx.db, 'feeds', found.feed_id)
  const reaction = found && (await loadReaction(ctx.db, id))
  if (!reaction) throw new ApiError('reaction_not_found')
  if (!(await moderates(ctx, reaction)) && reaction.user_id !== ctx.actor.id) throw new ApiError('rest_forbidden')
  if (reaction.user_id !== ctx.actor.id) {
    const { user_id: author_id, feed_id, comment_id } = reaction
    await audit(ctx, 'reaction.removed', { object_type: 'reaction', object_id: id, details: { author_id, feed_id, comment_id } })
  }
  await take(ctx, reaction)
}
