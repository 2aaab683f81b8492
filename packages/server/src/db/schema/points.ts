import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

/** One award of points, or its reversal. Rows are append-only. */
export interface PointsLedgerRow {
  id: Generated<number>
  user_id: number
  kind: string
  /** Such as `post_created:feed:7`; at most one row with a key is not reversed. */
  dedup_key: string
  points: number
  event_key: string
  space_id: number | null
  feed_id: number | null
  comment_id: number | null
  /** `YYYY-MM-DD` in the community's time zone. A reversal has the day of the row that it reverses. */
  day: string
  created_at: Datetime
  reverses: number | null
}

/** A user whose aggregates lack their ledger rows from `from_id` on. */
export interface UnfoldedPointsRow {
  user_id: number
  from_id: number
}

/** Points in total and by source. */
interface Scores {
  points: Generated<number>
  posts: Generated<number>
  comments: Generated<number>
  reactions: Generated<number>
  courses: Generated<number>
  helpful: Generated<number>
}

export interface DailyScoreRow extends Scores {
  user_id: number
  /** 0: the whole community. */
  space_id: number
  day: string
}

/** A range of days with scores: they can be read while it is ready, and are deleted while it is leaving. */
export interface ScorePeriodRow {
  id: Generated<number>
  /** Such as `7_days:2026-11-20`, by its last day; or `all_time`. */
  name: string
  first_day: string
  last_day: string
  state: 'filling' | 'ready' | 'leaving'
}

export interface PeriodScoreRow extends Scores {
  user_id: number
  period_id: number
  space_id: number
}

/** Number of contributions that earn points, by kind. */
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
