import { actorFor, actorsFor } from '../../auth/authenticate.ts'
import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { lockRow, statementExists, statementOne, statementValues } from '../../db/index.ts'
import { type Listener, on, projector } from '../../jobs/index.ts'
import { type CommentFacts, loadCommentFacts } from '../comments/index.ts'
import { type FeedFacts, feedAbilities, isUnlocked, loadFeedAccessRows, loadFeedFacts } from '../feeds/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'
import { findMembership } from '../spaces/index.ts'
import { beginFanOut } from './fan-out-everyone.ts'
import {
  addCauses,
  causesOf,
  createNotifications,
  type Notice,
  notifiedAboutComments,
  peopleNamed,
  removeCauses,
  reopenNotification,
} from './repository.ts'
import { MAX_EDIT_AGE_S, mentionsIn } from './rules.ts'

const isFollowing = statementExists('select id from followers where follower_id = $1 and following_id = $2')
const ownerOf = statementOne<{ owner_id: number | null }>(
  `select coalesce(c.instructor_id, c.created_by) as owner_id from courses c join enrolments e on e.course_id = c.id and e.user_id = $2
   where c.id = $1`,
)
const isCompleted = statementExists('select lesson_id from lesson_completions where lesson_id = $1 and user_id = $2')
const MOST_ADMINS = 200
const adminsOf = statementValues<number>(
  `select user_id from space_members where space_id = $1 and status = 'active' and role <> 'member' and role = 'admin'
   order by joined_at, id limit ${MOST_ADMINS}`,
)

type FeedNotice = Notice & { readonly feedId: number }

/** The notices whose recipients are active and may see the feed now. */
const visibleToRecipients = async ({ db, now }: WriteContext, notices: readonly FeedNotice[]): Promise<FeedNotice[]> => {
  if (notices.length === 0) return []
  const pairOf = (userId: number, feedId: number) => `${userId} ${feedId}`
  const pairs = new Map(notices.map(({ userId, feedId }) => [pairOf(userId, feedId), [feedId, userId] as const]))
  const [actors, feeds] = await Promise.all([
    actorsFor(db, [...new Set(notices.map(({ userId }) => userId))]),
    loadFeedAccessRows(db, [...pairs.values()]),
  ])
  const visible = new Set<string>()
  for (const feed of feeds) {
    const actor = actors.get(feed.me)
    if (actor && feedAbilities(actor, feed).view && (await isUnlocked({ db, now, actor }, feed))) visible.add(pairOf(feed.me, feed.id))
  }
  return notices.filter(({ userId, feedId }) => visible.has(pairOf(userId, feedId)))
}

/** Published feeds or comments. An edit notifies newly mentioned members, unless the text is so old that notifications may be deleted. */
const noticed = <Facts extends { readonly status: string }>(
  { now }: WriteContext,
  edited: boolean,
  all: readonly Facts[],
  since: (one: Facts) => string,
) => all.filter((one) => one.status === 'published' && (!edited || since(one) >= shift(now, -MAX_EDIT_AGE_S)))

const mentionedIn = ({ db }: WriteContext, texts: readonly { readonly message_rendered: string }[]) =>
  peopleNamed(db, [...new Set(texts.flatMap(({ message_rendered }) => mentionsIn(message_rendered)))])

/** Notifies everyone mentioned in published feeds, once per person even after edits. `@everyone` is handled by a separate job. */
const notifyMentioned = (edited: boolean) => async (ctx: WriteContext, all: readonly FeedFacts[]) => {
  const feeds = noticed(ctx, edited, all, ({ published_at }) => published_at)
  const people = await mentionedIn(ctx, feeds)
  const notices = feeds.flatMap(({ id, user_id, message_rendered }) =>
    mentionsIn(message_rendered)
      .flatMap((name) => people.get(name) ?? [])
      .filter((userId) => userId !== user_id)
      .map((userId): FeedNotice => {
        const subject = `mention:feed:${id}`
        return { userId, type: 'mention', subject, objectType: 'feed', objectId: id, actorId: user_id, feedId: id }
      }),
  )
  await createNotifications(ctx, await visibleToRecipients(ctx, notices))
  for (const feed of feeds) await beginFanOut(ctx, feed.id, feed)
}

