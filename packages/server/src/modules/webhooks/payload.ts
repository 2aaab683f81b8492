import type { EventName, EventPayload } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { ReadContext } from '../../core/context.ts'
import type { LeasedDelivery } from '../../db/index.ts'
import type { CreatorAccess } from './access.ts'
import { attemptOf, completionOf, enrolmentOf, followOf, lessonOf, membershipOf, personOf, reactionOf } from './payload-records.ts'
import {
  canInSpace,
  couldSeeComment,
  managesCourse,
  seeComment,
  seeCourse,
  seeFeed,
  seePerson,
  seeReport,
  seeSpace,
  seesFollow,
  seesPlace,
  seesStudent,
  worksIn,
} from './subject-visibility.ts'

type Data = Readonly<Record<string, unknown>>

interface PayloadParts {
  /** Whether the webhook may know of the event at all. */
  readonly seen: boolean
  /** The present record; null if it is deleted or hidden. */
  readonly record: Data | null
  /** Ids that are always included. */
  readonly ids: Data
  /** The actor, if it is fixed regardless of who made the request. */
  readonly by?: number | undefined
  /** The actor, if no request caused the event. */
  readonly of?: number | undefined
}

type PayloadBuilder<N extends EventName> = (ctx: ReadContext, eyes: CreatorAccess, payload: EventPayload<N>) => Promise<PayloadParts>

/** When a feed leaves a space, those who see the space are notified, but not of its present content. */
const changedFeed: PayloadBuilder<'feed.updated'> = async (ctx, eyes, { feed_id, place_id }) => {
  const { view, author } = await seeFeed(ctx, eyes, feed_id)
  const seen = view !== null || (await seesPlace(ctx, eyes, place_id))
  return { seen, record: view, ids: { id: feed_id }, of: author }
}

const changedComment: PayloadBuilder<'comment.updated'> = async (ctx, eyes, { comment_id, feed_id }) => {
  const { view, author } = await seeComment(ctx, eyes, comment_id)
  return { seen: view !== null, record: view, ids: { id: comment_id, post_id: feed_id }, of: author }
}

const target = ({ feed_id, comment_id }: EventPayload<'reaction.added'>) => ({
  object_id: comment_id ?? feed_id,
  object_type: comment_id === undefined ? 'feed' : 'comment',
  parent_id: comment_id === undefined ? 0 : feed_id,
})

const reaction = async (
  ctx: ReadContext,
  eyes: CreatorAccess,
  payload: EventPayload<'reaction.added'>,
  record: Data | null,
): Promise<PayloadParts> => {
  const { reaction_id: id, user_id, feed_id, comment_id } = payload
  const { view } = comment_id === undefined ? await seeFeed(ctx, eyes, feed_id) : await seeComment(ctx, eyes, comment_id)
  return { seen: view !== null, record, ids: { id, user_id, ...target(payload) }, of: user_id }
}

const changedSpace: PayloadBuilder<'space.updated'> = async (ctx, eyes, { space_id }) => {
  const { view } = await seeSpace(ctx, eyes, space_id)
  return { seen: view !== null, record: view, ids: { id: space_id } }
}

const joined: PayloadBuilder<'space.member_joined'> = async (ctx, eyes, { space_id, user_id }) => {
  const record = await membershipOf(ctx.db, space_id, user_id)
  // Invitations are visible only to those who manage members.
  const seen = user_id === eyes.actor.id || (await canInSpace(ctx, eyes, space_id, record ? 'viewMembers' : 'manageMembers'))
  return { seen, record, ids: { space_id, user_id }, of: user_id }
}

const person: PayloadBuilder<'user.registered'> = async (ctx, eyes, { user_id }) => {
  const { view } = await seePerson(ctx, eyes, user_id)
  return { seen: view !== null, record: view, ids: { id: user_id, user_id }, of: user_id }
}

type Follow = Pick<EventPayload<'follow.started'>, 'follower_id' | 'following_id'>
const follow = async (ctx: ReadContext, eyes: CreatorAccess, { follower_id, following_id }: Follow, record: Data | null) => ({
  seen: await seesFollow(ctx, eyes, follower_id, following_id),
  record,
  ids: { follower_id, following_id },
  of: follower_id,
})

