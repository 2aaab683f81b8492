import { route } from '../route.ts'
import { Count, Id, named, nullable, oneOf, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const ANALYTICS_INTERVALS = ['day', 'week', 'month'] as const
export const MEMBER_METRICS = ['posts', 'comments', 'reactions', 'engagement'] as const
export const SPACE_METRICS = ['posts', 'members', 'engagement'] as const
export const ANALYTICS_LIMIT = 100

const DAY = '^\\d{4}-\\d{2}-\\d{2}$'
const Day = (description: string) => Type.String({ pattern: DAY, description, examples: ['2026-03-10'] })
const SPAN = 'The last 30 days where neither day is given'

const format = {
  format: Type.Optional(oneOf(['json', 'csv'], { description: '`csv` gives the same as a table, as `Accept: text/csv` does' })),
}
const range = {
  date_from: Type.Optional(Day('First day; 29 days before the last one where it is absent')),
  date_to: Type.Optional(Day('Last day, included; today where it is absent')),
  ...format,
}
const wholeRange = {
  date_from: Day('First day'),
  date_to: Day('Last day, included'),
  interval: Type.Optional(oneOf(ANALYTICS_INTERVALS, { default: 'day', description: 'How the days are put together' })),
  ...format,
}
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: ANALYTICS_LIMIT, default: 10, 'x-clamp': true }))

const Rate = Type.Number({ minimum: 0, description: 'Two decimals' })
const Change = nullable(
  Type.Number({ description: 'Percent against as many days right before, two decimals; null where these had none and the range has some' }),
)
const Bucket = Type.String({
  pattern: DAY,
  description: 'The day; the Monday of a week; the first day of a month',
  examples: ['2026-03-09'],
})

const person = { id: Id, display_name: Type.String(), avatar: Type.String() }
/** Comes last, so that the columns of tables stay where they were. */
const username = Type.String()

const COMMUNITY = 'For administrators, and managers with view_analytics who are not limited to spaces.'
const LIMITED = 'A manager with view_analytics for some spaces reads what concerns these.'
const DAYS = 'Days are those of the community’s time zone.'
const WHAT =
  'Posts are published feeds, by when they were published first; comments are published ones; reactions are those to feeds and comments. What is deleted or hidden counts no more.'

const common = { method: 'GET', access: 'view_analytics', feature: 'analytics', errors: ['rest_forbidden'] } as const

const ofMembers = { top: 'Nobody who made none; people of the same figure by id. Suspended and banned people are left out.' }

