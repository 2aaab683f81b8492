import type { Entry } from '../source.ts'
import { noted, skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { attachedTo } from './media.ts'
import { ACTIVITY_COLUMNS, attachmentsOf, hiddenAs, type PostRow } from './posts.ts'
import { commentUrls } from './site.ts'
import { activityHtml } from './text.ts'
import { validTime } from './times.ts'
import { HIDDEN } from './visibility.ts'

/** A row of type `activity_comment`. */
export interface CommentRow
  extends Pick<
    PostRow,
    | 'id'
    | 'user_id'
    | 'item_id'
    | 'content'
    | 'is_spam'
    | 'hidden'
    | 'date_recorded'
    | 'registered'
    | 'has_files'
    | 'gif'
    | 'preview'
    | 'preview_image'
    | 'edited'
  > {
  /** The activity that it belongs to, and its type; null if it was deleted. */
  readonly post: number | null
  readonly post_type: string | null
  readonly post_created: string | null
  /** The parent comment; null for a top-level comment, or if the parent was deleted. */
  readonly parent: number | null
  readonly secondary_item_id: number | null
}

export const commentOf = (
  row: CommentRow,
  media: readonly string[],
  { site, nameOf }: Pick<Context, 'site' | 'nameOf'>,
): Entry<'comments'>[] => {
  const id = String(row.id)
  if (row.post === null) return [skipped(id, 'its post does not exist in the source')]
  if (row.post_type !== 'activity_update') return [skipped(id, `its activity is not a post (${row.post_type})`)]
  const created = validTime(row.date_recorded, row.post_created, row.registered) ?? site.founded
  const edited = validTime(row.edited)
  const { problems, ...attached } = attachmentsOf(row, media, site)
  const record = {
    id,
    urls: commentUrls(site, row.id),
    post: String(row.post),
    author: String(row.user_id || 0),
    ...(row.parent !== null && { parent: String(row.parent) }),
    message: activityHtml(row.content ?? '', nameOf),
    format: 'html' as const,
    status: row.is_spam ? ('spam' as const) : row.hidden ? ('pending' as const) : ('published' as const),
    ...(row.hidden && !row.is_spam && { hold: HIDDEN }),
    ...attached,
    ...(edited && edited > created && { edited_at: edited, updated_at: edited }),
    created_at: created,
  }
  const isReply = row.secondary_item_id !== null && row.secondary_item_id > 0 && row.secondary_item_id !== row.item_id
  const notes = [
    ...(isReply && row.parent === null ? ['it was imported as a top-level comment: its parent is missing or belongs to another post'] : []),
    ...problems,
  ]
  return [record, ...notes.map((note) => noted(id, note))]
}

const COMMENTS = `select ${ACTIVITY_COLUMNS}, ${hiddenAs('activity_comment')} as hidden, p.id as post, p.type as post_type,
  p.date_recorded as post_created, c.parent, a.secondary_item_id
  from comment c join bp_activity a on a.id = c.id left join users u on u.ID = a.user_id left join bp_activity p on p.id = c.post
  order by c.depth, c.id`

/** Yields comments, parents before replies. */
export function* readComments(context: Context): Generator<Entry<'comments'>> {
  for (const row of context.staging.rows<Omit<CommentRow, 'preview_image'>>(COMMENTS)) {
    const { media, preview_image } = attachedTo(context, row)
    yield* commentOf({ ...row, preview_image }, media, context)
  }
}
