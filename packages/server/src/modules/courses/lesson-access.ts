import type { Selectable } from 'kysely'
import { timestamp } from '../../core/clock.ts'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type LessonRow, statementOne } from '../../db/index.ts'
import { courseAbilities, courseFor } from './access.ts'
import type { CourseFor } from './course-row.ts'

/** A lesson with what its section says of it, and whether the caller has completed it. */
export interface LessonRecord extends Selectable<LessonRow> {
  readonly section_status: 'draft' | 'published' | 'archived'
  readonly section_days_after: number
  readonly section_scheduled_at: string | null
  readonly my_completed_at: string | null
}

/** Why somebody who sees that a lesson is there cannot open it. */
export type LockReason = 'not_enrolled' | 'section_locked' | 'sequential'

export interface LessonLock {
  /** null: it is open. */
  readonly reason: LockReason | null
  /** When its section unlocks, where that is what keeps it shut. */
  readonly unlock_date: string | null
}

/** A lesson as the caller stands to it. */
export interface LessonFor extends LessonRecord {
  readonly course: CourseFor
  readonly lock: LessonLock
}

/** `view`: sees that it is there; `read`: opens it; `learn`: opens and completes it, as a student; `manage`: changes it. */
export type LessonAbility = 'view' | 'read' | 'learn' | 'manage'

/** What is said of a lesson beside its own columns, over the tables of `lessonTables`. */
export const SECTION_COLUMNS = `ls.status as section_status, ls.days_after as section_days_after,
  ls.scheduled_at as section_scheduled_at, lc.completed_at as my_completed_at`

/** `me`: the placeholder of the caller's id. */
export const lessonTables = (me: string) => `lessons l join course_sections ls on ls.id = l.section_id
  left join lesson_completions lc on lc.lesson_id = l.id and lc.user_id = ${me}`

/** SQL: students see that lesson `l` is there. */
export const PUBLISHED_LESSON = `l.status = 'published' and ls.status = 'published'`

export const isPublished = ({ status, section_status }: Pick<LessonRecord, 'status' | 'section_status'>): boolean =>
  status === 'published' && section_status === 'published'

const byId = statementOne<LessonRecord>(`select l.*, ${SECTION_COLUMNS} from ${lessonTables('$3')} where l.id = $1 and l.course_id = $2`)

/** A published lesson that comes before another and is not completed by somebody. */
const openBefore = statementOne<{ id: number }>(
  `select l.id from ${lessonTables('$4')} where l.course_id = $1 and (l.position < $2 or (l.position = $2 and l.id < $3))
   and ${PUBLISHED_LESSON} and lc.user_id is null limit 1`,
)

/** Whether a yes/no setting of a course is on. */
export const courseSetting = (
  { settings }: Pick<CourseFor, 'settings'>,
  key: 'sequential_lesson_order' | 'public_lesson_view' | 'disable_comments',
): boolean => {
  if (!settings.includes(`"${key}"`)) return false
  const value = (JSON.parse(settings) as Record<string, unknown>)[key]
  return value === 'yes' || value === true
}

const OPEN: LessonLock = { reason: null, unlock_date: null }

const DAY_S = 24 * 3600
/** A century: dates beyond the year 9999 have no place in what is stored. */
const MOST_DAYS = 36_500

/** When a section unlocks for somebody; null: it does not wait. */
export const unlockDate = (
  course: Pick<CourseFor, 'course_type' | 'my_enrolled_epoch'>,
  section: { readonly days_after: number; readonly scheduled_at: string | null },
): string | null => {
  if (course.course_type === 'scheduled') return section.scheduled_at
  if (course.course_type !== 'structured' || section.days_after === 0 || course.my_enrolled_epoch === null) return null
  return timestamp(new Date((course.my_enrolled_epoch + Math.min(section.days_after, MOST_DAYS) * DAY_S) * 1000))
}

type Locking = Pick<CourseFor, 'privacy' | 'course_type' | 'settings' | 'my_enrolment_id' | 'my_enrolled_epoch'>
type Lockable = Pick<LessonRecord, 'is_preview' | 'section_days_after' | 'section_scheduled_at'>

/**
 * What keeps a published lesson of a visible course shut. `isNext` tells whether all lessons before it are completed.
 * Previews, and everything for who runs the course, are open.
 */
export const lockOf = (course: Locking, manages: boolean, lesson: Lockable, now: string, isNext: boolean): LessonLock => {
  if (manages || lesson.is_preview === 1) return OPEN
  const openToAll = course.privacy === 'public' && course.course_type === 'self_paced' && courseSetting(course, 'public_lesson_view')
  if (course.my_enrolment_id === null && !openToAll) return { reason: 'not_enrolled', unlock_date: null }
  const unlock = unlockDate(course, { days_after: lesson.section_days_after, scheduled_at: lesson.section_scheduled_at })
  if (unlock !== null && unlock > now) return { reason: 'section_locked', unlock_date: unlock }
  return isNext || !courseSetting(course, 'sequential_lesson_order') ? OPEN : { reason: 'sequential', unlock_date: null }
}

type Asking = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

/** How a lesson of a course that the caller sees stands to him. @throws lesson_not_found where it is none of that course, or hidden */
export const lessonIn = async ({ db, actor, now }: Asking, course: CourseFor, lessonId: number): Promise<LessonFor> => {
  const lesson = await byId(db, [lessonId, course.id, actor.id])
  const { manage } = courseAbilities(actor, course)
  if (!lesson || !(manage || isPublished(lesson))) throw new ApiError('lesson_not_found')
  const ordered = !manage && courseSetting(course, 'sequential_lesson_order')
  const isNext = !ordered || !(await openBefore(db, [course.id, lesson.position, lesson.id, actor.id]))
  return { ...lesson, course, lock: lockOf(course, manage, lesson, now, isNext) }
}

/**
 * The lesson of that course, if the caller has that ability.
 * @throws 404 course_not_found or lesson_not_found where they must not be seen, 403 not_enrolled, 403 lesson_locked, 403 rest_forbidden
 */
export const lessonFor = async (ctx: Asking, courseId: number, lessonId: number, ability: LessonAbility): Promise<LessonFor> => {
  const course = await courseFor(ctx, courseId, 'view')
  const lesson = await lessonIn(ctx, course, lessonId)
  if (ability === 'view') return lesson
  if (ability === 'manage') {
    if (!courseAbilities(ctx.actor, course).manage) throw new ApiError('rest_forbidden')
    return lesson
  }
  if (ability === 'learn' && course.my_enrolment_id === null) throw new ApiError('not_enrolled')
  const { reason, unlock_date } = lesson.lock
  if (reason === 'not_enrolled') throw new ApiError('not_enrolled')
  if (reason !== null) throw new ApiError('lesson_locked', { data: { lock_reason: reason, unlock_date } })
  return lesson
}

/** The course of a lesson, by its id. */
export const lessonCourse = statementOne<{ course_id: number }>('select course_id from lessons where id = $1')
