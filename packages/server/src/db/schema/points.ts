import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

/** One thing that earned points, or its reversal. Rows are added and never changed. */
export interface PointsLedgerRow {
  id: Generated<number>
  user_id: number
  kind: string
  /** What it was earned with, such as `post_created:feed:7`; at most one row of a subject stands. */
  dedup_key: string
  points: number
  event_key: string
  space_id: number | null
  feed_id: number | null
  comment_id: number | null
  /** `YYYY-MM-DD`, as the clocks of the community had it. A reversal has the day of what it reverses. */
  day: string
  created_at: Datetime
  reverses: number | null
}

/** Points in all, and by what they were earned with. */
interface Parts {
  points: Generated<number>
  posts: Generated<number>
  comments: Generated<number>
  reactions: Generated<number>
  courses: Generated<number>
  helpful: Generated<number>
}

export interface DailyScoreRow extends Parts {
  user_id: number
  /** 0: in the whole community. */
  space_id: number
  day: string
}

/** Days that are summed up: sums of one that is ready can be read, those of one that leaves are no longer kept. */
export interface ScorePeriodRow {
  id: Generated<number>
  /** `7_days:2026-11-20`, by its last day; `all_time`. */
  name: string
  first_day: string
  last_day: string
  state: 'filling' | 'ready' | 'leaving'
}

export interface PeriodScoreRow extends Parts {
  user_id: number
  period_id: number
  space_id: number
}

/** How many of each stand. */
export interface ContributionCountRow {
  user_id: number
  posts: Generated<number>
  comments: Generated<number>
  reactions: Generated<number>
  courses: Generated<number>
}

export interface PointsConfigRow {
  kind: string
  points: number
}

export interface LeaderboardLevelRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  min_points: number
  max_points: number
  badge_icon: Generated<string>
  badge_color: Generated<string>
  position: number
  perks: Generated<Json>
}

export interface AchievementRow {
  id: Generated<number>
  user_id: number
  code: string
  level_id: number | null
  earned_at: Datetime
}
