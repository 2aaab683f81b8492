import { randomBytes } from 'node:crypto'
import type { WriteContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, type EnrolmentRow, lockCourseRowShared, lockRow, statement, statementOne, type Tables } from '../../db/index.ts'
import { recountCourse } from './course-row.ts'

export interface Student {
  readonly courseId: number
  readonly userId: number
}

interface CompletionState
  extends Pick<EnrolmentRow, 'id' | 'course_id' | 'user_id' | 'completed_lessons' | 'progress' | 'completed_at'>,
    Pick<Tables['course_completions'], 'certificate_code' | 'certificate_at'> {
  /** First completion of the course, in any enrolment. */
  readonly first_at: string | null
  readonly lessons_count: number
  readonly done: number
}

/** SQL: number of completed published lessons of enrolment `e`. */
export const LESSONS_DONE = `(select count(*) from lesson_completions dc join lessons dl on dl.id = dc.lesson_id and dl.status = 'published'
  join course_sections ds on ds.id = dl.section_id and ds.status = 'published' where dc.course_id = e.course_id and dc.user_id = e.user_id)`

/** Locks a lesson, and keeps its course from being deleted, until the end of the transaction. */
export const lockLesson = async (db: Db, courseId: number, lessonId: number): Promise<void> => {
  await lockCourseRowShared(db, courseId)
  await lockRow(db, 'lessons', lessonId)
}

const enrolmentOf = statementOne<{ id: number }>('select id from enrolments where course_id = $1 and user_id = $2')
const completionStateOf = statementOne<CompletionState>(
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
const uncomplete = statement('delete from lesson_completions where user_id = $1 and lesson_id = $2')
const deleteCompletions = statement('delete from lesson_completions where course_id = $1 and user_id = $2')
const nextStudents = statement<{ id: number; user_id: number }>(
  'select id, user_id from enrolments where course_id = $1 and user_id > $2 order by user_id limit $3',
)

/** floor(completed ÷ published × 100), at most 100; 0 for a course without lessons. */
export const percentageOf = (done: number, lessons: number): number =>
  lessons === 0 ? 0 : Math.min(100, Math.floor((done * 100) / lessons))

/** 128 random bits, so that certificates cannot be guessed. */
const newCode = () => randomBytes(16).toString('hex')

/** Locks an enrolment until the end of the transaction, and returns its id. @throws not_enrolled */
const lockEnrolment = async (db: Db, { courseId, userId }: Student): Promise<number> => {
  const found = await enrolmentOf(db, [courseId, userId])
  if (found) await lockRow(db, 'enrolments', found.id)
  const locked = found && (await enrolmentOf(db, [courseId, userId]))
  if (!locked) throw new ApiError('not_enrolled')
  return locked.id
}

/** Records the completion of a course. Counted and announced only the first time; completing it again restores a suspended certificate. */
const recordCourseCompletion = async (
  ctx: WriteContext,
  { course_id, user_id, first_at, certificate_code, certificate_at }: CompletionState,
) => {
  const { db, now } = ctx
  if (first_at === null) {
    const added = await completeCourse(db, [course_id, user_id, now, newCode()])
    if (added) await ctx.emit('course.completed', { course_id, user_id })
  } else if (certificate_at === null) await certify(db, [course_id, user_id, certificate_code ?? newCode(), now])
  return first_at ?? now
}

/**
 * Reconciles a locked enrolment with its completions and returns the percentage. A student who takes a completion back suspends the
 * certificate; changes to the lessons never revoke one.
 */
export const reconcileEnrolment = async (ctx: WriteContext, enrolmentId: number, { isTakenBack = false } = {}): Promise<number> => {
  const before = await completionStateOf(ctx.db, [enrolmentId])
  if (!before) return 0
  const { course_id, user_id, done, lessons_count, certificate_code, certificate_at } = before
  const progress = percentageOf(done, lessons_count)
  const isComplete = lessons_count > 0 && done >= lessons_count
  const wasComplete = before.completed_at !== null
  if (!isComplete && wasComplete && isTakenBack && certificate_at !== null)
    await certify(ctx.db, [course_id, user_id, certificate_code, null])
  const isSame = before.completed_lessons === done && before.progress === progress && wasComplete === isComplete
  if (isSame) return progress
  await save(ctx.db, [enrolmentId, done, progress, isComplete ? await recordCourseCompletion(ctx, before) : null])
  return progress
}

/**
 * Completes a lesson for a student; `isNew` is false if it was completed before. The caller must check access, holding the lock on the enrolment if access depends on completions.
 * @throws not_enrolled, lesson_not_found
 */
export const completeLesson = async (ctx: WriteContext, { lessonId, ...student }: Student & { readonly lessonId: number }) => {
  const { db, now } = ctx
  await lockLesson(db, student.courseId, lessonId)
  const enrolmentId = await lockEnrolment(db, student)
  const added = await complete(db, [student.userId, lessonId, now])
  const completion = added ?? (await completionOf(db, [student.userId, lessonId]))
  if (!completion) throw new ApiError('lesson_not_found')
  if (added) await ctx.emit('lesson.completed', { lesson_id: lessonId, course_id: student.courseId, user_id: student.userId })
  const progress_percentage = await reconcileEnrolment(ctx, enrolmentId)
  return { completed_at: completion.completed_at, progress_percentage, isNew: added !== undefined }
}

/** Takes a completion back; returns the remaining percentage. @throws not_enrolled */
export const uncompleteLesson = async (ctx: WriteContext, { lessonId, ...student }: Student & { readonly lessonId: number }) => {
  const enrolmentId = await lockEnrolment(ctx.db, student)
  await uncomplete(ctx.db, [student.userId, lessonId])
  return reconcileEnrolment(ctx, enrolmentId, { isTakenBack: true })
}

/** Takes all completions of a student back and removes the certificate. @throws not_enrolled */
export const resetProgress = async (ctx: WriteContext, student: Student): Promise<void> => {
  const enrolmentId = await lockEnrolment(ctx.db, student)
  await deleteCompletions(ctx.db, [student.courseId, student.userId])
  await reconcileEnrolment(ctx, enrolmentId)
  await certify(ctx.db, [student.courseId, student.userId, null, null])
}

const BATCH = 100

export interface RecountInput {
  readonly course_id: number
  /** The last student of the previous job. */
  readonly after: number
}

/** Reconciles a batch of students with the course's lessons; a job continues with the next batch. */
export const recountStudents = async (ctx: WriteContext, { course_id, after }: RecountInput): Promise<void> => {
  await lockCourseRowShared(ctx.db, course_id)
  const rows = await nextStudents(ctx.db, [course_id, after, BATCH])
  for (const { id } of rows) {
    await lockRow(ctx.db, 'enrolments', id)
    await reconcileEnrolment(ctx, id)
  }
  const last = rows.at(-1)
  if (last && rows.length === BATCH) await ctx.enqueue('progress.recount', { course_id, after: last.user_id })
}

/**
 * Call this after lessons or sections are published or unpublished: updates the counters of the course and the progress of its students.
 */
export const reconcileCourse = async (ctx: WriteContext, courseId: number): Promise<void> => {
  await recountCourse(ctx.db, courseId)
  await recountStudents(ctx, { course_id: courseId, after: 0 })
}
