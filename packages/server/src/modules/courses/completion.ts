import { randomBytes } from 'node:crypto'
import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, keepCourseRow, lockRow, statement, statementOne } from '../../db/index.ts'
import { recountCourse } from './course-row.ts'

/** Whose progress in which course. */
export interface Student {
  readonly courseId: number
  readonly userId: number
}

interface CompletionState {
  readonly id: number
  readonly course_id: number
  readonly user_id: number
  readonly completed_lessons: number
  readonly progress: number
  readonly completed_at: string | null
  /** When the course was completed for the first time, in whichever enrolment. */
  readonly first_at: string | null
  readonly certificate_code: string | null
  readonly certificate_at: string | null
  readonly lessons_count: number
  /** Published lessons that are completed. */
  readonly done: number
}

/** SQL: how many published lessons of enrolment `e` are completed. */
export const LESSONS_DONE = `(select count(*) from lesson_completions dc join lessons dl on dl.id = dc.lesson_id and dl.status = 'published'
  join course_sections ds on ds.id = dl.section_id and ds.status = 'published' where dc.course_id = e.course_id and dc.user_id = e.user_id)`

/** Holds a lesson until the end of the transaction, and keeps its course. */
export const heldLesson = async (db: Db, courseId: number, lessonId: number): Promise<void> => {
  await keepCourseRow(db, courseId)
  await lockRow(db, 'lessons', lessonId)
}

const enrolmentOf = statementOne<{ id: number }>('select id from enrolments where course_id = $1 and user_id = $2')
const standingOf = statementOne<CompletionState>(
  `select e.id, e.course_id, e.user_id, e.completed_lessons, e.progress, e.completed_at, k.completed_at as first_at, k.certificate_code,
   k.certificate_at, c.lessons_count, ${LESSONS_DONE} as done from enrolments e join courses c on c.id = e.course_id
   left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id where e.id = $1`,
)
const save = statement('update enrolments set completed_lessons = $2, progress = $3, completed_at = $4 where id = $1')
const completeCourse = statementOne<{ completed_at: string }>(
  `insert into course_completions (course_id, user_id, completed_at, certificate_code, certificate_at) values ($1, $2, $3, $4, $3)
   on conflict (course_id, user_id) do nothing returning completed_at`,
)
const certify = statement('update course_completions set certificate_code = $3, certificate_at = $4 where course_id = $1 and user_id = $2')
const complete = statementOne<{ completed_at: string }>(
  `insert into lesson_completions (user_id, lesson_id, course_id, completed_at)
   select cast($1 as bigint), l.id, l.course_id, cast($3 as text) from lessons l where l.id = $2 on conflict (user_id, lesson_id) do nothing returning completed_at`,
)
const completionOf = statementOne<{ completed_at: string }>(
  'select completed_at from lesson_completions where user_id = $1 and lesson_id = $2',
)
const uncomplete = statementOne<{ lesson_id: number }>(
  'delete from lesson_completions where user_id = $1 and lesson_id = $2 returning lesson_id',
)
const forget = statement('delete from lesson_completions where course_id = $1 and user_id = $2')
const following = statement<{ id: number; user_id: number }>(
  'select id, user_id from enrolments where course_id = $1 and user_id > $2 order by user_id limit $3',
)

/** floor(completed ÷ published × 100), at most 100; 0 in a course without lessons. */
export const percentageOf = (done: number, lessons: number): number =>
  lessons === 0 ? 0 : Math.min(100, Math.floor((done * 100) / lessons))

/** 128 bits: nobody finds a certificate that he was not given. */
const newCode = () => randomBytes(16).toString('hex')

/** Holds somebody's enrolment until the end of the transaction; undefined where there is none. */
const heldEnrolment = async (db: Db, { courseId, userId }: Student): Promise<number | undefined> => {
  const found = await enrolmentOf(db, [courseId, userId])
  if (!found) return undefined
  await lockRow(db, 'enrolments', found.id)
  return (await enrolmentOf(db, [courseId, userId]))?.id
}

/** Notes that somebody has completed a course, which counts and is told once for ever; what he took back certifies him again. */
const completedCourse = async (ctx: WriteContext, { course_id, user_id, first_at, certificate_code, certificate_at }: CompletionState) => {
  const { db, now } = ctx
  if (first_at === null) {
    const added = await completeCourse(db, [course_id, user_id, now, newCode()])
    if (added) await ctx.emit('course.completed', { course_id, user_id })
  } else if (certificate_at === null) await certify(db, [course_id, user_id, certificate_code ?? newCode(), now])
  return first_at ?? now
}

/**
 * Brings an enrolment, which is held, in line with its completions; the percentage. What a student takes back himself
 * suspends his certificate; whatever becomes of the lessons, what was certified stays so.
 */
