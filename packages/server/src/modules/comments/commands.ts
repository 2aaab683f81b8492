import type { api, BodyOf } from '@lyceum/contract'
import type { ReadRequest, WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import {
  isModerationHold,
  type ModerationHold,
  mayRelease,
  type SubmittedText,
  screen,
  spendNewMemberBudgets,
  updateModerationHold,
  warmPolicy,
} from '../automod/index.ts'
import { courseSetting } from '../courses/index.ts'
import { countComments, courseOf, type FeedAccessRow, feedAbilities, loadFeedAccess, lockedFeedFor, parseMeta } from '../feeds/index.ts'
import { attachMedia, detachMedia } from '../media/index.ts'
import { renderMessage } from '../members/index.ts'
import { editorialReason, recordModeratorEdit } from '../revisions/index.ts'
import { cachedSetting } from '../settings/index.ts'
import { type CommentAbilities, commentFor, loadComment } from './access.ts'
import { applyContent, BLANK, type Content, changesContent } from './content-validation.ts'
import { deleteThread, insertComment, lastCommentAt, markComment, saveComment, topOfThread, unpinOthers } from './repository.ts'
import type { CommentFor } from './view.ts'

type CreateBody = BodyOf<typeof api.comments.create>
type Status = CommentFor['status']
type UpdateBody = BodyOf<typeof api.comments.update>

/** A text and its HTML. Rendered before the transaction starts, because rendering would prolong it. */
export interface Rendered {
  readonly content: Content
  readonly html: string
}

const renderContent = async (ctx: Pick<ReadRequest, 'db' | 'services'>, content: Content): Promise<Rendered> => ({
  content,
  html: await renderMessage(ctx, content.message, content.content_type),
})

const screenedText = ({ content, html }: Rendered): SubmittedText => ({ ...content, html })

/** Automatic moderation of a new comment, or of the changed one with this id. */
const screenComment = (ctx: WriteRequest, html: string, { meta }: Content, moderates: boolean, id?: number) =>
  screen(ctx, { kind: 'comment', author: ctx.actor, moderates, appears: id === undefined, html, meta, ...(id !== undefined && { id }) })

/** All parts of a comment that may refer to an uploaded file. */
const mediaIn = ({ message, meta }: Content) => [message, JSON.stringify(meta)]

const contentOf = ({ message, content_type, meta }: CommentFor): Content => ({ message, content_type, meta: parseMeta(meta) })

/** Renders a new comment and reads whether the community accepts any. */
export const prepareComment = async (ctx: ReadRequest, body: CreateBody) => {
  await warmPolicy(ctx)
  const rendered = await renderContent(ctx, applyContent(BLANK, body))
  await spendNewMemberBudgets(ctx, screenedText(rendered))
  return { ...rendered, isAllowed: await cachedSetting(ctx, ctx.services.database, 'allow_comments') }
}

/** Whether the feed, its space or its course accepts no comments. */
const isLocked = async ({ db }: WriteRequest, feed: FeedAccessRow): Promise<boolean> => {
  if (parseMeta(feed.meta).comments_disabled === true || parseMeta(feed.s_settings ?? '{}').allow_comments === false) return true
  const lesson = feed.lesson_id === null ? undefined : await courseOf(db, feed.lesson_id)
  return lesson !== undefined && courseSetting(lesson, 'disable_comments')
}

/** Publishes a comment or a reply. Every write below a feed locks the feed's row, so the counters stay exact. */
export const createComment = async (
  ctx: WriteRequest,
  feedId: number,
  { parent_id: repliesTo }: CreateBody,
  { content, html, isAllowed }: Rendered & { readonly isAllowed: boolean },
) => {
  const { db, actor, now } = ctx
  const feed = await lockedFeedFor(ctx, feedId, 'participate')
  if (!isAllowed || (await isLocked(ctx, feed))) throw new ApiError('feed_locked')
  const parent_id = repliesTo ? await topOfThread(db, feedId, repliesTo) : null
  if (parent_id === undefined) throw new ApiError('parent_not_found')
  const { approve, moderateComments } = feedAbilities(actor, feed)
  const hold = await screenComment(ctx, html, content, approve || moderateComments)
  const status = hold?.status ?? ('published' as const)
  const [id] = await Promise.all([
    insertComment(db, { ...content, user_id: actor.id, post_id: feedId, parent_id, message_rendered: html, status }, now),
    hold ? undefined : countComments(db, [feedId, 1, now]),
  ])
  await attachMedia(ctx, { source: 'comment', objectId: id, urls: mediaIn(content), isNew: true })
  if (hold) await updateModerationHold(ctx, { feedId, commentId: id, authorId: actor.id }, { before: null, after: status, hold })
  else await ctx.emit('comment.published', { comment_id: id, feed_id: feedId })
  return { id, post_id: feedId, parent_id, message: content.message, status, created_at: now }
}

/** @throws invalid_content if the body changes nothing */
export const prepareUpdate = async (ctx: ReadRequest, feedId: number, commentId: number, body: UpdateBody): Promise<Rendered | null> => {
  await warmPolicy(ctx)
  const { comment } = await commentFor(ctx, commentId, 'view', { feedId })
  if (changesContent(body)) {
    const rendered = await renderContent(ctx, applyContent(contentOf(comment), body))
    await spendNewMemberBudgets(ctx, screenedText(rendered), { ...comment, html: comment.message_rendered })
    return rendered
  }
  if (body.status === undefined && body.is_sticky === undefined) throw new ApiError('invalid_content', { data: { field: 'comment' } })
  return null
}

const forbid = (condition: boolean) => {
  if (condition) throw new ApiError('rest_forbidden')
}

const authorize = (can: CommentAbilities, comment: CommentFor, edits: boolean, status: Status, pinned: boolean) => {
  forbid(!can.edit && !can.approve)
  forbid(edits && !can.edit)
  forbid(status !== comment.status && !can.approve)
  forbid(pinned !== (comment.is_sticky === 1) && !can.pin)
}

/** The time of the latest remaining comment or edit; never later than the current value. */
const lastActivity = async (ctx: WriteContext, feed: FeedAccessRow): Promise<string> => {
  const times = [feed.published_at, feed.updated_at, (await lastCommentAt(ctx.db, feed.id)) ?? '']
  const last = times.reduce((a, b) => (a > b ? a : b))
  return last < feed.active_at ? last : feed.active_at
}

/** Updates the feed's counters if the comment became visible or hidden, and emits the event. */
const updateFeedCounters = async (ctx: WriteContext, feed: FeedAccessRow, before: CommentFor, status: Status, edited: boolean) => {
  const ids = { comment_id: before.id, feed_id: feed.id }
  const [wasPublished, isPublished] = [before.status === 'published', status === 'published']
  if (isPublished && !wasPublished) {
    await countComments(ctx.db, [feed.id, 1, ctx.now])
    return ctx.emit('comment.published', ids)
  }
  if (wasPublished && !isPublished) await countComments(ctx.db, [feed.id, -1, await lastActivity(ctx, feed)])
  if (wasPublished && (edited || !isPublished)) await ctx.emit('comment.updated', ids)
}

const recordPin = (ctx: WriteRequest, { id, post_id, user_id }: CommentFor, pinned: boolean) => {
  const details = { feed_id: post_id, author_id: user_id }
  return audit(ctx, pinned ? 'comment.pinned' : 'comment.unpinned', { object_type: 'comment', object_id: id, details })
}

/** Updates the fields that the body contains. Status changes need moderation rights, pinning the right to moderate comments. */
export const updateComment = async (ctx: WriteRequest, feedId: number, commentId: number, body: UpdateBody, rendered: Rendered | null) => {
  const { db, now } = ctx
  await lockRow(db, 'feeds', feedId)
  const { comment, feed, can } = await commentFor(ctx, commentId, 'view', { feedId })
  const requestedStatus = body.status ?? comment.status
  const wantsPin = body.is_sticky === undefined ? comment.is_sticky === 1 : Boolean(body.is_sticky)
  authorize(can, comment, rendered !== null, requestedStatus, wantsPin)
  const released = isModerationHold(comment.status) && requestedStatus !== comment.status
  forbid(released && !(await mayRelease(ctx, { feedId, commentId, authorId: comment.user_id })))
  if (body.is_sticky && comment.parent_id !== null) throw invalidField('is_sticky', 'is only for top-level comments')
  if (body.is_sticky && requestedStatus !== 'published') throw invalidField('is_sticky', 'is only for published comments')

  const content = rendered ? applyContent(contentOf(comment), body) : contentOf(comment)
  const sameText = rendered?.content.message === content.message && rendered.content.content_type === content.content_type
  const html = rendered ? (sameText ? rendered.html : (await renderContent(ctx, content)).html) : comment.message_rendered
  const contentChanged = JSON.stringify(content) !== JSON.stringify(contentOf(comment))
  const byAuthor = comment.user_id === ctx.actor.id
  const reason = contentChanged && !byAuthor ? editorialReason(body.reason) : null
  const needsScreening = contentChanged && requestedStatus === 'published' && !can.approve
  const hold = needsScreening ? await screenComment(ctx, html, content, can.approve, commentId) : null
  const status = hold?.status ?? requestedStatus
  const pinned = wantsPin && status === 'published'
  if (pinned && !comment.is_sticky) await unpinOthers(db, feedId, commentId)
  const updated_at = rendered ? now : comment.updated_at
  const { edited_at, edited_by_moderator } = contentChanged
    ? { edited_at: now, edited_by_moderator: byAuthor ? (0 as const) : (1 as const) }
    : comment
  const savedState = { is_sticky: pinned ? (1 as const) : (0 as const), updated_at, edited_at, edited_by_moderator }
  await saveComment(db, { ...content, id: commentId, message_rendered: html, status, ...savedState })
  if (rendered) await attachMedia(ctx, { source: 'comment', objectId: commentId, urls: mediaIn(content) })
  await updateModerationHold(ctx, { feedId, commentId, authorId: comment.user_id }, { before: comment.status, after: status, hold })
  if (savedState.is_sticky !== comment.is_sticky) await recordPin(ctx, comment, pinned)
  const edit = { feedId, commentId, authorId: comment.user_id, before: contentOf(comment), after: content }
  if (reason !== null) await recordModeratorEdit(ctx, { ...edit, reason })
  await updateFeedCounters(ctx, feed, comment, status, rendered !== null)
  return { id: commentId, message: content.message, updated_at }
}

/** Deletes a comment with its replies. */
export const removeComment = async (ctx: WriteRequest, feedId: number, commentId: number): Promise<void> => {
  await lockRow(ctx.db, 'feeds', feedId)
  const { comment, feed } = await commentFor(ctx, commentId, 'remove', { feedId })
  await deleteWithReplies(ctx, feed, commentId)
  if (comment.user_id === ctx.actor.id) return
  const details = { feed_id: feedId, author_id: comment.user_id, status: comment.status }
  await audit(ctx, 'comment.removed', { object_type: 'comment', object_id: commentId, details })
}

const deleteWithReplies = async (ctx: WriteContext, feed: FeedAccessRow, commentId: number): Promise<void> => {
  const feedId = feed.id
  const removed = await deleteThread(ctx.db, commentId)
  for (const { id } of removed) await detachMedia(ctx, 'comment', id)
  const published = removed.filter(({ status }) => status === 'published').length
  if (published > 0) await countComments(ctx.db, [feedId, -published, await lastActivity(ctx, feed)])
  for (const { id, user_id, status } of removed)
    await ctx.emit('comment.deleted', { comment_id: id, feed_id: feedId, user_id, ...(status === 'published' && { place_id: feedId }) })
}

/** Marks a comment as helpful, or removes the mark. Idempotent. @throws comment_not_found, rest_forbidden */
export const setHelpful = async (ctx: WriteRequest, feedId: number, commentId: number, helpful: boolean) => {
  const { db, now, actor } = ctx
  await lockRow(db, 'feeds', feedId)
  const { comment } = await commentFor(ctx, commentId, 'markHelpful', { feedId })
  if ((comment.helpful_at !== null) !== helpful) {
    await markComment(db, commentId, helpful ? { at: now, delta: actor.id } : null)
    const ids = { comment_id: commentId, feed_id: feedId, user_id: comment.user_id }
    await ctx.emit(helpful ? 'comment.marked_helpful' : 'comment.unmarked_helpful', ids)
  }
  return { id: commentId, is_helpful: helpful }
}

/** Locks the feed and loads the comment without a viewer. */
const lockComment = async ({ db }: WriteContext, feedId: number, commentId: number) => {
  await lockRow(db, 'feeds', feedId)
  const [comment, feed] = [await loadComment(db, commentId, 0), await loadFeedAccess(db, feedId, 0)]
  return comment?.post_id === feedId && feed ? { comment, feed } : undefined
}

/** Deletes a comment with its replies after a moderation decision. Returns false if it does not exist. */
export const takeDownComment = async (ctx: WriteContext, feedId: number, commentId: number): Promise<boolean> => {
  const found = await lockComment(ctx, feedId, commentId)
  if (found) await deleteWithReplies(ctx, found.feed, commentId)
  return found !== undefined
}

/** Hides a published comment until a moderator has decided. Returns false if it is not published. */
export const hideComment = async (ctx: WriteContext, feedId: number, commentId: number, hold: ModerationHold): Promise<boolean> => {
  const found = await lockComment(ctx, feedId, commentId)
  if (found?.comment.status !== 'published') return false
  const { comment, feed } = found
  await saveComment(ctx.db, { ...contentOf(comment), ...comment, meta: parseMeta(comment.meta), status: hold.status, is_sticky: 0 })
  await updateModerationHold(ctx, { feedId, commentId, authorId: comment.user_id }, { before: comment.status, after: hold.status, hold })
  await updateFeedCounters(ctx, feed, comment, hold.status, false)
  return true
}
