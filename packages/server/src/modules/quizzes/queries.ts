import { type Db, insertReturningId, type QuizAttemptRow, type QuizRow, statementExists, statementOne } from '../../db/index.ts'
import type { Question } from './definition.ts'
import type { Answers } from './parse-answers.ts'
import type { ManualGrades, QuizState } from './scoring.ts'

type Quiz = QuizRow

/** The settings of a quiz with its current questions. */
export interface QuizRecord extends Quiz {
  readonly version_id: number
  readonly questions: Question[]
}

/** An attempt with the version of the questions it was started with. */
export interface AttemptRecord extends Omit<QuizAttemptRow, 'question_order' | 'answers' | 'grades'> {
  readonly question_order: string[]
  readonly answers: Answers
  readonly grades: ManualGrades
  readonly questions: Question[]
}

interface StoredAttempt extends QuizAttemptRow {
  readonly questions: string
}

const readAttempt = (row: StoredAttempt | undefined): AttemptRecord | undefined =>
  row && {
    ...row,
    question_order: JSON.parse(row.question_order) as string[],
    answers: JSON.parse(row.answers) as Answers,
    grades: JSON.parse(row.grades) as ManualGrades,
    questions: JSON.parse(row.questions) as Question[],
  }

/** The settings and the current questions as JSON text. */
export const settingsOf = statementOne<Quiz & { questions: string | null }>(
  'select q.*, v.questions from quizzes q left join quiz_versions v on v.id = q.version_id where q.lesson_id = $1',
)

/** Undefined while it has no questions. */
export const loadQuiz = async (db: Db, lessonId: number): Promise<QuizRecord | undefined> => {
  const row = await settingsOf(db, [lessonId])
  const questions = JSON.parse(row?.questions ?? '[]') as Question[]
  return row?.version_id && questions.length > 0 ? { ...row, version_id: row.version_id, questions } : undefined
}

export const addVersion = insertReturningId('insert into quiz_versions (lesson_id, questions, created_at) values ($1, $2, $3)')

export const saveSettings = async (db: Db, quiz: Quiz): Promise<void> => {
  const { lesson_id: _, ...settings } = quiz
  await db
    .insertInto('quizzes')
    .values(quiz)
    .onConflict((conflict) => conflict.column('lesson_id').doUpdateSet(settings))
    .execute()
}

const COUNTS = `select count(*) as used, max(passed) as was_passed, max(case when status = 'completed' then 1 else 0 end) as waiting
   from quiz_attempts where user_id = $1 and lesson_id = $2 and status <> 'in_progress'`
const attemptCounts = statementOne<QuizState>(COUNTS)

export const quizStateOf = async (db: Db, userId: number, lessonId: number): Promise<QuizState> =>
  (await attemptCounts(db, [userId, lessonId])) as QuizState

const ATTEMPT = 'select a.*, v.questions from quiz_attempts a join quiz_versions v on v.id = a.version_id where'
const open = statementOne<StoredAttempt>(`${ATTEMPT} a.user_id = $1 and a.lesson_id = $2 and a.status = 'in_progress'`)
const byId = statementOne<StoredAttempt>(`${ATTEMPT} a.id = $1`)
/**
 * An attempt together with the student's attempt counts, read in one statement, so that they are consistent even if another attempt is
 * submitted concurrently.
 */
const submitted = (which: string) =>
  statementOne<StoredAttempt & QuizState>(
    `select a.*, v.questions, p1.used, p1.was_passed, p1.waiting from quiz_attempts a join quiz_versions v on v.id = a.version_id
     cross join (${COUNTS}) p1 where a.user_id = $1 and a.lesson_id = $2 and a.status <> 'in_progress' ${which}`,
  )
const numbered = submitted('and a.attempt_number = $3')
const latest = submitted('order by a.attempt_number desc limit 1')

export const openAttempt = async (db: Db, userId: number, lessonId: number) => readAttempt(await open(db, [userId, lessonId]))
export const attemptById = async (db: Db, id: number) => readAttempt(await byId(db, [id]))
/** A student's submitted attempt with their attempt counts. */
export const submittedAttempt = async (db: Db, userId: number, lessonId: number, number: number | 'latest') => {
  const row = await (number === 'latest' ? latest(db, [userId, lessonId]) : numbered(db, [userId, lessonId, number]))
  const attempt = readAttempt(row)
  return row && attempt && { attempt, standing: row }
}

/** The caller must hold the student's row lock, so that the number stays free. */
const begin = statementOne<{ id: number }>(
  `insert into quiz_attempts (user_id, course_id, lesson_id, version_id, attempt_number, status, question_order, total_questions, started_at)
   select $1, $2, $3, $4, coalesce(max(a.attempt_number), 0) + 1, 'in_progress', $5, $6, $7
   from quiz_attempts a where a.user_id = $8 and a.lesson_id = $9 returning id`,
)

export const beginAttempt = async (
  db: Db,
  { userId, courseId, quiz, order, now }: { userId: number; courseId: number; quiz: QuizRecord; order: readonly string[]; now: string },
): Promise<AttemptRecord> => {
  const { lesson_id, version_id, questions } = quiz
  const row = await begin(db, [userId, courseId, lesson_id, version_id, JSON.stringify(order), questions.length, now, userId, lesson_id])
  const attempt = row && (await attemptById(db, row.id))
  if (!attempt) throw new Error('the started attempt was not found')
  return attempt
}

export type AttemptChange = Partial<
  Omit<QuizAttemptRow, 'id' | 'answers' | 'grades' | 'question_order'> & { answers: Answers; grades: ManualGrades }
>

export const changeAttempt = async (db: Db, id: number, { answers, grades, ...rest }: AttemptChange): Promise<void> => {
  await db
    .updateTable('quiz_attempts')
    .set({ ...rest, ...(answers && { answers: JSON.stringify(answers) }), ...(grades && { grades: JSON.stringify(grades) }) })
    .where('id', '=', id)
    .execute()
}

export const lessonAfter = statementOne<{ id: number }>(
  `select l.id from lessons l join course_sections s on s.id = l.section_id
   where l.course_id = $1 and (l.position > $2 or (l.position = $2 and l.id > $3)) and l.status = 'published' and s.status = 'published'
   order by l.position, l.id limit 1`,
)

export const passedOtherwise = statementExists(
  'select id from quiz_attempts where user_id = $1 and lesson_id = $2 and passed = 1 and id <> $3 limit 1',
)
export const isEnrolled = statementExists('select id from enrolments where course_id = $1 and user_id = $2')
