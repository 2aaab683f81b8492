import { CourseSettingsInput } from '@lyceum/contract'
import { Value } from 'typebox/value'
import { type Links, linkAt } from '../asset-links.ts'
import { COURSE_STATUSES, COURSE_TYPES, type CourseDraft, DIFFICULTIES, PRIVACIES, type SectionDraft } from '../course-model.ts'
import type { Report } from '../report.ts'
import { hasAt, numberAt, oneOfAt, onlyKnown, textAt } from './fields.ts'
import { type Fields, type Page, readFields, readPage } from './front-matter.ts'
import { FORMATS, splitHeading } from './lesson-page.ts'

const COURSE = [
  'title',
  'slug',
  'description',
  'status',
  'privacy',
  'course_type',
  'difficulty',
  'category',
  'duration',
  'price',
  'featured_image',
  'logo',
  'cover_photo',
  'settings',
  'format',
] as const
const SECTION = ['title', 'slug', 'status', 'days_after', 'scheduled_at'] as const

const pageOf = (file: string, source: string, report: Report): Page =>
  /\.md$/i.test(file) ? readPage(file, source, report) : { fields: readFields(file, source, report), body: '', bodyLine: 1 }

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?$/

const readSettings = (fields: Fields): Record<string, unknown> => {
  const settings = fields.data['settings'] ?? {}
  onlyKnown(fields, ['settings'], Object.keys(CourseSettingsInput.properties))
  for (const { instancePath, message } of Value.Errors(CourseSettingsInput, settings)) {
    const path = instancePath.split('/').filter(Boolean)
    fields.report.error(fields.file, fields.lineOf('settings', ...path), `settings ${path.join('.')} ${message}`)
  }
  return settings as Record<string, unknown>
}

/** The course without its sections, from course.md, .yaml or .json. */
export const readCoursePage = (
  file: string,
  source: string,
  report: Report,
  { title: otherwise, links }: { readonly title: string; readonly links: Links },
): Omit<CourseDraft, 'sections'> => {
  const { fields, body: written, bodyLine } = pageOf(file, source, report)
  onlyKnown(fields, [], COURSE)
  const format = oneOfAt(fields, ['format'], FORMATS, 'markdown')
  const body = links.rewrite(written, format, bodyLine)
  const picture = (name: string) => (hasAt(fields, [name]) ? linkAt(fields, [name], links) : '')
  const { heading, rest } = hasAt(fields, ['title']) || format === 'html' ? { heading: '', rest: body } : splitHeading(body)
  return {
    title: textAt(fields, ['title'], heading, 194) || otherwise,
    slug: textAt(fields, ['slug'], '', 194),
    description: textAt(fields, ['description']),
    content: { text: rest.trim(), format },
    status: oneOfAt(fields, ['status'], COURSE_STATUSES, 'draft'),
    privacy: oneOfAt(fields, ['privacy'], PRIVACIES, 'public'),
    course_type: oneOfAt(fields, ['course_type'], COURSE_TYPES, 'self_paced'),
    difficulty: oneOfAt(fields, ['difficulty'], DIFFICULTIES, 'beginner'),
    category: textAt(fields, ['category'], '', 100),
    duration: textAt(fields, ['duration'], '', 100),
    price: numberAt(fields, ['price'], { most: 1_000_000_000, whole: false }) ?? 0,
    featured_image: picture('featured_image'),
    logo: picture('logo'),
    cover_photo: picture('cover_photo'),
    settings: readSettings(fields),
    files: links.files,
    file,
  }
}

/** A section without its lessons, from section.md, .yaml or .json in its folder. */
export const readSectionPage = (file: string, source: string, report: Report, otherwise: string): Omit<SectionDraft, 'lessons'> => {
  const { fields, body } = pageOf(file, source, report)
  onlyKnown(fields, [], SECTION)
  if (body.trim() !== '') report.note(file, null, 'sections have no text: the text below the front matter was dropped')
  const opens = textAt(fields, ['scheduled_at'])
  if (opens !== '' && !MOMENT.test(opens))
    report.error(file, fields.lineOf('scheduled_at'), 'scheduled_at must be a date such as 2026-03-01 09:00:00')
  return {
    title: textAt(fields, ['title'], '', 194) || otherwise,
    slug: textAt(fields, ['slug'], '', 194),
    status: oneOfAt(fields, ['status'], COURSE_STATUSES, 'published'),
    days_after: numberAt(fields, ['days_after'], { most: 3650 }) ?? 0,
    scheduled_at: opens || null,
    file,
  }
}