type Student = EventPayload<'course.enrolled'>
const student = async (ctx: ReadContext, eyes: CreatorAccess, { course_id, user_id }: Student, record: Data | null) => ({
  seen: await seesStudent(ctx, eyes, course_id, user_id),
  record,
  ids: { course_id, user_id },
  of: user_id,
})

const course: PayloadBuilder<'course.published'> = async (ctx, eyes, { course_id }) => {
  const { view } = await seeCourse(ctx, eyes, course_id)
  return { seen: view !== null, record: view, ids: { id: course_id } }
}

const quiz: PayloadBuilder<'quiz.graded'> = async (ctx, eyes, { attempt_id, lesson_id, course_id, user_id }) => ({
  seen: await managesCourse(ctx, eyes, course_id),
  record: await attemptOf(ctx.db, attempt_id),
  ids: { id: attempt_id, lesson_id, course_id, user_id },
  of: user_id,
})

const report = async (ctx: ReadContext, eyes: CreatorAccess, { report_id }: { readonly report_id: number }): Promise<PayloadParts> => {
  const { view } = await seeReport(ctx, eyes, report_id)
  const reporter = view?.['reporter_id']
  return { seen: view !== null, record: view, ids: { id: report_id }, of: typeof reporter === 'number' ? reporter : undefined }
}

/** Reports the author as the actor, even if a moderator approved the post. */
const byAuthor = (parts: PayloadParts): PayloadParts => ({ ...parts, by: parts.of })

