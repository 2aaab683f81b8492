import type { Infer, Quiz, QuizAnswerResult, QuizAttempt, QuizResultItem, QuizSubmission } from '@lyceum/contract'
import { viewXprofile } from '../members/view.ts'
import type { Question } from './definition.ts'
import type { AttemptRecord, QuizRecord } from './queries.ts'
import type { ResultRow } from './results.ts'
import { correctOptions, expiryOf, type Graded, generatedFeedback, gradeAnswers, inOrder } from './scoring.ts'

type Settings = Omit<QuizRecord, 'questions' | 'lesson_id' | 'updated_at' | 'version_id'>

export const viewSettings = (quiz: Settings) => ({
  passing_score: quiz.passing_score,
  max_attempts: quiz.max_attempts,
  time_limit: quiz.time_limit,
  show_correct_answers: quiz.show_correct_answers === 1,
  randomize_questions: quiz.randomize_questions === 1,
})

/** Includes the keys for managers; students only see questions in their attempts. */
export const viewDefinition = (
  quiz: Settings,
  questions: readonly Question[],
  manage: boolean,
): Omit<Infer<typeof Quiz>, 'attempts_used'> => ({
  total_questions: questions.length,
  settings: viewSettings(quiz),
  ...(manage && { questions: [...questions] }),
})

/** Options without `is_correct`. */
const choicesOf = ({ options }: Question) => options.map(({ id, text }) => ({ id, text }))

export const viewAttempt = (attempt: AttemptRecord, quiz: Settings): Infer<typeof QuizAttempt> => ({
  id: attempt.id,
  lesson_id: attempt.lesson_id,
  attempt_number: attempt.attempt_number,
  status: 'in_progress',
  started_at: attempt.started_at,
  expires_at: expiryOf(attempt.started_at, quiz.time_limit),
  time_limit: quiz.time_limit,
  total_questions: attempt.questions.length,
  questions: inOrder(attempt.questions, attempt.question_order).map((question) => ({
    id: question.id,
    type: question.type,
    question: question.question,
    options: choicesOf(question),
    points: question.points,
  })),
})

const keyOf = (question: Question): string | string[] | null => {
  if (question.type === 'short_answer') return question.correct_answer
  const right = correctOptions(question)
  return question.type === 'multiple_select' ? right : (right[0] ?? null)
}

const viewDetail = ({ question, answer, isCorrect, points }: Graded, withKey: boolean): Infer<typeof QuizAnswerResult> => ({
  question_id: question.id,
  type: question.type,
  question: question.question,
  options: choicesOf(question),
  your_answer: typeof answer === 'object' && answer ? [...answer] : answer,
  points_earned: withKey ? points : null,
  points_possible: question.points,
  ...(withKey && { correct_answer: keyOf(question), is_correct: isCorrect, explanation: question.explanation }),
})

/** Results by question. Without keys, nothing reveals which answers were correct. */
export const viewDetails = (attempt: AttemptRecord, withKey: boolean): Infer<typeof QuizAnswerResult>[] => {
  const questions = inOrder(attempt.questions, attempt.question_order)
  return gradeAnswers(questions, attempt.answers, attempt.grades).details.map((detail) => viewDetail(detail, withKey))
}

export const viewScore = (attempt: AttemptRecord) => {
  const score = attempt.score ?? 0
  const passed = attempt.passed === 1
  return {
    id: attempt.id,
    score,
    total_questions: attempt.total_questions,
    correct_answers: attempt.correct_answers,
    passed,
    passing_score: attempt.passing_score,
    attempt_number: attempt.attempt_number,
    status: attempt.status,
    late: attempt.late === 1,
    feedback: attempt.feedback || generatedFeedback({ ...attempt, score, passed }),
    submitted_at: attempt.submitted_at ?? attempt.started_at,
  }
}

export const viewSubmission = (attempt: AttemptRecord, withAnswers: boolean): Infer<typeof QuizSubmission> => ({
  ...viewScore(attempt),
  user_id: attempt.user_id,
  course_id: attempt.course_id,
  lesson_id: attempt.lesson_id,
  answers: withAnswers ? (attempt.answers as Record<string, string | string[]>) : {},
  time_spent: attempt.time_spent,
  started_at: attempt.started_at,
  graded_at: attempt.graded_at,
})

export const viewResultItem = (row: ResultRow): Infer<typeof QuizResultItem> => ({
  id: row.id,
  xprofile: viewXprofile(row),
  lesson: { id: row.lesson_id, title: row.lesson_title, slug: row.lesson_slug },
  score: row.score,
  total_questions: row.total_questions,
  correct_answers: row.correct_answers,
  passed: row.passed === 1,
  attempt_number: row.attempt_number,
  status: row.status,
  late: row.late === 1,
  time_spent: row.time_spent,
  submitted_at: row.submitted_at,
})
