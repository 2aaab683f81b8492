import { COURSE_LESSONS, QUIZ_LIMITS } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLesson, makeSchool } from '#test/course-fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

test('the largest possible quiz can be saved, taken and submitted', async () => {
  const { courseId, sectionId } = await makeSchool(admin, { lessons: 0, students: [ana] })
  const options = Array.from({ length: 10 }, (_, i) => ({ id: `o${i}`, text: `Option ${i}`, is_correct: true }))
  const questions = Array.from({ length: QUIZ_LIMITS.questions }, (_, i) => ({
    id: `q${i}`,
    type: 'multiple_select' as const,
    question: `Question ${i}`,
    options,
  }))
  const lesson_id = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions } })
  const answers = Object.fromEntries(questions.map(({ id }) => [id, options.map((option) => option.id)]))
  const { quiz_result } = await ana.api.quizzes.submit({ course_id: courseId, lesson_id, answers })
  expect(quiz_result).toMatchObject({ score: 100, total_questions: QUIZ_LIMITS.questions })
  const tooMany = await admin.raw('PUT', `/courses/${courseId}/lessons/${lesson_id}`, { quiz: { questions: [...questions, questions[0]] } })
  expect([tooMany.status, tooMany.body.code]).toEqual([400, 'invalid_data'])
})

test('the longest possible course can be reordered', async () => {
  const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
  const row = (i: number) => ({
    course_id: courseId,
    section_id: sectionId,
    feed_id: null,
    type: 'lesson' as const,
    position: i + 1,
    slug: `l${i}`,
    title: `Lesson ${i}`,
    created_at: '2026-03-10 12:00:00',
    updated_at: '2026-03-10 12:00:00',
  })
  const rows = Array.from({ length: COURSE_LESSONS }, (_, i) => row(i))
  await world.app.write(null, async ({ db }) => {
    for (let from = 0; from < rows.length; from += 500)
      await db
        .insertInto('lessons')
        .values(rows.slice(from, from + 500))
        .execute()
  })
  const known = (await admin.api.lessons.list({ course_id: courseId })).data.map(({ id }) => id)
  const lesson_ids = known.toReversed()
  await admin.api.lessons.reorder({ course_id: courseId, lesson_ids })
  expect((await admin.api.lessons.list({ course_id: courseId })).data.map(({ id }) => id)).toEqual(lesson_ids)
  const tooMany = await admin.raw('PATCH', `/courses/${courseId}/lessons/reorder`, { lesson_ids: [...lesson_ids, lesson_ids[0]] })
  expect([tooMany.status, tooMany.body.code]).toEqual([400, 'invalid_data'])
})

test('a resource requires a URL', async () => {
  const { courseId, lessons } = await makeSchool(admin, { lessons: 1 })
  const { status, body } = await admin.raw('PUT', `/courses/${courseId}/lessons/${lessons[0]}`, { resources: [{ title: 'Slides' }] })
  expect([status, body.code, body.data.field]).toEqual([400, 'missing_required_field', 'resources.0.url'])
})
