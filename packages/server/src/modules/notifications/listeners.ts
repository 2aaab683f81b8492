import { renderedMentions } from '@lyceum/content'
import { actorsFor } from '../../auth/authenticate.ts'
import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { batchStatement } from '../../db/index.ts'
import { type Listener, projector } from '../../jobs/index.ts'
import { idsOf } from '../../util/distinct.ts'
import { type CommentFacts, loadCommentFacts } from '../comments/index.ts'
import { loadCompletionFacts, loadStudentFacts } from '../courses/index.ts'
import { type FeedFacts, feedAbilities, isUnlocked, loadFeedAccessRows, loadFeedFacts } from '../feeds/index.ts'
import { type FollowFacts, loadFollowFacts } from '../followers/index.ts'
import { loadReactionFacts, type ReactionFacts } from '../reactions/index.ts'
import { loadMembershipFacts, type MembershipFacts } from '../spaces/index.ts'
import { beginFanOut } from './fan-out-everyone.ts'
import { addCauses, causesOf, createNotifications, type Notice, notifiedAboutComments, peopleNamed, removeCauses } from './repository.ts'
import { MAX_EDIT_AGE_S } from './retention.ts'

const MOST_ADMINS = 200
const adminsOf = batchStatement<{ space_id: number; user_id: number }>(
  { id: 'bigint' },
  (
    rows,
  ) => `select space_id, user_id from (select m.space_id, m.user_id, row_number() over (partition by m.space_id order by m.joined_at, m.id) as n
    from ${rows} d cross join space_members m where m.space_id = d.id and m.status = 'active' and m.role <> 'member' and m.role = 'admin') as p1
    where n <= ${MOST_ADMINS} order by space_id, n`,
)

type FeedNotice = Notice & { readonly feedId: number }

