import type { QuestionDraft } from '../course-model.ts'
import { tidyLines } from '../html-to-text.ts'
import type { Report } from '../report.ts'
import {
  answerOf,
  formatOf,
  type GiftAnswer,
  type GiftBlock,
  type GiftFormat,
  giftBlocks,
  holdEscapes,
  lineAt,
  numberRange,
  plainOf,
  splitAnswers,
} from './syntax.ts'

/** The questions of one category, or the questions without a category. */
export interface GiftQuiz {
  readonly category: string
  readonly questions: QuestionDraft[]
  /** Texts between the questions; they become the introduction of the quiz. */
  readonly intro: string[]
}

interface Reading {
  readonly file: string
  readonly report: Report
  readonly block: GiftBlock
  readonly format: GiftFormat
  /** The complete question with protected escapes, and the offset of its answers. */
  readonly text: string
  readonly answersAt: number
  readonly question: string
  readonly explanation: string[]
  readonly line: number
}

const fail = ({ file, report, line }: Reading, text: string, at = line): QuestionDraft[] => {
  report.error(file, at, text)
  return []
}

/** Plain text of a part; lost elements are added to the notes. */
const plain = (reading: Pick<Reading, 'file' | 'report' | 'format' | 'line'>, part: string): string => {
  const { text, lost } = plainOf(part, reading.format)
  if (lost.length > 0) reading.report.note(reading.file, reading.line, `questions are plain text: <${lost.join('>, <')}> was removed`)
  return text
}

const lineOf = ({ block, answersAt }: Reading, answer: GiftAnswer) => lineAt(block, answersAt + answer.at)

/** Appends the feedback of answers to the explanation, because a question has a single explanation. */
const withFeedback = (reading: Reading, answers: readonly GiftAnswer[]): string =>
  [
    ...reading.explanation,
    ...answers.flatMap(({ text, feedback }) => {
      const said = plain(reading, feedback)
      return said === '' ? [] : [`${isAnything(text) ? 'Otherwise' : plain(reading, text)}: ${said}`]
    }),
  ].join('\n')

/** Whether a text contains the wildcard *. Literal asterisks are escaped with a backslash. */
const hasStar = (text: string) => /(?<!\\)\*/.test(text)
const isAnything = (text: string) => text.trim() === '*'
const withoutStars = (text: string) => text.replaceAll('\\*', '*')

const made = (reading: Reading, question: Partial<QuestionDraft> & Pick<QuestionDraft, 'type'>): QuestionDraft[] => [
  {
    question: reading.question,
    options: [],
    answers: [],
    points: 1,
    explanation: reading.explanation.join('\n'),
    line: reading.line,
    ...question,
  },
]

const trueOrFalse = (reading: Reading, body: string): QuestionDraft[] | null => {
  const [answer = '', ...feedback] = body.split('#')
  const match = /^\s*(?:(t|true)|f|false)\s*$/i.exec(answer)
  if (!match) return null
  const right = match[1] !== undefined
  // The first feedback belongs to the wrong answer.
  const said = feedback.map((part) => plain(reading, part))
  const [wrong = '', correct = ''] = said
  const lines = [wrong && `${right ? 'False' : 'True'}: ${wrong}`, correct && `${right ? 'True' : 'False'}: ${correct}`].filter(Boolean)
  return made(reading, { type: 'true_false', answers: [String(right)], explanation: [...reading.explanation, ...lines].join('\n') })
}

const EQUALS = 'an = inside a word was read as text; write \\= for an equals sign'

const choice = (reading: Reading, body: string): QuestionDraft[] => {
  const { answers, before, literal } = splitAnswers(body)
  if (before.trim() !== '') return fail(reading, `text before the first answer: "${before.trim().slice(0, 40)}"`)
  for (const at of literal) reading.report.note(reading.file, lineAt(reading.block, reading.answersAt + at), EQUALS)
  const single = answers.some(({ sign }) => sign === '=')
  const isRight = ({ sign, weight }: GiftAnswer) => (single ? sign === '=' && (weight ?? 100) >= 100 : (weight ?? 0) > 0)
  const right = answers.filter(isRight)
  if (right.length === 0) return fail(reading, 'no answer is marked as correct')
  if (single && right.length > 1)
    return fail(
      reading,
      'several answers are marked with =, but only one can be chosen: give each correct one a weight (~%50%) if several can be chosen, and write \\= for an equals sign',
      lineOf(reading, right[1] as GiftAnswer),
    )
  const partial = answers.filter((answer) => !isRight(answer) && (answer.weight ?? 0) > 0)
  for (const answer of partial)
    reading.report.note(
      reading.file,
      lineOf(reading, answer),
      `partial credit is not supported: ${answer.weight}% for "${plain(reading, answer.text)}" was dropped`,
    )
  if (!single && new Set(right.map(({ weight }) => weight)).size > 1)
    reading.report.note(
      reading.file,
      reading.line,
      'weights were dropped: points are earned only by choosing all correct answers and no others',
    )
  const options = answers.map((answer) => ({ text: plain(reading, answer.text), is_correct: isRight(answer) }))
  const empty = answers.find((_, index) => options[index]?.text === '')
  if (empty) return fail(reading, 'an answer has no text', lineOf(reading, empty))
  return made(reading, { type: single ? 'multiple_choice' : 'multiple_select', options, explanation: withFeedback(reading, answers) })
}

