import { route } from '../route.ts'
import { Datetime, DatetimeInput, Id, named, nullable, oneOf, Pagination, paging, pathId, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Feed } from './feeds.ts'

export const ScheduledPost = named('ScheduledPost', {
  ...Feed.properties,
  timezone: Type.String({ description: 'The zone it was planned in; `scheduled_at` is UTC all the same' }),
  auto_publish: Type.Boolean({ description: 'False: at its time the author is reminded, and publishes it by hand' }),
  notification_sent: Type.Boolean({ description: 'Whether the author was reminded' }),
})

const feedId = pathId('feed_id')
const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-03-10'] }))

export const scheduledPosts = {
  list: route({
    method: 'GET',
    path: '/scheduled-posts',
    access: 'member',
    feature: 'scheduled_posts',
    summary: 'What waits for its time, the soonest first',
    description:
      'One’s own; in a space also that of others where the caller edits their posts; an administrator gets everybody’s. Posts are scheduled with `POST /feeds` and called off by giving them another status.',
    query: Type.Object({
      ...paging(20),
      user_id: Type.Optional(Id),
      ...spaceFilter('What is planned for this space'),
      date_from: Day('First day, in the time zone of the community'),
      date_to: Day('Last day, in the time zone of the community'),
    }),
    response: Type.Object({ posts: Type.Array(ScheduledPost), pagination: Pagination }),
    errors: ['rest_forbidden', 'space_not_found'],
  }),
  reschedule: route({
    method: 'PUT',
    path: '/scheduled-posts/{feed_id}',
    access: 'member',
    feature: 'scheduled_posts',
    summary: 'Give a scheduled post another time',
    params: feedId,
    body: Type.Object({
      scheduled_at: Type.Unsafe<string>({ ...DatetimeInput, description: 'In the future; UTC unless `timezone` is sent' }),
      timezone: Type.Optional(nullable(Type.String({ maxLength: 100, description: 'scheduled_at is what clocks show there' }))),
    }),
    response: Type.Object({ id: Id, scheduled_at: Datetime, timezone: Type.String(), updated_at: Datetime, message: Type.String() }),
    errors: ['rest_forbidden', 'not_found', 'invalid_scheduled_time'],
    fieldErrors: { scheduled_at: 'invalid_scheduled_time' },
  }),
  publish: route({
    method: 'POST',
    path: '/scheduled-posts/publish/{feed_id}',
    access: 'member',
    feature: 'scheduled_posts',
    pace: 'posts',
    summary: 'Publish a scheduled post now',
    params: feedId,
    response: Type.Object({
      id: Id,
      status: oneOf(['published', 'pending'], { description: 'pending: where posts are approved first' }),
      published_at: nullable(Datetime),
      message: Type.String(),
    }),
    errors: ['rest_forbidden', 'not_found'],
  }),
} as const
