import { route } from '../route.ts'
import { Datetime, DatetimeInput, Id, named, nullable, oneOf, Pagination, paging, pathId, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { Feed } from './feeds.ts'

export const ScheduledPost = named('ScheduledPost', {
  ...Feed.properties,
  timezone: Type.String({ description: 'Time zone in which the publication was planned; `scheduled_at` is always in UTC.' }),
  auto_publish: Type.Boolean({
    description: 'Whether the feed is published automatically; otherwise the author receives a reminder and publishes it manually.',
  }),
  notification_sent: Type.Boolean({ description: 'Whether the author has received the reminder.' }),
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
    summary: 'List scheduled posts',
    description:
      'Returns the caller’s scheduled posts, soonest first, and those of others in spaces where the caller can edit feeds; administrators get all. Schedule a post with `POST /feeds`; set another status to cancel it.',
    query: Type.Object({
      ...paging(20),
      user_id: Type.Optional(Id),
      ...spaceFilter('Only posts scheduled for this space.'),
      date_from: Day('First day of the period, in the time zone of the community.'),
      date_to: Day('Last day of the period, in the time zone of the community.'),
    }),
    response: Type.Object({ posts: Type.Array(ScheduledPost), pagination: Pagination }),
    errors: ['rest_forbidden', 'space_not_found'],
  }),
  reschedule: route({
    method: 'PUT',
    path: '/scheduled-posts/{feed_id}',
    access: 'member',
    feature: 'scheduled_posts',
    summary: 'Reschedule a post',
    params: feedId,
    body: Type.Object({
      scheduled_at: Type.Unsafe<string>({
        ...DatetimeInput,
        description: 'New time of publication, which must be in the future; in UTC unless `timezone` is sent.',
      }),
      timezone: Type.Optional(
        nullable(Type.String({ maxLength: 100, description: 'Time zone of `scheduled_at`, such as Europe/Berlin; default: UTC.' })),
      ),
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
    writeLimit: 'posts',
    summary: 'Publish a scheduled post',
    params: feedId,
    response: Type.Object({
      id: Id,
      status: oneOf(['published', 'pending'], { description: 'New status; `pending` if feeds in this place need approval.' }),
      published_at: nullable(Datetime),
      message: Type.String(),
    }),
    errors: ['rest_forbidden', 'not_found'],
  }),
} as const
