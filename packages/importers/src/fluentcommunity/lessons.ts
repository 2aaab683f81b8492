import type { ArchiveRecord } from '@lyceum/contract/archive'
import { flagAt, itemsAt, numberAt, type PhpValue, readMeta, textAt } from '../wordpress/index.ts'
import { htmlOfBlocks } from './blocks.ts'
import { type Community, clean, countOf, type KindReader, noted, positionOf, skipped, slugOf } from './community.ts'
import { lessonStatus } from './course-sections.ts'
import { pictureAt } from './media-files.ts'
import { quizOf } from './quiz.ts'
import { timesOf } from './spaces.ts'

type Lesson = ArchiveRecord<'lessons'>

export interface LessonRow {
  readonly id: number
  readonly parent_id: number | null
  readonly space_id: number | null
  readonly title: string | null
  readonly slug: string | null
  readonly message: string | null
  readonly message_rendered: string | null
  readonly content_type: string | null
  readonly status: string | null
  readonly meta: string | null
  readonly priority: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** Slug of the course; null if the course does not exist. */
  readonly course_slug: string | null
  /** Its section, if that belongs to the course, and the first section of the course. */
  readonly section: number | null
  readonly first_section: number | null
}

/** Formats seconds as `1:02:03` or `12:34`. */
const durationOf = (seconds: number | null): string => {
  if (seconds === null || seconds <= 0 || seconds > 360_000) return ''
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':')
}

const videoOf = (meta: PhpValue): string => {
  const url = textAt(meta, 'media', 'url')
  if (/^https?:\/\//i.test(url)) return url
  return /<iframe[^<>]{0,500}?\ssrc="(https?:\/\/[^"]{1,2000})"/i.exec(textAt(meta, 'media', 'html').slice(0, 5000))?.[1] ?? ''
}

const resourcesOf = (community: Community, meta: PhpValue): { title: string; url: string }[] =>
  itemsAt(meta, 'document_lists').flatMap((item) => {
    const key = textAt(item, 'media_key')
    const row = community.staging.get<{ media_url: string | null }>(
      'select media_url from fcom_media_archive where media_key = ? limit 1',
      key,
    )
    const url = clean(row?.media_url) || textAt(item, 'url')
    return url === '' ? [] : [{ title: textAt(item, 'title') || url, url }]
  })

const isImage = (community: Community, meta: PhpValue): boolean => {
  const image = textAt(meta, 'media', 'image')
  return textAt(meta, 'media', 'type') === 'image' && image !== '' && pictureAt(community, image) !== null
}

export const lessonOf = (community: Community, row: LessonRow) => {
  if (row.course_slug === null) return [skipped(row.id, 'its course does not exist in the source')]
  const section = row.section ?? row.first_section
  if (section === null) return [skipped(row.id, 'its section does not exist in the source, and its course has no other section')]
  const read = readMeta(row.meta)
  const meta = read.value
  const markup = clean(row.message).trim() === '' ? clean(row.message_rendered) : clean(row.message)
  const content = htmlOfBlocks(markup)
  const quiz = quizOf(meta)
  const slug = slugOf(row.slug)
  const video = videoOf(meta)
  const duration = durationOf(numberAt(meta, 'video_length'))
  const resources = resourcesOf(community, meta)
  const image = isImage(community, meta) ? `<p><img src="${textAt(meta, 'media', 'image').replaceAll('"', '&quot;')}" alt=""></p>\n` : ''
  const isQuiz = row.content_type === 'quiz'
  const record: Lesson = {
    id: String(row.id),
    ...(slug && {
      urls: [`/lessons/${slug}/view`, `/lessons/${slug}`].map((page) => `${community.portal}/course/${slugOf(row.course_slug)}${page}`),
    }),
    course: String(row.space_id),
    section: String(section),
    title: clean(row.title).trim() || slug || `${row.id}`,
    slug: slug || `lesson-${row.id}`,
    type: isQuiz ? 'quiz' : 'lesson',
    status: lessonStatus(clean(row.status)),
    content: image + content,
    ...(video && { video_url: video }),
    ...(duration && { duration }),
    is_preview: flagAt(meta, 'free_preview_lesson'),
    ...(resources.length > 0 && { resources }),
    ...(isQuiz && quiz && { quiz }),
    position: positionOf(row.priority),
    ...timesOf(community, 'fcom_posts', row),
  }
  const notes = [
    ...(row.section === null ? ['its section does not exist in the source; it was moved to the first section of its course'] : []),
    ...(read.problem === null ? [] : [`its video and options were dropped, because they cannot be read: ${read.problem}`]),
    ...(!isQuiz && quiz ? ['its questions were dropped: it is not a quiz'] : []),
  ]
  return [record, ...notes.map((note) => noted(row.id, note))]
}

const LESSONS = "from fcom_posts p where p.type = 'course_lesson'"
const ROWS = `select p.*, (select s.slug from fcom_spaces s where s.id = p.space_id and s.type = 'course') course_slug,
  (select c.id from fcom_posts c where c.id = p.parent_id and c.type = 'course_section' and c.space_id = p.space_id) section,
  (select c.id from fcom_posts c where c.type = 'course_section' and c.space_id = p.space_id order by c.priority, c.id limit 1) first_section
  ${LESSONS} order by p.id`

export const lessons: KindReader<'lessons'> = {
  table: 'fcom_posts',
  count: (community) => countOf(community, LESSONS),
  read: function* (community) {
    for (const row of community.staging.rows<LessonRow>(ROWS)) yield* lessonOf(community, row)
  },
}
