import type { Entry } from '../source.ts'
import { skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { latest, validTime } from './times.ts'

/** A BuddyBoss bookmark. */
export interface BookmarkRow {
  readonly id: number
  readonly user_id: number
  readonly person: number | null
  readonly type: string | null
  readonly item_id: number
  readonly date_recorded: string | null
  /** Id of the post; null if it was deleted or is not a post. */
  readonly post: number | null
  readonly post_created: string | null
  readonly registered: string | null
}

export const bookmarkOf = (row: BookmarkRow, { founded }: { readonly founded: string }): Entry<'bookmarks'> => {
  if (row.person === null) return skipped(row.id, 'its account does not exist in the source')
  if (row.post === null) return skipped(row.id, `its post does not exist in the source (${row.type} ${row.item_id})`)
  const earliest = latest(validTime(row.post_created) ?? founded, validTime(row.registered))
  return { id: String(row.id), person: String(row.person), post: String(row.post), created_at: validTime(row.date_recorded) ?? earliest }
}

/** Removed bookmarks keep a row with another status. */
const BOOKMARKS = `select b.id, b.user_id, b.type, b.item_id, b.date_recorded, u.ID as person, u.user_registered as registered, a.id as post,
  a.date_recorded as post_created
  from bb_bookmark b left join users u on u.ID = b.user_id
  left join bp_activity a on b.type = 'activity' and a.id = b.item_id and a.type = 'activity_update'
    and not exists (select 1 from single_file f where f.id = a.id)
  where b.status = 1 order by b.id`

export function* readBookmarks({ staging, site }: Context): Generator<Entry<'bookmarks'>> {
  for (const row of staging.rows<BookmarkRow>(BOOKMARKS)) yield bookmarkOf(row, site)
}
