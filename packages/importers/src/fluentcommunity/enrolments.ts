import type { ArchiveRecord } from '@lyceum/contract/archive'
import { countOf, type KindReader, personId, skipped } from './community.ts'
import type { MembershipRow } from './memberships.ts'

type EnrolmentRow = Omit<MembershipRow, 'space' | 'space_id'> & { readonly space_id: number; readonly completed: string | null }

const COURSE_MEMBERS = "from fcom_space_user m join fcom_spaces s on s.id = m.space_id and s.type = 'course'"
const ROWS = `select m.*, exists (select 1 from imported_people p where p.id = m.user_id) person,
  (select min(a.created_at) from fcom_user_activities a where a.feed_id = m.space_id and a.user_id = m.user_id and a.action_name = 'course_completed') completed
  ${COURSE_MEMBERS} order by m.space_id, m.user_id, coalesce(m.status, '') <> 'active', m.id`

const reasonOf = (row: EnrolmentRow, before: EnrolmentRow | null): string | null => {
  if (row.person === 0) return 'its account does not exist in the source'
  if (before !== null && before.space_id === row.space_id && before.user_id === row.user_id) return 'another row has the same enrollment'
  return row.status === 'active' ? null : 'it is a request, which courses do not have'
}

/** Members of a course become students, regardless of their role. */
export const enrolments: KindReader<'enrolments'> = {
  table: 'fcom_space_user',
  count: (community) => countOf(community, COURSE_MEMBERS),
  read: function* (community) {
    let before: EnrolmentRow | null = null
    for (const row of community.staging.rows<EnrolmentRow>(ROWS)) {
      const reason = reasonOf(row, before)
      before = row
      if (reason !== null) {
        yield skipped(row.id, reason)
        continue
      }
      const completed = community.stamp.toUtc(row.completed)
      const record: ArchiveRecord<'enrolments'> = {
        id: `${row.space_id}-${row.user_id}`,
        course: String(row.space_id),
        person: personId(row.user_id),
        enrolled_at: community.created('fcom_space_user', row.id, row.created_at, row.updated_at),
        ...(completed !== null && { completed_at: completed }),
      }
      yield record
    }
  },
}
