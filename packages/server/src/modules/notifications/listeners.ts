import { actorFor, actorsFor } from '../../auth/authenticate.ts'
import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockRow, lockRows, statement, statementOne } from '../../db/index.ts'
import { type Listener, on, onBatch } from '../../jobs/index.ts'
import { feedAbilities, isUnlocked, loadFeedAccessRows } from '../feeds/index.ts'
import { findMembership } from '../spaces/index.ts'
import { beginFanOut } from './fan-out-everyone.ts'
import { addCauses, createNotification, type Notice, notifiedAboutComments, peopleNamed, removeCauses } from './repository.ts'
import { MAX_EDIT_AGE_S, mentionsIn } from './rules.ts'

interface FeedText {
  readonly user_id: number
  readonly message: string
  readonly message_rendered: string
  readonly content_type: string
  readonly status: string
  readonly published_at: string
}
interface CommentText {
  readonly id: number
  readonly user_id: number
  readonly post_id: number
  readonly parent_id: number | null
  readonly message_rendered: string
  readonly status: string
  readonly created_at: string
}

const feedText = statementOne<FeedText>(
  'select user_id, message, message_rendered, content_type, status, published_at from feeds where id = $1',
)
const NAMED = { id: 'bigint' } as const
const commentTexts = batchStatement<CommentText>(
  NAMED,
  (rows) => `select c.id, c.user_id, c.post_id, c.parent_id, c.message_rendered, c.status, c.created_at from ${rows} d
    join comments c on c.id = d.id`,
)
interface Author {
  readonly id: number
  readonly user_id: number
}
const AUTHORS = {
  feed: batchStatement<Author>(NAMED, (rows) => `select f.id, f.user_id from ${rows} d join feeds f on f.id = d.id`),
  comment: batchStatement<Author>(NAMED, (rows) => `select c.id, c.user_id from ${rows} d join comments c on c.id = d.id`),
} as const
/** Authors by object id. */
const authorsOf = async (db: Db, kind: keyof typeof AUTHORS, ids: readonly number[]): Promise<Map<number, number>> => {
  const named = [...new Set(ids)]
  return new Map(named.length === 0 ? [] : (await AUTHORS[kind](db, named)).map(({ id, user_id }) => [id, user_id]))
}
/** Which reactions of a list still exist, by their index in it. */
const existingReactions = batchStatement<{ n: number }>(
  { n: 'bigint', user_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
  (rows) => `select d.n from ${rows} d where case when d.comment_id is null
    then exists (select 1 from reactions r where r.feed_id = d.feed_id and r.user_id = d.user_id and r.comment_id is null)
    else exists (select 1 from reactions r where r.comment_id = d.comment_id and r.user_id = d.user_id) end`,
)
const followOf = statementOne<{ id: number }>('select id from followers where follower_id = $1 and following_id = $2')
const ownerOf = statementOne<{ owner_id: number | null }>(
  `select coalesce(c.instructor_id, c.created_by) as owner_id from courses c join enrolments e on e.course_id = c.id and e.user_id = $2
   where c.id = $1`,
)
const completionOf = statementOne<{ lesson_id: number }>('select lesson_id from lesson_completions where lesson_id = $1 and user_id = $2')
const MOST_ADMINS = 200
const adminsOf = statement<{ user_id: number }>(
  `select user_id from space_members where space_id = $1 and status = 'active' and role <> 'member' and role = 'admin'
   order by joined_at, id limit ${MOST_ADMINS}`,
)

const isWithinRetention = ({ now }: WriteContext, since: string): boolean => since >= shift(now, -MAX_EDIT_AGE_S)

const pairOf = (userId: number, feedId: number) => `${userId} ${feedId}`

/** Pairs of user and feed for which the user is active and may see the feed now. */
const whoMaySee = async ({ db, now }: WriteContext, pairs: readonly { userId: number; feedId: number }[]): Promise<Set<string>> => {
  const different = [...new Map(pairs.map((pair) => [pairOf(pair.userId, pair.feedId), pair])).values()]
  const heard = new Set<string>()
  if (different.length === 0) return heard
  const actors = await actorsFor(db, [...new Set(different.map(({ userId }) => userId))])
  for (const feed of await loadFeedAccessRows(
    db,
    different.map(({ userId, feedId }) => [feedId, userId] as const),
  )) {
    const actor = actors.get(feed.me)
    if (actor && feedAbilities(actor, feed).view && (await isUnlocked({ db, now, actor }, feed))) heard.add(pairOf(feed.me, feed.id))
  }
  return heard
}

/** Notifies everyone mentioned in a published feed, once per person even after edits. `@everyone` is handled by a separate job. */
const notifyMentioned = async (ctx: WriteContext, feedId: number, edited: boolean) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await feedText(ctx.db, [feedId])
  if (feed?.status !== 'published' || (edited && !isWithinRetention(ctx, feed.published_at))) return
  const people = [...(await peopleNamed(ctx.db, mentionsIn(feed.message_rendered))).values()].filter((userId) => userId !== feed.user_id)
  const hear = await whoMaySee(
    ctx,
    people.map((userId) => ({ userId, feedId })),
  )
  for (const userId of people) {
    if (!hear.has(pairOf(userId, feedId))) continue
    await createNotification(ctx, {
      userId,
      type: 'mention',
      subject: `mention:feed:${feedId}`,
      objectType: 'feed',
      objectId: feedId,
      actorId: feed.user_id,
      feedId,
    })
  }
  await beginFanOut(ctx, feedId, feed)
}