/** The notices whose recipients are active and may see the feed now. */
const visibleToRecipients = async ({ db, now }: WriteContext, notices: readonly FeedNotice[]): Promise<FeedNotice[]> => {
  if (notices.length === 0) return []
  const pairOf = (userId: number, feedId: number) => `${userId} ${feedId}`
  const pairs = new Map(notices.map(({ userId, feedId }) => [pairOf(userId, feedId), [feedId, userId] as const]))
  const [actors, feeds] = await Promise.all([actorsFor(db, idsOf(notices, 'userId')), loadFeedAccessRows(db, [...pairs.values()])])
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
  peopleNamed(db, [...new Set(texts.flatMap(({ message_rendered }) => renderedMentions(message_rendered)))])

/** Notifies everyone mentioned in published feeds, once per person even after edits. `@everyone` is handled by a separate job. */
const notifyMentioned = (edited: boolean) => async (ctx: WriteContext, all: readonly FeedFacts[]) => {
  const feeds = noticed(ctx, edited, all, ({ published_at }) => published_at)
  const people = await mentionedIn(ctx, feeds)
  const notices = feeds.flatMap(({ id, user_id, message_rendered }) =>
    renderedMentions(message_rendered)
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
  for (const name of renderedMentions(comment.message_rendered)) {
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

/** Creates notifications for those recipients who are not the actor and whose account is active. The caller must hold the locks on the objects. */
export const notify = async (ctx: WriteContext, notices: readonly Notice[]): Promise<void> => {
  const others = notices.filter(({ userId, actorId }) => userId !== actorId)
  const active = await actorsFor(ctx.db, idsOf(others, 'userId'))
  await createNotifications(
    ctx,
    others.filter(({ userId }) => active.has(userId)),
  )
}

const notifyFollowed = (ctx: WriteContext, follows: readonly FollowFacts[]) =>
  notify(
    ctx,
    follows
      .filter(({ status }) => status !== null)
      .map(({ follower_id: id, following_id: userId }) => {
        const subject = `new_follower:user:${id}`
        return { userId, type: 'new_follower', subject, objectType: 'user', objectId: id, actorId: id }
      }),
  )

/** The notices to the admins of spaces about members who joined or request to join. */
const noticesToAdmins = async ({ db }: WriteContext, memberships: readonly MembershipFacts[]): Promise<Notice[]> => {
  const admins = Map.groupBy(await adminsOf(db, idsOf(memberships, 'space_id')), ({ space_id }) => space_id)
  return memberships
    .filter(({ status }) => status === 'active' || status === 'pending')
    .flatMap(({ space_id: spaceId, user_id: actorId }) => {
      const subject = `space_join:space:${spaceId}:user:${actorId}`
      const notice = { type: 'space_join', subject, objectType: 'space', objectId: spaceId, actorId, spaceId } as const
      return (admins.get(spaceId) ?? []).map(({ user_id: userId }) => ({ ...notice, userId }))
    })
}

/** The notices to members whom somebody else added or approved. */
const noticesToInvited = (memberships: readonly MembershipFacts[]): Notice[] =>
  memberships.flatMap(({ space_id: spaceId, user_id: userId, by_id: actorId, status, joined_at: repeatedAt }) => {
    if (actorId === null || status !== 'active') return []
    const subject = `space_invite:space:${spaceId}`
    return [{ userId, type: 'space_invite', subject, objectType: 'space', objectId: spaceId, actorId, spaceId, repeatedAt }]
  })

/** Notifies the instructors of courses, or else their creators, about their students' actions. */
const notifyOwners =
  <Facts extends { readonly owner_id: number | null; readonly user_id: number }>(
    type: Notice['type'],
    objectType: 'course' | 'lesson',
    objectOf: (facts: Facts) => number,
  ) =>
  (ctx: WriteContext, all: readonly Facts[]) =>
    notify(
      ctx,
      all.flatMap((facts): Notice[] => {
        const { owner_id: userId, user_id: actorId } = facts
        const objectId = objectOf(facts)
        const subject = `${type}:${objectType}:${objectId}:user:${actorId}`
        return userId === null ? [] : [{ userId, type, subject, objectType, objectId, actorId }]
      }),
    )

const TELL = 'notifications.tell'

/**
 * The facts are the present state of locked objects: listeners may run in a different order than their events, and must not notify about objects
 * that were deleted or hidden in the meantime.
 */
export const notificationListeners: readonly Listener[] = [
  projector('feed.published', TELL, loadFeedFacts, notifyMentioned(false)),
  projector('feed.updated', TELL, loadFeedFacts, notifyMentioned(true)),
  projector('comment.published', TELL, loadCommentFacts, notifyOfComments(false)),
  projector('comment.updated', TELL, loadCommentFacts, notifyOfComments(true)),
  projector('reaction.added', TELL, loadReactionFacts, reconcileReactions),
  projector('reaction.removed', TELL, loadReactionFacts, reconcileReactions),
  projector('follow.requested', TELL, loadFollowFacts, notifyFollowed),
  projector('follow.started', TELL, loadFollowFacts, notifyFollowed),
  projector('space.member_joined', TELL, loadMembershipFacts, async (ctx, memberships) =>
    notify(ctx, [...(await noticesToAdmins(ctx, memberships)), ...noticesToInvited(memberships)]),
  ),
  projector('space.join_requested', TELL, loadMembershipFacts, async (ctx, memberships) =>
    notify(ctx, await noticesToAdmins(ctx, memberships)),
  ),
  projector('space.member_invited', TELL, loadMembershipFacts, (ctx, memberships) => notify(ctx, noticesToInvited(memberships))),
  projector(
    'course.enrolled',
    TELL,
    loadStudentFacts,
    notifyOwners('course_enrollment', 'course', ({ course_id }) => course_id),
  ),
  projector(
    'lesson.completed',
    TELL,
    loadCompletionFacts,
    notifyOwners('lesson_complete', 'lesson', ({ lesson_id }) => lesson_id),
  ),
]
