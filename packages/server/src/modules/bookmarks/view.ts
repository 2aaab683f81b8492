import type { Bookmark, Infer } from '@lyceum/contract'

export interface BookmarkRow {
  readonly id: number
  readonly user_id: number
  readonly feed_id: number
  readonly created_at: string
}

/** Converts a bookmark row to the bookmark of the API. */
export const viewBookmark = ({ id, user_id, feed_id, created_at }: BookmarkRow): Infer<typeof Bookmark> => ({
  id,
  user_id,
  feed_id,
  created_at,
})
