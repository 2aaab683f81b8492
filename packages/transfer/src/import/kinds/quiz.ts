import { QUIZ_LIMITS } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type Db, statementOne } from '../../../../server/src/db/index.ts'
import { type Question, type QuestionInput, readQuestions } from '../../../../server/src/modules/quizzes/definition.ts'
import { addVersion, saveSettings, settingsOf } from '../../../../server/src/modules/quizzes/queries.ts'
import { accepted, flag } from './values.ts'

type Given = NonNullable<ArchiveRecord<'lessons'>['quiz']>

/** The questions that the API accepts. */
export const questionsOf = (given: readonly unknown[], notes: string[]): Question[] => {
  const list = given as QuestionInput[]
  const all = accepted(() => readQuestions(list))
  if (all !== undefined) return all
  const kept: QuestionInput[] = []
  for (const question of list) if (accepted(() => readQuestions([...kept, question])) !== undefined) kept.push(question)
  notes.push(`${list.length - kept.length} questions of its quiz were dropped: they are not valid`)
  return readQuestions(kept)
}

const limited = (value: number | undefined, fallback: number, most: number): number => Math.min(Math.max(0, value ?? fallback), most)

const versionWith = statementOne<{ id: number }>('select id from quiz_versions where lesson_id = $1 and questions = $2 order by id limit 1')

/** The version of a quiz with these questions; creates it if needed. */
export const versionOf = async (db: Db, lesson: number, questions: readonly Question[], at: string): Promise<number> => {
  const text = JSON.stringify(questions)
  return (await versionWith(db, [lesson, text]))?.id ?? addVersion(db, [lesson, text, at])
}

export const saveImportedQuiz = async (db: Db, lesson: number, quiz: Given, questions: readonly Question[], at: string): Promise<void> => {
  const before = await settingsOf(db, [lesson])
  const isSame = before?.questions === JSON.stringify(questions)
  const version_id = isSame ? (before?.version_id ?? null) : questions.length > 0 ? await versionOf(db, lesson, questions, at) : null
  await saveSettings(db, {
    lesson_id: lesson,
    version_id,
    passing_score: limited(quiz.passing_score, 70, 100),
    max_attempts: limited(quiz.max_attempts, 0, QUIZ_LIMITS.maxAttempts),
    time_limit: limited(quiz.time_limit, 0, QUIZ_LIMITS.timeLimit),
    show_correct_answers: flag(quiz.show_correct_answers ?? true),
    randomize_questions: flag(quiz.randomize_questions),
    updated_at: at,
  })
}
