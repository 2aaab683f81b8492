import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { completed, makeQuiz, type QuizPlace, redefine, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'

let world: World
let ana: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  admin = await world.member({ role: 'admin' })
})
beforeEach(async () => {
  ana = await world.member()
})
afterAll(() => world.close())

const FAILED = truths(true, false, false)
const PASSED = truths(true, true, true)

const attempts = (quiz: QuizPlace) =>
  world.app.services.database.read
    .selectFrom('quiz_attempts')
    .select(['attempt_number', 'status', 'passed', 'score'])
    .where('lesson_id', '=', quiz.lesson_id)
    .orderBy('attempt_number')
    .execute()
const numbers = async (quiz: QuizPlace) => (await attempts(quiz)).map(({ attempt_number }) => attempt_number)
const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
const tally = (answers: readonly RawAnswer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const key = `${status} ${body.code ?? ''}`.trim()
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
const send = (quiz: QuizPlace, body: object) => ana.raw('POST', `${quiz.path}/submit`, body)

test('of fifty concurrent submissions, exactly the allowed attempts are accepted', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 3 }, students: [ana] })
  const answers = await Promise.all(many(50, () => send(quiz, { answers: FAILED })))
  expect(tally(answers)).toEqual({ '201': 3, '403 max_attempts_reached': 47 })
  expect(await numbers(quiz)).toEqual([1, 2, 3])
  expect(answers.flatMap(({ body }) => body.quiz_result?.attempt_number ?? []).sort()).toEqual([1, 2, 3])
})

test('of fifty concurrent passing submissions, one is accepted', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
  expect(tally(await Promise.all(many(50, () => send(quiz, { answers: PASSED }))))).toEqual({ '201': 1, '409 already_submitted': 49 })
  expect(await numbers(quiz)).toEqual([1])
  expect(await completed(world, quiz)).toEqual([ana.id])
})

test('a result and its attempt counts are consistent', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 0 }, students: [ana] })
  await submit(ana, quiz, FAILED)
  const reads = world.app.services.database.read
  const ask = reads.executeQuery.bind(reads)
  let interrupted = false
  const interrupting: typeof reads.executeQuery = async (query, ...rest) => {
    const result = await ask(query, ...rest)
    if (!interrupted && (query as { sql: string }).sql.includes('from quiz_attempts')) {
      interrupted = true
      await submit(ana, quiz, FAILED)
    }
    return result
  }
  Object.defineProperty(reads, 'executeQuery', { value: interrupting, configurable: true })
  const { quiz_result, quiz_settings } = await ana.api.quizzes.result(quiz).finally(() => Reflect.deleteProperty(reads, 'executeQuery'))
  expect(interrupted).toBe(true)
  expect({ number: quiz_result.attempt_number, used: quiz_settings.attempts_used }).toEqual({ number: 1, used: 1 })
})

test('an attempt is submitted once', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
  const { data } = await ana.api.quizzes.start(quiz)
  const answers = await Promise.all(many(20, () => send(quiz, { answers: FAILED, attempt_id: data.id })))
  expect(tally(answers)).toEqual({ '201': 1, '409 already_submitted': 19 })
  expect(await numbers(quiz)).toEqual([1])
})

test('concurrent starts begin a single attempt', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { randomize_questions: true }, students: [ana] })
  const answers = await Promise.all(many(30, () => ana.raw('POST', `${quiz.path}/start`)))
  expect(tally(answers)).toEqual({ '200': 29, '201': 1 })
  expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1)
  expect(await numbers(quiz)).toEqual([1])
})

test('concurrent starts and submissions leave at most one open attempt and unique numbers', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 4 }, students: [ana] })
  const answers = await Promise.all(many(40, (i) => (i % 2 ? ana.raw('POST', `${quiz.path}/start`) : send(quiz, { answers: FAILED }))))
  for (const { status } of answers) expect([200, 201, 403]).toContain(status)
  expect(await attempts(quiz)).toEqual([1, 2, 3, 4].map((attempt_number) => ({ attempt_number, status: 'graded', passed: 0, score: 33 })))
})

test('concurrent manual grades and submissions end consistently', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 6 }, students: [ana] })
  const { id } = (await submit(ana, quiz, FAILED)).quiz_result
  const grade = (i: number) => admin.raw('POST', `${quiz.admin}/${id}`, { passed: i % 2 === 0 })
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all([...many(5, grade), ...many(3, () => send(quiz, { answers: FAILED })), ...many(5, grade)])
    for (const { status, text } of answers) expect([200, 201, 403, 409], text).toContain(status)
    const rows = await attempts(quiz)
    expect(rows.map(({ attempt_number }) => attempt_number)).toEqual(many(rows.length, (i) => i + 1))
    expect(rows.length).toBeLessThanOrEqual(6)
    expect(await completed(world, quiz)).toEqual(rows.some(({ passed }) => passed === 1) ? [ana.id] : [])
  }
})

test('a definition changed during submissions never grades by other questions than were asked', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, settings: { passing_score: 100 }, students: [ana] })
  const other = THREE.map((question, i) => ({ ...question, id: `other${i}` }))
  for (let round = 0; round < 4; round++) {
    const [, started] = await Promise.all([
      redefine(world, quiz, { questions: round % 2 ? THREE : other }),
      ana.raw('POST', `${quiz.path}/start`),
      redefine(world, quiz, { questions: round % 2 ? other : THREE }),
    ])
    const asked = (started.body.data.questions as { id: string }[]).map(({ id }) => id)
    const answer = await send(quiz, { answers: Object.fromEntries(asked.map((id, i) => [id, i > 0])) })
    expect([answer.status, answer.body.quiz_result?.score]).toEqual([201, 67])
  }
})
