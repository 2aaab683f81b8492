import type { WriteContext } from '../../core/context.ts'
import { lockRow, statement, statementValues } from '../../db/index.ts'

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
