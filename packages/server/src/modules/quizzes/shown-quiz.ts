import type { AuthContext, ReadContext } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { hasFeature } from '../settings/index.ts'
import type { Question } from './definition.ts'
import { loadQuiz, quizStateOf, settingsOf } from './queries.ts'
import { viewDefinition } from './view.ts'

/**
 * The quiz as embedded in its lesson: settings and the number of attempts used; with `manage`, questions and answers too.
 * Null if the lesson has no quiz or the feature is off.
 */
export const shownQuiz = async ({ db, actor }: Pick<ReadContext, 'db'> & Pick<AuthContext, 'actor'>, lessonId: number, manage: boolean) => {
  const quiz = await settingsOf(db, [lessonId])
  if (!quiz || !(await hasFeature(db, 'quizzes'))) return null
  const definition = viewDefinition(quiz, quiz.questions ? (JSON.parse(quiz.questions) as Question[]) : [], manage)
  return { ...definition, attempts_used: (await quizStateOf(db, actor.id, lessonId)).used }
}

/** Whether the lesson has a quiz with questions and the feature is on. */
export const canBeTaken = async (db: Db, lessonId: number): Promise<boolean> =>
  (await hasFeature(db, 'quizzes')) && (await loadQuiz(db, lessonId)) !== undefined
