import type { InputOf } from '@lyceum/contract'
import { saveQuiz } from '../src/modules/quizzes/index.ts'
import type { Member, World } from './world.ts'

type Definition = Parameters<typeof saveQuiz>[2]

/** A text that students must not see too early. */
export const SECRET = 'Secretreason'

/** One question of each type; the last needs manual grading. */
export const QUESTIONS: NonNullable<Definition['questions']> = [
  {
    id: 'colour',
    type: 'multiple_choice',
    question: 'Which colour has a clear sky?',
    explanation: `${SECRET} one`,
    options: [
      { id: 'blue', text: 'Blue', is_correct: true },
      { id: 'green', text: 'Green' },
    ],
  },
  { id: 'wet', type: 'true_false', question: 'Water is wet.', explanation: `${SECRET} two`, correct_answer: true },
  {
    id: 'even',
    type: 'multiple_select',
    question: 'Which are even?',
    points: 2,
    explanation: `${SECRET} three`,
    options: [
      { id: 'two', text: 'Two', is_correct: true },
      { id: 'four', text: 'Four', is_correct: true },
      { id: 'five', text: 'Five' },
    ],
  },
  {
    id: 'capital',
    type: 'short_answer',
    question: 'Name the capital of France.',
    explanation: `${SECRET} four`,
    correct_answer: `${SECRET}Paris`,
  },
  { id: 'why', type: 'short_answer', question: 'Why do you learn?', explanation: `${SECRET} five`, points: 5 },
]
export const RIGHT = { colour: 'blue', wet: true, even: ['four', 'Two'], capital: ` ${SECRET.toUpperCase()}PARIS `, why: 'Because.' }
export const WRONG = { colour: 'Green', wet: 'false', even: ['two'], capital: 'Rome', why: 'Because.' }
/** The questions with automatic grading. */
export const AUTOMATIC = QUESTIONS.slice(0, 4)

/** Three questions of one point each, with the ids a, b and c. */
export const THREE: NonNullable<Definition['questions']> = ['a', 'b', 'c'].map((id) => ({
  id,
  type: 'true_false',
  question: `${id}?`,
  correct_answer: true,
  explanation: `${SECRET} ${id}`,
}))
export const truths = (a: boolean, b: boolean, c: boolean) => ({ a, b, c })

interface Options extends Definition {
  readonly students?: readonly Member[]
  readonly owner?: Member
  readonly course?: { readonly status?: 'draft' | 'published'; readonly settings?: Record<string, unknown> }
  /** Numbers of lessons before and after the quiz. */
  readonly before?: number
  readonly after?: number
}

export interface QuizPlace {
  readonly course_id: number
  readonly lesson_id: number
  /** All lessons in order. */
  readonly lessons: readonly number[]
  readonly path: string
  readonly admin: string
}

let made = 0

/** Creates a quiz in a new course with students, by direct inserts. */
export const makeQuiz = (
  world: World,
  { students = [], owner, course = {}, before = 0, after = 0, ...definition }: Options,
): Promise<QuizPlace> => {
  made += 1
  return world.app.write(null, async (ctx) => {
    const { db, now } = ctx
    const stamps = { created_at: now, updated_at: now }
    const total = before + after + 1
    const { id: course_id } = await db
      .insertInto('courses')
      .values({
        title: `Course ${made}`,
        slug: `quiz-course-${made}`,
        status: course.status ?? 'published',
        settings: JSON.stringify(course.settings ?? {}),
        category_id: null,
        instructor_id: null,
        created_by: owner?.id ?? null,
        sections_count: 1,
        lessons_count: total,
        students_count: students.length,
        published_at: now,
        ...stamps,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const section = await db
      .insertInto('course_sections')
      .values({ course_id, title: 'S', slug: 's', position: 0, scheduled_at: null, ...stamps })
      .returning('id')
      .executeTakeFirstOrThrow()
    const lessons: number[] = []
    for (let position = 0; position < total; position++) {
      const type = position === before ? ('quiz' as const) : ('lesson' as const)
      const lesson = await db
        .insertInto('lessons')
        .values({
          course_id,
          section_id: section.id,
          type,
          status: 'published',
          position,
          title: `Lesson ${position}`,
          slug: `l${position}`,
          feed_id: null,
          ...stamps,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      lessons.push(lesson.id)
    }
    for (const { id: user_id } of students) await enrolRow(ctx, course_id, user_id)
    const lesson_id = lessons[before] ?? 0
    await saveQuiz(ctx, { id: lesson_id, type: 'quiz' }, definition)
    const path = `/courses/${course_id}/lessons/${lesson_id}/quiz`
    return { course_id, lesson_id, lessons, path, admin: `/admin/courses/${course_id}/quiz-results` }
  })
}

type Writing = Parameters<Parameters<World['app']['write']>[1]>[0]

const enrolRow = ({ db, now }: Writing, course_id: number, user_id: number) =>
  db
    .insertInto('enrolments')
    .values({
      course_id,
      user_id,
      enrolled_at: now,
      enrolled_epoch: 0,
      added_by: null,
      last_accessed_at: null,
      last_lesson_id: null,
      completed_at: null,
    })
    .execute()

/** Changes the definition of a quiz. */
export const redefine = (world: World, { lesson_id }: QuizPlace, definition: Definition): Promise<void> =>
  world.app.write(null, (ctx) => saveQuiz(ctx, { id: lesson_id, type: 'quiz' }, definition))

/** Students who have completed the quiz's lesson. */
export const completed = async (world: World, { lesson_id }: QuizPlace): Promise<number[]> => {
  const db = world.app.services.database.read
  const rows = await db.selectFrom('lesson_completions').select('user_id').where('lesson_id', '=', lesson_id).orderBy('user_id').execute()
  return rows.map((row) => row.user_id)
}

type Sent = Record<string, unknown>
export const submit = (who: Member, { course_id, lesson_id }: QuizPlace, answers: Sent, more: object = {}) =>
  who.api.quizzes.submit({ course_id, lesson_id, answers, ...more } as InputOf<
    typeof import('@lyceum/contract')['api']['quizzes']['submit']
  >)
