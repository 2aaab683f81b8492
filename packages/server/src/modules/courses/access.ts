import { may } from '../../auth/permissions.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { type CourseFor, loadCourse } from './course-row.ts'

type AccessContext = Pick<CourseFor, 'status' | 'privacy' | 'created_by' | 'instructor_id' | 'my_enrolment_id'>

/** Makes courses, and runs those of others. */
export const runsCourses = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'manage_spaces', null)

/**
 * What somebody may do with a course. Who runs it: administrators, managers of all spaces, its creator and its instructor. What is not
 * published is there for them alone; a secret course also for its students.
 */
export const courseAbilities = (actor: Actor, course: AccessContext) => {
  const appoint = runsCourses(actor) || course.created_by === actor.id
  const manage = appoint || course.instructor_id === actor.id
  const enrolled = course.my_enrolment_id !== null
  const view = manage || (course.status === 'published' && (course.privacy !== 'secret' || enrolled))
  return {
    /** Sees that it exists, and what it is about. */
    view,
    /** Enrols without being added by somebody. */
    enrol: view && (manage || course.privacy === 'public'),
    /** Opens its lessons, as far as they are unlocked. */
    learn: view && (manage || enrolled),
    /** Changes it and its lessons, sees its students, and what is not published of it. */
    manage,
    /** Says who teaches it. */
    appoint,
    isEnrolled: enrolled,
  }
}

export type CourseAbilities = ReturnType<typeof courseAbilities>
export type CourseAbility = keyof CourseAbilities

type Asking = Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>

/**
 * The course by id or slug, if the caller has that ability in it.
 * @throws 404 course_not_found where it must not be seen, 403 not_enrolled for `learn`, 403 rest_forbidden for the rest
 */
export const courseFor = async ({ db, actor }: Asking, key: number | string, ability: CourseAbility): Promise<CourseFor> => {
  const course = await loadCourse(db, key, actor.id)
  if (!course) throw new ApiError('course_not_found')
  const abilities = courseAbilities(actor, course)
  if (!abilities.view) throw new ApiError('course_not_found')
  if (!abilities[ability]) throw new ApiError(ability === 'learn' ? 'not_enrolled' : 'rest_forbidden')
  return course
}

/** The same for a write that changes the course, what is in it or its counters: its row is held until the end of the transaction. */
export const lockedCourseFor = async (ctx: Asking, key: number | string, ability: CourseAbility): Promise<CourseFor> => {
  const { id } = await courseFor(ctx, key, 'view')
  await lockRow(ctx.db, 'courses', id)
  return courseFor(ctx, id, ability)
}

/** For those who run the course that a path names. @throws as `courseFor` does */
export const teaches = (ctx: Asking, { course_id }: { readonly course_id: number }): Promise<CourseFor> =>
  courseFor(ctx, course_id, 'manage')

/** For those who make courses. @throws rest_forbidden */
export const makesCourses = async ({ actor }: Pick<AuthContext, 'actor'>): Promise<void> => {
  if (!runsCourses(actor)) throw new ApiError('rest_forbidden')
}

/** SQL that holds for the courses `c` that the caller runs. */
export const managedCourses = (actor: Actor, p: (value: number) => string, c = 'c'): string =>
  runsCourses(actor) ? '1 = 1' : `(${c}.created_by = ${p(actor.id)} or ${c}.instructor_id = ${p(actor.id)})`

/**
 * The predicate of every query that lists courses: SQL that holds for those the caller may see. The query has the tables of `courseTables`
 * under these aliases; `p` gives placeholders.
 */
export const visibleCourses = (actor: Actor, p: (value: number) => string, c = 'c', n = 'n'): string => {
  if (runsCourses(actor)) return '1 = 1'
  const open = `(${c}.status = 'published' and (${c}.privacy <> 'secret' or ${n}.id is not null))`
  return `(${open} or ${managedCourses(actor, p, c)})`
}