/** Counts matching pairs by their arrows, in case spaces between the pairs are missing. */
const pairsIn = (body: string): readonly GiftAnswer[] => {
  const { answers, literal } = splitAnswers(body)
  return literal.length > 0 && answers.some(({ text }) => text.split('->').length > 2) ? splitAnswers(body, true).answers : answers
}

/** Converts each pair to a question with all second halves as choices. */
const matching = (reading: Reading, body: string): QuestionDraft[] => {
  const answers = pairsIn(body)
  const pairs = answers.map((answer) => {
    const arrow = answer.text.indexOf('->')
    return {
      answer,
      left: arrow < 0 ? '' : plain(reading, answer.text.slice(0, arrow)),
      right: arrow < 0 ? '' : plain(reading, formatOf(answer.text.slice(arrow + 2), reading.format).text),
    }
  })
  const broken = pairs.find(({ right }) => right === '')
  if (broken) return fail(reading, 'a pair of a matching question needs "=one -> other"', lineOf(reading, broken.answer))
  const choices = [...new Set(pairs.map(({ right }) => right))]
  const asked = pairs.filter(({ left }) => left !== '')
  if (choices.length < 2 || asked.length === 0) return fail(reading, 'a matching question needs at least two different pairs')
  reading.report.note(reading.file, reading.line, `the matching question becomes ${asked.length} single-choice questions`)
  return asked.flatMap(({ left, right, answer }) =>
    made(reading, {
      type: 'multiple_choice',
      question: `${reading.question}\n${left}`.trim(),
      options: choices.map((text) => ({ text, is_correct: text === right })),
      explanation: [...reading.explanation, plain(reading, answer.feedback)].filter(Boolean).join('\n'),
      line: lineOf(reading, answer),
    }),
  )
}

const numerical = (reading: Reading, whole: string): QuestionDraft[] => {
  // The feedback for all other numbers comes last.
  const end = whole.indexOf('~')
  const body = end < 0 ? whole : whole.slice(0, end)
  const otherwise = end < 0 ? '' : plain(reading, halves(whole.slice(end + 1)).feedback)
  const { answers: split, before } = splitAnswers(body)
  const answers = before.trim() === '' ? split : [numberAlone(before), ...split]
  const values = answers
    .filter(({ text, weight }) => text.trim() !== '' && !(isAnything(text) && (weight ?? 100) <= 0))
    .map((answer) => ({ answer, range: numberRange(answer.text) }))
  const unread = values.find(({ range }) => !range)
  if (unread)
    return fail(reading, `"${unread.answer.text.trim()}" is neither a number nor a range of numbers`, lineOf(reading, unread.answer))
  const full = values.filter(({ answer }) => (answer.weight ?? 100) >= 100)
  if (full.length === 0) return fail(reading, 'no number is marked as correct')
  const said = [
    ...answers.map(({ text, feedback }) => [isAnything(text) ? 'Otherwise' : text.trim(), plain(reading, feedback)]),
    ['Otherwise', otherwise],
  ].flatMap(([text, words]) => (words === '' ? [] : [`${text}: ${words}`]))
  if (full.length === values.length && full.every(({ range }) => range?.exact))
    return made(reading, {
      type: 'short_answer',
      answers: full.map(({ range }) => range?.value ?? ''),
      explanation: [...reading.explanation, ...said].join('\n'),
    })
  const spelled = values.map(({ answer }) => `${answer.text.trim()}${answer.weight === null ? '' : ` (${answer.weight}%)`}`)
  reading.report.note(reading.file, reading.line, 'the number with a tolerance becomes a short answer that is graded manually')
  return made(reading, {
    type: 'short_answer',
    explanation: [...reading.explanation, ...said, `Accepted: ${spelled.join(', ')}`].join('\n'),
  })
}

/** A number without a leading sign, with its weight. */
const numberAlone = (text: string): GiftAnswer => answerOf('=', text, 0)

const halves = (body: string) => {
  const hash = body.indexOf('#')
  return { text: hash < 0 ? body : body.slice(0, hash), feedback: hash < 0 ? '' : body.slice(hash + 1) }
}