/** The notices about a comment, one for each recipient: a mention over a reply over a comment. */
const noticesOf = (comment: CommentFacts, people: ReadonlyMap<string, number>): FeedNotice[] => {
  const { id: commentId, feed_id: feedId, parent_id: parentId, parent_author: parentAuthor } = comment
  const common = { actorId: comment.user_id, feedId, causeCommentId: commentId }
  const notices = new Map<number, FeedNotice>()
  const add = (userId: number, type: Notice['type'], objectType: 'feed' | 'comment', objectId: number) =>
    notices.set(userId, {
      ...common,
      userId,
      type,
      subject: `${type}:${objectType}:${objectId}`,
      objectType,
      objectId,
      ...(objectType === 'comment' && { commentId: objectId }),
    })
  add(comment.feed_author, 'new_comment', 'feed', feedId)
  if (parentId !== null && parentAuthor !== null) add(parentAuthor, 'new_reply', 'comment', parentId)
  for (const name of mentionsIn(comment.message_rendered)) {
    const userId = people.get(name)
    if (userId !== undefined) add(userId, 'mention', 'comment', commentId)
  }
  notices.delete(comment.user_id)
  return [...notices.values()]
}

/** Notifies about published comments, each person once per comment. */
const notifyOfComments = (edited: boolean) => async (ctx: WriteContext, all: readonly CommentFacts[]) => {
  const comments = noticed(ctx, edited, all, ({ created_at }) => created_at)
  const notified = await notifiedAboutComments(
    ctx.db,
    comments.map(({ id }) => id),
  )
  const people = await mentionedIn(ctx, comments)
  const notices = comments.flatMap((comment) =>
    noticesOf(comment, people).filter(({ userId, type }) => !notified.has(`${comment.id} ${userId}`) && (!edited || type === 'mention')),
  )
  const { mentions = [], others = [] } = Object.groupBy(await visibleToRecipients(ctx, notices), ({ type }) =>
    type === 'mention' ? 'mentions' : 'others',
  )
  await createNotifications(ctx, mentions)
  await addCauses(ctx, others)
}

/** Reconciles the authors' notifications with the reactions that exist now. */
const reconcileReactions = async (ctx: WriteContext, reactions: readonly ReactionFacts[]) => {
  const notices = new Map<string, FeedNotice & { readonly isPresent: boolean }>()
  for (const { user_id: actorId, author_id: userId, feed_id: feedId, comment_id: commentId, current_id } of reactions) {
    if (userId === actorId) continue
    const object =
      commentId === null ? ({ objectType: 'feed', objectId: feedId } as const) : ({ objectType: 'comment', objectId: commentId } as const)
    const subject = `new_reaction:${object.objectType}:${object.objectId}`
    notices.set(`${actorId} ${subject}`, {
      userId,
      type: 'new_reaction',
      subject,
      actorId,
      ...object,
      feedId,
      commentId,
      isPresent: current_id !== null,
    })
  }
  const all = [...notices.values()]
  const known = await causesOf(ctx.db, all)
  await removeCauses(
    ctx,
    all,
    known.filter(({ n }) => !all[n]?.isPresent),
  )
  const knownIndexes = new Set(known.map(({ n }) => n))
  const added = all.filter(({ isPresent }, n) => isPresent && !knownIndexes.has(n))
  await addCauses(ctx, await visibleToRecipients(ctx, added))
}

const notifyFollowed = async (ctx: WriteContext, follower: number, followed: number) => {
  if (!(await isFollowing(ctx.db, [follower, followed]))) return
  await notify(ctx, {
    userId: followed,
    type: 'new_follower',
    subject: `new_follower:user:${follower}`,
    objectType: 'user',
    objectId: follower,
    actorId: follower,
  })
}

/** Notifies the admins of a space that a member joined or requests to join. */
const notifyAdmins = async (ctx: WriteContext, spaceId: number, userId: number) => {
  await lockRow(ctx.db, 'spaces', spaceId)
  const place = await findMembership(ctx.db, spaceId, userId)
  if (!place || place.status === 'banned') return
  const subject = `space_join:space:${spaceId}:user:${userId}`
  const admins = await adminsOf(ctx.db, [spaceId])
  await notifyAll(
    ctx,
    admins.map((admin) => ({
      userId: admin,
      type: 'space_join',
      subject,
      objectType: 'space',
      objectId: spaceId,
      actorId: userId,
      spaceId,
    })),
  )
}

