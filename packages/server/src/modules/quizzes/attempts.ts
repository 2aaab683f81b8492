import { randomInt } from 'node:crypto'
import { type api, type BodyOf, MAX_TIME_SPENT } from '@lyceum/contract'
import { parseTimestamp } from '../../core/clock.ts'
import type { ReadRequest, WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow, statement } from '../../db/index.ts'
import { completeLesson, lockLesson, recordLessonAccess } from '../courses/index.ts'
import { type LessonPath, quizFor, type TakenQuiz } from './access.ts'
import { parseAnswers } from './parse-answers.ts'
import { type AttemptRecord, attemptById, beginAttempt, changeAttempt, openAttempt, quizStateOf } from './queries.ts'
import { gradeAnswers, isLate, shuffled, submitBlocker } from './scoring.ts'

/**
 * Loads the quiz for an attempt. Locks the student's row, which serializes all their attempts, and the lesson's row, so that it cannot be
 * deleted.
 */
const lockQuiz = async (ctx: WriteRequest, path: LessonPath): Promise<TakenQuiz> => {
  await lockRow(ctx.db, 'users', ctx.actor.id)
  await lockLesson(ctx.db, path.course_id, path.lesson_id)
  const taken = await quizFor(ctx, path, 'take')
  await recordLessonAccess(ctx.db, [taken.enrolmentId, ctx.now, path.lesson_id])
  return taken
}

/** @throws already_submitted, max_attempts_reached */
const checkMaySubmit = async ({ db, actor }: Pick<ReadRequest, 'db' | 'actor'>, { quiz }: TakenQuiz): Promise<void> => {
  const bar = submitBlocker(await quizStateOf(db, actor.id, quiz.lesson_id), quiz.max_attempts)
  if (bar) throw new ApiError(bar)
}

/**
 * Authorization and attempt limits are checked before the body is reported as invalid. For a body without answers, the error lists all
 * questions.
 * @throws like `submitAttempt`
 */
export const checkSubmits = async (ctx: ReadRequest, path: LessonPath, refusal: ApiError): Promise<void> => {
  const taken = await quizFor(ctx, path, 'take')
  await checkMaySubmit(ctx, taken)
  if (refusal.code !== 'invalid_answers') return
  const { questions } = (await openAttempt(ctx.db, ctx.actor.id, path.lesson_id)) ?? taken.quiz
  throw new ApiError('invalid_answers', { data: { ...refusal.data, missing: questions.map(({ id }) => id), malformed: [] } })
}

const insertAttempt = ({ db, actor, now }: WriteRequest, { lesson, quiz }: TakenQuiz): Promise<AttemptRecord> => {
  const ids = quiz.questions.map(({ id }) => id)
  const order = quiz.randomize_questions ? shuffled(ids, (n) => randomInt(n)) : ids
  return beginAttempt(db, { userId: actor.id, courseId: lesson.course_id, quiz, order, now })
}

/** Starts an attempt or resumes the open one. @throws like `quizFor`, already_submitted, max_attempts_reached */
export const startAttempt = async (ctx: WriteRequest, path: LessonPath) => {
  const taken = await lockQuiz(ctx, path)
  await checkMaySubmit(ctx, taken)
  const open = await openAttempt(ctx.db, ctx.actor.id, path.lesson_id)
  return { ...taken, attempt: open ?? (await insertAttempt(ctx, taken)), isNew: !open }
}

/** @throws quiz_not_found unless it is the caller's attempt at this quiz, already_submitted */
const checkOwnAttempt = async ({ db, actor }: WriteRequest, lessonId: number, attemptId: number): Promise<void> => {
  const meant = await attemptById(db, attemptId)
  if (meant?.user_id !== actor.id || meant.lesson_id !== lessonId) throw new ApiError('quiz_not_found')
  if (meant.status !== 'in_progress') throw new ApiError('already_submitted', { message: 'This attempt was already submitted.' })
}

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, (parseTimestamp(to).getTime() - parseTimestamp(from).getTime()) / 1000)

/**
 * Submits the open attempt, or starts and submits one. Passing completes the lesson.
 * @throws like `quizFor`, already_submitted, max_attempts_reached, invalid_answers
 */
export const submitAttempt = async (
  ctx: WriteRequest,
  path: LessonPath,
  { answers: sent, time_spent, attempt_id }: BodyOf<typeof api.quizzes.submit>,
) => {
  const { db, actor, now } = ctx
  const taken = await lockQuiz(ctx, path)
  if (attempt_id) await checkOwnAttempt(ctx, path.lesson_id, attempt_id)
  await checkMaySubmit(ctx, taken)
  const { lesson, quiz } = taken
  const open = await openAttempt(db, actor.id, path.lesson_id)
  const questions = open?.questions ?? quiz.questions
  const late = open !== undefined && isLate(open.started_at, quiz.time_limit, now)
  const { answers, missing, malformed } = parseAnswers(questions, sent)
  if (!late && missing.length + malformed.length > 0) throw new ApiError('invalid_answers', { data: { missing, malformed } })

  const attempt = open ?? (await insertAttempt(ctx, taken))
  const { score, earned, possible, correct, waits } = gradeAnswers(questions, answers)
  const passed = score >= quiz.passing_score
  const change = {
    answers,
    score,
    status: waits ? ('completed' as const) : ('graded' as const),
    points_earned: earned,
    points_possible: possible,
    correct_answers: correct,
    passed: passed ? (1 as const) : (0 as const),
    passing_score: quiz.passing_score,
    time_spent: Math.min(time_spent ?? secondsBetween(attempt.started_at, now), MAX_TIME_SPENT),
    late: late ? (1 as const) : (0 as const),
    submitted_at: now,
    graded_at: waits ? null : now,
  }
  await changeAttempt(db, attempt.id, change)
  const ids = { attempt_id: attempt.id, lesson_id: lesson.id, course_id: lesson.course_id, user_id: actor.id }
  await ctx.emit('quiz.submitted', ids)
  if (!waits) await ctx.emit('quiz.graded', ids)
  if (passed) await completeLesson(ctx, { lessonId: lesson.id, courseId: lesson.course_id, userId: actor.id })
  return { ...taken, attempt: { ...attempt, ...change } }
}

const removeAll = statement('delete from quiz_attempts where user_id = $1')

/** Erases the attempts of a deleted account. The caller must hold the user's row lock, so that no new attempt can start. */
export const eraseAttempts = ({ db }: Pick<WriteContext, 'db'>, userId: number) => removeAll(db, [userId])
