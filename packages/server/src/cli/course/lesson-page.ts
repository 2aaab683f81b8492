import { COURSE_STATUSES, type LessonDraft } from './draft.ts'
import { flagAt, hasAt, lengthAt, oneOfAt, onlyKnown, textAt } from './fields.ts'
import { type Fields, readPage } from './front-matter.ts'
import { titleFromName } from './names.ts'
import { readQuizFields } from './quiz-page.ts'
import type { Report } from './report.ts'

const KNOWN = ['title', 'slug', 'status', 'format', 'video_url', 'duration', 'is_preview', 'resources', 'quiz'] as const

export const FORMATS = ['markdown', 'html'] as const

/** A heading at the very beginning is the title, where the data names none. */
export const splitHeading = (body: string): { heading: string; rest: string } => {
  const match = /^\s*#[ \t]+([^\n]+?)[ \t]*#*[ \t]*(?:\r?\n|$)/.exec(body)
  return match ? { heading: match[1] as string, rest: body.slice(match[0].length) } : { heading: '', rest: body }
}

/** Images that lie beside the page: nobody but its author has them. */
const noteLocalImages = (file: string, source: string, report: Report) => {
  for (const [index, line] of source.split('\n').entries())
    for (const [, target = ''] of line.matchAll(/!\[[^\]]*\]\(\s*<?([^)\s>]+)|<img\b[^>]*\bsrc="([^"]+)"/gi))
      if (target !== '' && !/^(?:https?:|\/)/i.test(target))
        report.note(file, index + 1, `the image ${target} is left out: images must have an address (https://…)`)
}

const readResources = (fields: Fields) =>
  Array.from({ length: lengthAt(fields, ['resources']) }, (_, index) => {
    onlyKnown(fields, ['resources', index], ['title', 'url'])
    const url = textAt(fields, ['resources', index, 'url'], '', 2000)
    if (!/^https?:\/\//i.test(url))
      fields.report.error(fields.file, fields.lineOf('resources', index), 'a resource needs a url that begins with https:// or http://')
    return { title: textAt(fields, ['resources', index, 'title'], url, 200), url }
  })

export interface LessonPage {
  readonly lesson: LessonDraft
  /** Another file, beside the page, that holds the questions of its quiz. */
  readonly questionsIn: { readonly name: string; readonly line: number } | null
}

/** A lesson or a quiz from its page. */
export const readLessonPage = (file: string, source: string, report: Report): LessonPage => {
  const { fields, body } = readPage(file, source, report)
  onlyKnown(fields, [], KNOWN)
  noteLocalImages(file, source, report)
  const format = oneOfAt(fields, ['format'], FORMATS, 'markdown')
  const titled = hasAt(fields, ['title'])
  const { heading, rest } = titled || format === 'html' ? { heading: '', rest: body } : splitHeading(body)
  const video = textAt(fields, ['video_url'], '', 2000)
  if (video !== '' && !/^https?:\/\//i.test(video))
    report.error(file, fields.lineOf('video_url'), 'video_url must begin with https:// or http://')
  const isQuiz = hasAt(fields, ['quiz'])
  const elsewhere = textAt(fields, ['quiz', 'file'])
  return {
    lesson: {
      title: textAt(fields, ['title'], heading, 192) || titleFromName(file.slice(file.lastIndexOf('/') + 1)),
      slug: textAt(fields, ['slug'], '', 100),
      status: oneOfAt(fields, ['status'], COURSE_STATUSES, 'published'),
      content: { text: rest.trim(), format },
      video_url: video,
      duration: textAt(fields, ['duration'], '', 100),
      is_preview: flagAt(fields, ['is_preview'], false),
      resources: readResources(fields),
      quiz: isQuiz ? readQuizFields(fields) : null,
      file,
    },
    questionsIn: elsewhere ? { name: elsewhere, line: fields.lineOf('quiz', 'file') } : null,
  }
}
