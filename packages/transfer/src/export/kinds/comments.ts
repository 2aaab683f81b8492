import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type CommentRow, statementIn, type Tables } from '../../../../server/src/db/index.ts'
import { addressesOf } from '../addresses.ts'
import { attachmentsOf, mediaOfRows } from '../attachments.ts'
import { type ExportContext, listing } from '../context.ts'
import { filled, parsed } from '../filled.ts'
import { holdOf } from './posts.ts'

type Comment = ArchiveRecord<'comments'>
type Row = CommentRow & { readonly lesson_id: number | null; readonly f_slug: string; readonly s_slug: string | null }
type ModerationHold = Pick<Tables['moderation_holds'], 'reason' | 'details' | 'created_at'> & { readonly comment_id: number }

const holdsOf = statementIn<ModerationHold>(
  (list) => `select comment_id, reason, details, created_at from moderation_holds where comment_id in (${list})`,
)

const view = async (ctx: ExportContext, rows: readonly Row[]): Promise<Comment[]> => {
  const comments = rows.map(({ id }) => id)
  const holds = new Map((await holdsOf(ctx.db, comments)).map((hold) => [hold.comment_id, hold]))
  const media = await mediaOfRows(ctx, rows)
  const addresses = await addressesOf(ctx.db, 'comment_id', comments)
  const ids = await ctx.ids({
    comments: rows.flatMap(({ id, parent_id }) => [id, parent_id]),
    posts: rows.map(({ post_id }) => post_id),
    lessons: rows.map(({ lesson_id }) => lesson_id),
    people: rows.flatMap(({ user_id, helpful_by }) => [user_id, helpful_by]),
  })
  return rows.map((row): Comment => {
    const id = ids.of('comments', row.id)
    const feed = row.s_slug === null ? `/feeds/${row.f_slug}` : `/spaces/${row.s_slug}/feeds/${row.f_slug}`
    return {
      id,
      ...filled({ urls: addresses(row.id, ...(row.lesson_id === null ? [`${feed}?comment_id=${id}`] : [])) }),
      ...(row.lesson_id === null ? { post: ids.of('posts', row.post_id) } : { lesson: ids.of('lessons', row.lesson_id) }),
      author: ids.of('people', row.user_id),
      ...filled({ parent: ids.ifAny('comments', row.parent_id) }),
      message: row.message,
      content_type: row.content_type as NonNullable<Comment['content_type']>,
      status: row.status,
      ...filled({ is_sticky: row.is_sticky === 1, helpful_at: row.helpful_at, helpful_by: ids.ifAny('people', row.helpful_by) }),
      ...attachmentsOf(parsed(row.meta), media),
      ...filled({ edited_at: row.edited_at, edited_by_moderator: row.edited_by_moderator === 1 }),
      ...holdOf(holds.get(row.id)),
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}

export const comments = listing<Row, 'comments'>({
  columns: 'c.*, f.lesson_id, f.slug as f_slug, s.slug as s_slug',
  from: 'comments c join feeds f on f.id = c.post_id left join spaces s on s.id = f.space_id where 1 = 1',
  key: 'c.id',
  inSpace: (space) => `f.space_id = ${space} and f.status <> 'draft'`,
  view,
})
