import { parseTimestamp } from '../../core/clock.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow, statement, statementExists, statementOne } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { courseAbilities, courseFor, lockedCourseFor } from './access.ts'
import { reconcileEnrolment } from './completion.ts'
import { requiredCourses } from './prerequisites.ts'
import { isActiveUser } from './queries.ts'

const insert = statementOne<{ id: number }>(
  `insert into enrolments (course_id, user_id, enrolled_at, enrolled_epoch, added_by) values ($1, $2, $3, $4, $5)
   on conflict (course_id, user_id) do nothing returning id`,
)
const remove = statementExists('delete from enrolments where course_id = $1 and user_id = $2 returning id')
export const recordLessonAccess = statement('update enrolments set last_accessed_at = $2, last_lesson_id = $3 where id = $1')
const count = statement('update courses set students_count = students_count + $2 where id = $1')

/** Inserts an enrolment; the caller must hold the course's row lock. @throws already_enrolled */
const addEnrolment = async (ctx: WriteRequest, courseId: number, userId: number) => {
  const { db, actor, now } = ctx
  const epoch = parseTimestamp(now).getTime() / 1000
  const row = await insert(db, [courseId, userId, now, epoch, actor.id === userId ? null : actor.id])
  if (!row) throw new ApiError('already_enrolled')
  await count(db, [courseId, 1])
  await ctx.emit('course.enrolled', { course_id: courseId, user_id: userId })
  // The member may have completed lessons in an earlier enrolment.
  await reconcileEnrolment(ctx, row.id)
  return { enrollment_id: row.id, course_id: courseId, user_id: userId, enrolled_at: now }
}

const deleteEnrolment = async (ctx: WriteRequest, courseId: number, userId: number): Promise<boolean> => {
  if (!(await remove(ctx.db, [courseId, userId]))) return false
  await count(ctx.db, [courseId, -1])
  await ctx.emit('course.unenrolled', { course_id: courseId, user_id: userId })
  return true
}

/** @throws prerequisites_missing, listing only courses visible to the caller */
const checkRequired = async ({ db, actor }: WriteRequest, courseId: number): Promise<void> => {
  const missing = (await requiredCourses(db, actor, courseId)).filter((course) => course.my_completed_at === null)
  if (missing.length === 0) return
  const seen = missing.filter(({ visible }) => visible === 1).map(({ id, title, slug }) => ({ id, title, slug }))
  throw new ApiError('prerequisites_missing', { data: { missing: seen } })
}

/** Enrols the caller. @throws course_not_found, already_enrolled, rest_forbidden, prerequisites_missing */
export const enrol = async (ctx: WriteRequest, courseId: number) => {
  await lockRow(ctx.db, 'users', ctx.actor.id)
  const course = await lockedCourseFor(ctx, courseId, 'view')
  const can = courseAbilities(ctx.actor, course)
  if (can.isEnrolled) throw new ApiError('already_enrolled')
  if (!can.enrol) throw new ApiError('rest_forbidden', { message: 'Only managers of this course can add students.' })
  if (!can.manage) await checkRequired(ctx, courseId)
  return addEnrolment(ctx, courseId, ctx.actor.id)
}

/** Unenrols the caller. @throws course_not_found, not_enrolled */
export const unenrol = async (ctx: WriteRequest, courseId: number): Promise<void> => {
  await lockedCourseFor(ctx, courseId, 'view')
  if (!(await deleteEnrolment(ctx, courseId, ctx.actor.id))) throw new ApiError('not_enrolled')
}

const auditStudent = (ctx: WriteRequest, verb: 'added' | 'removed', courseId: number, userId: number) =>
  audit(ctx, `course_student.${verb}`, { object_type: 'user', object_id: userId, details: { course_id: courseId } })

/** Enrols a member regardless of privacy and prerequisites. @throws course_not_found, rest_forbidden, user_not_found, already_enrolled */
export const addStudent = async (ctx: WriteRequest, courseId: number, userId: number) => {
  await courseFor(ctx, courseId, 'manage')
  await lockRow(ctx.db, 'users', userId)
  await lockedCourseFor(ctx, courseId, 'manage')
  if (!(await isActiveUser(ctx.db, [userId]))) throw new ApiError('user_not_found')
  await auditStudent(ctx, 'added', courseId, userId)
  return addEnrolment(ctx, courseId, userId)
}

/** @throws course_not_found, rest_forbidden; user_not_found for a member who is not enrolled */
export const removeStudent = async (ctx: WriteRequest, courseId: number, userId: number): Promise<void> => {
  await lockedCourseFor(ctx, courseId, 'manage')
  if (!(await deleteEnrolment(ctx, courseId, userId))) throw new ApiError('user_not_found', { message: 'This user is not enrolled.' })
  await auditStudent(ctx, 'removed', courseId, userId)
}