/** Loads what is needed to determine the recipients of comment notifications. */
const loadReasons = async ({ db }: WriteContext, comments: readonly CommentText[]) => {
  const ids = comments.map(({ id }) => id)
  const names = comments.flatMap(({ message_rendered }) => mentionsIn(message_rendered))
  return {
    told: await notifiedAboutComments(db, ids),
    feedAuthors: await authorsOf(
      db,
      'feed',
      comments.map(({ post_id }) => post_id),
    ),
    parentAuthors: await authorsOf(
      db,
      'comment',
      comments.flatMap(({ parent_id }) => parent_id ?? []),
    ),
    people: await peopleNamed(db, [...new Set(names)]),
  }
}
type ReasonData = Awaited<ReturnType<typeof loadReasons>>

/** The recipients of a comment's notifications, each with one reason: a mention over a reply over a comment. */
const recipientsOf = (comment: CommentText, { feedAuthors, parentAuthors, people }: ReasonData): Map<number, Omit<Notice, 'userId'>> => {
  const { id: commentId, post_id: feedId, parent_id: parentId } = comment
  const common = { actorId: comment.user_id, feedId, causeCommentId: commentId }
  const recipients = new Map<number, Omit<Notice, 'userId'>>()
  const author = feedAuthors.get(feedId)
  if (author !== undefined) {
    const subject = `new_comment:feed:${feedId}`
    recipients.set(author, { ...common, type: 'new_comment', subject, objectType: 'feed', objectId: feedId })
  }
  const parent = parentId === null ? undefined : parentAuthors.get(parentId)
  if (parent !== undefined && parentId !== null) {
    const subject = `new_reply:comment:${parentId}`
    recipients.set(parent, { ...common, type: 'new_reply', subject, objectType: 'comment', objectId: parentId, commentId: parentId })
  }
  const subject = `mention:comment:${commentId}`
  const mention = { type: 'mention', subject, objectType: 'comment', objectId: commentId, commentId } as const
  for (const name of mentionsIn(comment.message_rendered)) {
    const userId = people.get(name)
    if (userId !== undefined) recipients.set(userId, { ...common, ...mention })
  }
  recipients.delete(comment.user_id)
  return recipients
}

interface CommentIds {
  readonly comment_id: number
  readonly feed_id: number
}

/** Notifies about published comments, each person once per comment. An edit notifies newly mentioned members. */
const notifyOfComments = (edited: boolean) => async (ctx: WriteContext, named: readonly CommentIds[]) => {
  await lockRows(ctx.db, 'feeds', [...new Set(named.map(({ feed_id }) => feed_id))])
  const ids = [...new Set(named.map(({ comment_id }) => comment_id))]
  const texts = await commentTexts(ctx.db, ids)
  const comments = texts.filter(({ status, created_at }) => status === 'published' && (!edited || isWithinRetention(ctx, created_at)))
  if (comments.length === 0) return
  const grounds = await loadReasons(ctx, comments)
  const notices = comments.flatMap((comment) =>
    [...recipientsOf(comment, grounds)]
      .filter(([userId, { type }]) => !grounds.told.has(`${comment.id} ${userId}`) && (!edited || type === 'mention'))
      .map(([userId, notice]) => ({ ...notice, userId, feedId: comment.post_id })),
  )
  const hear = await whoMaySee(ctx, notices)
  const heard = notices.filter(({ userId, feedId }) => hear.has(pairOf(userId, feedId)))
  for (const notice of heard) if (notice.type === 'mention') await createNotification(ctx, notice)
  await addCauses(
    ctx,
    heard.filter(({ type }) => type !== 'mention'),
  )
}

interface ReactionRef {
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id?: number | undefined
}

const targetOf = ({ feed_id, comment_id }: ReactionRef) =>
  comment_id ? ({ objectType: 'comment', objectId: comment_id } as const) : ({ objectType: 'feed', objectId: feed_id } as const)

