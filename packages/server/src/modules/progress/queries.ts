import { type Db, type EnrolmentRow, statementExists, statementOne, type Tables } from '../../db/index.ts'
import { LESSONS_DONE } from '../courses/index.ts'

export interface ProgressRow
  extends Pick<EnrolmentRow, 'course_id' | 'user_id' | 'enrolled_at' | 'last_accessed_at' | 'completed_at'>,
    Pick<Tables['course_completions'], 'certificate_code' | 'certificate_at'> {
  readonly lessons_count: number
  /** Number of published lessons completed, computed now. */
  readonly done: number
  readonly time_spent: number
}

/** A student's progress in a course; undefined if they are not enrolled. */
export const progressOf = statementOne<ProgressRow>(
  `select e.course_id, e.user_id, e.enrolled_at, e.last_accessed_at, e.completed_at, k.certificate_code, k.certificate_at, c.lessons_count,
   ${LESSONS_DONE} as done, (select coalesce(sum(a.time_spent), 0) from quiz_attempts a join lessons al on al.id = a.lesson_id
     where a.user_id = e.user_id and al.course_id = e.course_id) as time_spent
   from enrolments e join courses c on c.id = e.course_id
   left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id where e.course_id = $1 and e.user_id = $2`,
)

export interface NextLesson {
  readonly id: number
  readonly title: string
  readonly order: number
}

const next = statementOne<NextLesson>(
  `select l.id, l.title, l.position as "order" from lessons l
   join course_sections s on s.id = l.section_id and s.status = 'published'
   where l.course_id = $1 and l.status = 'published' and l.position > $3
   and not exists (select 1 from lesson_completions d where d.user_id = $2 and d.lesson_id = l.id) order by l.position, l.id limit 1`,
)

/** The first published incomplete lesson after a position, or else from the beginning. */
export const nextLesson = async (db: Db, courseId: number, userId: number, behind = 0): Promise<NextLesson | null> => {
  const found = await next(db, [courseId, userId, behind])
  return found ?? (behind === 0 ? null : nextLesson(db, courseId, userId))
}

export const hasPassed = statementExists(
  'select id from quiz_attempts where user_id = $1 and lesson_id = $2 and passed = 1 and submitted_at is not null limit 1',
)

export interface CertificateRow {
  readonly certificate_code: string
  readonly certificate_at: string
  readonly course_title: string
  readonly display_name: string
  readonly username: string
}

const COLUMNS = 'k.certificate_code, k.certificate_at, c.title as course_title, u.display_name, u.username'
/** Requires an enrolment: after leaving, the certificate is suspended until the student returns. */
const TABLES = `course_completions k join enrolments e on e.course_id = k.course_id and e.user_id = k.user_id
  join courses c on c.id = e.course_id join users u on u.id = e.user_id`
const byCode = statementOne<CertificateRow>(
  `select ${COLUMNS} from ${TABLES} where k.certificate_code = $1 and k.certificate_at is not null`,
)
export const certificateByCode = async (db: Db, code: string): Promise<CertificateRow | undefined> =>
  /^[0-9a-f]{32}$/.test(code) ? byCode(db, [code]) : undefined

export const certificateOf = statementOne<CertificateRow>(
  `select ${COLUMNS} from ${TABLES} where e.course_id = $1 and e.user_id = $2 and k.certificate_at is not null`,
)
