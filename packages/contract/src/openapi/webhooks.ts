import type { TSchema } from 'typebox'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../constants.ts'
import { Comment } from '../resources/comments.ts'
import { Course } from '../resources/courses.ts'
import { Feed } from '../resources/feeds.ts'
import { Member } from '../resources/members.ts'
import { ReactionWithProfile } from '../resources/reactions.ts'
import { SpaceMember } from '../resources/space-members.ts'
import { Space } from '../resources/spaces.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { describe } from './descriptions.ts'
import type { Components, Node } from './schemas.ts'

interface EventMessage {
  readonly summary: string
  /** The object that is sent, if the event has one. */
  readonly record?: TSchema
  /** Ids that are sent if there is no object, or if it was deleted or is not visible. */
  readonly ids: readonly string[]
}

const MESSAGES: Readonly<Record<WebhookEvent, EventMessage>> = {
  'feed.created': { summary: 'A feed was published', record: Feed, ids: ['id'] },
  'feed.updated': { summary: 'A published feed was updated or hidden', record: Feed, ids: ['id'] },
  'feed.deleted': { summary: 'A feed was deleted', ids: ['id', 'user_id', 'space_id'] },
  'feed.pinned': { summary: 'A feed was pinned', record: Feed, ids: ['id'] },
  'feed.unpinned': { summary: 'A feed was unpinned', record: Feed, ids: ['id'] },
  'comment.created': { summary: 'A comment was published', record: Comment, ids: ['id', 'post_id'] },
  'comment.updated': { summary: 'A published comment was updated or hidden', record: Comment, ids: ['id', 'post_id'] },
  'comment.deleted': { summary: 'A comment was deleted', ids: ['id', 'post_id', 'user_id'] },
  'comment.marked_helpful': { summary: 'A comment was marked as helpful', record: Comment, ids: ['id', 'post_id'] },
  'comment.unmarked_helpful': { summary: 'A comment is no longer marked as helpful', record: Comment, ids: ['id', 'post_id'] },
  'reaction.added': { summary: 'A reaction was added', record: ReactionWithProfile, ids: ['id', 'user_id', 'object_id'] },
  'reaction.removed': { summary: 'A reaction was removed', ids: ['id', 'user_id', 'object_id'] },
  'space.created': { summary: 'A space was created', record: Space, ids: ['id'] },
  'space.updated': { summary: 'A space was updated', record: Space, ids: ['id'] },
  'space.deleted': { summary: 'A space was deleted', ids: ['id'] },
  'space.join_requested': { summary: 'A member asked to join a space', ids: ['space_id', 'user_id'] },
  'space.member_joined': { summary: 'A member joined a space or was added', record: SpaceMember, ids: ['space_id', 'user_id'] },
  'space.member_updated': {
    summary: 'The role of a member of a space changed, or they were banned from it or unbanned',
    record: SpaceMember,
    ids: ['space_id', 'user_id'],
  },
  'space.member_left': { summary: 'A member left a space or was removed', ids: ['space_id', 'user_id'] },
  'user.approval_requested': { summary: 'A new account waits for approval', record: Member, ids: ['id', 'user_id'] },
  'user.registered': { summary: 'A member registered', record: Member, ids: ['id', 'user_id'] },
  'user.profile_updated': { summary: 'A profile was updated', record: Member, ids: ['id', 'user_id'] },
  'user.followed': { summary: 'A member followed another one', ids: ['id', 'follower_id', 'following_id'] },
  'user.unfollowed': { summary: 'A member unfollowed another one', ids: ['follower_id', 'following_id'] },
  'user.status_changed': { summary: 'An account was suspended, banned or activated again', record: Member, ids: ['id', 'user_id'] },
  'user.warned': { summary: 'A member was warned by a moderator', ids: ['user_id', 'report_id'] },
  'user.deleted': { summary: 'An account was deleted', ids: ['id', 'user_id'] },
  'course.created': { summary: 'A course was created', record: Course, ids: ['id'] },
  'course.published': { summary: 'A course was published', record: Course, ids: ['id'] },
  'course.deleted': { summary: 'A course was deleted', ids: ['id'] },
  'course.enrolled': { summary: 'A student enrolled in a course or was added', ids: ['course_id', 'user_id'] },
  'course.unenrolled': { summary: 'A student left a course or was removed', ids: ['course_id', 'user_id'] },
  'course.completed': { summary: 'A student completed a course', ids: ['course_id', 'user_id'] },
  'lesson.published': { summary: 'A lesson was published', ids: ['id', 'course_id'] },
  'lesson.deleted': { summary: 'A lesson was deleted', ids: ['id', 'course_id'] },
  'lesson.completed': { summary: 'A lesson was completed', ids: ['lesson_id', 'course_id', 'user_id'] },
  'quiz.submitted': { summary: 'A quiz was submitted', ids: ['id', 'lesson_id', 'course_id', 'user_id'] },
  'quiz.graded': { summary: 'A quiz was graded', ids: ['id', 'lesson_id', 'course_id', 'user_id'] },
  'report.created': { summary: 'A report was created', ids: ['id'] },
  'report.updated': { summary: 'A report changed, or was reviewed or dismissed', ids: ['id'] },
  'report.resolved': { summary: 'A report was resolved', ids: ['id'] },
  'manager.changed': { summary: 'A member became a manager, or their role or permissions changed', ids: ['user_id'] },
}

const NULLABLE = new Set(['space_id', 'report_id'])

const header = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const SIGNED: readonly Node[] = [
  header('webhook-id', 'Id of the delivery, which is the same for all attempts; use it to ignore duplicates.'),
  header('webhook-timestamp', 'Time of this attempt, as Unix time.'),
  header(
    'webhook-signature',
    '`v1,` and the base64-encoded HMAC-SHA-256 of `id.timestamp.body`; several values, separated by spaces, after a rotation of the secret.',
  ),
  header('X-Lyceum-Signature', '`sha256=` and the hexadecimal HMAC-SHA-256 of the body with the literal secret.'),
]

const idsOf = (event: WebhookEvent, names: readonly string[]): Node => ({
  type: 'object',
  properties: Object.fromEntries(
    names.map((name) => [
      name,
      { type: NULLABLE.has(name) ? ['integer', 'null'] : 'integer', description: describe(name, ['events', event]) ?? '' },
    ]),
  ),
  required: names,
})

const messageOf = (event: WebhookEvent, components: Components): Node => {
  const { summary, record, ids } = MESSAGES[event]
  const schema = {
    type: 'object',
    required: ['event', 'timestamp', 'data', 'xprofile'],
    properties: {
      event: { const: event, description: 'Name of the event.' },
      timestamp: { type: 'string', description: 'Time of the event, as YYYY-MM-DDTHH:MM:SSZ.' },
      data: record
        ? {
            description: 'The object at the time of delivery, or its ids if it no longer exists.',
            anyOf: [components.place(record, []), idsOf(event, ids)],
          }
        : { ...idsOf(event, ids), description: 'Ids of the objects.' },
      xprofile: { description: 'Summary of the actor; null if there is none.', anyOf: [components.place(Xprofile, []), { type: 'null' }] },
    },
  }
  return {
    post: {
      operationId: `events.${event}`,
      summary,
      // Deliveries are signed, not authenticated.
      security: [],
      tags: ['webhooks'],
      parameters: SIGNED,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'The delivery was accepted. Other responses, or none within ten seconds, are retried.' } },
    },
  }
}

/** The deliveries to webhooks by event. */
export const webhookMessages = (components: Components): Record<string, Node> =>
  Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, messageOf(event, components)]))
