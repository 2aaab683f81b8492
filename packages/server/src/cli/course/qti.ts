import type { QuestionDraft } from './draft.ts'
import { readQti1Item } from './qti1.ts'
import { readQti2Item } from './qti2.ts'
import type { Report } from './report.ts'
import { readXml, within } from './xml.ts'

export interface QtiQuiz {
  /** What the file calls itself; may be empty. */
  readonly title: string
  readonly questions: QuestionDraft[]
}

/** Reads one QTI file: 1.2 (questestinterop) or items of 2.1 and 2.2. What it cannot hold is an error with its line. */
export const readQti = (file: string, source: string, report: Report): QtiQuiz => {
  const { root, error } = readXml(source)
  const none = { title: '', questions: [] }
  if (error || !root) {
    report.error(file, error?.line ?? 1, error?.text ?? 'there is no XML in it')
    return none
  }
  const kept = (questions: readonly (QuestionDraft | null)[]) => questions.filter((question) => question !== null)
  const before = report.errors.length
  const items = root.name === 'assessmentItem' ? [root] : within(root, root.name === 'questestinterop' ? 'item' : 'assessmentItem')
  if (items.length === 0) {
    report.error(
      file,
      root.line,
      `there is no question in <${root.name}>: QTI 1.2 (questestinterop) and items of QTI 2 (assessmentItem) are read`,
    )
    return none
  }
  if (root.name === 'questestinterop') {
    const title = within(root, 'assessment')[0]?.attributes['title'] ?? ''
    return { title, questions: kept(items.map((item) => readQti1Item(file, report, item))) }
  }
  const questions = kept(items.map((item) => readQti2Item(file, report, item)))
  if (questions.length === 0 && report.errors.length === before) report.error(file, 1, 'there is no question in it')
  return { title: root.attributes['title'] ?? '', questions }
}
