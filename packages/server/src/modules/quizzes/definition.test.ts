import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLesson, makeSchool, type School } from '#test/course-fixtures.ts'
import { AUTOMATIC, RIGHT, submit } from '#test/quiz-stage.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let school: School

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  school = await makeSchool(admin, { lessons: 1, students: [ana] })
})
afterAll(() => world.close())

const makeQuizLesson = () => makeLesson(admin, school.courseId, school.sectionId, { type: 'quiz' })
const pathOf = (lesson: number) => `/courses/${school.courseId}/lessons/${lesson}`
const put = async (lesson: number, quiz: unknown, who = admin) => who.raw('PUT', pathOf(lesson), { quiz })
const read = async (lesson: number, who = admin) => (await who.raw('GET', pathOf(lesson))).body.data.quiz

test('a definition is saved with its lesson, partially updated, and returned with keys to managers', async () => {
  const lesson = await makeQuizLesson()
  expect(await read(lesson)).toBeUndefined()
  expect((await put(lesson, { questions: AUTOMATIC })).status).toBe(200)
  const settings = { passing_score: 70, max_attempts: 0, time_limit: 0, show_correct_answers: true, randomize_questions: false }
  const quiz = await read(lesson)
  expect(quiz).toMatchObject({ total_questions: 4, settings })
  expect(quiz.questions[0]).toEqual({
    id: 'colour',
    type: 'multiple_choice',
    question: 'Which colour has a clear sky?',
    options: [
      { id: 'blue', text: 'Blue', is_correct: true },
      { id: 'green', text: 'Green', is_correct: false },
    ],
    correct_answer: null,
    points: 1,
    explanation: 'Secretreason one',
  })
  const changed = { passing_score: 0, max_attempts: 3, time_limit: 1800, show_correct_answers: false, randomize_questions: true }
  for (const [name, value] of Object.entries(changed)) {
    expect((await put(lesson, { settings: { [name]: value } })).status).toBe(200)
  }
  expect((await read(lesson)).settings).toEqual(changed)
  // The response can be sent back unchanged.
  const again = await read(lesson)
  expect((await put(lesson, { questions: again.questions, settings: again.settings })).status).toBe(200)
  expect(await read(lesson)).toEqual(again)
  expect(await read(lesson, ana)).toEqual({ total_questions: 4, settings: changed, attempts_used: 0 })
  expect((await submit(ana, { course_id: school.courseId, lesson_id: lesson } as never, RIGHT)).quiz_result.score).toBe(100)
  expect((await put(lesson, { questions: [] })).status).toBe(200)
  expect((await ana.raw('POST', `${pathOf(lesson)}/quiz/start`)).body.code).toBe('quiz_not_found')
})

test('malformed definitions are refused and change nothing', async () => {
  const lesson = await makeQuizLesson()
  await put(lesson, { questions: AUTOMATIC })
  const before = await read(lesson)
  const [choice] = AUTOMATIC
  const bad: unknown[] = [
    'x',
    { questions: 'x' },
    { questions: [null] },
    { questions: [{}] },
    { questions: [{ ...choice, type: 'essay' }] },
    { questions: [{ ...choice, type: undefined }] },
    { questions: [{ ...choice, question: 7 }] },
    { questions: [{ ...choice, points: -1 }] },
    { questions: [{ ...choice, points: 1.5 }] },
    { questions: [{ ...choice, points: '1.5' }] },
    { questions: [{ ...choice, options: {} }] },
    { questions: [{ ...choice, options: [] }] },
    { questions: [{ ...choice, options: choice?.options?.map((option) => ({ ...option, is_correct: true })) }] },
    { questions: [{ ...choice, options: choice?.options?.map((option) => ({ ...option, is_correct: false })) }] },
    { questions: [{ ...choice, options: choice?.options?.map((option) => ({ ...option, id: 'same' })) }] },
    { questions: [choice, choice] },
    { settings: { passing_score: 101 } },
    { settings: { passing_score: -1 } },
    { settings: { passing_score: 'all' } },
    { question: [] },
    { settings: { max_attempts: -1 } },
    { settings: { time_limit: 1.5 } },
    { settings: { time_limit: 604_801 } },
    { settings: { show_correct_answers: 'yes' } },
  ]
  for (const quiz of bad) {
    const { status, body } = await put(lesson, quiz)
    expect([JSON.stringify(quiz), status, body.code]).toEqual([JSON.stringify(quiz), 400, 'invalid_data'])
    expect(Object.keys(body.data.errors)[0]).toMatch(/^quiz/)
  }
  expect(await read(lesson)).toEqual(before)
  expect((await put(school.lessons[0] ?? 0, { questions: AUTOMATIC })).body.code).toBe('invalid_data')
  const refused = await put(lesson, { settings: { show_correct_answers: true } }, ana)
  expect([refused.status, refused.body.code]).toEqual([403, 'rest_forbidden'])
})

test('a copied quiz has the questions and settings but no attempts', async () => {
  const lesson = await makeQuizLesson()
  await put(lesson, { questions: AUTOMATIC, settings: { time_limit: 60 } })
  const { data } = await admin.api.adminLessons.duplicate({ course_id: school.courseId, lesson_id: lesson })
  expect(await read(data.id)).toEqual(await read(lesson))
  await put(lesson, { settings: { time_limit: 90 } })
  expect((await read(data.id)).settings.time_limit).toBe(60)
})
