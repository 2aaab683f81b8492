import type { Infer, Report, ReportAction } from '@lyceum/contract'
import { pick } from '../../util/pick.ts'
import { permalink } from '../feeds/view.ts'
import { viewXprofile } from '../members/view.ts'
import type { ListedReport, Person, ReportRow } from './queries.ts'

type View = Infer<typeof Report>

export const viewReported = (row: ReportRow) => ({
  ...pick(row, 'id', 'reporter_id', 'reported_user_id', 'object_id', 'object_type', 'description', 'status', 'created_at'),
  reason: row.reason as View['reason'],
})

const whereNow = (row: ListedReport, person: Person, origin: string): { url: string; status: string } => {
  if (row.object_type === 'user') return { url: `${origin}/u/${person.u_username}`, status: person.u_status }
  const status = row.object_type === 'feed' ? row.f_status : row.c_status
  if (status === null || row.f_slug === null) return { url: '', status: 'removed' }
  const url = permalink(origin, { slug: row.f_slug, s_slug: row.s_slug })
  return { url: row.object_type === 'feed' ? url : `${url}?comment_id=${row.object_id}`, status }
}

/** `reported`: the person the report is about; `readable`: whether the viewer may read the content. */
export const viewReport = (
  row: ListedReport,
  { reporter, reported, readable, origin }: { reporter: Person | undefined; reported: Person; readable: boolean; origin: string },
): View => ({
  ...viewReported(row),
  ...pick(row, 'space_id', 'moderator_note', 'updated_at'),
  moderator_id: row.moderator_id ?? 0,
  action_taken: row.action_taken as ReportAction,
  reporter: reporter ? viewXprofile(reporter) : null,
  reported_user: viewXprofile(reported),
  content: {
    id: row.object_id,
    title: readable ? row.title : '',
    excerpt: readable ? row.excerpt : '',
    ...(readable ? whereNow(row, reported, origin) : { url: '', status: whereNow(row, reported, origin).status }),
  },
})
