import { type Route, route } from '../route.ts'
import { Count, Datetime, FlagInput, Id, named, nullable, oneOf, spaceFilter } from '../shapes/common.ts'
import { ActiveXprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const LEADERBOARD_PERIODS = ['all_time', 'this_month', 'this_week', 'today'] as const
export const LEADERBOARD_GROUPS = ['today', 'this_week', 'this_month', '7_days', '30_days', 'all_time'] as const
/** Contributions that earn points. */
export const POINT_KINDS = [
  'post_created',
  'comment_made',
  'reaction_received',
  'course_completed',
  'helpful_vote',
  'profile_completed',
  'daily_login',
  'space_joined',
] as const
export type PointKind = (typeof POINT_KINDS)[number]
/** Maximum points for one contribution. */
export const MAX_POINTS = 1_000_000
/** Upper limit of the highest level. */
export const MAX_TOTAL_POINTS = 1_000_000_000
export const MAX_LEVELS = 100
export const LEVEL_TITLE_LENGTH = 100
export const LEVEL_PERKS = 20

const levelFields = {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  min_points: Count,
  max_points: Count,
  badge_icon: Type.String({ examples: ['🏅'] }),
  badge_color: Type.String({ description: 'Color of the badge as #rrggbb; may be empty.' }),
  serial: Type.Integer({ description: 'Position in the list of levels.' }),
  perks: Type.Array(Type.String()),
}

/** The level of a member. */
const MemberLevel = named('MemberLevel', levelFields)
export const Level = named('Level', {
  ...levelFields,
  members_count: Type.Integer({ minimum: 0, description: 'Number of active members on this level.' }),
})

const LevelBadge = named('LevelBadge', { slug: Type.String(), title: Type.String(), icon: Type.String(), color: Type.String() })

const Achievement = named('Achievement', { id: Id, title: Type.String(), icon: Type.String(), earned_at: Datetime })

const PointsBreakdown = named('PointsBreakdown', {
  posts_created: Count,
  comments_made: Count,
  reactions_received: Count,
  courses_completed: Count,
  helpful_votes: Count,
})

const LeaderboardStats = named('LeaderboardStats', {
  posts_count: Count,
  comments_count: Count,
  reactions_count: Type.Integer({ minimum: 0, description: 'Number of reactions received from other members.' }),
  courses_completed: Count,
  member_since: Datetime,
})

const entry = {
  user_id: Id,
  xprofile: ActiveXprofile,
  rank: Type.Integer({ minimum: 1 }),
  total_points: Type.Integer({ minimum: 0, description: 'Points earned in the period of the group; with `space_id`, in that space.' }),
  last_activity: nullable(Datetime),
  badge: nullable(LevelBadge),
  level: nullable(MemberLevel),
  points_breakdown: Type.Unsafe<Record<keyof typeof PointsBreakdown.properties, number>>({
    ...PointsBreakdown,
    description: 'Points by source; the rest of the total comes from other sources, such as bonuses.',
  }),
  achievements: Type.Array(Achievement),
  stats: LeaderboardStats,
}

export const LeaderboardEntry = named('LeaderboardEntry', entry)
const CurrentUser = named('LeaderboardCurrentUser', {
  ...entry,
  rank: nullable(
    Type.Integer({ minimum: 1, description: 'Rank of the caller; null without points in the period or if they are not listed.' }),
  ),
})

export const PointsConfig = named(
  'PointsConfig',
  Object.fromEntries(POINT_KINDS.map((kind) => [kind, Count])) as Record<PointKind, typeof Count>,
)

const PointsInput = Type.Integer({ minimum: 0, maximum: MAX_POINTS })

/** With `id`, updates the level; without, creates one. */
const LevelInput = Type.Object({
  id: Type.Optional(nullable(Id)),
  delete: Type.Optional(FlagInput),
  title: Type.Optional(Type.String({ maxLength: LEVEL_TITLE_LENGTH })),
  slug: Type.Optional(nullable(Type.String({ maxLength: LEVEL_TITLE_LENGTH }))),
  description: Type.Optional(nullable(Type.String({ maxLength: 2000 }))),
  min_points: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TOTAL_POINTS })),
  max_points: Type.Optional(
    nullable(
      Type.Integer({ minimum: 0, maximum: MAX_TOTAL_POINTS, description: 'Upper limit of the level, in points; null for no limit.' }),
    ),
  ),
  badge_icon: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  badge_color: Type.Optional(nullable(Type.String({ pattern: '^(#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6})?$' }))),
  serial: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_TOTAL_POINTS })),
  perks: Type.Optional(nullable(Type.Array(Type.String({ maxLength: 200 }), { maxItems: LEVEL_PERKS }))),
})

const switched = { feature: 'leaderboard' } as const satisfies Partial<Route>
const administered = { ...switched, access: 'admin', forbidden: 'permission_denied' } as const satisfies Partial<Route>
const saved = { levels: Type.Array(Level), points_config: PointsConfig }

export const leaderboard = {
  list: route({
    method: 'GET',
    path: '/leaderboard',
    access: 'member',
    ...switched,
    summary: 'Get the leaderboard',
    description:
      'Always returns the last 7 days, the last 30 days and all time; another `period` precedes them. With equal points, the older account comes first. Suspended and banned members and members without points are not listed.',
    query: Type.Object({
      period: Type.Optional(oneOf(LEADERBOARD_PERIODS, { default: 'all_time' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, 'x-clamp': true })),
      ...spaceFilter('Only points for content in this space.'),
      include_current_user: Type.Optional(Type.Boolean({ default: true })),
    }),
    queryErrors: { period: 'invalid_period' },
    response: Type.Object({
      leaderboard: Type.Array(Type.Object({ title: Type.String(), key: oneOf(LEADERBOARD_GROUPS), items: Type.Array(LeaderboardEntry) })),
      current_user: Type.Optional({ ...CurrentUser, description: 'Entry of the caller in the group of `period`.' } as typeof CurrentUser),
    }),
    errors: ['space_not_found', 'rest_forbidden'],
  }),
} as const

export const leaderboardLevels = {
  list: route({
    method: 'GET',
    path: '/admin/leaderboards/levels',
    ...administered,
    summary: 'List levels and points',
    response: Type.Object(saved),
  }),
  save: route({
    method: 'POST',
    path: '/admin/leaderboards/levels',
    ...administered,
    summary: 'Update levels and points',
    description:
      'An object with `id` changes that level, or removes it with `delete: true`; an object without `id` creates a level. Levels that are not sent stay. Point ranges must not overlap. Changed points apply to future contributions only.',
    body: Type.Object({
      levels: Type.Array(LevelInput, { maxItems: 2 * MAX_LEVELS }),
      points_config: Type.Optional(
        Type.Object(
          Object.fromEntries(POINT_KINDS.map((kind) => [kind, Type.Optional(PointsInput)])) as Record<
            PointKind,
            ReturnType<typeof Type.Optional<typeof PointsInput>>
          >,
        ),
      ),
    }),
    response: Type.Object({ message: Type.String(), ...saved }),
  }),
} as const
