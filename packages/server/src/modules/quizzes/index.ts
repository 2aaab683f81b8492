import { api, type Infer, type Quiz } from '@lyceum/contract'
import type { AuthContext, ReadContext } from '../../core/context.ts'
import type { Module } from '../../core/module.ts'
import type { Db } from '../../db/index.ts'
import { requireCourseManager } from '../courses/index.ts'
import { hasFeature } from '../settings/index.ts'
import { checkSubmits } from './attempts.ts'
import type { Question } from './definition.ts'
import { loadQuiz, settingsOf, standingOf } from './queries.ts'
import { adminQuizHandlers, quizHandlers } from './routes.ts'
import { viewDefinition } from './view.ts'

export { eraseAttempts, submitAttempt } from './attempts.ts'
export { copyQuiz, saveQuiz } from './save.ts'

/**
 * The quiz of a lesson as it stands in the lesson: its settings, how often the caller has tried, and for those who run the course (`manage`)
 * its questions with the key. null: the lesson has none, or quizzes are switched off.
 */
export const shownQuiz = async (
  { db, actor }: Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>,
  lessonId: number,
  manage: boolean,
): Promise<Infer<typeof Quiz> | null> => {
  const quiz = await settingsOf(db, [lessonId])
  if (!quiz || !(await hasFeature(db, 'quizzes'))) return null
  const definition = viewDefinition(quiz, quiz.questions ? (JSON.parse(quiz.questions) as Question[]) : [], manage)
  return { ...definition, attempts_used: (await standingOf(db, actor.id, lessonId)).used }
}

/** Whether anybody could take the quiz of a lesson now: it has questions, and quizzes are not switched off. */
export const canBeTaken = async (db: Db, lessonId: number): Promise<boolean> =>
  (await hasFeature(db, 'quizzes')) && (await loadQuiz(db, lessonId)) !== undefined

export const quizzes: Module = {
  name: 'quizzes',
  mount: (mount) => {
    mount('quizzes', api.quizzes, quizHandlers, { submit: checkSubmits })
    mount('adminQuizzes', api.adminQuizzes, adminQuizHandlers, { grade: requireCourseManager })
  },
}