const notifyInvited = async (ctx: WriteContext, spaceId: number, userId: number, actorId: number) => {
  await lockRow(ctx.db, 'spaces', spaceId)
  const place = await findMembership(ctx.db, spaceId, userId)
  if (place?.status !== 'active') return
  const subject = `space_invite:space:${spaceId}`
  const notice = { userId, type: 'space_invite', subject, objectType: 'space', objectId: spaceId, actorId, spaceId } as const
  await notify(ctx, notice, { repeatedAt: place.joined_at })
}

/** Notifies the instructor of a course, or else its creator, about a student's action. */
const notifyOwner = async (ctx: WriteContext, courseId: number, notice: Pick<Notice, 'type' | 'objectType' | 'objectId' | 'actorId'>) => {
  const owner = await ownerOf(ctx.db, [courseId, notice.actorId])
  if (!owner || owner.owner_id === null) return
  const subject = `${notice.type}:${notice.objectType}:${notice.objectId}:user:${notice.actorId}`
  await notify(ctx, { ...notice, userId: owner.owner_id, subject })
}

/** Creates notifications for those recipients who are not the actor and whose account is active. */
const notifyAll = async (ctx: WriteContext, notices: readonly Notice[]): Promise<number> => {
  const others = notices.filter(({ userId, actorId }) => userId !== actorId)
  const active = await actorsFor(ctx.db, [...new Set(others.map(({ userId }) => userId))])
  return createNotifications(
    ctx,
    others.filter(({ userId }) => active.has(userId)),
  )
}

/**
 * Notifies a member, unless they are the actor or their account is not active. A recipient gets one notification per dedup key; with
 * `repeatedAt`, the time of an action that can happen again, an earlier one is shown again. Visibility is checked whenever the
 * notification is shown. The caller must hold the lock on the object concerned.
 */
export const notify = async (ctx: WriteContext, notice: Notice, { repeatedAt }: { repeatedAt?: string } = {}): Promise<void> => {
  if (notice.userId === notice.actorId || !(await actorFor(ctx.db, notice.userId))) return
  const created = await createNotifications(ctx, [notice])
  if (created === 0 && repeatedAt !== undefined) await reopenNotification(ctx, notice, repeatedAt)
}

const TELL = 'notifications.tell'

/**
 * Each listener locks the object and reads its present state: listeners may run in a different order than their events, and must not notify about
 * objects that were deleted or hidden in the meantime.
 */
export const notificationListeners: readonly Listener[] = [
  projector('feed.published', TELL, loadFeedFacts, notifyMentioned(false)),
  projector('feed.updated', TELL, loadFeedFacts, notifyMentioned(true)),
  projector('comment.published', TELL, loadCommentFacts, notifyOfComments(false)),
  projector('comment.updated', TELL, loadCommentFacts, notifyOfComments(true)),
  projector('reaction.added', TELL, loadReactionFacts, reconcileReactions),
  projector('reaction.removed', TELL, loadReactionFacts, reconcileReactions),
  on('follow.requested', TELL, (ctx, { follower_id, following_id }) => notifyFollowed(ctx, follower_id, following_id)),
  on('follow.started', TELL, (ctx, { follower_id, following_id }) => notifyFollowed(ctx, follower_id, following_id)),
  on('space.member_joined', TELL, async (ctx, { space_id, user_id, approver_id: approver }) => {
    await notifyAdmins(ctx, space_id, user_id)
    if (approver) await notifyInvited(ctx, space_id, user_id, approver)
  }),
  on('space.join_requested', TELL, (ctx, { space_id, user_id }) => notifyAdmins(ctx, space_id, user_id)),
  on('space.member_invited', TELL, async (ctx, { space_id, user_id, inviter_id: inviter }) => {
    if (inviter) await notifyInvited(ctx, space_id, user_id, inviter)
  }),
  on('course.enrolled', TELL, async (ctx, { course_id, user_id }) => {
    await lockRow(ctx.db, 'courses', course_id)
    await notifyOwner(ctx, course_id, { type: 'course_enrollment', objectType: 'course', objectId: course_id, actorId: user_id })
  }),
  on('lesson.completed', TELL, async (ctx, { lesson_id, course_id, user_id }) => {
    await lockRow(ctx.db, 'lessons', lesson_id)
    if (!(await isCompleted(ctx.db, [lesson_id, user_id]))) return
    await notifyOwner(ctx, course_id, { type: 'lesson_complete', objectType: 'lesson', objectId: lesson_id, actorId: user_id })
  }),
]
