import { route } from '../route.ts'
import { Anything, Count, Datetime, Id, named, nullable, oneOf, paging, spaceFilter } from '../shapes/common.ts'
import { ActiveXprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const ACTION_TYPES = [
  'post_created',
  'comment_added',
  'reaction_added',
  'space_joined',
  'space_created',
  'course_enrolled',
  'lesson_completed',
  'profile_updated',
  'follow_user',
  'bookmark_added',
] as const
export type ActionType = (typeof ACTION_TYPES)[number]

/** Number of activities of a context that a list covers, including those the caller cannot see. `date_to` gives access to older ones. */
export const MAX_LISTED_ACTIVITIES = 5_000

export const Activity = named('Activity', {
  id: Id,
  user_id: Id,
  action_type: oneOf(ACTION_TYPES),
  object_id: Id,
  object_type: Type.String({ description: 'Type of the object: `feed`, `comment`, `space`, `user`, `course` or `lesson`.' }),
  space_id: nullable(Id),
  meta: Anything,
  message: Type.String({
    description: 'A sentence that describes the activity, as sanitized HTML with links to the actor and the object.',
  }),
  xprofile: ActiveXprofile,
  route: Type.Object(
    {
      name: oneOf(['space_feed', 'single_feed', 'space', 'user_profile', 'course']),
      params: Type.Object({
        space: Type.Optional(Type.String({ description: 'Slug of the space.' })),
        feed_slug: Type.Optional(Type.String()),
        username: Type.Optional(Type.String()),
        course: Type.Optional(Type.String({ description: 'Slug of the course.' })),
      }),
      query: Type.Optional(Type.Object({ comment_id: Type.Optional(Id) })),
    },
    { description: 'The page of the web app that the activity links to.' },
  ),
  created_at: Datetime,
  updated_at: Datetime,
})

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-03-10'] }))

export const activities = {
  list: route({
    method: 'GET',
    path: '/activities',
    access: 'member',
    summary: 'List activities',
    description: `Returns the activities of the community, a member or a space that the caller can see, newest first. Bookmarks are visible only to the member who added them; the history of a private profile only to its owner, its followers and moderators. The list and its \`total\` cover the newest ${MAX_LISTED_ACTIVITIES} activities in the requested context and period, counted before those the caller cannot see are removed. Use \`date_to\` to go further back.`,
    query: Type.Object({
      ...paging(20),
      'context[user_id]': Type.Optional(Id),
      'context[type]': Type.Optional(
        Type.String({
          maxLength: 50,
          description: 'Type of the context: `space` with `context[space_id]`, `user` with `context[user_id]`. Other values are ignored.',
        }),
      ),
      'context[space_id]': Type.Optional(Id),
      ...spaceFilter('Only activities in this space; an alternative to `context[space_id]`.'),
      date_from: Day('First day of the period, in the time zone of the community.'),
      date_to: Day('Last day of the period, in the time zone of the community.'),
    }),
    response: Type.Object({
      activities: Type.Object({ data: Type.Array(Activity), total: Count, per_page: Count, current_page: Count }),
      after_contents: Type.String({ description: 'Reserved; always empty.' }),
      before_contents: Type.String({ description: 'Reserved; always empty.' }),
    }),
    errors: ['not_found'],
  }),
  ticker: route({
    method: 'GET',
    path: '/feeds/ticker',
    access: 'member',
    summary: 'Get the activity ticker',
    response: Type.Object({
      activities: Type.Array(
        Type.Object({
          type: Type.String(),
          user: Type.Object({ id: Id, display_name: Type.String(), username: Type.String(), avatar: Type.String() }),
          action: Type.String(),
          target: Type.Object({ type: Type.String(), id: Id, title: Type.String(), url: Type.String() }),
          timestamp: Type.String({ description: 'Relative time, such as “5 minutes ago”.' }),
        }),
      ),
    }),
  }),
} as const
