import { route } from '../route.ts'
import { Count, Id, named, nullable, oneOf, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const ANALYTICS_INTERVALS = ['day', 'week', 'month'] as const
export const MEMBER_METRICS = ['posts', 'comments', 'reactions', 'engagement'] as const
export const SPACE_METRICS = ['posts', 'members', 'engagement'] as const
export const ANALYTICS_LIMIT = 100

const DAY = '^\\d{4}-\\d{2}-\\d{2}$'
const Day = (description: string) => Type.String({ pattern: DAY, description, examples: ['2026-03-10'] })
const SPAN = 'Without `date_from` and `date_to`, the period is the last 30 days'

const format = {
  format: Type.Optional(
    oneOf(['json', 'csv'], { description: 'Format of the response; `csv` returns a table, like the header `Accept: text/csv`.' }),
  ),
}
const range = {
  date_from: Type.Optional(Day('First day of the period; default: 29 days before `date_to`.')),
  date_to: Type.Optional(Day('Last day of the period, inclusive; default: today.')),
  ...format,
}
const wholeRange = {
  date_from: Day('First day of the period.'),
  date_to: Day('Last day of the period, inclusive.'),
  interval: Type.Optional(
    oneOf(ANALYTICS_INTERVALS, { default: 'day', description: 'Length of the intervals that the days are grouped into.' }),
  ),
  ...format,
}
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: ANALYTICS_LIMIT, default: 10, 'x-clamp': true }))

const Rate = Type.Number({ minimum: 0, description: 'Rounded to two decimals.' })
const Change = nullable(
  Type.Number({
    description:
      'Change in percent compared with the preceding period of the same length, rounded to two decimals; null if the preceding value is 0 and the current one is not.',
  }),
)
const Bucket = Type.String({
  pattern: DAY,
  description: 'First day of the interval: the day itself, the Monday of the week or the first of the month.',
  examples: ['2026-03-09'],
})

const person = { id: Id, display_name: Type.String(), avatar: Type.String() }
/** The last field, so that the order of CSV columns stays the same. */
const username = Type.String()

const COMMUNITY = 'Requires administrator rights, or `view_analytics` without a limit to spaces.'
const LIMITED = 'Managers whose `view_analytics` is limited to spaces get only the figures of these spaces.'
const DAYS = 'Days are in the time zone of the community.'
const WHAT =
  'Posts are published feeds, dated by their first publication; comments are published comments; reactions include those to feeds and comments. Deleted and hidden content is not counted.'

const common = { method: 'GET', access: 'view_analytics', feature: 'analytics', errors: ['rest_forbidden'] } as const

const ofMembers = {
  top: 'Members without contributions are not listed; equal values are ordered by id. Suspended and banned members are omitted.',
}

