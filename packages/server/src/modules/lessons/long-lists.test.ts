import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeLesson, makeSchool } from '#test/course-fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const LESSONS = 8
const LETTERS = 150_000

let world: World
let admin: Member
let student: Member
let outsider: Member
let courseId: number
let ids: readonly number[]

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  student = await world.member()
  outsider = await world.member()
  const school = await makeSchool(admin, { lessons: 1, students: [student] })
  courseId = school.courseId
  const made: number[] = [...school.lessons]
  for (let n = 1; n <= LESSONS; n++)
    made.push(await makeLesson(admin, courseId, school.sectionId, { content: `<p>${String(n).repeat(LETTERS)}</p>` }))
  ids = made
})
afterAll(() => world.close())

const contentOf = (n: number) => (n === 0 ? /^<p>Content of/ : new RegExp(`^<p>${n}{${LETTERS}}</p>$`))

test('the lessons of a long course are listed with their contents, in chunks', async () => {
  const { status, headers, body } = await student.raw('GET', `/courses/${courseId}/lessons`)
  expect([status, headers.get('content-length'), headers.get('etag')]).toEqual([200, null, null])
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
  for (const [n, { content }] of body.data.entries()) expect(content.replace(/\n/g, '')).toMatch(contentOf(n))
  const { lessons } = await admin.api.adminLessons.list({ course_id: courseId })
  expect(lessons).toEqual(
    expect.arrayContaining(body.data.map(({ id, content }: object & Record<string, unknown>) => expect.objectContaining({ id, content }))),
  )
})

test('a summary omits the contents and nothing else', async () => {
  const whole = (await student.api.lessons.list({ course_id: courseId })).data
  const summary = await student.raw('GET', `/courses/${courseId}/lessons?fields=summary`)
  expect(summary.body.data).toEqual(whole.map((lesson) => ({ ...lesson, content: '' })))
  expect(summary.text.length).toBeLessThan(10_000)
  const { lessons } = await admin.api.adminLessons.list({ course_id: courseId, fields: 'summary' })
  expect(lessons.map(({ content }) => content)).toEqual(ids.map(() => ''))
  expect((await student.raw('GET', `/courses/${courseId}/lessons?fields=other`)).body.code).toBe('invalid_parameter')
})

test('a locked lesson shows nothing in a long list either, and HEAD has no body', async () => {
  const locked = await outsider.raw('GET', `/courses/${courseId}/lessons`)
  expect(locked.body.data.every((lesson: { content: string }) => lesson.content === '')).toBe(true)
  const head = await student.raw('HEAD', `/courses/${courseId}/lessons`)
  expect([head.status, head.text]).toEqual([200, ''])
})
