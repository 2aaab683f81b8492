import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSchool, type School } from '#test/course-fixtures.ts'
import { makeQuiz, QUESTIONS, SECRET } from '#test/quiz-stage.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { expectMissing, expectNoEffect, NO_ID } from './stage.ts'

let world: World
let attacker: Member
let victim: Member
let admin: Member
let school: School
let other: School

beforeAll(async () => {
  world = await createWorld()
  attacker = await world.member()
  victim = await world.member()
  admin = await world.member({ role: 'admin' })
  school = await makeSchool(admin, { lessons: 3, students: [attacker] })
  other = await makeSchool(admin, { lessons: 2 })
})
afterAll(() => world.close())

const orderOf = async () => (await admin.api.lessons.list({ course_id: school.courseId })).data.map(({ id }) => id)

test('vuln-23: lessons are reordered by course managers only, all of them and no others', async () => {
  const { id, username } = await register(world)
  await admin.raw('POST', `/admin/courses/${school.courseId}/students`, { user_id: id })
  const student = await signIn(world, username)
  const path = `/courses/${school.courseId}/lessons/reorder`
  const [a = 0, b = 0, c = 0] = school.lessons
  const bodies = [
    { lesson_ids: [c, b, a] },
    { lesson_ids: other.lessons },
    { lesson_ids: [...school.lessons, ...other.lessons] },
    { lesson_ids: [] },
    { lesson_ids: [a, a, b] },
    { lesson_ids: [a, b, c, c] },
  ]
  const before = await orderOf()
  await expectNoEffect(world, async () => {
    for (const body of bodies) {
      for (const ask of [student.raw, attacker.raw, victim.raw]) {
        const { status, body: answer } = await ask('PATCH', path, body)
        expect([body, status, answer.code]).toEqual([body, 403, 'rest_forbidden'])
      }
      if (body !== bodies[0]) expect([body, (await admin.raw('PATCH', path, body)).status]).toEqual([body, 400])
    }
    // Without the list the request is invalid for everyone; callers without the permission get 403 first.
    for (const body of [undefined, {}, { lesson_ids: null }, { lesson_ids: 'all' }, { lessons: [c, b, a] }]) {
      for (const ask of [student.raw, attacker.raw]) expect([body, (await ask('PATCH', path, body)).status]).toEqual([body, 403])
      expect([body, (await admin.raw('PATCH', path, body)).status]).toEqual([body, 400])
    }
  })
  expect(await orderOf()).toEqual(before)
})

test('vuln-22: an outsider gets no key, and nothing of a course without access', async () => {
  const quiz = await makeQuiz(world, { questions: QUESTIONS, settings: { show_correct_answers: false }, students: [victim] })
  const hidden = await makeSchool(admin, { privacy: 'secret', lessons: 1, students: [victim] })
  const key = new RegExp(`${SECRET}|is_correct|correct_answer"|explanation`, 'i')
  for (const [method, path, body] of [
    ['GET', `/courses/${quiz.course_id}/lessons/${quiz.lesson_id}`],
    ['GET', `/courses/${quiz.course_id}/lessons`],
    ['GET', `${quiz.path}/result?include_answers=true`],
    ['POST', `${quiz.path}/submit`, { answers: {} }],
    ['POST', `${quiz.path}/start`],
    ['GET', `${quiz.admin}?orderby=user_email`],
  ] as const) {
    const { status, text } = await attacker.raw(method, path, body)
    expect([path, status < 500, key.test(text)]).toEqual([path, true, false])
  }
  const about = (course: number, lesson: number) => attacker.raw('GET', `/courses/${course}/lessons/${lesson}`)
  expectMissing(await about(hidden.courseId, hidden.lessons[0] ?? 0), await about(NO_ID, NO_ID), 'a lesson of a secret course')
})

test('vuln-b9: nobody enrols themselves where others decide', async () => {
  const courses = [
    await makeSchool(admin, { privacy: 'private', lessons: 1 }),
    await makeSchool(admin, { privacy: 'secret', lessons: 1 }),
    await makeSchool(admin, { status: 'draft', lessons: 1 }),
  ]
  await expectNoEffect(world, async () => {
    for (const { courseId, lessons } of courses) {
      for (const [method, path, body] of [
        ['POST', `/courses/${courseId}/enroll`, undefined],
        ['POST', `/courses/${courseId}/enroll`, { user_id: attacker.id, status: 'active', force: true }],
        ['POST', `/admin/courses/${courseId}/students`, { user_id: attacker.id }],
        ['POST', `/courses/${courseId}/lessons/${lessons[0]}/complete`, undefined],
        ['PUT', `/courses/${courseId}/lessons/${lessons[0]}/completion`, { state: 'completed' }],
      ] as const) {
        expect([403, 404], `${method} ${path}`).toContain((await attacker.raw(method, path, body)).status)
      }
    }
  })
})

test('vuln-b9: members cannot trigger mail to others except by what they write to them', async () => {
  const { id, username } = await register(world)
  const member = await signIn(world, username)
  await expectNoEffect(world, async () => {
    for (const [method, path, body] of [
      ['POST', `/members/${victim.id}/export`, undefined],
      ['DELETE', `/members/${victim.id}`, {}],
      ['POST', `/admin/registrations/${victim.id}/approve`, undefined],
      ['POST', `/admin/registrations/${victim.id}/reject`, { reason: 'x' }],
      ['POST', '/admin/email-settings', { send_from_email: 'mine@example.net' }],
      ['POST', '/admin/email-texts', { welcome: { subject: 'x', body: 'x' } }],
      ['POST', '/moderation/config', { moderator_notifications: { email_on_report: true } }],
      ['POST', `/profile/${victim.username}/notification-preferences`, { digest_frequency: 'daily' }],
    ] as const) {
      const { status, body: answer } = await member.raw(method, path, body)
      expect([path, status, answer.code]).toEqual([path, 403, 'rest_forbidden'])
    }
  })
  // Only moderators can mention everyone.
  const { data } = await attacker.api.feeds.create({ message: `Hello @everyone, says ${id}` })
  await world.runPendingJobs()
  const told = await world.app.services.database.read.selectFrom('notifications').select('id').where('user_id', '=', victim.id).execute()
  expect([data.status, told]).toEqual(['published', []])
})
