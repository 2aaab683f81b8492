import { lockRow, statement, statementOne } from '../../db/index.ts'
import { actorFor } from '../../platform/auth/identify.ts'
import { shift } from '../../platform/clock.ts'
import type { WriteContext } from '../../platform/context.ts'
import { type Listener, on } from '../../platform/jobs/index.ts'
import { feedAbilities, isUnlocked, loadStanding } from '../feeds/index.ts'
import { findMembership } from '../spaces/index.ts'
import { beginFanOut } from './everyone.ts'
import { mentionsIn, REMEMBERED_S } from './rules.ts'
import { addCause, dropCause, type Notice, peopleNamed, tellAnew, tellOnce, toldOfComment } from './store.ts'

interface FeedText {
  readonly user_id: number
  readonly message: string
  readonly message_rendered: string
  readonly content_type: string
  readonly status: string
  readonly published_at: string
}
interface CommentText {
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
const commentText = statementOne<CommentText>(
  'select user_id, post_id, parent_id, message_rendered, status, created_at from comments where id = $1',
)
const feedAuthor = statementOne<{ user_id: number }>('select user_id from feeds where id = $1')
const commentAuthor = statementOne<{ user_id: number }>('select user_id from comments where id = $1')
const feedReaction = statementOne<{ id: number }>('select id from reactions where feed_id = $1 and user_id = $2 and comment_id is null')
const commentReaction = statementOne<{ id: number }>('select id from reactions where comment_id = $1 and user_id = $2')
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

const isRemembered = ({ now }: WriteContext, since: string): boolean => since >= shift(now, -REMEMBERED_S)

/** Whether somebody can be told of something under a feed: his account is active, and he may see the feed at this moment. */
const mayHear = async ({ db, now }: WriteContext, userId: number, feedId: number): Promise<boolean> => {
  const actor = await actorFor(db, userId)
  const feed = actor && (await loadStanding(db, feedId, userId))
  return actor !== undefined && feed !== undefined && feedAbilities(actor, feed).view && isUnlocked({ db, now, actor }, feed)
}

/** Tells those whom a published feed mentions, each once however often it is edited; `@everyone` of those who may say so is a job of its own. */
const tellMentioned = async (ctx: WriteContext, feedId: number, edited: boolean) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await feedText(ctx.db, [feedId])
  if (feed?.status !== 'published' || (edited && !isRemembered(ctx, feed.published_at))) return
  for (const userId of await peopleNamed(ctx.db, mentionsIn(feed.message_rendered))) {
    if (userId === feed.user_id || !(await mayHear(ctx, userId, feedId))) continue
    await tellOnce(ctx, {
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

/** Why each person hears of a comment: mentioned before replied to before commented on. */
const hearersOf = async ({ db }: WriteContext, commentId: number, comment: CommentText): Promise<Map<number, Omit<Notice, 'userId'>>> => {
  const { post_id: feedId, parent_id: parentId } = comment
  const common = { actorId: comment.user_id, feedId, causeCommentId: commentId }
  const hearers = new Map<number, Omit<Notice, 'userId'>>()
  const feed = await feedAuthor(db, [feedId])
  if (feed)
    hearers.set(feed.user_id, {
      ...common,
      type: 'new_comment',
      subject: `new_comment:feed:${feedId}`,
      objectType: 'feed',
      objectId: feedId,
    })
  const parent = parentId === null ? undefined : await commentAuthor(db, [parentId])
  if (parent && parentId !== null) {
    const subject = `new_reply:comment:${parentId}`
    hearers.set(parent.user_id, { ...common, type: 'new_reply', subject, objectType: 'comment', objectId: parentId, commentId: parentId })
  }
  const mention = {
    type: 'mention',
    subject: `mention:comment:${commentId}`,
    objectType: 'comment',
    objectId: commentId,
    commentId,
  } as const
  for (const userId of await peopleNamed(db, mentionsIn(comment.message_rendered))) hearers.set(userId, { ...common, ...mention })
  hearers.delete(comment.user_id)
  return hearers
}

/** Tells of a published comment, one person once; an edit tells those whom it mentions newly. */
const tellOfComment = async (ctx: WriteContext, commentId: number, feedId: number, edited: boolean) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const comment = await commentText(ctx.db, [commentId])
  if (comment?.status !== 'published' || (edited && !isRemembered(ctx, comment.created_at))) return
  const told = await toldOfComment(ctx.db, commentId)
  for (const [userId, notice] of await hearersOf(ctx, commentId, comment)) {
    if (told.has(userId) || (edited && notice.type !== 'mention') || !(await mayHear(ctx, userId, feedId))) continue
    if (notice.type === 'mention') await tellOnce(ctx, { ...notice, userId })
    else await addCause(ctx, { ...notice, userId })
  }
}

interface Reacted {
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id?: number | undefined
}

/** Brings what the author hears of a reaction in line with whether it stands now. */
const followReaction = async (ctx: WriteContext, { user_id: actorId, feed_id: feedId, comment_id: commentId }: Reacted) => {
  await lockRow(ctx.db, 'feeds', feedId)
  const [author, stands] = commentId
    ? [await commentAuthor(ctx.db, [commentId]), await commentReaction(ctx.db, [commentId, actorId])]
    : [await feedAuthor(ctx.db, [feedId]), await feedReaction(ctx.db, [feedId, actorId])]
  if (!author || author.user_id === actorId) return
  const [objectType, objectId] = commentId ? (['comment', commentId] as const) : (['feed', feedId] as const)
  const subject = `new_reaction:${objectType}:${objectId}`
  const place = { objectType, objectId, feedId, commentId: commentId ?? null }
  const notice: Notice = { userId: author.user_id, type: 'new_reaction', subject, actorId, ...place }
  if (!stands) await dropCause(ctx, notice)
  else if (await mayHear(ctx, author.user_id, feedId)) await addCause(ctx, notice)
}

const tellFollowed = async (ctx: WriteContext, follower: number, followed: number) => {
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

/** Tells those who run a space that somebody joined, or waits for their answer. */
const tellAdmins = async (ctx: WriteContext, spaceId: number, userId: number) => {
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

const tellInvited = async (ctx: WriteContext, spaceId: number, userId: number, actorId: number) => {
  await lockRow(ctx.db, 'spaces', spaceId)
  const place = await findMembership(ctx.db, spaceId, userId)
  if (place?.status !== 'active' || actorId === userId || !(await actorFor(ctx.db, userId))) return
  const subject = `space_invite:space:${spaceId}`
  const notice = { userId, type: 'space_invite', subject, objectType: 'space', objectId: spaceId, actorId, spaceId } as const
  await tellAnew(ctx, notice, place.joined_at)
}

/** Tells who teaches a course, else who made it, what one of its students did. */
const tellOwner = async (ctx: WriteContext, courseId: number, notice: Pick<Notice, 'type' | 'objectType' | 'objectId' | 'actorId'>) => {
  const owner = await ownerOf(ctx.db, [courseId, notice.actorId])
  if (!owner || owner.owner_id === null) return
  const subject = `${notice.type}:${notice.objectType}:${notice.objectId}:user:${notice.actorId}`
  await notify(ctx, { ...notice, userId: owner.owner_id, subject })
}

/**
 * Tells somebody something: once for each subject, never what he did himself, nobody whose account is not active. That the recipient may
 * see it is looked at again whenever it is shown. For jobs of other modules; they hold the object that it is about.
 */
export const notify = async (ctx: WriteContext, notice: Notice): Promise<void> => {
  if (notice.userId === notice.actorId || !(await actorFor(ctx.db, notice.userId))) return
  await tellOnce(ctx, notice)
}

/**
 * Each job holds the object and looks how it stands now: events of one object may be worked off in another order than they happened in,
 * and what is gone, or hidden from the recipient, tells nobody.
 */
export const notificationListeners: readonly Listener[] = [
  on('feed.published', 'notifications.tell', (ctx, { feed_id }) => tellMentioned(ctx, feed_id, false)),
  on('feed.updated', 'notifications.tell', (ctx, { feed_id }) => tellMentioned(ctx, feed_id, true)),
  on('comment.published', 'notifications.tell', (ctx, { comment_id, feed_id }) => tellOfComment(ctx, comment_id, feed_id, false)),
  on('comment.updated', 'notifications.tell', (ctx, { comment_id, feed_id }) => tellOfComment(ctx, comment_id, feed_id, true)),
  on('reaction.added', 'notifications.tell', followReaction),
  on('reaction.removed', 'notifications.tell', followReaction),
  on('follow.requested', 'notifications.tell', (ctx, { follower_id, following_id }) => tellFollowed(ctx, follower_id, following_id)),
  on('follow.started', 'notifications.tell', (ctx, { follower_id, following_id }) => tellFollowed(ctx, follower_id, following_id)),
  on('space.member_joined', 'notifications.tell', (ctx, { space_id, user_id }) => tellAdmins(ctx, space_id, user_id)),
  on('space.join_requested', 'notifications.tell', (ctx, { space_id, user_id }) => tellAdmins(ctx, space_id, user_id)),
  on('space.member_invited', 'notifications.tell', async (ctx, { space_id, user_id, inviter_id: inviter }) => {
    if (inviter) await tellInvited(ctx, space_id, user_id, inviter)
  }),
  on('course.enrolled', 'notifications.tell', async (ctx, { course_id, user_id }) => {
    await lockRow(ctx.db, 'courses', course_id)
    await tellOwner(ctx, course_id, { type: 'course_enrollment', objectType: 'course', objectId: course_id, actorId: user_id })
  }),
  on('lesson.completed', 'notifications.tell', async (ctx, { lesson_id, course_id, user_id }) => {
    await lockRow(ctx.db, 'lessons', lesson_id)
    if (!(await completionOf(ctx.db, [lesson_id, user_id]))) return
    await tellOwner(ctx, course_id, { type: 'lesson_complete', objectType: 'lesson', objectId: lesson_id, actorId: user_id })
  }),
]
