import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { ReportRow } from '../../../../server/src/db/index.ts'
import { listing } from '../context.ts'
import { filled } from '../filled.ts'

/** SQL condition: the reported object exists. */
const HELD = `((r.object_type = 'user') or (r.object_type = 'comment' and exists (select 1 from comments c where c.id = r.object_id))
  or (r.object_type = 'feed' and exists (select 1 from feeds f where f.id = r.object_id and f.lesson_id is null)))`

/** Excludes reports of deleted content. */
export const reports = listing<ReportRow, 'reports'>({
  columns: 'r.*',
  from: `reports r where ${HELD}`,
  key: 'r.id',
  inSpace: null,
  view: async (ctx, rows) => {
    const about = (type: ReportRow['object_type']) => rows.map((row) => (row.object_type === type ? row.object_id : null))
    const ids = await ctx.ids({
      reports: rows.map(({ id }) => id),
      posts: about('feed'),
      comments: about('comment'),
      people: [...about('user'), ...rows.flatMap(({ reporter_id, moderator_id }) => [reporter_id, moderator_id])],
    })
    const objectOf = ({ object_type, object_id }: ReportRow) => {
      if (object_type === 'feed') return { post: ids.of('posts', object_id) }
      if (object_type === 'comment') return { comment: ids.of('comments', object_id) }
      return { person: ids.of('people', object_id) }
    }
    return rows.map(
      (row): ArchiveRecord<'reports'> => ({
        id: ids.of('reports', row.id),
        ...filled({ reporter: ids.ifAny('people', row.reporter_id) }),
        ...objectOf(row),
        reason: row.reason,
        ...filled({ description: row.description }),
        status: row.status,
        ...filled({ moderator: ids.ifAny('people', row.moderator_id), moderator_note: row.moderator_note }),
        action_taken: row.action_taken,
        ...filled({ title: row.title, excerpt: row.excerpt }),
        created_at: row.created_at,
        updated_at: row.updated_at,
      }),
    )
  },
})
