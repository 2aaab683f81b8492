import { type api, type BodyOf, FEEDBACK_BYTES } from '@lyceum/contract'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { completeLesson, lockLesson, uncompleteLesson } from '../courses/index.ts'
import { submissionFor } from './access.ts'
import type { Question } from './definition.ts'
import { type AttemptChange, type AttemptRecord, changeAttempt, isEnrolled, passedOtherwise } from './queries.ts'
import { gradeAnswers, type ManualGrade, type ManualGrades } from './scoring.ts'

type Body = BodyOf<typeof api.adminQuizzes.grade>

const TRUE = new Set<unknown>([true, 1, 'true', 'correct'])
const FALSE = new Set<unknown>([false, 0, 'false', 'incorrect'])

/**
 * Parses a manual grade: `{points}`, `{is_correct}`, both, a number of points or a boolean; null removes the grade.
 * @throws invalid_data
 */
const readGrade = (question: Question, given: unknown): ManualGrade | null => {
  const { id, points: possible } = question
  const refuse = (text: string) => invalidField(`answers.${id}`, text)
  if (given === null) return null
  if (typeof given === 'number') return readGrade(question, { points: given })
  if (typeof given === 'boolean') return readGrade(question, { is_correct: given })
  if (typeof given !== 'object' || Array.isArray(given)) throw refuse('must be {points, is_correct}')
  const { points: sentPoints, points_earned, is_correct } = given as Record<string, unknown>
  const points = sentPoints ?? points_earned ?? null
  if (points !== null && !(Number.isInteger(points) && (points as number) >= 0 && (points as number) <= possible)) {
    throw refuse(`must have integer points from 0 to ${possible}`)
  }
  const says =
    is_correct === undefined || is_correct === null ? null : TRUE.has(is_correct) ? true : FALSE.has(is_correct) ? false : undefined
  if (says === undefined) throw refuse('must have true or false as is_correct')
  if (points === null && says === null) throw refuse('must have points or is_correct')
  return { points: (points as number | null) ?? (says ? possible : 0), is_correct: says ?? points === possible }
}

/** Merges new grades into the existing ones. @throws invalid_data for a question that is not in the attempt */
const mergedGrades = ({ questions, grades }: AttemptRecord, given: Readonly<Record<string, unknown>>): ManualGrades => {
  const byId = new Map(questions.map((question) => [question.id, question]))
  const merged = new Map(Object.entries(grades))
  for (const [id, value] of Object.entries(given)) {
    const question = byId.get(id)
    if (!question) throw invalidField('answers', 'must contain only questions of this attempt')
    const grade = readGrade(question, value)
    if (grade) merged.set(id, grade)
    else merged.delete(id)
  }
  return Object.fromEntries(merged)
}

const withGrades = (attempt: AttemptRecord, given: Body['answers']): AttemptChange => {
  if (!given || Object.keys(given).length === 0) return {}
  const grades = mergedGrades(attempt, given)
  const { score, earned, correct, waits } = gradeAnswers(attempt.questions, attempt.answers, grades)
  return { grades, score, points_earned: earned, correct_answers: correct, status: waits ? attempt.status : 'graded' }
}

/** The grader's verdict from `passed` or `status`. @throws invalid_data if they contradict each other */
const verdictOf = ({ passed, status }: Body): Body['passed'] => {
  if (status === undefined || status === null) return passed
  const verdict = status === 'passed'
  if (passed !== undefined && passed !== null && Boolean(passed) !== verdict) throw invalidField('status', 'contradicts passed')
  return verdict
}

const changeBy = (attempt: AttemptRecord, body: Body): AttemptChange => {
  const { answers, feedback } = body
  const verdict = verdictOf(body)
  if (Buffer.byteLength(feedback ?? '') > FEEDBACK_BYTES) throw invalidField('feedback', `must have at most ${FEEDBACK_BYTES} bytes`)
  const byAnswers = withGrades(attempt, answers)
  const score = body.score ?? byAnswers.score ?? null
  const passed = verdict ?? (score === null ? null : score >= attempt.passing_score)
  return {
    ...byAnswers,
    ...(score !== null && { score }),
    ...(passed !== null && { passed: passed ? (1 as const) : (0 as const) }),
    ...((body.score ?? verdict ?? null) !== null && { status: 'graded' as const }),
    ...(feedback !== undefined && feedback !== null && { feedback: feedback.trim() }),
  }
}

/** A lesson is completed as long as one of the student's attempts is passed. */
const reconcileCompletion = async (ctx: WriteContext, before: AttemptRecord, passes: boolean): Promise<void> => {
  const { user_id, lesson_id, course_id, id } = before
  if (passes === (before.passed === 1)) return
  if ((await passedOtherwise(ctx.db, [user_id, lesson_id, id])) || !(await isEnrolled(ctx.db, [course_id, user_id]))) return
  const whose = { lessonId: lesson_id, courseId: course_id, userId: user_id }
  if (passes) await completeLesson(ctx, whose)
  else await uncompleteLesson(ctx, whose)
}

/**
 * Grades a submission manually.
 * @throws course_not_found, rest_forbidden, quiz_not_found, invalid_data
 */
export const gradeAttempt = async (ctx: WriteRequest, courseId: number, attemptId: number, body: Body): Promise<AttemptRecord> => {
  const { db, actor, now } = ctx
  const { user_id, lesson_id } = await submissionFor(ctx, courseId, attemptId)
  await lockRow(db, 'users', user_id)
  await lockLesson(db, courseId, lesson_id)
  const attempt = await submissionFor(ctx, courseId, attemptId)
  const change = { ...changeBy(attempt, body), graded_at: now, graded_by: actor.id }
  await changeAttempt(db, attemptId, change)
  const after = { ...attempt, ...change }
  await reconcileCompletion(ctx, attempt, after.passed === 1)
  const details = { course_id: courseId, lesson_id, score: after.score, passed: after.passed === 1, fields: Object.keys(body) }
  await audit(ctx, 'quiz.graded', { object_type: 'user', object_id: user_id, details })
  if (after.status === 'graded') {
    await ctx.emit('quiz.graded', { attempt_id: attemptId, lesson_id, course_id: courseId, user_id })
  }
  return after
}
