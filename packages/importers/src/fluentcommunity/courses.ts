import { COURSE_TYPES } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { htmlToText } from '../html-to-text.ts'
import { flagAt, isArray, readMeta, textAt } from '../wordpress/index.ts'
import { type Community, countOf, type KindReader, noted, personId } from './community.ts'
import { pictureFields } from './media-files.ts'
import { type SpaceRow, spaceFields } from './spaces.ts'

type Course = ArchiveRecord<'courses'>

export const courseTypeOf = (settings: string | null): Course['course_type'] => {
  const type = textAt(readMeta(settings).value, 'course_type')
  return (COURSE_TYPES as readonly string[]).includes(type) ? (type as Course['course_type']) : 'self_paced'
}

const STATUSES: Readonly<Record<string, Course['status']>> = { published: 'published', draft: 'draft' }

export const courseOf = (community: Community, row: SpaceRow) => {
  const read = readMeta(row.settings)
  const { course_type: _, ...settings } = Object.fromEntries(isArray(read.value) ? read.value : [])
  const fields = spaceFields(community, row, new Map(Object.entries(settings)))
  const status = STATUSES[row.status ?? ''] ?? 'archived'
  const hasMarkup = /<[a-z][^<>]*>/i.test(fields.description)
  const record: Course = {
    ...fields,
    ...(hasMarkup && { description: htmlToText(fields.description).text.trim(), content: fields.description }),
    urls: ['lessons', ''].map((page) => `${community.portal}/course/${fields.slug}${page && `/${page}`}`),
    ...(row.created_by ? { instructor: personId(row.created_by) } : {}),
    status,
    course_type: courseTypeOf(row.settings),
    ...pictureFields(community, 'featured_image', row.cover_photo),
    ...(status === 'published' && { published_at: fields.created_at }),
  }
  const notes = [
    ...(read.problem === null ? [] : [`its settings were dropped, because they cannot be read: ${read.problem}`]),
    ...(flagAt(read.value, 'show_paywalls') ? ['it was a paid course: its price was not imported'] : []),
  ]
  return [record, ...notes.map((note) => noted(row.id, note))]
}

const COURSES = "from fcom_spaces where type = 'course'"

export const courses: KindReader<'courses'> = {
  table: 'fcom_spaces',
  count: (community) => countOf(community, COURSES),
  read: function* (community) {
    for (const row of community.staging.rows<SpaceRow>(`select * ${COURSES} order by id`)) yield* courseOf(community, row)
  },
}
