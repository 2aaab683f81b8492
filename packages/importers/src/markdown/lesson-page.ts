import { type Links, linkAt } from '../asset-links.ts'
import { COURSE_STATUSES, type LessonDraft } from '../course-model.ts'
import { titleFromName } from '../file-names.ts'
import type { Report } from '../report.ts'
import { flagAt, hasAt, lengthAt, oneOfAt, onlyKnown, textAt } from './fields.ts'
import { type Fields, readPage } from './front-matter.ts'
import { readQuizFields } from './quiz-page.ts'

const KNOWN = ['title', 'slug', 'status', 'format', 'video_url', 'duration', 'is_preview', 'resources', 'quiz'] as const

export const FORMATS = ['markdown', 'html'] as const

const HEADING = /^\s*#[ \t]+(\S[^\n]*)(?:\n|$)/

/** Removes closing # signs of a heading, which are separated from its text by a space. */
const withoutClosing = (text: string): string => {
  const line = text.trimEnd()
  let end = line.length
  while (line[end - 1] === '#') end -= 1
  const title = line.slice(0, end)
  return title.trimEnd() === title && title !== '' ? line : title.trimEnd()
}

/** A heading at the start of the body is the title if the front matter has none. */
export const splitHeading = (body: string): { heading: string; rest: string } => {
  const match = HEADING.exec(body)
  return match ? { heading: withoutClosing(match[1] as string), rest: body.slice(match[0].length) } : { heading: '', rest: body }
}

const readResources = (fields: Fields, links: Links) =>
  Array.from({ length: lengthAt(fields, ['resources']) }, (_, index) => {
    onlyKnown(fields, ['resources', index], ['title', 'url'])
    const given = textAt(fields, ['resources', index, 'url'], '', 2000)
    return { title: textAt(fields, ['resources', index, 'title'], given, 200), url: linkAt(fields, ['resources', index, 'url'], links) }
  })

export interface LessonPage {
  readonly lesson: LessonDraft
  /** File in the same folder that contains the questions. */
  readonly questionsIn: { readonly name: string; readonly line: number } | null
}

/** Reads the page of a lesson or quiz. */
export const readLessonPage = (file: string, source: string, report: Report, links: Links): LessonPage => {
  const { fields, body: written, bodyLine } = readPage(file, source, report)
  onlyKnown(fields, [], KNOWN)
  const format = oneOfAt(fields, ['format'], FORMATS, 'markdown')
  const body = links.rewrite(written, format, bodyLine)
  const titled = hasAt(fields, ['title'])
  const { heading, rest } = titled || format === 'html' ? { heading: '', rest: body } : splitHeading(body)
  const isQuiz = hasAt(fields, ['quiz'])
  const elsewhere = textAt(fields, ['quiz', 'file'])
  return {
    lesson: {
      title: textAt(fields, ['title'], heading, 192) || titleFromName(file.slice(file.lastIndexOf('/') + 1)),
      slug: textAt(fields, ['slug'], '', 100),
      status: oneOfAt(fields, ['status'], COURSE_STATUSES, 'published'),
      content: { text: rest.trim(), format },
      video_url: hasAt(fields, ['video_url']) ? linkAt(fields, ['video_url'], links) : '',
      duration: textAt(fields, ['duration'], '', 100),
      is_preview: flagAt(fields, ['is_preview'], false),
      resources: readResources(fields, links),
      quiz: isQuiz ? readQuizFields(fields) : null,
      files: links.files,
      file,
    },
    questionsIn: elsewhere ? { name: elsewhere, line: fields.lineOf('quiz', 'file') } : null,
  }
}
