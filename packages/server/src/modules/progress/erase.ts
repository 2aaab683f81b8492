import type { WriteContext } from '../../core/context.ts'
import { lockRow } from '../../db/index.ts'
import { leaveAllCourses } from '../courses/index.ts'
import { eraseAttempts } from '../quizzes/index.ts'

/**
 * Erases all learning data of a deleted account: enrolments, completions, certificates and attempts, and updates the courses' student
 * counts. Courses it created or taught are not affected. Emits no events.
 */
export const eraseLearning = async (ctx: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await lockRow(ctx.db, 'users', userId)
  await leaveAllCourses(ctx, userId)
  await eraseAttempts(ctx, userId)
}
