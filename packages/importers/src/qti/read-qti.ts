import type { QuestionDraft } from '../course-model.ts'
import type { Report } from '../report.ts'
import { readQti1Item } from './qti1.ts'
import { readQti2Item } from './qti2.ts'
import { type Element, readXml, within } from './xml.ts'

export interface QtiQuiz {
  /** The title in the file; may be empty. */
  readonly title: string
  readonly questions: QuestionDraft[]
}

export interface QtiFile {
  readonly root: Element
  readonly title: string
}

/** Maximum length of an XML file, in characters. */
const MOST_XML = 16 * 1024 * 1024

const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Converts QTI 3 names (`qti-simple-choice`, `response-identifier`) to those of QTI 2 (simpleChoice, responseIdentifier). */
const asQti2 = (element: Element): Element => ({
  name: element.name.startsWith('qti-') ? camel(element.name.slice(4)) : element.name,
  attributes: Object.fromEntries(Object.entries(element.attributes).map(([name, value]) => [camel(name), value])),
  line: element.line,
  children: element.children.map((child) => (typeof child === 'string' ? child : asQti2(child))),
})

/** Parses one file, with names converted to QTI 2; null after an error. */
export const readQtiFile = (file: string, source: string, report: Report): QtiFile | null => {
  if (source.length > MOST_XML) {
    report.error(file, null, `it is too large: a question file can have at most ${MOST_XML >> 20} MB`)
    return null
  }
  const { root: read, error } = readXml(source)
  if (error || !read) {
    report.error(file, error?.line ?? 1, error?.text ?? 'it contains no XML')
    return null
  }
  const root = read.name.startsWith('qti-') ? asQti2(read) : read
  const named = root.name === 'questestinterop' ? within(root, 'assessment')[0] : root
  return { root, title: named?.attributes['title'] ?? '' }
}

/** The questions of a file: QTI 1.2 (questestinterop) or items of QTI 2 and 3. Unsupported content is an error with its line. */
export const questionsIn = (file: string, { root }: QtiFile, report: Report): QuestionDraft[] => {
  const isFirst = root.name === 'questestinterop'
  const items = root.name === 'assessmentItem' ? [root] : within(root, isFirst ? 'item' : 'assessmentItem')
  return items.flatMap((item) => (isFirst ? readQti1Item : readQti2Item)(file, report, item) ?? [])
}

/** Reads one QTI file. Unsupported content is reported as an error with its line. */
export const readQti = (file: string, source: string, report: Report): QtiQuiz => {
  const before = report.errors.length
  const read = readQtiFile(file, source, report)
  if (!read) return { title: '', questions: [] }
  const questions = questionsIn(file, read, report)
  if (questions.length === 0 && report.errors.length === before)
    report.error(
      file,
      read.root.line,
      `no questions found in <${read.root.name}>: QTI 1.2 (questestinterop) and items of QTI 2 and 3 (assessmentItem) are supported`,
    )
  return { title: read.title, questions }
}