const shortAnswer = (reading: Reading, body: string): QuestionDraft[] => {
  const split = splitAnswers(body)
  const answers = split.answers.length > 0 ? split.answers : [{ sign: '=', weight: null, at: 0, ...halves(body) } as GiftAnswer]
  if (split.answers.length > 0 && split.before.trim() !== '')
    return fail(reading, `text before the first answer: "${split.before.trim().slice(0, 40)}"`)
  for (const at of split.literal) reading.report.note(reading.file, lineAt(reading.block, reading.answersAt + at), EQUALS)
  const full = answers.filter(({ weight }) => (weight ?? 100) >= 100)
  for (const answer of answers)
    if (!full.includes(answer) && !isAnything(answer.text))
      reading.report.note(
        reading.file,
        lineOf(reading, answer),
        `partial credit is not supported: "${plain(reading, answer.text)}" for ${answer.weight}% was dropped`,
      )
  const accepted = full.map(({ text }) => plain(reading, withoutStars(text)).replace(/\s+/g, ' '))
  if (accepted.length === 0 || accepted.includes('')) return fail(reading, 'no answer is marked as correct')
  const explanation = withFeedback(reading, answers)
  if (!full.some(({ text }) => hasStar(text))) return made(reading, { type: 'short_answer', answers: accepted, explanation })
  reading.report.note(reading.file, reading.line, 'the answer with the wildcard * becomes a short answer that is graded manually')
  return made(reading, { type: 'short_answer', explanation: [explanation, `Accepted: ${accepted.join(', ')}`].filter(Boolean).join('\n') })
}

/** Detects the question type by its answers, in the same order as Moodle. */
const questionsOf = (reading: Reading, body: string): QuestionDraft[] => {
  if (body.trim() === '') return made(reading, { type: 'short_answer' })
  if (/^\s*#/.test(body)) {
    const hash = body.indexOf('#')
    return numerical({ ...reading, answersAt: reading.answersAt + hash + 1 }, body.slice(hash + 1))
  }
  if (body.includes('~')) return choice(reading, body)
  if (body.includes('=') && body.includes('->')) return matching(reading, body)
  return trueOrFalse(reading, body) ?? shortAnswer(reading, body)
}

const MISSING_WORD = '_____'

const readBlock = (file: string, report: Report, block: GiftBlock): { questions: QuestionDraft[]; intro: string; named: boolean } => {
  const nothing = { questions: [], intro: '', named: false }
  const text = holdEscapes(block.text)
  const name = /^\s*::([\s\S]*?)::/.exec(text)
  const start = name ? name[0].length : 0
  const { format, text: rest } = formatOf(text.slice(start), 'moodle')
  const restAt = text.length - rest.length
  const line = lineAt(block, text.length - text.trimStart().length)
  const open = rest.indexOf('{')
  const close = rest.indexOf('}')
  const error = (message: string, at = line) => {
    report.error(file, at, message)
    return { ...nothing, named: name !== null }
  }
  if (close >= 0 && (open < 0 || close < open)) return error('unmatched }: write \\} for a brace', lineAt(block, restAt + close))
  if (open < 0) return { ...nothing, intro: plain({ file, report, format, line }, rest), named: name !== null }
  if (close < 0) return error('the answers have no closing }, and the next line is empty or the file ends', lineAt(block, restAt + open))
  const second = rest.slice(open + 1).search(/\{/)
  if (second >= 0)
    return error('a second {: a question has one block of answers; write \\{ for a brace', lineAt(block, restAt + open + 1 + second))
  if (rest.indexOf('}', close + 1) >= 0)
    return error('a second }: write \\} for a brace', lineAt(block, restAt + rest.indexOf('}', close + 1)))

  const head = { file, report, format, line }
  const [before, after] = [rest.slice(0, open), rest.slice(close + 1)]
  const inside = rest.slice(open + 1, close)
  const general = inside.indexOf('####')
  const body = general < 0 ? inside : inside.slice(0, general)
  const reading: Reading = {
    ...head,
    block,
    text,
    answersAt: restAt + open + 1,
    question: plain(head, after.trim() === '' ? before : `${before.trimEnd()}${/\S/.test(before) ? ' ' : ''}${MISSING_WORD}${after}`),
    explanation: general < 0 ? [] : [plain(head, inside.slice(general + 4))].filter(Boolean),
  }
  if (reading.question === '') return error('the question has no text')
  return { questions: questionsOf(reading, body), intro: '', named: name !== null }
}

/**
 * Reads a file in Moodle's GIFT format. Unsupported content is reported as an error with its line, converted content as a note.
 * Each category becomes a quiz.
 */
export const readGift = (file: string, source: string, report: Report): GiftQuiz[] => {
  const quizzes: GiftQuiz[] = []
  let names = 0
  for (const block of giftBlocks(source)) {
    let quiz = quizzes.find(({ category }) => category === block.category)
    if (!quiz) {
      quiz = { category: block.category, questions: [], intro: [] }
      quizzes.push(quiz)
    }
    const { questions, intro, named } = readBlock(file, report, block)
    quiz.questions.push(...questions)
    if (intro) quiz.intro.push(tidyLines(intro))
    if (named) names++
  }
  if (names > 0) report.note(file, null, `question names (::name::) were dropped: ${names}`)
  for (const { category, questions, intro } of quizzes)
    if (questions.length === 0 && intro.length > 0)
      report.note(file, null, `text without a question was dropped${category && ` (category ${category})`}: ${intro[0]?.slice(0, 60)}`)
  const asking = quizzes.filter(({ questions }) => questions.length > 0)
  if (asking.length === 0 && !report.errors.some((error) => error.file === file)) report.error(file, null, 'it contains no questions')
  return asking
}
