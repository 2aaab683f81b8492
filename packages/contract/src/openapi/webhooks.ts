import type { TSchema } from 'typebox'
import { Comment } from '../resources/comments.ts'
import { Feed } from '../resources/feeds.ts'
import { Member } from '../resources/members.ts'
import { ReactionWithProfile } from '../resources/reactions.ts'
import { SpaceMember } from '../resources/space-members.ts'
import { Space } from '../resources/spaces.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from '../values.ts'
import type { Components, Node } from './schemas.ts'

interface Told {
  readonly summary: string
  /** The record, where there is one to tell of. */
  readonly record?: TSchema
  /** What is told in any case, or where the record is gone or out of sight. */
  readonly ids: readonly string[]
}

const TOLD: Readonly<Record<WebhookEvent, Told>> = {
  'feed.created': { summary: 'A feed was published', record: Feed, ids: ['id'] },
  'feed.updated': { summary: 'A published feed was changed, or hidden', record: Feed, ids: ['id'] },
  'feed.deleted': { summary: 'A feed was deleted', ids: ['id', 'user_id', 'space_id'] },
  'feed.pinned': { summary: 'A feed was pinned', record: Feed, ids: ['id'] },
  'feed.unpinned': { summary: 'A feed is no longer pinned', record: Feed, ids: ['id'] },
  'comment.created': { summary: 'A comment was published', record: Comment, ids: ['id', 'post_id'] },
  'comment.updated': { summary: 'A published comment was changed, or hidden', record: Comment, ids: ['id', 'post_id'] },
  'comment.deleted': { summary: 'A comment was deleted', ids: ['id', 'post_id', 'user_id'] },
  'reaction.added': { summary: 'Somebody reacted', record: ReactionWithProfile, ids: ['id', 'user_id', 'object_id'] },
  'reaction.removed': { summary: 'Somebody took a reaction back', ids: ['id', 'user_id', 'object_id'] },
  'space.created': { summary: 'A space was made', record: Space, ids: ['id'] },
  'space.updated': { summary: 'A space was changed', record: Space, ids: ['id'] },
  'space.deleted': { summary: 'A space was deleted', ids: ['id'] },
  'space.member_joined': { summary: 'Somebody joined a space, or was added', record: SpaceMember, ids: ['space_id', 'user_id'] },
  'space.member_left': { summary: 'Somebody left a space, or was removed', ids: ['space_id', 'user_id'] },
  'user.registered': { summary: 'Somebody made an account', record: Member, ids: ['id', 'user_id'] },
  'user.profile_updated': { summary: 'Somebody changed the profile', record: Member, ids: ['id', 'user_id'] },
  'user.followed': { summary: 'Somebody follows somebody', ids: ['id', 'follower_id', 'following_id'] },
  'user.unfollowed': { summary: 'Somebody no longer follows somebody', ids: ['follower_id', 'following_id'] },
  'course.enrolled': { summary: 'Somebody enrolled in a course, or was added', ids: ['course_id', 'user_id'] },
  'course.unenrolled': { summary: 'Somebody is no longer enrolled in a course', ids: ['course_id', 'user_id'] },
  'lesson.completed': { summary: 'Somebody completed a lesson', ids: ['lesson_id', 'course_id', 'user_id'] },
  'report.created': { summary: 'Something was reported', ids: ['id'] },
  'report.resolved': { summary: 'A report was resolved', ids: ['id'] },
}

const header = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const SIGNED: readonly Node[] = [
  header('webhook-id', 'The same in every attempt: whoever has seen it already can leave it'),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt'),
  header(
    'webhook-signature',
    '`v1,` and base64 of the HMAC-SHA-256 of `id.timestamp.body`; several, with spaces between them, while secrets change',
  ),
  header('X-Lyceum-Signature', '`sha256=` and the hexadecimal HMAC-SHA-256 of the body, with the secret as it stands'),
]

const idsOf = (names: readonly string[]): Node => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: name === 'space_id' ? ['integer', 'null'] : 'integer' }])),
  required: names,
})

const messageOf = (event: WebhookEvent, components: Components): Node => {
  const { summary, record, ids } = TOLD[event]
  const schema = {
    type: 'object',
    required: ['event', 'timestamp', 'data', 'xprofile'],
    properties: {
      event: { const: event },
      timestamp: { type: 'string', description: 'When it happened, as YYYY-MM-DDTHH:MM:SSZ' },
      data: record
        ? {
            description: 'The record as it is when this is sent; ids alone where it is gone',
            anyOf: [components.place(record), idsOf(ids)],
          }
        : idsOf(ids),
      xprofile: { description: 'Whose doing it was', anyOf: [components.place(Xprofile), { type: 'null' }] },
    },
  }
  return {
    post: {
      summary,
      tags: ['webhooks'],
      parameters: SIGNED,
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Taken. Anything else, or no answer within ten seconds, is tried again later.' } },
    },
  }
}

/** What is sent to other systems, by event. */
export const webhookMessages = (components: Components): Record<string, Node> =>
  Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, messageOf(event, components)]))
