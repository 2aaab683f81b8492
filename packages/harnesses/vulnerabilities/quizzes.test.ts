import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeQuiz, QUESTIONS, RIGHT, SECRET, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { expectNoEffect, NO_ID } from './stage.ts'

let world: World
let attacker: Member
let victim: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  attacker = await world.member()
  victim = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

test('vuln-22: students get no key and no grade before its time', async () => {
  const quiz = await makeQuiz(world, { questions: QUESTIONS, settings: { show_correct_answers: false }, students: [attacker, victim] })
  const lesson = `/courses/${quiz.course_id}/lessons/${quiz.lesson_id}`
  const theirs = (await submit(victim, quiz, RIGHT)).quiz_result.id
  const key = new RegExp(`${SECRET}|is_correct|correct_answer"|explanation`, 'i')
  const reads = [
    ['GET', lesson],
    ['GET', `/courses/${quiz.course_id}/lessons`],
    ['PUT', lesson, { quiz: { settings: { show_correct_answers: true } } }],
    ['GET', `${quiz.path}/result?include_answers=true`],
    ['GET', `${quiz.path}/result?attempt=1&user_id=${victim.id}`],
    ['POST', `${quiz.path}/start`, { show_correct_answers: true }],
    ['GET', quiz.admin],
    ['GET', `${quiz.admin}/${theirs}`],
    ['POST', `${quiz.path}/submit`, { answers: { ...RIGHT, capital: 'Rome' }, show_correct_answers: true }],
    ['GET', `${quiz.path}/result?include_answers=true&attempt=latest`],
  ] as const
  for (const [method, path, body] of reads) {
    const { status, text } = await attacker.raw(method, path, body)
    expect(status, path).toBeLessThan(500)
    expect([path, key.test(text)]).toEqual([path, false])
  }
  expect((await attacker.raw('GET', `${quiz.admin}/${theirs}`)).status).toBe(403)
})

test('vuln-03: a submission is graded through its own course only', async () => {
  const mine = await makeQuiz(world, { questions: THREE, owner: attacker, students: [attacker] })
  const theirs = await makeQuiz(world, { questions: THREE, students: [victim, attacker] })
  const own = (await submit(attacker, theirs, truths(false, false, false))).quiz_result.id
  const other = (await submit(victim, theirs, truths(true, true, true))).quiz_result.id
  await expectNoEffect(world, async () => {
    for (const id of [own, other, NO_ID]) {
      const { status, body } = await attacker.raw('POST', `${mine.admin}/${id}`, { score: 100, passed: true })
      expect([status, body.code, body.message]).toEqual([404, 'quiz_not_found', 'This quiz does not exist or you cannot see it.'])
    }
    const elsewhere = `/courses/${mine.course_id}/lessons/${theirs.lesson_id}/quiz`
    expect((await attacker.raw('POST', `${elsewhere}/start`)).status).toBe(404)
    expect((await attacker.raw('POST', `${elsewhere}/submit`, { answers: truths(true, true, true) })).status).toBe(404)
  })
})

test('vuln-23: nobody grades without permission, whatever the body omits', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [attacker, victim] })
  const ids = [
    (await submit(attacker, quiz, truths(false, false, false))).quiz_result.id,
    (await submit(victim, quiz, truths(true, true, true))).quiz_result.id,
  ]
  const bodies = [
    undefined,
    {},
    { score: 100 },
    { passed: true },
    { feedback: 'x' },
    { answers: { a: true } },
    { score: null },
    { answers: {} },
  ]
  await expectNoEffect(world, async () => {
    for (const id of ids) {
      for (const body of bodies) {
        const answer = await attacker.raw('POST', `${quiz.admin}/${id}`, body)
        expect([body, answer.status, answer.body.code]).toEqual([body, 403, 'rest_forbidden'])
      }
    }
  })
})

test('vuln-25: fifty concurrent submissions use exactly the allowed attempts', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 3 }, students: [attacker] })
  const send = () => attacker.raw('POST', `${quiz.path}/submit`, { answers: truths(false, false, false) })
  const answers = await Promise.all(Array.from({ length: 50 }, send))
  expect(answers.filter(({ status }) => status === 201).length).toBe(3)
  expect(answers.filter(({ body }) => body.code === 'max_attempts_reached').length).toBe(47)
  const { quiz_results } = await admin.api.adminQuizzes.list({ course_id: quiz.course_id, orderby: 'submitted_at' })
  expect(quiz_results.map(({ attempt_number }) => attempt_number).toSorted()).toEqual([1, 2, 3])
})
