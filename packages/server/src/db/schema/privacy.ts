import type { Generated } from 'kysely'
import type { Datetime } from './types.ts'

/** An archive of what is stored about a member. */
export interface DataExportRow {
  id: Generated<number>
  user_id: number
  /** Who asked for it: the member, or an administrator; null: the account is gone. */
  requested_by: number | null
  /** Stands in its address; cannot be guessed. */
  key: string
  status: Generated<'pending' | 'ready' | 'failed' | 'expired'>
  /** Where the archive lies, or is about to; null: it has been removed. */
  store: 'disk' | 's3'
  path: string | null
  size: number | null
  /** How often it was begun. */
  tries: Generated<number>
  /** Somebody makes it until then. */
  locked_until: Datetime | null
  created_at: Datetime
  completed_at: Datetime | null
  expires_at: Datetime | null
}
