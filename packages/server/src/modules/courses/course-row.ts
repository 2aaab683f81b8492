import { type CourseRow, type Db, lockRow, statement, statementOne } from '../../db/index.ts'

/** A course with the caller's enrolment; the `my_` columns are null if there is none. */
export interface CourseFor extends CourseRow {
  readonly category: string | null
  readonly my_enrolment_id: number | null
  readonly my_enrolled_at: string | null
  /** `my_enrolled_at` as Unix time in seconds. */
  readonly my_enrolled_epoch: number | null
  readonly my_completed_lessons: number | null
  readonly my_progress: number | null
  readonly my_completed_at: string | null
  readonly my_last_accessed_at: string | null
  readonly my_last_lesson_id: number | null
}

/** Author of the feeds of a course's lessons: the instructor, or else the creator of the course. */
export const ownerOf = ({ instructor_id, created_by }: Pick<CourseFor, 'instructor_id' | 'created_by'>, actorId: number): number =>
  instructor_id ?? created_by ?? actorId

export const COURSE_COLUMNS = `c.*, (select k.title from course_categories k where k.id = c.category_id) as category, n.id as my_enrolment_id, n.enrolled_at as my_enrolled_at, n.enrolled_epoch as my_enrolled_epoch,
  n.completed_lessons as my_completed_lessons, n.progress as my_progress, n.completed_at as my_completed_at,
  n.last_accessed_at as my_last_accessed_at, n.last_lesson_id as my_last_lesson_id`

/** `me`: placeholder of the caller's id. */
export const courseTables = (me: string) => `courses c left join enrolments n on n.course_id = c.id and n.user_id = ${me}`

const byId = statementOne<CourseFor>(`select ${COURSE_COLUMNS} from ${courseTables('$2')} where c.id = $1`)
const bySlug = statementOne<CourseFor>(`select ${COURSE_COLUMNS} from ${courseTables('$2')} where c.slug = $1`)

export const loadCourse = (db: Db, key: number | string, userId: number): Promise<CourseFor | undefined> =>
  typeof key === 'number' ? byId(db, [key, userId]) : bySlug(db, [key, userId])

const recount = statement(
  `update courses set
     sections_count = (select count(*) from course_sections s where s.course_id = $1 and s.status = 'published'),
     lessons_count = (select count(*) from lessons l join course_sections s on s.id = l.section_id
                      where l.course_id = $1 and l.status = 'published' and s.status = 'published')
   where id = $1`,
)

/** Recounts the published sections and lessons of a course after either has changed. Students are counted as they enrol and leave. */
export const recountCourse = async (db: Db, courseId: number): Promise<void> => {
  // Lock first, in a separate statement, so that the count sees everything committed before the lock.
  await lockRow(db, 'courses', courseId)
  await recount(db, [courseId])
}
