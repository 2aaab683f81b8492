import type { Infer, Quiz, QuizAnswerResult, QuizAttempt, QuizResultItem, QuizSubmission } from '@lyceum/contract'
import { pick } from '../../util/pick.ts'
import { viewXprofile } from '../members/view.ts'
import type { Question } from './definition.ts'
import type { AttemptRecord, QuizRecord } from './queries.ts'
import type { ResultRow } from './results.ts'
import { correctOptions, expiryOf, type Graded, generatedFeedback, gradeAnswers, inOrder } from './scoring.ts'

type Settings = Omit<QuizRecord, 'questions' | 'lesson_id' | 'updated_at' | 'version_id'>

export const viewSettings = (quiz: Settings) => ({
  ...pick(quiz, 'passing_score', 'max_attempts', 'time_limit'),
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
  ...pick(attempt, 'id', 'lesson_id', 'attempt_number', 'started_at'),
  status: 'in_progress',
  expires_at: expiryOf(attempt.started_at, quiz.time_limit),
  time_limit: quiz.time_limit,
  total_questions: attempt.questions.length,
  questions: inOrder(attempt.questions, attempt.question_order).map((question) => ({
    ...pick(question, 'id', 'type', 'question', 'points'),
    options: choicesOf(question),
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
    ...pick(attempt, 'id', 'total_questions', 'correct_answers', 'passing_score', 'attempt_number', 'status'),
    score,
    passed,
    late: attempt.late === 1,
    feedback: attempt.feedback || generatedFeedback({ ...attempt, score, passed }),
    submitted_at: attempt.submitted_at ?? attempt.started_at,
  }
}

export const viewSubmission = (attempt: AttemptRecord, withAnswers: boolean): Infer<typeof QuizSubmission> => ({
  ...viewScore(attempt),
  ...pick(attempt, 'user_id', 'course_id', 'lesson_id', 'time_spent', 'started_at', 'graded_at'),
  answers: withAnswers ? (attempt.answers as Record<string, string | string[]>) : {},
})

export const viewResultItem = (row: ResultRow): Infer<typeof QuizResultItem> => ({
  ...pick(row, 'id', 'score', 'total_questions', 'correct_answers', 'attempt_number', 'status', 'time_spent', 'submitted_at'),
  xprofile: viewXprofile(row),
  lesson: { id: row.lesson_id, title: row.lesson_title, slug: row.lesson_slug },
  passed: row.passed === 1,
  late: row.late === 1,
})
