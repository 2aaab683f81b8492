import type { Permission } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { managesAllCourses } from '../courses/index.ts'
import type { ReportRow, Scope } from './queries.ts'

/**
 * Whether the actor may handle the report: reports about content of their spaces (all, unless limited); reports about lesson comments are
 * for course managers. Reports about the actor are for others, except for administrators.
 */
export const mayHandleReport = (
  actor: Actor,
  permission: Permission,
  report: Pick<ReportRow, 'space_id' | 'lesson_id' | 'reported_user_id'>,
): boolean =>
  may(actor, permission, report.space_id) &&
  (report.lesson_id === null || managesAllCourses(actor)) &&
  (actor.role === 'admin' || report.reported_user_id !== actor.id)

/** The same condition as SQL, for actors with the permission in at least one space. */
export const reportScopeOf =
  (actor: Actor): Scope =>
  (p) => {
    const { managedSpaces } = actor
    const places =
      managedSpaces === null ? '1 = 1' : managedSpaces.length === 0 ? '1 = 0' : `r.space_id in (${managedSpaces.map(p).join(', ')})`
    const lessons = managesAllCourses(actor) ? '' : ' and r.lesson_id is null'
    const own = actor.role === 'admin' ? '' : ` and r.reported_user_id <> ${p(actor.id)}`
    return `${places}${lessons}${own}`
  }