/** Reconciles the authors' notifications with the reactions that exist now. */
const reconcileReactions = async (ctx: WriteContext, reacted: readonly ReactionRef[]) => {
  const { db } = ctx
  await lockRows(db, 'feeds', [...new Set(reacted.map(({ feed_id }) => feed_id))])
  const [onComments, onFeeds] = [reacted.filter(({ comment_id }) => comment_id), reacted.filter(({ comment_id }) => !comment_id)]
  const authors = {
    feed: await authorsOf(
      db,
      'feed',
      onFeeds.map(({ feed_id }) => feed_id),
    ),
    comment: await authorsOf(
      db,
      'comment',
      onComments.flatMap(({ comment_id }) => comment_id ?? []),
    ),
  }
  const different = new Map<string, Notice & { readonly feedId: number }>()
  for (const one of reacted) {
    const { objectType, objectId } = targetOf(one)
    const userId = authors[objectType].get(objectId)
    if (userId === undefined || userId === one.user_id) continue
    const subject = `new_reaction:${objectType}:${objectId}`
    const place = { objectType, objectId, feedId: one.feed_id, commentId: one.comment_id ?? null }
    different.set(`${one.user_id} ${subject}`, { userId, type: 'new_reaction', subject, actorId: one.user_id, ...place })
  }
  const notices = [...different.values()]
  if (notices.length === 0) return
  const rows = notices.map(({ actorId, feedId, commentId }, n) => [n, actorId, feedId, commentId ?? null])
  const standing = new Set((await existingReactions(db, rows)).map(({ n }) => n))
  await removeCauses(
    ctx,
    notices.filter((_, n) => !standing.has(n)),
  )
  const stand = notices.filter((_, n) => standing.has(n))
  const hear = await whoMaySee(ctx, stand)
  await addCauses(
    ctx,
    stand.filter(({ userId, feedId }) => hear.has(pairOf(userId, feedId))),
  )
}

const notifyFollowed = async (ctx: WriteContext, follower: number, followed: number) => {
  if (!(await followOf(ctx.db, [follower, followed]))) return
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
  for (const admin of await adminsOf(ctx.db, [spaceId]))
    await notify(ctx, {
      userId: admin.user_id,
      type: 'space_join',
      subject,
      objectType: 'space',
      objectId: spaceId,
      actorId: userId,
      spaceId,
    })
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

/**
 * Notifies a member, unless they are the actor or their account is not active. A recipient gets one notification per dedup key; with
 * `repeatedAt`, the time of an action that can happen again, an earlier one is shown again. Visibility is checked whenever the
 * notification is shown. The caller must hold the lock on the object concerned.
 */
export const notify = async (ctx: WriteContext, notice: Notice, { repeatedAt }: { repeatedAt?: string } = {}): Promise<void> => {
  if (notice.userId === notice.actorId || !(await actorFor(ctx.db, notice.userId))) return
  await createNotification(ctx, notice, repeatedAt)
}

/**
 * Each job locks the object and reads its present state: jobs may run in a different order than their events, and must not notify about
 * objects that were deleted or hidden in the meantime.
 */
export const notificationListeners: readonly Listener[] = [
  on('feed.published', 'notifications.tell', (ctx, { feed_id }) => notifyMentioned(ctx, feed_id, false)),
  on('feed.updated', 'notifications.tell', (ctx, { feed_id }) => notifyMentioned(ctx, feed_id, true)),
  onBatch('comment.published', 'notifications.tell', notifyOfComments(false)),
  onBatch('comment.updated', 'notifications.tell', notifyOfComments(true)),
  onBatch('reaction.added', 'notifications.tell', reconcileReactions),
  onBatch('reaction.removed', 'notifications.tell', reconcileReactions),
  on('follow.requested', 'notifications.tell', (ctx, { follower_id, following_id }) => notifyFollowed(ctx, follower_id, following_id)),
  on('follow.started', 'notifications.tell', (ctx, { follower_id, following_id }) => notifyFollowed(ctx, follower_id, following_id)),
  on('space.member_joined', 'notifications.tell', async (ctx, { space_id, user_id, approver_id: approver }) => {
    await notifyAdmins(ctx, space_id, user_id)
    if (approver) await notifyInvited(ctx, space_id, user_id, approver)
  }),
  on('space.join_requested', 'notifications.tell', (ctx, { space_id, user_id }) => notifyAdmins(ctx, space_id, user_id)),
  on('space.member_invited', 'notifications.tell', async (ctx, { space_id, user_id, inviter_id: inviter }) => {
    if (inviter) await notifyInvited(ctx, space_id, user_id, inviter)
  }),
  on('course.enrolled', 'notifications.tell', async (ctx, { course_id, user_id }) => {
    await lockRow(ctx.db, 'courses', course_id)
    await notifyOwner(ctx, course_id, { type: 'course_enrollment', objectType: 'course', objectId: course_id, actorId: user_id })
  }),
  on('lesson.completed', 'notifications.tell', async (ctx, { lesson_id, course_id, user_id }) => {
    await lockRow(ctx.db, 'lessons', lesson_id)
    if (!(await completionOf(ctx.db, [lesson_id, user_id]))) return
    await notifyOwner(ctx, course_id, { type: 'lesson_complete', objectType: 'lesson', objectId: lesson_id, actorId: user_id })
  }),
]
