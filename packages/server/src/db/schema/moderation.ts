import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

/** An administrative action. Rows are append-only, and outlive the account that they name. */
export interface AuditLogRow {
  id: Generated<number>
  /** null: the server. */
  actor_id: number | null
  action: string
  object_type: string
  object_id: number | null
  details: Json
  ip_address: string
  request_id: string
  created_at: Datetime
}

export interface ReportRow {
  id: Generated<number>
  /** null: the account was deleted. */
  reporter_id: number | null
  reported_user_id: number
  object_type: 'feed' | 'comment' | 'user'
  object_id: number
  /** The space of the object; null: none. */
  space_id: number | null
  /** The lesson on which it was a comment. */
  lesson_id: number | null
  reason: string
  description: string
  status: 'pending' | 'reviewed' | 'resolved' | 'dismissed'
  moderator_id: number | null
  moderator_note: string
  action_taken: string
  /** The object's text when it was reported. */
  title: string
  excerpt: string
  created_at: Datetime
  updated_at: Datetime
}

/** Why a feed, or one of its comments, is pending or spam. */
export interface ModerationHoldRow {
  id: Generated<number>
  feed_id: number
  comment_id: number | null
  reason: string
  details: Json
  created_at: Datetime
}

/** One row: the configuration of automatic moderation and reports. */
export interface ModerationConfigRow {
  id: number
  value: Json
  updated_at: Datetime
}
