import type { Generated } from 'kysely'
import type { Datetime, Flag } from './types.ts'

export interface AnalyticsStateRow {
  id: number
  /** The valid generation of rollups; a rebuild fills the next one. */
  generation: number
  /** The time zone of their days. */
  zone: string
  /** 1: the rollups must be rebuilt from the source rows. */
  stale: Flag
  rebuilding_until: Datetime | null
}

interface Counts {
  posts: Generated<number>
  comments: Generated<number>
  reactions: Generated<number>
}

interface PersonCounts extends Counts {
  /** Reactions to and comments on the posts of that period, whenever they were made. */
  post_reactions: Generated<number>
  post_comments: Generated<number>
  /** Reactions to the comments of that period. */
  comment_reactions: Generated<number>
}

/** A change of counts that the rollups do not include yet; triggers write it in the transaction of the change. */
export interface AnalyticsOutboxRow extends PersonCounts {
  id: Generated<number>
  at: Datetime
  user_id: number | null
  space_id: number | null
  joins: Generated<number>
  members: Generated<number>
}

/**
 * Contributions of one member in a day (span 1), week (7) or month (30). `start`: its first day; `joined`: the day of the registration. Days are
 * numbers such as 20260310, since there are very many of these rows.
 */
export interface AnalyticsMemberRollupRow extends PersonCounts {
  generation: number
  span: 1 | 7 | 30
  start: number
  user_id: number
  joined: number
}

export interface AnalyticsSpaceRollupRow extends Counts {
  generation: number
  day: string
  space_id: number
  joins: Generated<number>
}

/** The whole community in one hour of a day; `members`: new members. */
export interface AnalyticsHourlyRollupRow extends Counts {
  generation: number
  day: string
  hour: number
  members: Generated<number>
}
