import { TIME_LIMIT_TOLERANCE_S } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { Question } from './definition.ts'
import type { Answer, Answers } from './parse-answers.ts'

export interface ManualGrade {
  readonly points: number
  readonly is_correct: boolean
}
export type ManualGrades = Readonly<Record<string, ManualGrade>>

/** The result of one question; null while it waits for manual grading. */
export interface Graded {
  readonly question: Question
  readonly answer: Answer | null
  readonly isCorrect: boolean | null
  readonly points: number | null
}

export interface Outcome {
  readonly details: readonly Graded[]
  readonly earned: number
  readonly possible: number
  readonly correct: number
  /** Percentage of points, rounded. */
  readonly score: number
  /** An answer waits for manual grading. */
  readonly waits: boolean
}

/** Folds case, surrounding space and Unicode composition. */
const normalize = (text: string): string => text.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC')

/** The accepted answers: the whole key, and each of its lines, since imported quizzes list several correct answers. */
const accepted = (key: string): string[] => [key, ...key.split('\n')].map(normalize)

const sameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one) => b.includes(one))

export const correctOptions = ({ options }: Question): string[] => options.filter((option) => option.is_correct).map(({ id }) => id)

/** Whether an answer is correct; null if it needs manual grading. */
const isRight = (question: Question, answer: Answer | null): boolean | null => {
  if (answer === null) return false
  if (question.type === 'short_answer') {
    if (question.correct_answer === null) return null
    return typeof answer === 'string' && accepted(question.correct_answer).includes(normalize(answer))
  }
  return sameSet(typeof answer === 'string' ? [answer] : answer, correctOptions(question))
}

const own = <T>(map: Readonly<Record<string, T>>, key: string): T | null => (Object.hasOwn(map, key) ? (map[key] as T) : null)

const gradeOne = (question: Question, answers: Answers, grades: ManualGrades): Graded => {
  const answer = own(answers, question.id)
  const byHand = own(grades, question.id)
  if (byHand) return { question, answer, isCorrect: byHand.is_correct, points: byHand.points }
  const isCorrect = isRight(question, answer)
  return { question, answer, isCorrect, points: isCorrect === null ? null : isCorrect ? question.points : 0 }
}

/** Rounded percentage; 100 if there are no points to earn. */
export const scoreOf = (earned: number, possible: number): number => (possible === 0 ? 100 : Math.round((earned * 100) / possible))

/** Grades answers; manual grades override the key. */
export const gradeAnswers = (questions: readonly Question[], answers: Answers, grades: ManualGrades = {}): Outcome => {
  const details = questions.map((question) => gradeOne(question, answers, grades))
  const earned = details.reduce((sum, { points }) => sum + (points ?? 0), 0)
  const possible = questions.reduce((sum, { points }) => sum + points, 0)
  return {
    details,
    earned,
    possible,
    correct: details.filter(({ isCorrect }) => isCorrect === true).length,
    score: scoreOf(earned, possible),
    waits: details.some(({ isCorrect }) => isCorrect === null),
  }
}

/** A student's submissions to a quiz. The flags are null without any. */
export interface QuizState {
  readonly used: number
  readonly was_passed: 0 | 1 | null
  readonly waiting: 0 | 1 | null
}

/** Why the student cannot submit; null if they can. */
export const submitBlocker = (
  { used, was_passed, waiting }: QuizState,
  maxAttempts: number,
): 'already_submitted' | 'max_attempts_reached' | null => {
  if (was_passed || waiting) return 'already_submitted'
  return maxAttempts > 0 && used >= maxAttempts ? 'max_attempts_reached' : null
}

export const expiryOf = (startedAt: string, timeLimit: number): string | null => (timeLimit > 0 ? shift(startedAt, timeLimit) : null)

export const isLate = (startedAt: string, timeLimit: number, now: string): boolean =>
  timeLimit > 0 && now > shift(startedAt, timeLimit + TIME_LIMIT_TOLERANCE_S)

/** Sorts the questions by the attempt's order; questions missing there come last. */
export const inOrder = (questions: readonly Question[], order: readonly string[]): Question[] => {
  const place = new Map(order.map((id, i) => [id, i]))
  const placeOf = ({ id }: Question) => place.get(id) ?? order.length
  return questions.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** Shuffles uniformly; `below(n)` is a random integer from 0 to n − 1. */
export const shuffled = <T>(list: readonly T[], below: (n: number) => number): T[] => {
  const out = [...list]
  for (let i = out.length - 1; i > 0; i--) {
    const j = below(i + 1)
    const kept = out[i] as T
    out[i] = out[j] as T
    out[j] = kept
  }
  return out
}

/** Default feedback, if the grader wrote none. */
export const generatedFeedback = (attempt: { score: number; passing_score: number; passed: boolean; status: string }): string => {
  const { score, passing_score, passed, status } = attempt
  if (status === 'completed')
    return passed ? `Passed with ${score}% so far; some answers wait to be graded.` : 'Some answers wait to be graded.'
  return passed ? `Passed with ${score}%.` : `Not passed: ${score}% of the points, ${passing_score}% are needed.`
}
