import { timestamp } from '../../core/clock.ts'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type LessonRow, statementOne } from '../../db/index.ts'
import { courseAbilities, courseFor } from './access.ts'
import type { CourseFor } from './course-row.ts'

/** A lesson with its section's schedule and the caller's completion. */
export interface LessonRecord extends LessonRow {
  readonly section_status: 'draft' | 'published' | 'archived'
  readonly section_days_after: number
  readonly section_scheduled_at: string | null
  readonly my_completed_at: string | null
}

/** Why a visible lesson cannot be opened. */
type LockReason = 'not_enrolled' | 'section_locked' | 'sequential'

export interface LessonLock {
  /** null: unlocked. */
  readonly reason: LockReason | null
  /** When its section unlocks, if the reason is `section_locked` and the date is known. */
  readonly unlock_date: string | null
}

/** A lesson with its course and the caller's access to it. */
export interface LessonFor extends LessonRecord {
  readonly course: CourseFor
  readonly lock: LessonLock
}

/** `view`: sees it in the outline; `read`: opens it; `learn`: opens and completes it as a student; `manage`: edits it. */
type LessonAbility = 'view' | 'read' | 'learn' | 'manage'

/** Columns of a `LessonRecord` besides the lesson's own, for a query over `lessonTables`. */
export const SECTION_COLUMNS = `ls.status as section_status, ls.days_after as section_days_after,
  ls.scheduled_at as section_scheduled_at, lc.completed_at as my_completed_at`

/** `me`: placeholder of the caller's id. */
export const lessonTables = (me: string) => `lessons l join course_sections ls on ls.id = l.section_id
  left join lesson_completions lc on lc.lesson_id = l.id and lc.user_id = ${me}`

export const PUBLISHED_LESSON = `l.status = 'published' and ls.status = 'published'`

export const isPublished = ({ status, section_status }: Pick<LessonRecord, 'status' | 'section_status'>): boolean =>
  status === 'published' && section_status === 'published'

const byId = statementOne<LessonRecord>(`select l.*, ${SECTION_COLUMNS} from ${lessonTables('$3')} where l.id = $1 and l.course_id = $2`)

const firstIncompleteBefore = statementOne<{ id: number }>(
  `select l.id from ${lessonTables('$4')} where l.course_id = $1 and (l.position < $2 or (l.position = $2 and l.id < $3))
   and ${PUBLISHED_LESSON} and lc.user_id is null limit 1`,
)

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
/** A century; later dates could exceed the year 9999, the maximum of stored timestamps. */
const MAX_DAYS = 36_500

/** When a section unlocks for the caller; null: immediately. */
export const unlockDate = (
  course: Pick<CourseFor, 'course_type' | 'my_enrolled_epoch'>,
  section: { readonly days_after: number; readonly scheduled_at: string | null },
): string | null => {
  if (course.course_type === 'scheduled') return section.scheduled_at
  if (course.course_type !== 'structured' || section.days_after === 0 || course.my_enrolled_epoch === null) return null
  return timestamp(new Date((course.my_enrolled_epoch + Math.min(section.days_after, MAX_DAYS) * DAY_S) * 1000))
}

type LockedCourse = Pick<CourseFor, 'privacy' | 'course_type' | 'settings' | 'my_enrolment_id' | 'my_enrolled_epoch'>
type LockedLesson = Pick<LessonRecord, 'is_preview' | 'section_days_after' | 'section_scheduled_at'>

/**
 * The lock of a published lesson in a visible course. `isNext`: all earlier lessons are completed. Previews are never locked, and managers
 * are never locked out.
 */
export const lockOf = (course: LockedCourse, manages: boolean, lesson: LockedLesson, now: string, isNext: boolean): LessonLock => {
  if (manages || lesson.is_preview === 1) return OPEN
  const openToAll = course.privacy === 'public' && course.course_type === 'self_paced' && courseSetting(course, 'public_lesson_view')
  if (course.my_enrolment_id === null && !openToAll) return { reason: 'not_enrolled', unlock_date: null }
  const unlock = unlockDate(course, { days_after: lesson.section_days_after, scheduled_at: lesson.section_scheduled_at })
  if (unlock !== null && unlock > now) return { reason: 'section_locked', unlock_date: unlock }
  return isNext || !courseSetting(course, 'sequential_lesson_order') ? OPEN : { reason: 'sequential', unlock_date: null }
}

/** The locks of lessons in order; a lesson may have to wait for the ones before it. */
export const locksOf = (
  course: LockedCourse,
  manages: boolean,
  lessons: readonly (LockedLesson & Pick<LessonRecord, 'status' | 'section_status' | 'my_completed_at'>)[],
  now: string,
): LessonLock[] => {
  let isNext = true
  return lessons.map((lesson) => {
    const lock = lockOf(course, manages, lesson, now, isNext)
    if (isPublished(lesson) && lesson.my_completed_at === null) isNext = false
    return lock
  })
}

type LessonContext = Pick<ReadContext, 'db' | 'now'> & Pick<AuthContext, 'actor'>

/** A lesson of a visible course, with the caller's access. @throws lesson_not_found if it belongs to another course or is hidden */
export const lessonIn = async ({ db, actor, now }: LessonContext, course: CourseFor, lessonId: number): Promise<LessonFor> => {
  const lesson = await byId(db, [lessonId, course.id, actor.id])
  const { manage } = courseAbilities(actor, course)
  if (!lesson || !(manage || isPublished(lesson))) throw new ApiError('lesson_not_found')
  const ordered = !manage && courseSetting(course, 'sequential_lesson_order')
  const isNext = !ordered || !(await firstIncompleteBefore(db, [course.id, lesson.position, lesson.id, actor.id]))
  return { ...lesson, course, lock: lockOf(course, manage, lesson, now, isNext) }
}

/**
 * The lesson, if the caller has the ability.
 * @throws 404 course_not_found or lesson_not_found if it must stay hidden; 403 not_enrolled, lesson_locked or rest_forbidden
 */
export const lessonFor = async (ctx: LessonContext, courseId: number, lessonId: number, ability: LessonAbility): Promise<LessonFor> => {
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

export const lessonCourse = statementOne<{ course_id: number }>('select course_id from lessons where id = $1')
