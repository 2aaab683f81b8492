import type { Generated } from 'kysely'
import type { Datetime, Flag } from './types.ts'

export interface AnalyticsStateRow {
  id: number
  /** Which rows hold: a rebuild fills the next ones beside them. */
  generation: number
  /** The time zone whose days they are. */
  zone: string
  /** 1: they must be made anew from the rows that they count. */
  stale: Flag
  rebuilding_until: Datetime | null
}

interface Counts {
  posts: Generated<number>
  comments: Generated<number>
  reactions: Generated<number>
}

interface PersonCounts extends Counts {
  /** Reactions to and comments under the posts of that time, whenever they were made. */
  post_reactions: Generated<number>
  post_comments: Generated<number>
  /** Reactions to the comments of that time. */
  comment_reactions: Generated<number>
}

/** A change that the figures do not hold yet; triggers write it in the transaction of the change itself. */
export interface AnalyticsOutboxRow extends PersonCounts {
  id: Generated<number>
  at: Datetime
  user_id: number | null
  space_id: number | null
  joins: Generated<number>
  members: Generated<number>
}

/**
 * What one person made in a day (span 1), week (7) or month (30). `start`: its first day; `joined`: the day on which the account was made;
 * days as numbers such as 20260310, since there are very many of these rows.
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

/** The whole community in one hour of a day; `members`: new accounts. */
export interface AnalyticsHourlyRollupRow extends Counts {
  generation: number
  day: string
  hour: number
  members: Generated<number>
}
