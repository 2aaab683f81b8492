import { factsLoader, type Happened } from '../../jobs/index.ts'

/** What the projectors of an event need to know about a student of a course. */
export interface StudentFacts {
  readonly course_id: number
  readonly user_id: number
  readonly happened_at: string
  /** Whether the member is enrolled now. */
  readonly is_enrolled: 0 | 1
  /** The instructor, or else the creator, if the member is enrolled. */
  readonly owner_id: number | null
  /** 0 if the account was deleted. */
  readonly has_account: 0 | 1
}

/** What the projectors of an event need to know about a lesson that a student has completed. */
export interface CompletionFacts extends Pick<StudentFacts, 'user_id' | 'owner_id'> {
  readonly lesson_id: number
}

const OWNER = 'coalesce(c.instructor_id, c.created_by) as owner_id'
const ENROLMENT = `left join enrolments e on e.course_id = d.course_id and e.user_id = d.user_id left join courses c on c.id = e.course_id`

/** Locks students and courses and loads their present state. */
export const loadStudentFacts = factsLoader<Happened<'course.enrolled'>, StudentFacts>({
  columns: { course_id: 'bigint', user_id: 'bigint', happened_at: 'text' },
  locks: { users: (rows) => `select d.user_id from ${rows} d`, courses: (rows) => `select d.course_id from ${rows} d` },
  select: (rows) => `select d.course_id, d.user_id, d.happened_at, case when e.id is null then 0 else 1 end as is_enrolled, ${OWNER},
    case when u.status = 'deleted' then 0 else 1 end as has_account from ${rows} d join users u on u.id = d.user_id ${ENROLMENT}`,
})

/** Locks lessons and loads those completions of them that were not taken back. */
export const loadCompletionFacts = factsLoader<Happened<'lesson.completed'>, CompletionFacts>({
  columns: { course_id: 'bigint', lesson_id: 'bigint', user_id: 'bigint' },
  locks: { lessons: (rows) => `select d.lesson_id from ${rows} d` },
  select: (rows) => `select d.lesson_id, d.user_id, ${OWNER}
    from ${rows} d join lesson_completions k on k.lesson_id = d.lesson_id and k.user_id = d.user_id ${ENROLMENT}`,
})