export const analytics = {
  overviewWidget: route({
    ...common,
    path: '/analytics/overview/widget',
    summary: 'Get community statistics',
    description: `${COMMUNITY} ${WHAT} Fields that begin with \`total_\` are current totals; \`new_\` and active values are of the period. Members are active accounts, including administrators and moderators. A member is active if they posted, commented or reacted; a space is active if that happened in it. ${DAYS} ${SPAN}.`,
    query: Type.Object({ ...range, compare: Type.Optional(Type.Boolean({ default: false })) }),
    response: named('AnalyticsOverview', {
      total_members: Count,
      new_members: Count,
      total_posts: Count,
      new_posts: Count,
      total_comments: Count,
      new_comments: Count,
      total_reactions: Count,
      new_reactions: Count,
      active_spaces: Count,
      engagement_rate: Type.Number({ minimum: 0, description: 'Active members as a percentage of all members, rounded to two decimals.' }),
      comparison: Type.Optional(
        Type.Object(
          { members_change: Change, posts_change: Change, comments_change: Change, reactions_change: Change },
          { description: 'Changes of the new members, posts, comments and reactions; present only with `compare`.' },
        ),
      ),
    }),
    csv: '',
  }),
  overviewActivity: route({
    ...common,
    path: '/analytics/overview/activity',
    summary: 'Get community activity over time',
    description: `${COMMUNITY} Intervals without activity are included with zeros. The first and the last interval cover only days of the period. ${DAYS}`,
    query: Type.Object(wholeRange),
    response: Type.Object({
      data: Type.Array(
        Type.Object({ date: Bucket, posts: Count, comments: Count, reactions: Count, new_members: Count, active_users: Count }),
      ),
    }),
    csv: 'data',
  }),
  popularDayTime: route({
    ...common,
    path: '/analytics/overview/popular-day-time',
    summary: 'Get popular days and times',
    description: `${COMMUNITY} Counts posts, comments and reactions. If several values are equal, the peak is the first of them; without activity it is empty. ${DAYS} ${SPAN}.`,
    query: Type.Object(range),
    response: Type.Object({
      by_day: Type.Object(
        Object.fromEntries(
          (['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const).map((day) => [day, Count]),
        ) as Record<'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday', typeof Count>,
      ),
      by_hour: Type.Object(
        Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [String(hour).padStart(2, '0'), Count])) as Record<string, typeof Count>,
        { description: 'Counts by hour, from 00 to 23.' },
      ),
      peak_day: Type.String({ description: 'The weekday with the most activity; empty if there is none.' }),
      peak_hour: Type.String({ description: 'The hour with the most activity, as two digits; empty if there is none.' }),
    }),
    csv: '',
  }),
  membersWidget: route({
    ...common,
    path: '/analytics/members/widget',
    summary: 'Get member statistics',
    description: `${COMMUNITY} Averages are the posts and comments of the period per member. ${SPAN}.`,
    query: Type.Object(range),
    response: named('AnalyticsMembers', {
      total_members: Count,
      active_members: Count,
      new_members: Count,
      inactive_members: Count,
      average_posts_per_member: Rate,
      average_comments_per_member: Rate,
      top_contributor: nullable(
        Type.Object(
          { id: Id, name: Type.String(), posts: Count, comments: Count, username },
          { description: 'The member with the highest engagement score of the period; null if no member was active.' },
        ),
      ),
    }),
    csv: '',
  }),
  membersActivity: route({
    ...common,
    path: '/analytics/members/activity',
    summary: 'Get member activity over time',
    description: `${COMMUNITY} Returning members are active members whose account is older than the interval. ${DAYS}`,
    query: Type.Object(wholeRange),
    response: Type.Object({
      data: Type.Array(Type.Object({ date: Bucket, new_members: Count, active_members: Count, returning_members: Count })),
    }),
    csv: 'data',
  }),
  topMembers: route({
    ...common,
    path: '/analytics/members/top-members',
    summary: 'Get top members',
    description: `${COMMUNITY} Counts the posts, comments and reactions that each member made in the period. The engagement score is posts × 3 + comments × 2 + reactions. ${ofMembers.top} ${SPAN}.`,
    query: Type.Object({ ...range, limit, metric: Type.Optional(oneOf(MEMBER_METRICS, { default: 'engagement' })) }),
    response: Type.Object({
      members: Type.Array(
        Type.Object({ ...person, posts_count: Count, comments_count: Count, reactions_count: Count, engagement_score: Count, username }),
      ),
    }),
    csv: 'members',
  }),
  topPostStarters: route({
    ...common,
    path: '/analytics/members/top-post-starters',
    summary: 'Get top posters',
    description: `${COMMUNITY} Averages are the current reactions and comments per post of the period. ${ofMembers.top} ${SPAN}.`,
    query: Type.Object({ ...range, limit }),
    response: Type.Object({
      members: Type.Array(Type.Object({ ...person, posts_count: Count, average_reactions: Rate, average_comments: Rate, username })),
    }),
    csv: 'members',
  }),
  topCommenters: route({
    ...common,
    path: '/analytics/members/top-commenters',
    summary: 'Get top commenters',
    description: `${COMMUNITY} The average is the current reactions per comment of the period. ${ofMembers.top} ${SPAN}.`,
    query: Type.Object({ ...range, limit }),
    response: Type.Object({ members: Type.Array(Type.Object({ ...person, comments_count: Count, average_reactions: Rate, username })) }),
    csv: 'members',
  }),
  spacesWidget: route({
    ...common,
    path: '/analytics/spaces/widget',
    summary: 'Get space statistics',
    description: `${LIMITED} Totals are current, and members are memberships. Active spaces, average posts and the most active space (by engagement score) are of the period. ${SPAN}.`,
    query: Type.Object(range),
    response: named('AnalyticsSpaces', {
      total_spaces: Count,
      active_spaces: Count,
      total_posts: Count,
      total_members: Count,
      average_posts_per_space: Rate,
      average_members_per_space: Rate,
      most_active_space: nullable(
        Type.Object(
          { id: Id, title: Type.String(), posts_count: Count, members_count: Count, slug: Type.String() },
          {
            description:
              'The space with the highest engagement score, with its posts of the period and its current members; null without activity.',
          },
        ),
      ),
    }),
    csv: '',
  }),
  spacesActivity: route({
    ...common,
    path: '/analytics/spaces/activity',
    summary: 'Get space activity over time',
    description: `${LIMITED} Covers one space or all of them. New members are members who joined in the interval and are still members. ${DAYS}`,
    query: Type.Object({ ...spaceFilter('Only activity in this space.'), ...wholeRange }),
    response: Type.Object({
      data: Type.Array(Type.Object({ date: Bucket, posts: Count, comments: Count, reactions: Count, new_members: Count })),
    }),
    errors: ['rest_forbidden', 'space_not_found'],
    csv: 'data',
  }),
  popularSpaces: route({
    ...common,
    path: '/analytics/spaces/popular',
    summary: 'Get popular spaces',
    description: `${LIMITED} Posts and comments are of the period; members are current. The engagement score is posts × 3 + comments × 2 + reactions. Spaces without activity in the period are omitted, except with the metric \`members\`. ${SPAN}.`,
    query: Type.Object({ ...range, limit, metric: Type.Optional(oneOf(SPACE_METRICS, { default: 'engagement' })) }),
    response: Type.Object({
      spaces: Type.Array(
        Type.Object({
          id: Id,
          title: Type.String(),
          slug: Type.String(),
          posts_count: Count,
          comments_count: Count,
          members_count: Count,
          engagement_score: Count,
        }),
      ),
    }),
    csv: 'spaces',
  }),
  searchSpaces: route({
    ...common,
    path: '/analytics/spaces/search',
    summary: 'Search spaces for analytics',
    description: `${LIMITED} Matches a part of the title or slug.`,
    query: Type.Object({ search: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), limit, ...format }),
    response: Type.Object({
      spaces: Type.Array(Type.Object({ id: Id, title: Type.String(), slug: Type.String(), members_count: Count, posts_count: Count })),
    }),
    csv: 'spaces',
  }),
} as const
