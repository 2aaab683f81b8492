import { ANSWER_BYTES, QUIZ_LIMITS } from '@lyceum/contract'
import { meaningOf, type Question } from './definition.ts'

/** A text; for multiple_select, a list of option ids. */
export type Answer = string | readonly string[]
export type Answers = Readonly<Record<string, Answer>>

interface ParsedAnswers {
  readonly answers: Answers
  /** Ids of unanswered questions. */
  readonly missing: readonly string[]
  /** Ids of questions with an invalid answer. */
  readonly malformed: readonly string[]
}

/** The id of the option that an answer refers to by id or text; the answer itself if there is none. */
const optionOf = ({ type, options }: Question, given: string): string => {
  const text = given.trim()
  const found = options.find(({ id }) => id === text) ?? options.find((option) => option.text === text)
  if (found) return found.id
  if (type !== 'true_false') return given
  const lower = text.toLowerCase()
  const alike = options.find((option, i) => option.text.toLowerCase() === lower || String(meaningOf(option, i)) === lower)
  return alike?.id ?? given
}

const MALFORMED = Symbol('malformed')
type Malformed = typeof MALFORMED

const textOf = (value: unknown): string | Malformed => {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return MALFORMED
  const text = String(value)
  return Buffer.byteLength(text) > ANSWER_BYTES ? MALFORMED : text
}

/** Normalizes an answer; null if none was given. */
const readAnswer = (question: Question, value: unknown): Answer | Malformed | null => {
  if (value === null || value === undefined) return null
  const list = Array.isArray(value) ? value : [value]
  if (list.length > QUIZ_LIMITS.options * 2) return MALFORMED
  const texts = list.map(textOf)
  if (!texts.every((text) => text !== MALFORMED)) return MALFORMED
  const given = texts.filter((text) => text.trim() !== '')
  const [first] = given
  if (first === undefined) return null
  if (question.type === 'multiple_select') return [...new Set(given.map((text) => optionOf(question, text)))]
  if (given.length > 1) return MALFORMED
  return question.type === 'short_answer' ? first : optionOf(question, first)
}

/** Parses the submitted answers; unknown question ids are ignored. */
export const parseAnswers = (questions: readonly Question[], sent: Readonly<Record<string, unknown>>): ParsedAnswers => {
  const answers: [string, Answer][] = []
  const missing: string[] = []
  const malformed: string[] = []
  for (const question of questions) {
    const answer = readAnswer(question, Object.hasOwn(sent, question.id) ? sent[question.id] : null)
    if (answer === MALFORMED) malformed.push(question.id)
    else if (answer === null) missing.push(question.id)
    else answers.push([question.id, answer])
  }
  return { answers: Object.fromEntries(answers), missing, malformed }
}
