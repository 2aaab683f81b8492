import type { Infer, QuizInput } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, lockRow } from '../../db/index.ts'
import { hasFeature } from '../settings/index.ts'
import { readQuestions } from './definition.ts'
import { addVersion, saveSettings, settingsOf } from './queries.ts'

const DEFAULTS = { version_id: null, passing_score: 70, max_attempts: 0, time_limit: 0, show_correct_answers: 1, randomize_questions: 0 }

const flag = (given: boolean | 0 | 1 | undefined, before: number): number => (given === undefined ? before : given ? 1 : 0)

/** Questions are stored as a new version, so that existing attempts keep theirs. */
const saveQuestions = async (db: Db, lessonId: number, stored: string, now: string): Promise<number | null> =>
  (await addVersion(db, [lessonId, stored, now]))?.id ?? null

/**
 * Changes the given parts of a quiz. The caller must be a manager of the course.
 * @throws invalid_data, naming what is malformed; pro_feature_required while quizzes are turned off
 */
export const saveQuiz = async (
  { db, now }: Pick<WriteContext, 'db' | 'now'>,
  lesson: { readonly id: number; readonly type: 'lesson' | 'quiz' },
  { questions, settings = {} }: Infer<typeof QuizInput>,
): Promise<void> => {
  if (!(await hasFeature(db, 'quizzes'))) throw new ApiError('pro_feature_required')
  if (lesson.type !== 'quiz') throw invalidField('quiz', 'is only for lessons of type quiz')
  const wanted = questions && JSON.stringify(readQuestions(questions))
  await lockRow(db, 'lessons', lesson.id)
  const before = await settingsOf(db, [lesson.id])
  const { version_id, passing_score, max_attempts, time_limit, show_correct_answers, randomize_questions } = before ?? DEFAULTS
  const isNew = wanted !== undefined && wanted !== before?.questions
  await saveSettings(db, [
    lesson.id,
    isNew ? await saveQuestions(db, lesson.id, wanted, now) : version_id,
    settings.passing_score ?? passing_score,
    settings.max_attempts ?? max_attempts,
    settings.time_limit ?? time_limit,
    flag(settings.show_correct_answers, show_correct_answers),
    flag(settings.randomize_questions, randomize_questions),
    now,
  ])
}

/** Copies the quiz of a lesson to another one, without attempts. */
export const copyQuiz = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, fromLesson: number, toLesson: number): Promise<void> => {
  const quiz = await settingsOf(db, [fromLesson])
  if (!quiz) return
  const { questions, passing_score, max_attempts, time_limit, show_correct_answers, randomize_questions } = quiz
  const version = questions === null ? null : await saveQuestions(db, toLesson, questions, now)
  const settings = [passing_score, max_attempts, time_limit, show_correct_answers, randomize_questions] as const
  await saveSettings(db, [toLesson, version, ...settings, now])
}
