import { countOf, type KindReader, personId, skipped } from './community.ts'

interface CompletionRow {
  readonly id: number
  readonly user_id: number | null
  readonly object_id: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly person: number
  readonly lesson: number
  readonly enrolled: number
  readonly again: number
}

const COMPLETIONS = "from fcom_post_reactions r where r.object_type = 'lesson_completed' and r.type = 'completed'"
const ROWS = `select r.*, exists (select 1 from imported_people p where p.id = r.user_id) person,
  exists (select 1 from imported_posts b where b.id = r.object_id and b.lesson = 1) lesson,
  exists (select 1 from fcom_posts l join fcom_space_user m on m.space_id = l.space_id and m.user_id = r.user_id and m.status = 'active'
    where l.id = r.object_id) enrolled,
  exists (select 1 from fcom_post_reactions o where o.type = 'completed' and o.object_type = 'lesson_completed' and o.object_id = r.object_id
    and o.user_id = r.user_id and o.id < r.id) again
  ${COMPLETIONS} order by r.id`

const reasonOf = (row: CompletionRow): string | null => {
  if (row.person === 0) return 'its account does not exist in the source'
  if (row.lesson === 0) return 'its lesson does not exist in the source or was skipped'
  if (row.again === 1) return 'it duplicates an earlier row'
  return row.enrolled === 0 ? 'its account is not enrolled in the course' : null
}

export const lessonCompletions: KindReader<'lesson_completions'> = {
  table: 'fcom_post_reactions',
  count: (community) => countOf(community, COMPLETIONS),
  read: function* (community) {
    for (const row of community.staging.rows<CompletionRow>(ROWS)) {
      const reason = reasonOf(row)
      if (reason !== null) yield skipped(row.id, reason)
      else
        yield {
          id: `${row.object_id}-${row.user_id}`,
          lesson: String(row.object_id),
          person: personId(row.user_id),
          completed_at: community.created('fcom_post_reactions', row.id, row.created_at, row.updated_at),
        }
    }
  },
}
