import type { Actor } from '../../core/context.ts'
import { type CourseRow, type Db, type EnrolmentRow, runText, statementIn } from '../../db/index.ts'
import { courseAbilities } from './access.ts'
import { courseSetting, isPublished, type LessonRecord, lockOf, PUBLISHED_LESSON } from './lesson-access.ts'

type Course = Pick<CourseRow, 'status' | 'privacy' | 'course_type' | 'settings' | 'created_by' | 'instructor_id'>

interface Lesson
  extends Pick<LessonRecord, 'id' | 'course_id' | 'position' | 'is_preview' | 'section_days_after' | 'section_scheduled_at'> {
  readonly lesson_status: LessonRecord['status']
  readonly section_status: LessonRecord['section_status']
}

const lessonRows = statementIn<Lesson & Course>(
  (list) =>
    `select l.id, l.course_id, l.position, l.is_preview, l.status as lesson_status, ls.status as section_status,
     ls.days_after as section_days_after, ls.scheduled_at as section_scheduled_at,
     c.status, c.privacy, c.course_type, c.settings, c.created_by, c.instructor_id
     from lessons l join course_sections ls on ls.id = l.section_id join courses c on c.id = l.course_id where l.id in (${list})`,
)
const enrolledIn = statementIn<Pick<EnrolmentRow, 'user_id' | 'course_id' | 'enrolled_epoch'>>(
  (list) => `select user_id, course_id, enrolled_epoch from enrolments where course_id = $1 and user_id in (${list})`,
)
const BEFORE = `l.course_id = $1 and (l.position < $2 or (l.position = $2 and l.id < $3)) and ${PUBLISHED_LESSON}`
const completedBefore = statementIn<{ user_id: number; done: number }>(
  (list) =>
    `select d.user_id, count(*) as done from lesson_completions d join lessons l on l.id = d.lesson_id
     join course_sections ls on ls.id = l.section_id where d.course_id = $1 and d.user_id in (${list}) and ${BEFORE} group by d.user_id`,
)
const countBefore = async (db: Db, { course_id, position, id }: Lesson): Promise<number> => {
  const text = `select count(*) as total from lessons l join course_sections ls on ls.id = l.section_id where ${BEFORE}`
  return (await runText<{ total: number }>(db, text, [course_id, position, id]))[0]?.total ?? 0
}

/** Which of these students have completed all lessons before this one. */
const completedAllBefore = async (db: Db, lesson: Lesson, userIds: readonly number[]): Promise<Set<number>> => {
  const wanted = await countBefore(db, lesson)
  if (wanted === 0) return new Set(userIds)
  const rows = await completedBefore(db, userIds, [lesson.course_id, lesson.position, lesson.id])
  return new Set(rows.flatMap(({ user_id, done }) => (done >= wanted ? [user_id] : [])))
}

/** 2: manages the course; 1: enrolled and able to open the lesson; 0: everybody else. */
export type LessonAccessLevel = 0 | 1 | 2

/** The access of many members to many lessons, by the rules of `lessonFor`, in a few queries for all of them. */
export const loadLessonAccess = async (db: Db, now: string, lessonIds: Iterable<number>, actors: readonly Actor[]) => {
  const levels = new Map<string, LessonAccessLevel>()
  const ids = actors.map(({ id }) => id)
  for (const lesson of await lessonRows(db, [...new Set(lessonIds)])) {
    const rows = await enrolledIn(db, ids, [lesson.course_id])
    const enrolled = new Map(rows.map(({ user_id, enrolled_epoch }) => [user_id, enrolled_epoch]))
    const ready = courseSetting(lesson, 'sequential_lesson_order') ? await completedAllBefore(db, lesson, [...enrolled.keys()]) : null
    const isLessonPublished = isPublished({ status: lesson.lesson_status, section_status: lesson.section_status })
    for (const actor of actors) {
      const epoch = enrolled.get(actor.id) ?? null
      // Only null or not null matters here.
      const access = { ...lesson, my_enrolment_id: epoch === null ? null : lesson.course_id, my_enrolled_epoch: epoch }
      const { manage, view } = courseAbilities(actor, access)
      const opens = () => lockOf(access, false, lesson, now, ready?.has(actor.id) ?? true).reason === null
      if (manage) levels.set(`${actor.id} ${lesson.id}`, 2)
      else if (view && epoch !== null && isLessonPublished && opens()) levels.set(`${actor.id} ${lesson.id}`, 1)
    }
  }
  return (userId: number, lessonId: number): LessonAccessLevel => levels.get(`${userId} ${lessonId}`) ?? 0
}