export const analytics = {
  overviewWidget: route({
    ...common,
    path: '/analytics/overview/widget',
    summary: 'The community in figures',
    description: `${COMMUNITY} ${WHAT} \`total_\` is up to now, \`new_\` and active are of the range; members are active accounts, staff included; active is who posted, commented or reacted, and a space where that happened. ${DAYS} ${SPAN}.`,
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
      engagement_rate: Type.Number({ minimum: 0, description: 'Active members in percent of all, two decimals' }),
      comparison: Type.Optional(
        Type.Object(
          { members_change: Change, posts_change: Change, comments_change: Change, reactions_change: Change },
          { description: 'Of what is new; with `compare` only' },
        ),
      ),
    }),
    csv: '',
  }),
  overviewActivity: route({
    ...common,
    path: '/analytics/overview/activity',
    summary: 'What happened from day to day',
    description: `${COMMUNITY} Intervals without anything are there with zeros; the first and last hold only days of the range. ${DAYS}`,
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
    summary: 'On which weekdays and at which hours most happens',
    description: `${COMMUNITY} Counts posts, comments and reactions. The peak is the first of equals, and empty where nothing happened. ${DAYS} ${SPAN}.`,
    query: Type.Object(range),
    response: Type.Object({
      by_day: Type.Object(
        Object.fromEntries(
          (['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const).map((day) => [day, Count]),
        ) as Record<'Monday' | 'Tuesday' | 'Wednesday' | 'Thursday' | 'Friday' | 'Saturday' | 'Sunday', typeof Count>,
      ),
      by_hour: Type.Object(
        Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [String(hour).padStart(2, '0'), Count])) as Record<string, typeof Count>,
        { description: 'From 00 to 23' },
      ),
      peak_day: Type.String({ description: 'A weekday, or empty' }),
      peak_hour: Type.String({ description: 'Two digits, or empty' }),
    }),
    csv: '',
  }),
  membersWidget: route({
    ...common,
    path: '/analytics/members/widget',
    summary: 'The members in figures',
    description: `${COMMUNITY} Averages are what the range has of posts and comments to a member. ${SPAN}.`,
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
          { description: 'With the highest engagement score of the range; null where nobody was active' },
        ),
      ),
    }),
    csv: '',
  }),
  membersActivity: route({
    ...common,
    path: '/analytics/members/activity',
    summary: 'New, active and returning members from day to day',
    description: `${COMMUNITY} Returning are those active members whose account is older than the interval. ${DAYS}`,
    query: Type.Object(wholeRange),
    response: Type.Object({
      data: Type.Array(Type.Object({ date: Bucket, new_members: Count, active_members: Count, returning_members: Count })),
    }),
    csv: 'data',
  }),
  topMembers: route({
    ...common,
    path: '/analytics/members/top-members',
    summary: 'Who contributes most',
    description: `${COMMUNITY} What they made in the range: posts, comments and the reactions that they gave; the engagement score is posts × 3 + comments × 2 + reactions. ${ofMembers.top} ${SPAN}.`,
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
    summary: 'Who posts most',
    description: `${COMMUNITY} Averages are the reactions and comments that the posts of the range have by now. ${ofMembers.top} ${SPAN}.`,
    query: Type.Object({ ...range, limit }),
    response: Type.Object({
      members: Type.Array(Type.Object({ ...person, posts_count: Count, average_reactions: Rate, average_comments: Rate, username })),
    }),
    csv: 'members',
  }),
  topCommenters: route({
    ...common,
    path: '/analytics/members/top-commenters',
    summary: 'Who comments most',
    description: `${COMMUNITY} The average is of the reactions that the comments of the range have by now. ${ofMembers.top} ${SPAN}.`,
    query: Type.Object({ ...range, limit }),
    response: Type.Object({ members: Type.Array(Type.Object({ ...person, comments_count: Count, average_reactions: Rate, username })) }),
    csv: 'members',
  }),
  spacesWidget: route({
    ...common,
    path: '/analytics/spaces/widget',
    summary: 'The spaces in figures',
    description: `${LIMITED} Totals are up to now, members are memberships; active spaces, average posts and the most active space, by engagement score, are of the range. ${SPAN}.`,
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
          { description: 'With its posts of the range and its members now; null where nothing happened' },
        ),
      ),
    }),
    csv: '',
  }),
  spacesActivity: route({
    ...common,
    path: '/analytics/spaces/activity',
    summary: 'What happened in a space, or in all of them, from day to day',
    description: `${LIMITED} New members are those who joined in the interval and are still there. ${DAYS}`,
    query: Type.Object({ ...spaceFilter('This space alone'), ...wholeRange }),
    response: Type.Object({
      data: Type.Array(Type.Object({ date: Bucket, posts: Count, comments: Count, reactions: Count, new_members: Count })),
    }),
    errors: ['rest_forbidden', 'space_not_found'],
    csv: 'data',
  }),
  popularSpaces: route({
    ...common,
    path: '/analytics/spaces/popular',
    summary: 'Which spaces are the liveliest',
    description: `${LIMITED} Posts and comments are of the range, members are those of now; the engagement score is posts × 3 + comments × 2 + reactions. Spaces without anything in the range are left out, but by members. ${SPAN}.`,
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
    summary: 'Find a space whose figures are wanted',
    description: `${LIMITED} By a part of title or slug.`,
    query: Type.Object({ search: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), limit, ...format }),
    response: Type.Object({
      spaces: Type.Array(Type.Object({ id: Id, title: Type.String(), slug: Type.String(), members_count: Count, posts_count: Count })),
    }),
    csv: 'spaces',
  }),
} as const
