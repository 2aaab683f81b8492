import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement, statementRowCount, statementValues } from '../../db/index.ts'

const detach = statementRowCount(
  `update courses set created_by = case when created_by = $1 then null else created_by end,
     instructor_id = case when instructor_id = $1 then null else instructor_id end
   where id in (select id from courses where created_by = $1 or instructor_id = $1 order by id limit $2) returning id`,
)

/** Detaches the account from the courses it created or teaches; administrators manage them from then on. */
export const detachCourses = ({ db }: Pick<WriteContext, 'db'>, userId: number, limit: number): Promise<number> =>
  detach(db, [userId, limit])

const coursesOf = statementValues<number>('select course_id from enrolments where user_id = $1 order by course_id')
const decrementCounts = statement(
  'update courses set students_count = students_count - 1 where id in (select course_id from enrolments where user_id = $1)',
)
const REMOVE_ALL = ['enrolments', 'lesson_completions', 'course_completions'].map((table) =>
  statement(`delete from ${table} where user_id = $1`),
)

/** Unenrols a deleted account from every course, and erases its completions and certificates. */
export const leaveAllCourses = async ({ db }: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  // Enrolling locks the user's row, so no enrolment can be added until this commits.
  await lockRow(db, 'users', userId)
  for (const id of await coursesOf(db, [userId])) await lockRow(db, 'courses', id)
  await decrementCounts(db, [userId])
  for (const remove of REMOVE_ALL) await remove(db, [userId])
}
