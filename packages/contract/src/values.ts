/**
 * Enumerations for user interfaces. This file imports nothing, so that browser bundles contain no schemas.
 */

/** Events that webhooks can receive. */
export const WEBHOOK_EVENTS = [
  'feed.created',
  'feed.updated',
  'feed.deleted',
  'feed.pinned',
  'feed.unpinned',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'reaction.added',
  'reaction.removed',
  'space.created',
  'space.updated',
  'space.deleted',
  'space.member_joined',
  'space.member_left',
  'user.registered',
  'user.profile_updated',
  'user.followed',
  'user.unfollowed',
  'course.enrolled',
  'course.unenrolled',
  'lesson.completed',
  'report.created',
  'report.resolved',
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Actions in the audit log. */
export const AUDIT_ACTIONS = [
  'account.changed',
  'account.deleted',
  'account.export_requested',
  'account.exported',
  'account.password_reset',
  'comment.approved',
  'comment.edited',
  'comment.held',
  'comment.pinned',
  'comment.rejected',
  'comment.removed',
  'comment.returned',
  'comment.unpinned',
  'course.created',
  'course.deleted',
  'course.updated',
  'course_section.created',
  'course_section.deleted',
  'course_section.updated',
  'course_student.added',
  'course_student.removed',
  'course_student.reset',
  'features.changed',
  'feed.approved',
  'feed.changed',
  'feed.edited',
  'feed.held',
  'feed.pinned',
  'feed.rejected',
  'feed.removed',
  'feed.returned',
  'feed.unpinned',
  'lesson.created',
  'lesson.deleted',
  'lesson.updated',
  'levels.saved',
  'links.changed',
  'manager.removed',
  'manager.saved',
  'media.removed',
  'moderation.configured',
  'quiz.graded',
  'reaction.removed',
  'registration.approved',
  'registration.rejected',
  'report.decided',
  'report.deleted',
  'settings.changed',
  'settings.reset',
  'space.created',
  'space.deleted',
  'space.reordered',
  'space.updated',
  'space_group.created',
  'space_group.deleted',
  'space_group.reordered',
  'space_group.updated',
  'space_member.added',
  'space_member.changed',
  'space_member.removed',
  'topic.created',
  'topic.deleted',
  'topic.updated',
  'webhook.created',
  'webhook.deleted',
  'webhook.disabled',
  'webhook.given_up',
  'webhook.secret_rotated',
  'webhook.updated',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Length in characters and default of the reason for editing another member's content. */
export const EDIT_REASON = { min: 3, max: 500, standard: 'Edited by a moderator' } as const

/** Types of notifications. */
export const NOTIFICATION_TYPES = [
  'new_comment',
  'new_reply',
  'new_reaction',
  'new_follower',
  'mention',
  'space_invite',
  'space_join',
  'course_enrollment',
  'lesson_complete',
  'moderation',
] as const
export type NotificationType = (typeof NOTIFICATION_TYPES)[number]

/** Preferences for mails, and for push messages. */
export const MAIL_TYPES = ['new_comment', 'new_reaction', 'new_follower', 'mention', 'space_invite'] as const
export const PUSH_TYPES = ['new_comment', 'new_reaction', 'mention'] as const
