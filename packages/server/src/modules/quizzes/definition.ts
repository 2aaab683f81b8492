import { type Infer, QUIZ_LIMITS, type QuizInput, type QuizQuestion } from '@lyceum/contract'
import { type ApiError, invalidField } from '../../core/errors.ts'

export type Question = Infer<typeof QuizQuestion>
export type Option = Question['options'][number]
export type QuestionInput = NonNullable<Infer<typeof QuizInput>['questions']>[number]
type OptionInput = NonNullable<QuestionInput['options']>[number]

type Refuse = (text: string, part?: string) => ApiError

const ID = /^[A-Za-z0-9_.:-]+$/

/** The first unused id of `q1`, `q2`, … from a number on. */
const freeId = (prefix: string, from: number, taken: ReadonlySet<string>): string => {
  for (let n = from; ; n++) if (!taken.has(`${prefix}${n}`)) return `${prefix}${n}`
}

/** Fills in missing ids. @throws invalid_data for a malformed or duplicate id */
const withIds = <T extends { readonly id?: string | null }>(
  list: readonly T[],
  prefix: string,
  refuse: (i: number, text: string) => ApiError,
) => {
  const taken = new Set<string>()
  list.forEach(({ id }, i) => {
    if (id === undefined || id === null) return
    // Names of `Object.prototype` would be found among the answers even if none was given.
    if (!ID.test(id) || id.length > QUIZ_LIMITS.idLength || id in {}) {
      throw refuse(i, `must have at most ${QUIZ_LIMITS.idLength} characters: A-Z, a-z, 0-9, _ . : and -`)
    }
    if (taken.has(id)) throw refuse(i, 'must be unique')
    taken.add(id)
  })
  return list.map((one, i) => {
    const id = one.id ?? freeId(prefix, i + 1, taken)
    taken.add(id)
    return { ...one, id }
  })
}

const cleanText = (text: string | null | undefined, most: number, refuse: Refuse, part: string): string => {
  const clean = text?.trim() ?? ''
  if ([...clean].length > most) throw refuse(`must have at most ${most} characters`, part)
  return clean
}

/** The truth value of a word; undefined if it is neither true nor false. */
const truthOf = (word: string | null | undefined): boolean | undefined => {
  const lower = word?.trim().toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : undefined
}

/** The truth value of an option: by its id, or else its text, or else its index (the first is true). */
export const meaningOf = ({ id, text }: { readonly id?: string | null; readonly text?: string }, place: number): boolean =>
  truthOf(id) ?? truthOf(text) ?? place === 0

const TRUE_FALSE = [
  { id: 'true', text: 'True' },
  { id: 'false', text: 'False' },
] as const

/** The options of a true_false question, as given or derived from correct_answer. */
const trueFalse = ({ options, correct_answer }: QuestionInput, refuse: Refuse): readonly OptionInput[] => {
  if (!options?.length) {
    const right = typeof correct_answer === 'boolean' ? correct_answer : truthOf(correct_answer)
    if (right === undefined) throw refuse('are required unless correct_answer is true or false', 'options')
    return TRUE_FALSE.map((option) => ({ ...option, is_correct: truthOf(option.id) === right }))
  }
  const meanings = options.map(meaningOf)
  const contradictory = options.some(({ id, text }) => truthOf(id) !== undefined && truthOf(text) === !truthOf(id))
  if (options.length !== 2 || meanings[0] === meanings[1] || contradictory) throw refuse('must be true and false', 'options')
  return options.map((option, i) => ({ ...option, id: option.id ?? String(meanings[i]) }))
}

const readOptions = (given: readonly OptionInput[], type: Question['type'], refuse: Refuse): Option[] => {
  if (given.length < 2) throw refuse('must be at least two', 'options')
  if (given.length > QUIZ_LIMITS.options) throw refuse(`must be at most ${QUIZ_LIMITS.options}`, 'options')
  const named = withIds(given, 'o', (i, text) => refuse(text, `options.${i}.id`))
  const options = named.map(({ id, text, is_correct }, i): Option => {
    const clean = cleanText(text, QUIZ_LIMITS.option, refuse, `options.${i}.text`)
    if (!clean) throw refuse('must not be empty', `options.${i}.text`)
    return { id, text: clean, is_correct: Boolean(is_correct) }
  })
  if (new Set(options.map(({ text }) => text)).size < options.length) throw refuse('must have different texts', 'options')
  const right = options.filter((option) => option.is_correct).length
  if (right === 0) throw refuse('must have one with is_correct', 'options')
  if (right > 1 && type !== 'multiple_select') throw refuse('must have only one with is_correct', 'options')
  return options
}

const readKey = ({ correct_answer, options }: QuestionInput, refuse: Refuse): string | null => {
  if (options?.length) throw refuse('are not for a short_answer', 'options')
  if (typeof correct_answer === 'boolean') throw refuse('must be a string', 'correct_answer')
  return cleanText(correct_answer, QUIZ_LIMITS.correctAnswer, refuse, 'correct_answer') || null
}

const readQuestion = (given: QuestionInput & { readonly id: string }, refuse: Refuse): Question => {
  const { id, type } = given
  if (type === undefined) throw refuse('is required', 'type')
  const question = cleanText(given.question, QUIZ_LIMITS.question, refuse, 'question')
  if (!question) throw refuse('must not be empty', 'question')
  const explanation = cleanText(given.explanation, QUIZ_LIMITS.explanation, refuse, 'explanation')
  const rest = { id, type, question, points: given.points ?? 1, explanation }
  if (type === 'short_answer') return { ...rest, options: [], correct_answer: readKey(given, refuse) }
  const options = type === 'true_false' ? trueFalse(given, refuse) : (given.options ?? [])
  return { ...rest, options: readOptions(options, type, refuse), correct_answer: null }
}

/**
 * Normalizes the questions of a quiz: fills in ids and defaults, trims texts.
 * @throws invalid_data, naming the question and the problem
 */
export const readQuestions = (given: readonly QuestionInput[]): Question[] => {
  if (given.length > QUIZ_LIMITS.questions) throw invalidField('quiz.questions', `must be at most ${QUIZ_LIMITS.questions}`)
  const named = withIds(given, 'q', (i, text) => invalidField(`quiz.questions.${i}.id`, text))
  const questions = named.map((question, i) =>
    readQuestion(question, (text, part) => invalidField(`quiz.questions.${i}${part ? `.${part}` : ''}`, text)),
  )
  if (Buffer.byteLength(JSON.stringify(questions)) > QUIZ_LIMITS.bytes) {
    throw invalidField('quiz.questions', `must have at most ${QUIZ_LIMITS.bytes / 1024} KB in total`)
  }
  return questions
}
