import type { AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { courseFor, type LessonFor, lessonFor } from '../courses/index.ts'
import { hasFeature } from '../settings/index.ts'
import type { Question } from './definition.ts'
import { type AttemptRecord, attemptById, loadQuiz, type QuizRecord, quizStateOf, settingsOf } from './queries.ts'
import { viewDefinition } from './view.ts'

type QuizContext = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

export interface LessonPath {
  readonly course_id: number
  readonly lesson_id: number
}

export interface TakenQuiz {
  readonly enrolmentId: number
  readonly lesson: LessonFor
  readonly quiz: QuizRecord
}

/**
 * The quiz of a lesson for an enrolled student. `take` requires an unlocked lesson.
 * @throws course_not_found, lesson_not_found, quiz_not_found, not_enrolled, lesson_locked
 */
export const quizFor = async (ctx: QuizContext, { course_id, lesson_id }: LessonPath, ability: 'look' | 'take'): Promise<TakenQuiz> => {
  const lesson = await lessonFor(ctx, course_id, lesson_id, 'view')
  const quiz = lesson.type === 'quiz' ? await loadQuiz(ctx.db, lesson_id) : undefined
  if (!quiz) throw new ApiError('quiz_not_found')
  const { my_enrolment_id: enrolmentId } = lesson.course
  if (enrolmentId === null) throw new ApiError('not_enrolled')
  const { reason, unlock_date } = lesson.lock
  if (ability === 'take' && reason !== null) throw new ApiError('lesson_locked', { data: { lock_reason: reason, unlock_date } })
  return { enrolmentId, lesson, quiz }
}

/**
 * A submission in this course, for its managers.
 * @throws course_not_found, rest_forbidden, quiz_not_found
 */
export const submissionFor = async (ctx: QuizContext, courseId: number, attemptId: number): Promise<AttemptRecord> => {
  await courseFor(ctx, courseId, 'manage')
  const attempt = await attemptById(ctx.db, attemptId)
  if (attempt?.course_id !== courseId || attempt.status === 'in_progress') throw new ApiError('quiz_not_found')
  return attempt
}

/**
 * The quiz as embedded in its lesson: settings and the number of attempts used; with `manage`, questions and answers too.
 * Null if the lesson has no quiz or the feature is off.
 */
export const shownQuiz = async ({ db, actor }: QuizContext, lessonId: number, manage: boolean) => {
  const quiz = await settingsOf(db, [lessonId])
  if (!quiz || !(await hasFeature(db, 'quizzes'))) return null
  const definition = viewDefinition(quiz, quiz.questions ? (JSON.parse(quiz.questions) as Question[]) : [], manage)
  return { ...definition, attempts_used: (await quizStateOf(db, actor.id, lessonId)).used }
}

export const canBeTaken = async (db: Db, lessonId: number): Promise<boolean> =>
  (await hasFeature(db, 'quizzes')) && (await loadQuiz(db, lessonId)) !== undefined
