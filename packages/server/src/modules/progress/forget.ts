import { lockRow } from '../../db/index.ts'
import type { WriteContext } from '../../platform/context.ts'
import { forgetCompletions, leaveAllCourses } from '../courses/index.ts'
import { forgetAttempts } from '../quizzes/index.ts'

/**
 * Removes everything that an account which goes away has learnt: enrolments, completions, certificates and attempts; the courses count
 * their students anew. What it has taught stays with the courses. Nothing is told of it.
 */
export const forgetLearning = async (ctx: Pick<WriteContext, 'db'>, userId: number): Promise<void> => {
  await lockRow(ctx.db, 'users', userId)
  await leaveAllCourses(ctx, userId)
  await forgetCompletions(ctx, userId)
  await forgetAttempts(ctx, userId)
}
