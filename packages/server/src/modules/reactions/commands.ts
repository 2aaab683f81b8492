import { REACTION_TYPES, type ReactionType } from '@lyceum/contract'
import type { ReadRequest, WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { commentFor, countCommentReactions } from '../comments/index.ts'
import { assertUnlocked, countReactions, type FeedAccessRow, feedAbilities, feedFor, loadFeed, parseMeta } from '../feeds/index.ts'
import { cachedSetting } from '../settings/index.ts'
import { deleteReaction, insertReaction, loadReaction, type ReactionTarget, reactionOf, retypeReaction } from './queries.ts'
import { type ReactionColumns, viewReaction } from './view.ts'

/** @throws invalid_reaction_type */
export const reactionType = (value: string | undefined): ReactionType => {
  const type = REACTION_TYPES.find((known) => known === value)
  if (!type) throw new ApiError('invalid_reaction_type', { data: { field: 'type' } })
  return type
}

const count = ({ db }: WriteContext, { feedId, commentId }: ReactionTarget, delta: 1 | 0 | -1) =>
  commentId === null ? countReactions(db, [feedId, delta]) : countCommentReactions(db, commentId, delta)

const idsOf = ({ id, user_id, feed_id, comment_id }: ReactionColumns) => ({
  reaction_id: id,
  user_id,
  feed_id,
  ...(comment_id !== null && { comment_id }),
})

/** Deletes a reaction. The caller holds the lock of the feed's row. */
export const deleteAndCount = async (ctx: WriteContext, reaction: ReactionColumns) => {
  const target = { feedId: reaction.feed_id, commentId: reaction.comment_id }
  await Promise.all([deleteReaction(ctx.db, [reaction.id]), count(ctx, target, -1)])
  await ctx.emit('reaction.removed', idsOf(reaction))
}

/** The requested change: toggle, set or clear a reaction. `clear` without a type removes whatever reaction exists. */
type ReactionRequest =
  | { readonly to: 'toggle' | 'set'; readonly type: ReactionType }
  | { readonly to: 'clear'; readonly type: ReactionType | undefined }

interface ReactionBody {
  readonly type?: string | undefined
  readonly state?: boolean | 0 | 1 | undefined
  readonly remove?: boolean | 0 | 1 | undefined
}

/** The requested state; undefined means toggle. @throws invalid_data if the body contradicts itself */
export const desiredState = ({ state, remove }: ReactionBody): boolean | undefined => {
  if (state !== undefined && remove && state) throw invalidField('remove', 'contradicts state')
  return remove ? false : state === undefined ? undefined : Boolean(state)
}

/** @throws invalid_reaction_type, invalid_data */
const parseReaction = (body: ReactionBody): ReactionRequest => {
  const state = desiredState(body)
  if (state === undefined) return { to: 'toggle', type: reactionType(body.type) }
  if (state) return { to: 'set', type: reactionType(body.type ?? 'like') }
  return { to: 'clear', type: body.type === undefined ? undefined : reactionType(body.type) }
}

const unchanged = (message: string, reaction: ReactionColumns | undefined, userId: number) => ({
  message,
  data: { ...(reaction && { reaction: viewReaction(reaction, userId) }), action: 'unchanged' as const },
})

/**
 * Toggling adds a missing reaction and removes one of the same type. Another type replaces it in the same row, without an event, because
 * the count does not change. Setting and clearing are idempotent. The caller has locked the feed's row before reading `present`.
 */
const applyReaction = async (ctx: WriteRequest, target: ReactionTarget, present: string | null, wanted: ReactionRequest) => {
  const { db, actor, request, now } = ctx
  const before = present === null ? undefined : await reactionOf(db, target, actor.id)
  const exists = before !== undefined && (wanted.type === undefined || before.type === wanted.type)
  if (wanted.to === 'set' && exists) return unchanged('You have reacted so already.', before, actor.id)
  if (wanted.to === 'clear' && !exists) return unchanged('There is no such reaction of yours.', before, actor.id)
  if (exists || wanted.to === 'clear') {
    await deleteAndCount(ctx, before as ReactionColumns)
    return { message: 'The reaction was removed.', data: { action: 'removed' as const } }
  }
  const { type } = wanted
  const saved = before
    ? retypeReaction(db, [before.id, type, request.ip, now])
    : insertReaction(db, [actor.id, target.feedId, target.commentId, type, request.ip, now])
  // Updating the comment's row invalidates its cached JSON; a feed's JSON is invalidated by its reactions.
  const counted = before && target.commentId === null ? undefined : count(ctx, target, before ? 0 : 1)
  const [added] = await Promise.all([saved, counted])
  if (!added) throw new Error('a locked reaction is gone')
  if (!before) await ctx.emit('reaction.added', idsOf(added))
  return { message: 'The reaction was added.', data: { reaction: viewReaction(added, actor.id), action: 'added' as const } }
}

/** The requested reaction, and whether the community accepts any. */
export interface PreparedReaction {
  readonly wanted: ReactionRequest
  readonly isAllowed: boolean
}

/** @throws invalid_reaction_type, invalid_data */
export const prepareReaction = async (ctx: ReadRequest, body: ReactionBody): Promise<PreparedReaction> => ({
  wanted: parseReaction(body),
  isAllowed: await cachedSetting(ctx, ctx.services.database, 'allow_reactions'),
})

/** @throws rest_forbidden if the community or the space has reactions switched off */
const assertReactionsAllowed = (isAllowed: boolean, feed: FeedAccessRow) => {
  if (!isAllowed) throw new ApiError('rest_forbidden', { message: 'Reactions are disabled.' })
  if (parseMeta(feed.s_settings ?? '{}').allow_reactions === false)
    throw new ApiError('rest_forbidden', { message: 'Reactions are disabled in this space.' })
}

/** Writes below a feed lock the feed's row, so that counters never drift. */
export const reactToFeed = async (ctx: WriteRequest, feedId: number, { wanted, isAllowed }: PreparedReaction) => {
  const [, feed] = await Promise.all([lockRow(ctx.db, 'feeds', feedId), feedFor(ctx, feedId, 'participate', 'content_not_found')])
  assertReactionsAllowed(isAllowed, feed)
  return applyReaction(ctx, { feedId, commentId: null }, feed.my_reaction, wanted)
}

export const reactToComment = async (ctx: WriteRequest, feedId: number, commentId: number, { wanted, isAllowed }: PreparedReaction) => {
  const [, { comment, feed }] = await Promise.all([
    lockRow(ctx.db, 'feeds', feedId),
    commentFor(ctx, commentId, 'react', { feedId, missing: 'content_not_found' }),
  ])
  assertReactionsAllowed(isAllowed, feed)
  return applyReaction(ctx, { feedId, commentId }, comment.my_reaction, wanted)
}

/** Whether the caller moderates where the reaction is. @throws 404 if the reaction is hidden from the caller */
const moderates = async (ctx: WriteRequest, { feed_id, comment_id }: ReactionColumns): Promise<boolean> => {
  const missing = 'reaction_not_found'
  const feed =
    comment_id === null ? await loadFeed(ctx.db, feed_id, ctx.actor.id) : (await commentFor(ctx, comment_id, 'view', { missing })).feed
  const can = feed && feedAbilities(ctx.actor, feed)
  if (!feed || !can?.view) throw new ApiError(missing)
  await assertUnlocked(ctx, feed, missing)
  return can.moderate || can.moderateComments
}

/** Removes the caller's own reaction, or another one as a moderator. @throws reaction_not_found, rest_forbidden */
export const removeReaction = async (ctx: WriteRequest, id: number): Promise<void> => {
  const found = await loadReaction(ctx.db, [id])
  if (found) await lockRow(ctx.db, 'feeds', found.feed_id)
  const reaction = found && (await loadReaction(ctx.db, [id]))
  if (!reaction) throw new ApiError('reaction_not_found')
  if (!(await moderates(ctx, reaction)) && reaction.user_id !== ctx.actor.id) throw new ApiError('rest_forbidden')
  if (reaction.user_id !== ctx.actor.id) {
    const { user_id: author_id, feed_id, comment_id } = reaction
    await audit(ctx, 'reaction.removed', { object_type: 'reaction', object_id: id, details: { author_id, feed_id, comment_id } })
  }
  await deleteAndCount(ctx, reaction)
}
