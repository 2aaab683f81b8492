import type { QuizDraft } from './course-model.ts'
import { titleFromName } from './file-names.ts'
import { readGift } from './gift/read-gift.ts'
import { readQti } from './qti/read-qti.ts'
import type { Report } from './report.ts'

export interface NamedQuiz extends QuizDraft {
  readonly title: string
  /** Introduction before the questions. */
  readonly intro: string
}

export const isGift = (name: string): boolean => /\.gift(?:\.txt)?$/i.test(name)
export const isQti = (name: string): boolean => /\.xml$/i.test(name)

/** Detects GIFT by content, for files without the GIFT extension: categories, question names, or braces with answers. */
export const looksLikeGift = (text: string): boolean =>
  /^[^\S\r\n\u2028\u2029]*\$CATEGORY:/m.test(text) ||
  /^[^\S\r\n\u2028\u2029]*::.+::/m.test(text) ||
  /\{\s*(?:[=~#]|(?:T|F|TRUE|FALSE)\s*[#}]|\})/.test(text)

/** `$course$/top/Default for Unit 2` → `Unit 2`, following Moodle's naming. */
const categoryTitle = (category: string): string =>
  category
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^\$\w+\$$/.test(part) && part !== 'top')
    .at(-1)
    ?.replace(/^Default for /, '') ?? ''

/** The quizzes of a GIFT or QTI file. Each category of a GIFT file is a quiz. */
export const readQuizFile = (file: string, source: string, report: Report): NamedQuiz[] => {
  const name = titleFromName(file.slice(file.lastIndexOf('/') + 1))
  if (isQti(file)) {
    const { title, questions } = readQti(file, source, report)
    return [{ title: title || name, intro: '', settings: {}, questions }]
  }
  const quizzes = readGift(file, source, report)
  if (quizzes.length > 1) report.note(file, null, `each of its ${quizzes.length} categories becomes a quiz`)
  return quizzes.map(({ category, questions, intro }) => ({
    title: (quizzes.length > 1 && categoryTitle(category)) || name,
    intro: intro.join('\n\n'),
    settings: {},
    questions,
  }))
}
