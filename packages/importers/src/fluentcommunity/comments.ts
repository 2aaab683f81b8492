import type { ArchiveRecord } from '@lyceum/contract/archive'
import { readMeta } from '../wordpress/index.ts'
import { attachmentsOf } from './attachments.ts'
import { type Community, clean, countOf, type KindReader, noted, personId, skipped } from './community.ts'
import { textOf } from './posts.ts'
import { timesOf } from './spaces.ts'

type Comment = ArchiveRecord<'comments'>

export interface CommentRow {
  readonly id: number
  readonly user_id: number | null
  readonly post_id: number | null
  readonly parent_id: number | null
  readonly message: string | null
  readonly message_rendered: string | null
  readonly meta: string | null
  readonly content_type: string | null
  readonly status: string | null
  readonly is_sticky: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** Whether its post is a lesson; null if the post does not exist. */
  readonly lesson: number | null
  /** The post of the parent comment; null if the parent does not exist. */
  readonly parent_post: number | null
}

/** Comments with any other status become pending. */
const statusOf = (status: string): Comment['status'] => (status === 'published' || status === 'spam' ? status : 'pending')

export const commentOf = (community: Community, row: CommentRow) => {
  const read = readMeta(row.meta)
  const { problems, ...attached } = attachmentsOf(community, read.value)
  const isReply = row.parent_id !== null && row.parent_id > 0
  const keepsParent = isReply && row.parent_post === row.post_id && row.parent_id !== row.id
  const stored = clean(row.status) || 'published'
  const status = statusOf(stored)
  const record: Comment = {
    id: String(row.id),
    ...(row.lesson === 1 ? { lesson: String(row.post_id) } : { post: String(row.post_id) }),
    author: personId(row.user_id),
    parent: keepsParent ? String(row.parent_id) : null,
    ...textOf(row),
    status,
    is_sticky: row.is_sticky === 1,
    ...attached,
    ...timesOf(community, 'fcom_post_comments', row),
  }
  const lostParent =
    row.parent_post === null ? 'its parent comment does not exist in the source' : 'its parent comment belongs to another post'
  const notes = [
    ...(isReply && !keepsParent ? [`${lostParent}; it was imported as a top-level comment`] : []),
    ...(stored === status ? [] : [`it is pending now: its status was ${stored}`]),
    ...(read.problem === null ? [] : [`its attachments were dropped, because they cannot be read: ${read.problem}`]),
    ...problems,
  ]
  return [record, ...notes.map((note) => noted(row.id, note))]
}

const COMMENTS = "from fcom_post_comments c where coalesce(c.type, 'comment') = 'comment'"
const ROWS = `select c.*, b.lesson, (select o.post_id from fcom_post_comments o where o.id = c.parent_id and coalesce(o.type, 'comment') = 'comment') parent_post
  from fcom_post_comments c left join imported_posts b on b.id = c.post_id where coalesce(c.type, 'comment') = 'comment' order by c.id`

export const comments: KindReader<'comments'> = {
  table: 'fcom_post_comments',
  count: (community) => countOf(community, COMMENTS),
  read: function* (community) {
    for (const row of community.staging.rows<CommentRow>(ROWS))
      if (row.lesson === null) yield skipped(row.id, 'its post does not exist in the source or was skipped')
      else yield* commentOf(community, row)
  },
}
