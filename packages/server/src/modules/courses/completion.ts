import { randomBytes } from 'node:crypto'
import { type Db, lockRow, statement, statementOne } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import { recountCourse } from './rows.ts'

/** Whose progress in which course. */
export interface Student {
  readonly courseId: number
  readonly userId: number
}

interface Standing {
  readonly id: number
  readonly course_id: number
  readonly user_id: number
  readonly completed_lessons: number
  readonly progress: number
  readonly completed_at: string | null
  readonly announced_at: string | null
  readonly certificate_code: string | null
  readonly certificate_at: string | null
  readonly lessons_count: number
  /** Published lessons that are completed. */
  readonly done: number
}

/** SQL: how many published lessons of enrolment `e` are completed. */
export const LESSONS_DONE = `(select count(*) from lesson_completions dc join lessons dl on dl.id = dc.lesson_id and dl.status = 'published'
  join course_sections ds on ds.id = dl.section_id and ds.status = 'published' where dc.course_id = e.course_id and dc.user_id = e.user_id)`

const enrolmentOf = statementOne<{ id: number }>('select id from enrolments where course_id = $1 and user_id = $2')
const standingOf = statementOne<Standing>(
  `select e.id, e.course_id, e.user_id, e.completed_lessons, e.progress, e.completed_at, e.announced_at, e.certificate_code,
   e.certificate_at, c.lessons_count, ${LESSONS_DONE} as done from enrolments e join courses c on c.id = e.course_id where e.id = $1`,
)
const save = statement(
  `update enrolments set completed_lessons = $2, progress = $3, completed_at = $4, announced_at = $5, certificate_code = $6,
   certificate_at = $7 where id = $1`,
)
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
const revoke = statement('update enrolments set certificate_code = null, certificate_at = null where id = $1')
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

/**
 * Brings an enrolment, which is held, in line with its completions; the percentage. The course is told to be completed once, and once more
 * where a lesson that was published later (`reopens`) had opened it again: what was certified before then stays so. What a student takes
 * back himself suspends his certificate.
 */
const settle = async (ctx: WriteContext, enrolmentId: number, reopens: boolean): Promise<number> => {
  const before = await standingOf(ctx.db, [enrolmentId])
  if (!before) return 0
  const { done, lessons_count } = before
  const progress = percentageOf(done, lessons_count)
  const isComplete = lessons_count > 0 && done >= lessons_count
  const announces = isComplete && before.announced_at === null
  const after = isComplete
    ? {
        completed_at: before.completed_at ?? ctx.now,
        announced_at: before.announced_at ?? ctx.now,
        certificate_code: before.certificate_code ?? newCode(),
        certificate_at: before.certificate_at ?? ctx.now,
      }
    : {
        completed_at: null,
        announced_at: reopens ? null : before.announced_at,
        certificate_code: before.certificate_code,
        certificate_at: before.completed_at !== null && !reopens ? null : before.certificate_at,
      }
  const isSame =
    before.completed_lessons === done &&
    before.progress === progress &&
    before.completed_at === after.completed_at &&
    before.announced_at === after.announced_at &&
    before.certificate_at === after.certificate_at
  if (isSame) return progress
  const { completed_at, announced_at, certificate_code, certificate_at } = after
  await save(ctx.db, [enrolmentId, done, progress, completed_at, announced_at, certificate_code, certificate_at])
  if (announces) await ctx.emit('course.completed', { course_id: before.course_id, user_id: before.user_id })
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
  await lockRow(db, 'lessons', lessonId)
  const enrolmentId = await heldEnrolment(db, student)
  if (enrolmentId === undefined) throw new ApiError('not_enrolled')
  const added = await complete(db, [student.userId, lessonId, now])
  const completion = added ?? (await completionOf(db, [student.userId, lessonId]))
  if (!completion) throw new ApiError('lesson_not_found')
  if (added) await ctx.emit('lesson.completed', { lesson_id: lessonId, course_id: student.courseId, user_id: student.userId })
  const progress_percentage = await settle(ctx, enrolmentId, false)
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
  return settle(ctx, enrolmentId, false)
}

/** Takes all completions of a student back, and his certificate with them. @throws not_enrolled */
export const resetProgress = async (ctx: WriteContext, student: Student): Promise<void> => {
  const enrolmentId = await heldEnrolment(ctx.db, student)
  if (enrolmentId === undefined) throw new ApiError('not_enrolled')
  await forget(ctx.db, [student.courseId, student.userId])
  await settle(ctx, enrolmentId, false)
  await revoke(ctx.db, [enrolmentId])
}

const announce = statement('update enrolments set announced_at = $2 where id = $1')

/** Brings a new enrolment in line with what its student had completed before; that is not told once more. */
export const settleEnrolment = async (ctx: WriteContext, student: Student): Promise<void> => {
  const enrolmentId = await heldEnrolment(ctx.db, student)
  if (enrolmentId === undefined) return
  const { done = 0, lessons_count = 0 } = (await standingOf(ctx.db, [enrolmentId])) ?? {}
  if (lessons_count > 0 && done >= lessons_count) await announce(ctx.db, [enrolmentId, ctx.now])
  await settle(ctx, enrolmentId, false)
}

/** Most students whose progress one job brings in line. */
const AT_ONCE = 100

export interface Recount {
  readonly course_id: number
  /** The student who was the last one of the job before. */
  readonly after: number
  readonly reopens: boolean
}

/** Brings some students of a course in line with its lessons; the others follow in a job. */
export const recountStudents = async (ctx: WriteContext, { course_id, after, reopens }: Recount): Promise<void> => {
  const rows = await following(ctx.db, [course_id, after, AT_ONCE])
  for (const { id } of rows) {
    await lockRow(ctx.db, 'enrolments', id)
    await settle(ctx, id, reopens)
  }
  const last = rows.at(-1)
  if (last && rows.length === AT_ONCE) await ctx.enqueue('progress.recount', { course_id, after: last.user_id, reopens })
}

/**
 * To be called after lessons or sections of a course have come into the published ones (`reopens`) or left them: its counters, and the
 * progress of its students.
 */
export const lessonsChanged = async (ctx: WriteContext, courseId: number, { reopens }: { readonly reopens: boolean }): Promise<void> => {
  await recountCourse(ctx.db, courseId)
  await recountStudents(ctx, { course_id: courseId, after: 0, reopens })
}
