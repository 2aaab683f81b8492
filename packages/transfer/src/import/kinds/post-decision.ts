import type { Value } from '../../../../server/src/db/index.ts'
import type { Meta } from '../../../../server/src/modules/feeds/meta.ts'
import type { Decision } from '../import-kind.ts'
import type { FileUse } from './files.ts'

/** Columns that are updated when a post changes at the source. */
export const POST_COLUMNS = [
  ...['user_id', 'space_id', 'privacy', 'status', 'type', 'content_type', 'title', 'message', 'meta', 'featured_image'],
  ...['priority', 'expired_at', 'scheduled_at', 'edited_at', 'edited_by_moderator'],
]

/** Further columns of a post. */
export interface PostTimes {
  readonly created_at: string
  readonly updated_at: string
  readonly published_at: string
  readonly active_at: string
}

export interface PostDecision extends Decision<'posts'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly author: number
  readonly space: number | null
  readonly slug: string
  readonly html: string
  readonly document: string
  readonly meta: Meta
  readonly files: readonly FileUse[]
  readonly topics: readonly number[]
  readonly listed: boolean
  /** Whether it should be pinned. Only one listed post of a space can be. */
  readonly pinned: boolean
  readonly times: PostTimes
}
