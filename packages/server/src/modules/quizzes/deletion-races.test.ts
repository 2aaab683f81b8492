import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLesson, makeSchool } from '#test/course-fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
const students: Member[] = []
beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  admin = await world.member({ role: 'admin' })
  for (let i = 0; i < 8; i++) students.push(await world.member())
})
afterAll(() => world.close())

const QUESTIONS = [{ id: 'a', type: 'true_false', question: 'So?', correct_answer: true }] as const

/** All students of a course submit the quiz and complete a lesson while something is deleted; returns their responses. */
const during = async (gone: (ids: { course: number; section: number; quiz: number }) => string) => {
  const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 1, students })
  const quiz = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions: [...QUESTIONS] } })
  const at = `/courses/${courseId}/lessons`
  const works = students.flatMap((who) => [
    () => who.raw('POST', `${at}/${quiz}/quiz/submit`, { answers: { a: true } }),
    () => who.raw('POST', `${at}/${lessons[0]}/complete`),
  ])
  const half = works.length / 2
  const answers = await Promise.all([
    ...works.slice(0, half).map((work) => work()),
    admin.raw('DELETE', gone({ course: courseId, section: sectionId, quiz })),
    ...works.slice(half).map((work) => work()),
  ])
  return new Set(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()))
}

test.each([
  ['the quiz', ({ course, quiz }: { course: number; quiz: number }) => `/courses/${course}/lessons/${quiz}`],
  ['its section', ({ course, section }: { course: number; section: number }) => `/admin/courses/${course}/sections/${section}`],
  ['the course', ({ course }: { course: number }) => `/courses/${course}`],
])('deleting %s while the quiz is taken: late requests get not found', async (_what, gone) => {
  const told = new Set(['200', '201', '404 lesson_not_found', '404 course_not_found'])
  for (let round = 0; round < 2 * SOAK; round++) expect([...(await during(gone))].filter((answer) => !told.has(answer))).toEqual([])
})
