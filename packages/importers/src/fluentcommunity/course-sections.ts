import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type Community, clean, countOf, type KindReader, positionOf, skipped, slugOf } from './community.ts'
import { courseTypeOf } from './courses.ts'
import { timesOf } from './spaces.ts'

export interface SectionRow {
  readonly id: number
  readonly space_id: number | null
  readonly title: string | null
  readonly slug: string | null
  readonly status: string | null
  readonly priority: number | null
  /** Days after the enrollment until the section opens, in a structured course. */
  readonly reactions_count: number | null
  readonly scheduled_at: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly course_settings: string | null
  readonly course: number
}

/** The status of a section or lesson. Other values become drafts. */
export const lessonStatus = (status: string): ArchiveRecord<'lessons'>['status'] =>
  status === 'published' ? 'published' : status === 'archived' ? 'archived' : 'draft'

export const sectionOf = (community: Community, row: SectionRow) => {
  if (row.course === 0) return skipped(row.id, 'its course does not exist in the source')
  const type = courseTypeOf(row.course_settings)
  const scheduled = type === 'scheduled' ? community.zone.toUtc(row.scheduled_at) : null
  const record: ArchiveRecord<'course_sections'> = {
    id: String(row.id),
    course: String(row.space_id),
    title: clean(row.title).trim() || slugOf(row.slug) || `${row.id}`,
    slug: slugOf(row.slug) || `section-${row.id}`,
    status: lessonStatus(clean(row.status)),
    position: positionOf(row.priority),
    ...(type === 'structured' && { days_after: positionOf(row.reactions_count) }),
    ...(scheduled !== null && { scheduled_at: scheduled }),
    ...timesOf(community, 'fcom_posts', row),
  }
  return record
}

const SECTIONS = "from fcom_posts p left join fcom_spaces s on s.id = p.space_id and s.type = 'course' where p.type = 'course_section'"

export const courseSections: KindReader<'course_sections'> = {
  table: 'fcom_posts',
  count: (community) => countOf(community, SECTIONS),
  read: function* (community) {
    const rows = `select p.*, s.settings course_settings, s.id is not null course ${SECTIONS} order by p.id`
    for (const row of community.staging.rows<SectionRow>(rows)) yield sectionOf(community, row)
  },
}
