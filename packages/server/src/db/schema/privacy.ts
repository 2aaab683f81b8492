import type { Generated } from 'kysely'
import type { Datetime } from './types.ts'

/** An archive of a member's data. */
export interface DataExportRow {
  id: Generated<number>
  user_id: number
  /** The member or an administrator; null: the account was deleted. */
  requested_by: number | null
  /** Random part of its URL. */
  key: string
  status: Generated<'pending' | 'ready' | 'failed' | 'expired'>
  /** Storage of the archive. */
  store: 'disk' | 's3'
  path: string | null
  size: number | null
  /** Number of attempts. */
  tries: Generated<number>
  /** End of the lease of the process that creates it. */
  locked_until: Datetime | null
  created_at: Datetime
  completed_at: Datetime | null
  expires_at: Datetime | null
}
