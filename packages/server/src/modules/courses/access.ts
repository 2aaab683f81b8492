import { may } from '../../auth/authenticate.ts'
import type { Actor, AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { type CourseFor, loadCourse } from './course-row.ts'

type AccessContext = Pick<CourseFor, 'status' | 'privacy' | 'created_by' | 'instructor_id' | 'my_enrolment_id'>

/** Whether the actor creates courses and manages those of others. */
export const managesAllCourses = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'manage_spaces', null)

/**
 * What the actor may do with a course. Administrators, managers of all spaces, its creator and its instructor manage it. Unpublished
 * courses are visible to its managers only; a published secret course also to its students.
 */
export const courseAbilities = (actor: Actor, course: AccessContext) => {
  const appoint = managesAllCourses(actor) || course.created_by === actor.id
  const manage = appoint || course.instructor_id === actor.id
  const enrolled = course.my_enrolment_id !== null
  const view = manage || (course.status === 'published' && (course.privacy !== 'secret' || enrolled))
  return {
    /** Sees the course page. */
    view,
    /** Self-enrols. */
    enrol: view && (manage || course.privacy === 'public'),
    /** Opens its lessons, as far as they are unlocked. */
    learn: view && (manage || enrolled),
    /** Edits the course and its lessons, and sees its students and unpublished parts. */
    manage,
    /** Chooses the instructor. */
    appoint,
    isEnrolled: enrolled,
  }
}

export type CourseAbilities = ReturnType<typeof courseAbilities>
type CourseAbility = keyof CourseAbilities

type CourseContext = Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>

/**
 * The course by id or slug, if the caller has the ability.
 * @throws 404 course_not_found if the course must stay hidden, 403 not_enrolled for `learn`, 403 rest_forbidden otherwise
 */
export const courseFor = async ({ db, actor }: CourseContext, key: number | string, ability: CourseAbility): Promise<CourseFor> => {
  const course = await loadCourse(db, key, actor.id)
  if (!course) throw new ApiError('course_not_found')
  const abilities = courseAbilities(actor, course)
  if (!abilities.view) throw new ApiError('course_not_found')
  if (!abilities[ability]) throw new ApiError(ability === 'learn' ? 'not_enrolled' : 'rest_forbidden')
  return course
}

/** For writes that change the course, its content or its counters: locks its row until the end of the transaction. */
export const lockedCourseFor = async (ctx: CourseContext, key: number | string, ability: CourseAbility): Promise<CourseFor> => {
  const { id } = await courseFor(ctx, key, 'view')
  await lockRow(ctx.db, 'courses', id)
  return courseFor(ctx, id, ability)
}

/** Requires the caller to manage the course of the path. @throws like `courseFor` */
export const requireCourseManager = (ctx: CourseContext, { course_id }: { readonly course_id: number }): Promise<CourseFor> =>
  courseFor(ctx, course_id, 'manage')

/** @throws rest_forbidden */
export const requireCourseCreator = async ({ actor }: Pick<AuthContext, 'actor'>): Promise<void> => {
  if (!managesAllCourses(actor)) throw new ApiError('rest_forbidden')
}

export const managedCourses = (actor: Actor, p: (value: number) => string, c = 'c'): string =>
  managesAllCourses(actor) ? '1 = 1' : `(${c}.created_by = ${p(actor.id)} or ${c}.instructor_id = ${p(actor.id)})`

/**
 * SQL predicate: courses the caller may see. Every query that lists courses must use it, with the aliases of `courseTables`; `p` adds a
 * parameter and returns its placeholder.
 */
export const visibleCourses = (actor: Actor, p: (value: number) => string, c = 'c', n = 'n'): string => {
  if (managesAllCourses(actor)) return '1 = 1'
  const open = `(${c}.status = 'published' and (${c}.privacy <> 'secret' or ${n}.id is not null))`
  return `(${open} or ${managedCourses(actor, p, c)})`
}
