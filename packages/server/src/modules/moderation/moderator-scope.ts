import type { Permission } from '@lyceum/contract'
import { may } from '../../auth/permissions.ts'
import type { Actor } from '../../core/context.ts'
import { managesAllCourses } from '../courses/index.ts'
import type { ReportRow, Scope } from './queries.ts'

/**
 * Which reports somebody deals with: those about what stands in his spaces (all, unless his record is limited); what was said in a course
 * is for those who run courses. Reports about oneself are for others, but for administrators.
 */
export const dealsWith = (
  actor: Actor,
  permission: Permission,
  report: Pick<ReportRow, 'space_id' | 'lesson_id' | 'reported_user_id'>,
): boolean =>
  may(actor, permission, report.space_id) &&
  (report.lesson_id === null || managesAllCourses(actor)) &&
  (actor.role === 'admin' || report.reported_user_id !== actor.id)

/** The same as SQL, for lists of those who hold the permission somewhere. */
export const reportsOf =
  (actor: Actor): Scope =>
  (p) => {
    const { managedSpaces } = actor
    const places =
      managedSpaces === null ? '1 = 1' : managedSpaces.length === 0 ? '1 = 0' : `r.space_id in (${managedSpaces.map(p).join(', ')})`
    const lessons = managesAllCourses(actor) ? '' : ' and r.lesson_id is null'
    const own = actor.role === 'admin' ? '' : ` and r.reported_user_id <> ${p(actor.id)}`
    return `${places}${lessons}${own}`
  }
