import type { Static } from 'typebox'
import { Datetime, Id } from './shapes/common.ts'
import { Type } from './typebox.ts'

/**
 * The place of a deleted object, if everyone who can see the place could see the object and may be informed. For a feed or space it is the
 * space, or 0 outside of spaces; for a comment it is the feed.
 */
const place_id = Type.Optional(Type.Integer({ minimum: 0 }))

/**
 * Domain events. An event is stored in the transaction of the change and contains ids only;
 * handlers read the current rows.
 */
export const events = {
  /** The account is active, either immediately or after email confirmation and approval. */
  'user.registered': Type.Object({ user_id: Id, approver_id: Type.Optional(Id) }),
  'user.approval_requested': Type.Object({ user_id: Id }),
  'user.profile_updated': Type.Object({ user_id: Id }),
  /** First request of the member on a day. */
  'user.active': Type.Object({ user_id: Id, seen_at: Type.Optional(Datetime) }),
  'user.preferences_changed': Type.Object({ user_id: Id }),
  'user.status_changed': Type.Object({ user_id: Id }),
  'follow.requested': Type.Object({ follow_id: Id, follower_id: Id, following_id: Id }),
  'follow.started': Type.Object({ follow_id: Id, follower_id: Id, following_id: Id }),
  /** `request_id`: a pending request ended. */
  'follow.ended': Type.Object({ follower_id: Id, following_id: Id, request_id: Type.Optional(Id) }),
  'notification.created': Type.Object({ notification_id: Id, user_id: Id }),
  'notification.read': Type.Object({ user_id: Id }),
  'space.created': Type.Object({ space_id: Id, user_id: Id }),
  'space.updated': Type.Object({ space_id: Id }),
  'space.deleted': Type.Object({ space_id: Id, place_id }),
  'space.join_requested': Type.Object({ space_id: Id, user_id: Id }),
  /** `approver_id`: who approved the join request. */
  'space.member_joined': Type.Object({ space_id: Id, user_id: Id, approver_id: Type.Optional(Id) }),
  'space.member_invited': Type.Object({ space_id: Id, user_id: Id, inviter_id: Type.Optional(Id) }),
  'space.member_left': Type.Object({ space_id: Id, user_id: Id }),
  'space.member_updated': Type.Object({ space_id: Id, user_id: Id }),
  'feed.published': Type.Object({ feed_id: Id }),
  /** With the previous place, if the feed was moved or became private. */
  'feed.updated': Type.Object({ feed_id: Id, space_id: Type.Optional(Id), place_id }),
  /** `draft_id`: the feed id, if only the author could see the feed. */
  'feed.deleted': Type.Object({
    feed_id: Id,
    user_id: Id,
    space_id: Type.Optional(Id),
    place_id,
    draft_id: Type.Optional(Id),
  }),
  'feed.due': Type.Object({ feed_id: Id }),
  'feed.pinned': Type.Object({ feed_id: Id }),
  'feed.unpinned': Type.Object({ feed_id: Id }),
  'feed.hidden': Type.Object({ feed_id: Id, space_id: Type.Optional(Id), place_id }),
  'comment.published': Type.Object({ comment_id: Id, feed_id: Id }),
  'comment.updated': Type.Object({ comment_id: Id, feed_id: Id }),
  'comment.deleted': Type.Object({ comment_id: Id, feed_id: Id, user_id: Id, place_id }),
  'reaction.added': Type.Object({ reaction_id: Id, user_id: Id, feed_id: Id, comment_id: Type.Optional(Id) }),
  'reaction.removed': Type.Object({ reaction_id: Id, user_id: Id, feed_id: Id, comment_id: Type.Optional(Id) }),
  'bookmark.added': Type.Object({ bookmark_id: Id, user_id: Id, feed_id: Id }),
  'bookmark.removed': Type.Object({ bookmark_id: Id, user_id: Id, feed_id: Id }),
  'course.created': Type.Object({ course_id: Id, user_id: Id }),
  'course.published': Type.Object({ course_id: Id }),
  'course.deleted': Type.Object({ course_id: Id, user_id: Id }),
  'course.enrolled': Type.Object({ course_id: Id, user_id: Id }),
  'course.unenrolled': Type.Object({ course_id: Id, user_id: Id }),
  'course.completed': Type.Object({ course_id: Id, user_id: Id }),
  'lesson.published': Type.Object({ lesson_id: Id, course_id: Id }),
  'lesson.deleted': Type.Object({ lesson_id: Id, course_id: Id, user_id: Id }),
  'lesson.completed': Type.Object({ lesson_id: Id, course_id: Id, user_id: Id }),
  'quiz.submitted': Type.Object({ attempt_id: Id, lesson_id: Id, course_id: Id, user_id: Id }),
  'quiz.graded': Type.Object({ attempt_id: Id, lesson_id: Id, course_id: Id, user_id: Id }),
  'comment.marked_helpful': Type.Object({ comment_id: Id, feed_id: Id, user_id: Id }),
  'comment.unmarked_helpful': Type.Object({ comment_id: Id, feed_id: Id, user_id: Id }),
  'report.created': Type.Object({ report_id: Id }),
  'report.updated': Type.Object({ report_id: Id }),
  'report.resolved': Type.Object({ report_id: Id }),
  'user.warned': Type.Object({ user_id: Id, report_id: Type.Optional(Id) }),
  'user.deleted': Type.Object({ user_id: Id }),
  'manager.changed': Type.Object({ user_id: Id }),
  'settings.changed': Type.Object({ user_id: Type.Optional(Id) }),
  'survey.voted': Type.Object({ feed_id: Id, user_id: Id }),
} as const

export type EventName = keyof typeof events
export type EventPayload<N extends EventName> = Static<(typeof events)[N]>
