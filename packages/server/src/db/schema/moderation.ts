import type { Generated } from 'kysely'
import type { Datetime, Json } from './types.ts'

/** A decision of somebody who runs the community. Rows are added and never changed; they outlive the account that they name. */
export interface AuditLogRow {
  id: Generated<number>
  /** null: the server itself. */
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
  /** null: the account is gone. */
  reporter_id: number | null
  reported_user_id: number
  object_type: 'feed' | 'comment' | 'user'
  object_id: number
  /** Where the object stood; null: outside of spaces. */
  space_id: number | null
  /** The lesson whose comments it stood among. */
  lesson_id: number | null
  reason: string
  description: string
  status: 'pending' | 'reviewed' | 'resolved' | 'dismissed'
  moderator_id: number | null
  moderator_note: string
  action_taken: string
  /** What the object said when it was reported. */
  title: string
  excerpt: string
  created_at: Datetime
  updated_at: Datetime
}

/** Why a feed, or a comment under it, is pending or spam. */
export interface ModerationHoldRow {
  id: Generated<number>
  feed_id: number
  comment_id: number | null
  reason: string
  details: Json
  created_at: Datetime
}

/** One row: how content is looked at and reports are dealt with. */
export interface ModerationConfigRow {
  id: number
  value: Json
  updated_at: Datetime
}
