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

/** Lists of activities reach back over so many of their context, seen or not: what came before is found by `date_to`. */
export const ACTIVITY_REACH = 5_000

export const Activity = named('Activity', {
  id: Id,
  user_id: Id,
  action_type: oneOf(ACTION_TYPES),
  object_id: Id,
  object_type: Type.String({ description: 'feed, comment, space, user, course or lesson' }),
  space_id: nullable(Id),
  meta: Anything,
  message: Type.String({ description: 'Safe HTML with links to who did it and to what it is about' }),
  xprofile: ActiveXprofile,
  route: Type.Object(
    {
      name: oneOf(['space_feed', 'single_feed', 'space', 'user_profile', 'course']),
      params: Type.Object({
        space: Type.Optional(Type.String({ description: 'Slug' })),
        feed_slug: Type.Optional(Type.String()),
        username: Type.Optional(Type.String()),
        course: Type.Optional(Type.String({ description: 'Slug' })),
      }),
      query: Type.Optional(Type.Object({ comment_id: Type.Optional(Id) })),
    },
    { description: 'Where a client leads to' },
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
    summary: 'What happened, newest first',
    description: `Of the whole community, of one person or of one space, as far as the caller may see it. Bookmarks are shown to who made them alone; the history of a private profile to its owner, followers and moderators. A list, and its \`total\`, cover the newest ${ACTIVITY_REACH} activities of the context and the days that were asked for, before those that the caller may not see are left out; \`date_to\` leads further back.`,
    query: Type.Object({
      ...paging(20),
      'context[user_id]': Type.Optional(Id),
      'context[type]': Type.Optional(
        Type.String({
          maxLength: 50,
          description: '`space` goes with `context[space_id]`, `user` with `context[user_id]`; any other says nothing',
        }),
      ),
      'context[space_id]': Type.Optional(Id),
      ...spaceFilter('The same as `context[space_id]`'),
      date_from: Day('First day, in the time zone of the community'),
      date_to: Day('Last day, in the time zone of the community'),
    }),
    response: Type.Object({
      activities: Type.Object({ data: Type.Array(Activity), total: Count, per_page: Count, current_page: Count }),
      after_contents: Type.String({ description: 'Always empty' }),
      before_contents: Type.String({ description: 'Always empty' }),
    }),
    errors: ['not_found'],
  }),
  ticker: route({
    method: 'GET',
    path: '/feeds/ticker',
    access: 'member',
    summary: 'The 20 newest visible activities',
    response: Type.Object({
      activities: Type.Array(
        Type.Object({
          type: Type.String(),
          user: Type.Object({ id: Id, display_name: Type.String(), username: Type.String(), avatar: Type.String() }),
          action: Type.String(),
          target: Type.Object({ type: Type.String(), id: Id, title: Type.String(), url: Type.String() }),
          timestamp: Type.String({ description: 'Relative: “5 minutes ago”' }),
        }),
      ),
    }),
  }),
} as const