const settle = async (ctx: WriteContext, enrolmentId: number, { isTakenBack = false } = {}): Promise<number> => {
  const before = await standingOf(ctx.db, [enrolmentId])
  if (!before) return 0
  const { course_id, user_id, done, lessons_count, certificate_code, certificate_at } = before
  const progress = percentageOf(done, lessons_count)
  const isComplete = lessons_count > 0 && done >= lessons_count
  const wasComplete = before.completed_at !== null
  if (!isComplete && wasComplete && isTakenBack && certificate_at !== null)
    await certify(ctx.db, [course_id, user_id, certificate_code, null])
  const isSame = before.completed_lessons === done && before.progress === progress && wasComplete === isComplete
  if (isSame) return progress
  await save(ctx.db, [enrolmentId, done, progress, isComplete ? await completedCourse(ctx, before) : null])
  return progress
}

export interface Completed {
  readonly completed_at: string
  readonly progress_percentage: number
  /** False: it was completed before. */
  readonly isNew: boolean
}

/**
 * Completes a lesson of that course for a student who may: access is the caller's to check, with the enrolment held if it depends on what
 * is completed.
 * @throws not_enrolled, lesson_not_found
 */
export const completeLesson = async (
  ctx: WriteContext,
  { lessonId, ...student }: Student & { readonly lessonId: number },
): Promise<Completed> => {
  const { db, now } = ctx
  await heldLesson(db, student.courseId, lessonId)
  const enrolmentId = await heldEnrolment(db, student)
  if (enrolmentId === undefined) throw new ApiError('not_enrolled')
  const added = await complete(db, [student.userId, lessonId, now])
  const completion = added ?? (await completionOf(db, [student.userId, lessonId]))
  if (!completion) throw new ApiError('lesson_not_found')
  if (added) await ctx.emit('lesson.completed', { lesson_id: lessonId, course_id: student.courseId, user_id: student.userId })
  const progress_percentage = await settle(ctx, enrolmentId)
  return { completed_at: completion.completed_at, progress_percentage, isNew: added !== undefined }
}

/** Takes the completion of a lesson back; the percentage that is left. @throws not_enrolled */
export const uncompleteLesson = async (
  ctx: WriteContext,
  { lessonId, ...student }: Student & { readonly lessonId: number },
): Promise<number> => {
  const enrolmentId = await heldEnrolment(ctx.db, student)
  if (enrolmentId === undefined) throw new ApiError('not_enrolled')
  await uncomplete(ctx.db, [student.userId, lessonId])
  return settle(ctx, enrolmentId, { isTakenBack: true })
}

/** Takes all completions of a student back, and his certificate with them. @throws not_enrolled */
export const resetProgress = async (ctx: WriteContext, student: Student): Promise<void> => {
  const enrolmentId = await heldEnrolment(ctx.db, student)
  if (enrolmentId === undefined) throw new ApiError('not_enrolled')
  await forget(ctx.db, [student.courseId, student.userId])
  await settle(ctx, enrolmentId)
  await certify(ctx.db, [student.courseId, student.userId, null, null])
}

/** Brings a new enrolment in line with what its student had completed in one before. */
export const reconcileEnrolment = async (ctx: WriteContext, student: Student): Promise<void> => {
  const enrolmentId = await heldEnrolment(ctx.db, student)
  if (enrolmentId !== undefined) await settle(ctx, enrolmentId)
}

const eraseLessons = statement('delete from lesson_completions where user_id = $1')
const eraseCourses = statement('delete from course_completions where user_id = $1')

/** Forgets what an account that goes away has completed, and its certificates. To be called when it is enrolled in nothing any more. */
export const eraseCompletions = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await eraseLessons(db, [userId])
  await eraseCourses(db, [userId])
}

/** Most students whose progress one job brings in line. */
const AT_ONCE = 100

export interface Recount {
  readonly course_id: number
  /** The student who was the last one of the job before. */
  readonly after: number
}

/** Brings some students of a course in line with its lessons; the others follow in a job. */
export const recountStudents = async (ctx: WriteContext, { course_id, after }: Recount): Promise<void> => {
  await keepCourseRow(ctx.db, course_id)
  const rows = await following(ctx.db, [course_id, after, AT_ONCE])
  for (const { id } of rows) {
    await lockRow(ctx.db, 'enrolments', id)
    await settle(ctx, id)
  }
  const last = rows.at(-1)
  if (last && rows.length === AT_ONCE) await ctx.enqueue('progress.recount', { course_id, after: last.user_id })
}

/**
 * To be called after lessons or sections of a course have come into the published ones or left them: its counters, and the progress of its
 * students.
 */
export const lessonsChanged = async (ctx: WriteContext, courseId: number): Promise<void> => {
  await recountCourse(ctx.db, courseId)
  await recountStudents(ctx, { course_id: courseId, after: 0 })
}