const PAYLOAD_BUILDERS: { readonly [N in EventName]?: PayloadBuilder<N> } = {
  'feed.published': async (ctx, eyes, payload) => byAuthor(await changedFeed(ctx, eyes, payload)),
  'feed.updated': changedFeed,
  'feed.hidden': changedFeed,
  'feed.pinned': changedFeed,
  'feed.unpinned': changedFeed,
  'feed.deleted': async (ctx, eyes, { feed_id, user_id, space_id, place_id }) => ({
    seen: user_id === eyes.actor.id || worksIn(eyes, space_id) || (await seesPlace(ctx, eyes, place_id)),
    record: null,
    ids: { id: feed_id, user_id, space_id: space_id ?? null },
    of: user_id,
  }),
  'comment.published': async (ctx, eyes, payload) => byAuthor(await changedComment(ctx, eyes, payload)),
  'comment.updated': changedComment,
  'comment.deleted': async (ctx, eyes, { comment_id, feed_id, user_id, place_id }) => ({
    seen: await couldSeeComment(ctx, eyes, { feedId: feed_id, authorId: user_id, byAll: place_id !== undefined }),
    record: null,
    ids: { id: comment_id, post_id: feed_id, user_id },
    of: user_id,
  }),
  'comment.marked_helpful': changedComment,
  'comment.unmarked_helpful': changedComment,
  'reaction.added': async (ctx, eyes, payload) => reaction(ctx, eyes, payload, await reactionOf(ctx.db, payload.reaction_id)),
  'reaction.removed': (ctx, eyes, payload) => reaction(ctx, eyes, payload, null),
  'space.created': async (ctx, eyes, { space_id, user_id }) => ({ ...(await changedSpace(ctx, eyes, { space_id })), of: user_id }),
  'space.updated': changedSpace,
  'space.deleted': async (ctx, eyes, { space_id, place_id }) => ({
    seen: await seesPlace(ctx, eyes, place_id),
    record: null,
    ids: { id: space_id },
  }),
  'space.join_requested': async (ctx, eyes, { space_id, user_id }) => ({
    seen: user_id === eyes.actor.id || (await canInSpace(ctx, eyes, space_id, 'manageMembers')),
    record: null,
    ids: { space_id, user_id },
    of: user_id,
  }),
  'space.member_joined': joined,
  'space.member_updated': joined,
  'space.member_invited': joined,
  'space.member_left': async (ctx, eyes, { space_id, user_id }) => ({
    seen: user_id === eyes.actor.id || (await canInSpace(ctx, eyes, space_id, 'viewMembers')),
    record: null,
    ids: { space_id, user_id },
    of: user_id,
  }),
  'user.approval_requested': person,
  'user.registered': async (ctx, eyes, payload) => ({ ...(await person(ctx, eyes, payload)), by: payload.user_id }),
  'user.profile_updated': person,
  'user.status_changed': person,
  'user.warned': async (ctx, eyes, { user_id, report_id }) => ({
    seen: report_id !== undefined && (await seeReport(ctx, eyes, report_id)).view !== null,
    record: null,
    ids: { user_id, report_id: report_id ?? null },
  }),
  'user.deleted': async (_ctx, { actor }, { user_id }) => ({
    seen: may(actor, 'manage_members', null),
    record: null,
    ids: { id: user_id, user_id },
  }),
  'follow.started': async (ctx, eyes, payload) => {
    const { follow_id, follower_id, following_id } = payload
    const told = await follow(ctx, eyes, payload, await followOf(ctx.db, follower_id, following_id))
    return { ...told, ids: { id: follow_id, ...told.ids }, by: follower_id }
  },
  'follow.ended': (ctx, eyes, payload) => follow(ctx, eyes, payload, null),
  'course.created': async (ctx, eyes, payload) => ({ ...(await course(ctx, eyes, payload)), of: payload.user_id }),
  'course.published': course,
  'course.deleted': async (ctx, eyes, { course_id, user_id }) => ({
    seen: await managesCourse(ctx, eyes, course_id),
    record: null,
    ids: { id: course_id },
    of: user_id,
  }),
  'course.enrolled': async (ctx, eyes, payload) =>
    student(ctx, eyes, payload, await enrolmentOf(ctx.db, payload.course_id, payload.user_id)),
  'course.unenrolled': (ctx, eyes, payload) => student(ctx, eyes, payload, null),
  'course.completed': async (ctx, eyes, payload) => ({
    ...(await student(ctx, eyes, payload, await enrolmentOf(ctx.db, payload.course_id, payload.user_id))),
    by: payload.user_id,
  }),
  'lesson.published': async (ctx, eyes, { lesson_id, course_id }) => {
    const record = await lessonOf(ctx.db, lesson_id)
    const seen = record ? (await seeCourse(ctx, eyes, course_id)).view !== null : await managesCourse(ctx, eyes, course_id)
    return { seen, record, ids: { id: lesson_id, course_id } }
  },
  'lesson.deleted': async (ctx, eyes, { lesson_id, course_id, user_id }) => ({
    seen: await managesCourse(ctx, eyes, course_id),
    record: null,
    ids: { id: lesson_id, course_id },
    of: user_id,
  }),
  'lesson.completed': async (ctx, eyes, payload) => {
    const { lesson_id, user_id } = payload
    const told = await student(ctx, eyes, payload, await completionOf(ctx.db, lesson_id, user_id))
    return { ...told, ids: { lesson_id, ...told.ids }, by: user_id }
  },
  'quiz.submitted': quiz,
  'quiz.graded': quiz,
  'report.created': report,
  'report.updated': report,
  'report.resolved': report,
  // For administrators, who get everything.
  'manager.changed': async (_ctx, _eyes, { user_id }) => ({ seen: false, record: null, ids: { user_id } }),
}

const isoOf = (datetime: string): string => `${datetime.replace(' ', 'T')}Z`

/**
 * Builds the payload with the webhook creator's present access; null if they may not see it. It is rebuilt for each attempt, so that it
 * never reveals what the creator can no longer see.
 */
export const deliveryBody = async (ctx: ReadContext, eyes: CreatorAccess, delivery: LeasedDelivery): Promise<string | null> => {
  const { name, payload, actor_id, event, occurred_at } = delivery
  const teller = PAYLOAD_BUILDERS[name as EventName] as PayloadBuilder<never> | undefined
  const told = teller && (await teller(ctx, eyes, JSON.parse(payload) as never))
  if (!told || !(told.seen || eyes.everything)) return null
  const { record, ids, by, of } = told
  const actor = by ?? actor_id ?? of ?? null
  const xprofile = actor === null ? null : await personOf(ctx.db, actor)
  return JSON.stringify({ event, timestamp: isoOf(occurred_at), data: record ?? ids, xprofile })
}

/** The payload of a test delivery, which has no event behind it. */
export const testBody = async ({ db, now }: ReadContext, webhook: { readonly id: number; readonly name: string }, actorId: number) =>
  JSON.stringify({
    event: 'webhook.test',
    timestamp: isoOf(now),
    data: { webhook_id: webhook.id, name: webhook.name },
    xprofile: await personOf(db, actorId),
  })
