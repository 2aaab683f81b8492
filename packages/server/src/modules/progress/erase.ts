import type { WriteContext } from '../../core/context.ts'
import { lockRow } from '../../db/index.ts'
import { eraseCompletions, leaveAllCourses } from '../courses/index.ts'
import { eraseAttempts } from '../quizzes/index.ts'

/**
 * Removes everything that an account which goes away has learnt: enrolments, completions, certificates and attempts; the courses count
 * their students anew. What it has taught stays with the courses. Nothing is told of it.
 */
export const eraseLearning = async (ctx: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await lockRow(ctx.db, 'users', userId)
  await leaveAllCourses(ctx, userId)
  await eraseCompletions(ctx, userId)
  await eraseAttempts(ctx, userId)
}
