import type { Infer, QuizInput } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockRow } from '../../db/index.ts'
import { hasFeature } from '../settings/index.ts'
import { readQuestions } from './definition.ts'
import { addVersion, saveSettings, settingsOf } from './queries.ts'

const DEFAULTS = {
  version_id: null,
  passing_score: 70,
  max_attempts: 0,
  time_limit: 0,
  show_correct_answers: 1,
  randomize_questions: 0,
} as const

const flag = (given: boolean | 0 | 1 | undefined, before: 0 | 1): 0 | 1 => (given === undefined ? before : given ? 1 : 0)

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
  const { questions: before, ...stored } = (await settingsOf(db, [lesson.id])) ?? { ...DEFAULTS, questions: null }
  await saveSettings(db, {
    // Questions are stored as a new version, so that existing attempts keep theirs.
    version_id: wanted !== undefined && wanted !== before ? await addVersion(db, [lesson.id, wanted, now]) : stored.version_id,
    passing_score: settings.passing_score ?? stored.passing_score,
    max_attempts: settings.max_attempts ?? stored.max_attempts,
    time_limit: settings.time_limit ?? stored.time_limit,
    show_correct_answers: flag(settings.show_correct_answers, stored.show_correct_answers),
    randomize_questions: flag(settings.randomize_questions, stored.randomize_questions),
    lesson_id: lesson.id,
    updated_at: now,
  })
}

/** Copies the quiz of a lesson to another one, without attempts. */
export const copyQuiz = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, fromLesson: number, toLesson: number): Promise<void> => {
  const found = await settingsOf(db, [fromLesson])
  if (!found) return
  const { questions, ...quiz } = found
  const version_id = questions === null ? null : await addVersion(db, [toLesson, questions, now])
  await saveSettings(db, { ...quiz, lesson_id: toLesson, version_id, updated_at: now })
}
