import { api, type Route, type Routes } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { grant, makeSpace } from '#test/fixtures.ts'
import { makeQuiz, submit, THREE, truths } from '#test/quiz-stage.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'

type Ask = (method: string, path: string, body: unknown) => Promise<RawAnswer>

let world: World
let teacher: Member
/** A member who manages no course, by kind of credential. */
let outsiders: Readonly<Record<string, Ask>>
/** Path parameters for a visible and for a hidden course. */
let open: Readonly<Record<string, number>>
let secret: Readonly<Record<string, number>>

/** Operations for students. */
const OF_STUDENTS = new Set(['progress.setCompletion', 'quizzes.submit'])

const taught = Object.entries(api as Record<string, Routes>).flatMap(([group, routes]) =>
  Object.entries(routes)
    .map(([name, route]) => [`${group}.${name}`, route] as const)
    .filter(([id, { path, body }]) => body && path.includes('{course_id}') && !OF_STUDENTS.has(id)),
)

const makeCourse = async (privacy: 'public' | 'secret') => {
  const school = await makeSchool(teacher, { lessons: 1, privacy })
  return { course_id: school.courseId, section_id: school.sectionId, lesson_id: school.lessons[0] ?? 0, quiz_id: 1 }
}

beforeAll(async () => {
  world = await createWorld()
  teacher = await world.member({ role: 'admin' })
  const outsider = await world.member()
  const browser = await signIn(world, (await register(world)).username)
  outsiders = { 'application password': outsider.raw, session: browser.raw }
  open = await makeCourse('public')
  secret = await makeCourse('secret')
})
afterAll(() => world.close())

const pathOf = ({ path }: Route, ids: Readonly<Record<string, number>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))

/** A body with a wrong type in every field. */
const spoilt = ({ body }: Route): object => {
  const { properties = {} } = body as { properties?: Readonly<Record<string, { type?: unknown }>> }
  return Object.fromEntries(Object.keys(properties).map((name) => [name, [{ nonsense: [] }]]))
}
const said = ({ status, body }: RawAnswer) => `${status} ${(body as { code?: string }).code}`

describe.each(['application password', 'session'])('an invalid body from a member who may not manage the course, by %s', (credential) => {
  const ask: Ask = (...request) => (outsiders[credential] as Ask)(...request)

  test.each(taught)('%s', async (_id, route) => {
    expect(said(await ask(route.method, pathOf(route, open), spoilt(route)))).toBe('403 rest_forbidden')
    expect(said(await ask(route.method, pathOf(route, secret), spoilt(route)))).toBe('404 course_not_found')
    expect(said(await ask(route.method, pathOf(route, { ...open, course_id: 987_654 }), spoilt(route)))).toBe('404 course_not_found')
  })

  test('later validation errors reveal nothing either', async () => {
    const { course_id, section_id, lesson_id } = open
    for (const [method, path, body] of [
      ['POST', `/admin/courses/${course_id}/lessons`, { title: ' ', type: 'lesson', section_id }],
      ['PUT', `/courses/${course_id}/lessons/${lesson_id}`, { slug: 'No slug!', video_url: 'javascript:x' }],
      ['PATCH', `/courses/${course_id}/lessons/reorder`, { lesson_ids: [987_654] }],
    ] as const) {
      expect(said(await ask(method, path, body))).toBe('403 rest_forbidden')
      expect((await teacher.raw(method, path, body)).status).toBe(400)
    }
  })
})

test('course managers get validation errors', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [teacher] })
  const quiz_id = (await submit(teacher, quiz, truths(true, false, false))).quiz_result.id
  for (const [id, route] of taught) {
    const ids = id.startsWith('adminQuizzes.') ? { ...quiz, quiz_id } : open
    const { status } = await teacher.raw(route.method, pathOf(route, ids as Readonly<Record<string, number>>), spoilt(route))
    expect([id, status]).toEqual([id, 400])
  }
})

test('a manager of some spaces cannot create courses, whatever the body', async () => {
  const manager = await world.member({ role: 'manager' })
  await grant(world, manager, ['manage_spaces'], [await makeSpace(world)])
  expect(said(await manager.raw('POST', '/courses', { title: [] }))).toBe('403 rest_forbidden')
  expect((await teacher.raw('POST', '/courses', { title: [] })).status).toBe(400)
})
