import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsWith } from '#test/fixtures.ts'
import { AUTOMATIC, completed, makeQuiz, QUESTIONS, RIGHT, redefine, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let owner: Member

beforeAll(async () => {
  world = await createWorld()
  owner = await world.member()
})
beforeEach(async () => {
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const FAILED = truths(true, false, false)
const PASSED = truths(true, true, true)

describe('an attempt', () => {
  test('returns the questions, and continues until it is submitted', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, settings: { time_limit: 60 }, students: [ana] })
    const { data } = await ana.api.quizzes.start(quiz)
    expect(data).toMatchObject({ attempt_number: 1, status: 'in_progress', time_limit: 60, total_questions: 5 })
    expect(Date.parse(data.expires_at ?? '') - Date.parse(data.started_at)).toBe(60_000)
    expect(data.questions.map(({ id }) => id)).toEqual(['colour', 'wet', 'even', 'capital', 'why'])
    expect(data.questions[1]?.options).toEqual([
      { id: 'true', text: 'True' },
      { id: 'false', text: 'False' },
    ])
    world.clock.advance(5)
    expect((await ana.api.quizzes.start(quiz)).data).toEqual(data)
    expect((await ana.raw('POST', `${quiz.path}/start`)).status).toBe(200)
    const used = async (who: Member) => (await who.api.lessons.byId(quiz)).data.quiz?.attempts_used
    expect(await used(ana)).toBe(0)
    expect((await submit(ana, quiz, RIGHT)).quiz_result.id).toBe(data.id)
    expect(await used(ana)).toBe(1)
  })

  test('responds with 201 when it starts', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
    expect((await ana.raw('POST', `${quiz.path}/start`)).status).toBe(201)
    expect((await ana.raw('POST', `${quiz.path}/submit`, { answers: FAILED })).status).toBe(201)
  })

  test('has its own question order if questions are shuffled', async () => {
    const questions = Array.from({ length: 12 }, (_, i) => ({ ...THREE[0], id: `n${i}` })) as typeof THREE
    const quiz = await makeQuiz(world, { questions, settings: { randomize_questions: true }, students: [ana, ben] })
    const orderOf = async (who: Member) => (await who.api.quizzes.start(quiz)).data.questions.map(({ id }) => id)
    const first = await orderOf(ana)
    expect(await orderOf(ana)).toEqual(first)
    expect(first.toSorted()).toEqual(questions.map(({ id }) => id as string).toSorted())
    // With a probability of 1 in 12! × 12!, both have the order of the definition.
    expect([first, await orderOf(ben)]).not.toEqual([questions.map(({ id }) => id), questions.map(({ id }) => id)])
    const { detailed_results } = await submit(ana, quiz, Object.fromEntries(questions.map(({ id }) => [id, true])))
    expect(detailed_results.map(({ question_id }) => question_id)).toEqual(first)
  })

  test('is graded by the questions it started with', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana, ben] })
    await ana.api.quizzes.start(quiz)
    await redefine(world, quiz, { questions: THREE.map((question) => ({ ...question, correct_answer: false, points: 3 })) })
    expect((await submit(ana, quiz, truths(true, true, false))).quiz_result).toMatchObject({ score: 67, correct_answers: 2 })
    expect((await submit(ben, quiz, truths(true, true, false))).quiz_result).toMatchObject({ score: 33, correct_answers: 1 })
    const db = world.app.services.database.read
    const before = await db.selectFrom('quiz_versions').select('id').where('lesson_id', '=', quiz.lesson_id).execute()
    await redefine(world, quiz, { settings: { passing_score: 10 } })
    expect(await db.selectFrom('quiz_versions').select('id').where('lesson_id', '=', quiz.lesson_id).execute()).toEqual(before)
    expect((await ana.api.quizzes.start(quiz)).data.questions[0]?.points).toBe(3)
  })
})

describe('a submission', () => {
  test('is scored by points, in the shape of the API', async () => {
    const quiz = await makeQuiz(world, {
      questions: AUTOMATIC,
      settings: { passing_score: 60, max_attempts: 3 },
      students: [ana],
      after: 1,
    })
    const { message, quiz_result, detailed_results } = await submit(ana, quiz, { ...RIGHT, capital: 'Rome' }, { time_spent: 40 })
    expect(message).not.toBe('')
    expect(quiz_result).toEqual({
      id: expect.any(Number),
      score: 80,
      total_questions: 4,
      correct_answers: 3,
      passed: true,
      passing_score: 60,
      attempt_number: 1,
      status: 'graded',
      late: false,
      feedback: 'Passed with 80%.',
      can_retake: false,
      next_lesson_unlocked: true,
      submitted_at: expect.any(String),
    })
    expect(detailed_results[2]).toEqual({
      question_id: 'even',
      type: 'multiple_select',
      question: 'Which are even?',
      options: [
        { id: 'two', text: 'Two' },
        { id: 'four', text: 'Four' },
        { id: 'five', text: 'Five' },
      ],
      your_answer: ['four', 'two'],
      correct_answer: ['two', 'four'],
      is_correct: true,
      points_earned: 2,
      points_possible: 2,
      explanation: 'Secretreason three',
    })
    expect(await completed(world, quiz)).toEqual([ana.id])
    expect(await eventsWith(world, { attempt_id: quiz_result.id })).toEqual(['quiz.submitted', 'quiz.graded'])
  })

  test('requires an answer to every question', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, students: [ana] })
    const missing = async (answers: Record<string, unknown>) => (await refused(submit(ana, quiz, answers), 400, 'invalid_answers')).data
    expect(await missing({})).toMatchObject({ missing: ['colour', 'wet', 'even', 'capital', 'why'], malformed: [] })
    expect(await missing({ ...RIGHT, why: ' ', even: [], wet: null })).toMatchObject({ missing: ['wet', 'even', 'why'] })
    expect(await missing({ ...RIGHT, why: { a: 1 }, colour: ['blue', 'green'] })).toMatchObject({
      missing: [],
      malformed: ['colour', 'why'],
    })
    for (const body of [{}, { answers: [] }, { answers: 'x' }, { answers: null }]) {
      const { status, body: told } = await ana.raw('POST', `${quiz.path}/submit`, body)
      expect([status, told.code]).toEqual([400, 'invalid_answers'])
      expect(told.data).toMatchObject({ missing: ['colour', 'wet', 'even', 'capital', 'why'], malformed: [] })
    }
    const answer = await ana.raw('POST', `${quiz.path}/submit`, '{"answers":{"toString":"a","hasOwnProperty":"c"}}')
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_answers'])
    expect((await ana.raw('POST', `${quiz.path}/submit`, { answers: RIGHT, time_spent: -1 })).body.code).toBe('invalid_data')
    // None of these counted as an attempt.
    expect((await submit(ana, quiz, RIGHT)).quiz_result.attempt_number).toBe(1)
  })

  test('is authorized before its body is validated', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 1 }, students: [ana], after: 1 })
    const told = async (who: Member, path: string) => {
      const { status, body } = await who.raw('POST', `${path}/submit`, {})
      return [status, body.code]
    }
    expect(await told(ben, quiz.path)).toEqual([403, 'not_enrolled'])
    expect(await told(ana, quiz.path.replace(/courses\/\d+/, 'courses/999999'))).toEqual([404, 'course_not_found'])
    expect(await told(ana, `/courses/${quiz.course_id}/lessons/${quiz.lessons[1]}/quiz`)).toEqual([404, 'quiz_not_found'])
    expect(await told(ana, quiz.path)).toEqual([400, 'invalid_answers'])
    await submit(ana, quiz, FAILED)
    expect(await told(ana, quiz.path)).toEqual([403, 'max_attempts_reached'])
  })

  test('that is late is graded with the answers sent', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, settings: { time_limit: 30 }, students: [ana, ben] })
    await ana.api.quizzes.start(quiz)
    await ben.api.quizzes.start(quiz)
    world.clock.advance(40)
    await refused(submit(ben, quiz, { a: true }), 400, 'invalid_answers')
    expect((await submit(ben, quiz, FAILED)).quiz_result.late).toBe(false)
    world.clock.advance(1)
    const { quiz_result, detailed_results } = await submit(ana, quiz, { a: true, b: { odd: 1 } })
    expect(quiz_result).toMatchObject({ late: true, score: 33, total_questions: 3, correct_answers: 1, status: 'graded' })
    expect(detailed_results.map(({ your_answer, is_correct }) => [your_answer, is_correct])).toEqual([
      ['true', true],
      [null, false],
      [null, false],
    ])
  })

  test('passes exactly at the passing score', async () => {
    for (const [passing_score, passed] of [
      [67, true],
      [68, false],
    ] as const) {
      const quiz = await makeQuiz(world, { questions: THREE, settings: { passing_score }, students: [ana] })
      expect((await submit(ana, quiz, truths(true, true, false))).quiz_result).toMatchObject({ score: 67, passed })
      expect(await completed(world, quiz)).toEqual(passed ? [ana.id] : [])
    }
  })

  test('without points to earn scores 100', async () => {
    const quiz = await makeQuiz(world, { questions: THREE.map((question) => ({ ...question, points: 0 })), students: [ana] })
    expect((await submit(ana, quiz, FAILED)).quiz_result).toMatchObject({ score: 100, passed: true, correct_answers: 1 })
  })

  test('can be repeated until all attempts are used or one is passed', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 2 }, students: [ana, ben] })
    const tries = [(await submit(ana, quiz, FAILED)).quiz_result, (await submit(ana, quiz, FAILED)).quiz_result]
    expect(tries.map(({ attempt_number, can_retake }) => [attempt_number, can_retake])).toEqual([
      [1, true],
      [2, false],
    ])
    await refused(submit(ana, quiz, PASSED), 403, 'max_attempts_reached')
    await refused(ana.api.quizzes.start(quiz), 403, 'max_attempts_reached')
    expect((await submit(ben, quiz, PASSED)).quiz_result.can_retake).toBe(false)
    await refused(submit(ben, quiz, PASSED), 409, 'already_submitted')
    await refused(ben.api.quizzes.start(quiz), 409, 'already_submitted')
  })

  test('with an answer that needs manual grading waits', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, students: [ana] })
    const { quiz_result, detailed_results } = await submit(ana, quiz, RIGHT)
    expect(quiz_result).toMatchObject({ status: 'completed', score: 50, passed: false, can_retake: false, correct_answers: 4 })
    expect(detailed_results[4]).toMatchObject({ is_correct: null, points_earned: null, correct_answer: null })
    await refused(submit(ana, quiz, RIGHT), 409, 'already_submitted')
    const { quiz_result: seen } = await ana.api.quizzes.result(quiz)
    expect(seen).toMatchObject({ status: 'completed', graded_at: null })
    expect(await eventsWith(world, { attempt_id: quiz_result.id })).toEqual(['quiz.submitted'])
  })

  test('that names its attempt is accepted once', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana, ben] })
    const { data } = await ana.api.quizzes.start(quiz)
    await refused(submit(ben, quiz, FAILED, { attempt_id: data.id }), 404, 'quiz_not_found')
    await submit(ana, quiz, FAILED, { attempt_id: data.id })
    await refused(submit(ana, quiz, FAILED, { attempt_id: data.id }), 409, 'already_submitted')
    const other = await makeQuiz(world, { questions: THREE, students: [ana] })
    await refused(submit(ana, other, FAILED, { attempt_id: data.id }), 404, 'quiz_not_found')
  })

  test('uses the client’s duration within plausible limits', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
    const spent = async () => (await ana.api.quizzes.result(quiz)).quiz_result.time_spent
    await submit(ana, quiz, FAILED, { time_spent: 7_000_000_000 })
    expect(await spent()).toBe(2_592_000)
    await ana.api.quizzes.start(quiz)
    world.clock.advance(25)
    await submit(ana, quiz, FAILED)
    expect(await spent()).toBe(25)
  })
})

describe('a result', () => {
  test('is that of the latest or of the requested attempt', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, settings: { max_attempts: 5, time_limit: 1800 }, students: [ana] })
    await refused(ana.api.quizzes.result(quiz), 404, 'quiz_not_found')
    await submit(ana, quiz, truths(false, false, false))
    await submit(ana, quiz, FAILED, { time_spent: 30 })
    await ana.api.quizzes.start(quiz)
    const scoreOf = async (attempt?: string) => (await ana.api.quizzes.result({ ...quiz, ...(attempt && { attempt }) })).quiz_result.score
    expect([await scoreOf('1'), await scoreOf('2'), await scoreOf('latest'), await scoreOf()]).toEqual([0, 33, 33, 33])
    for (const attempt of ['3', '999999']) await refused(ana.api.quizzes.result({ ...quiz, attempt }), 404, 'quiz_not_found')
    for (const attempt of ['0', '-1', 'x', '1.5', '__proto__']) {
      await refused(ana.api.quizzes.result({ ...quiz, attempt }), 400, 'invalid_parameter')
    }
    const { quiz_result, quiz_settings, detailed_results } = await ana.api.quizzes.result(quiz)
    expect(quiz_result).toEqual({
      id: expect.any(Number),
      user_id: ana.id,
      course_id: quiz.course_id,
      lesson_id: quiz.lesson_id,
      answers: { a: 'true', b: 'false', c: 'false' },
      score: 33,
      total_questions: 3,
      correct_answers: 1,
      passed: false,
      passing_score: 70,
      attempt_number: 2,
      time_spent: 30,
      status: 'graded',
      late: false,
      feedback: 'Not passed: 33% of the points, 70% are needed.',
      started_at: expect.any(String),
      submitted_at: expect.any(String),
      graded_at: expect.any(String),
    })
    expect(quiz_settings).toEqual({
      passing_score: 70,
      max_attempts: 5,
      attempts_used: 2,
      can_retake: true,
      time_limit: 1800,
      show_correct_answers: true,
      randomize_questions: false,
    })
    expect(detailed_results.length).toBe(3)
    const without = await ana.api.quizzes.result({ ...quiz, include_answers: false })
    expect([without.quiz_result.answers, without.detailed_results]).toEqual([{}, []])
  })
})

test('only enrolled students take quizzes, and other lessons have none', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana], after: 1, owner })
  const admin = await world.member({ role: 'admin' })
  for (const who of [ben, owner, admin]) {
    await refused(who.api.quizzes.start(quiz), 403, 'not_enrolled')
    await refused(submit(who, quiz, PASSED), 403, 'not_enrolled')
    await refused(who.api.quizzes.result(quiz), 403, 'not_enrolled')
  }
  const plain = { course_id: quiz.course_id, lesson_id: quiz.lessons[1] ?? 0 }
  await refused(ana.api.quizzes.start(plain), 404, 'quiz_not_found')
  await refused(ana.api.quizzes.submit({ ...plain, answers: {} }), 404, 'quiz_not_found')
  await refused(ana.api.quizzes.result(plain), 404, 'quiz_not_found')
  const empty = await makeQuiz(world, { settings: {}, students: [ana] })
  await refused(ana.api.quizzes.start(empty), 404, 'quiz_not_found')
  const other = await makeQuiz(world, { questions: THREE, students: [ana] })
  await refused(ana.api.quizzes.start({ course_id: quiz.course_id, lesson_id: other.lesson_id }), 404, 'lesson_not_found')
  const hidden = await makeQuiz(world, { questions: THREE, students: [ana], course: { status: 'draft' } })
  await refused(ana.api.quizzes.start(hidden), 404, 'course_not_found')
  expect((await world.request('POST', `${quiz.path}/start`)).status).toBe(401)
})

test('a locked quiz cannot be started; passing one unlocks the next lesson', async () => {
  const course = { settings: { sequential_lesson_order: 'yes' } }
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana], before: 1, after: 1, course })
  await refused(ana.api.quizzes.start(quiz), 403, 'lesson_locked')
  await refused(submit(ana, quiz, PASSED), 403, 'lesson_locked')
  await world.app.write(null, ({ db, now }) =>
    db
      .insertInto('lesson_completions')
      .values({ user_id: ana.id, lesson_id: quiz.lessons[0] ?? 0, course_id: quiz.course_id, completed_at: now })
      .execute(),
  )
  expect((await submit(ana, quiz, FAILED)).quiz_result.next_lesson_unlocked).toBe(false)
  expect((await submit(ana, quiz, PASSED)).quiz_result.next_lesson_unlocked).toBe(true)
})

test('quizzes can be turned off', async () => {
  const quiz = await makeQuiz(world, { questions: THREE, students: [ana], owner })
  const set = (value: string) =>
    world.app.write(null, ({ db, now }) =>
      db
        .insertInto('settings')
        .values({ key: 'features', value, updated_at: now })
        .onConflict((on) => on.column('key').doUpdateSet({ value }))
        .execute(),
    )
  await set('{"quizzes":false}')
  await refused(ana.api.quizzes.start(quiz), 403, 'pro_feature_required')
  await refused(owner.api.adminQuizzes.list(quiz), 403, 'pro_feature_required')
  await expect(redefine(world, quiz, { settings: {} })).rejects.toMatchObject({ code: 'pro_feature_required' })
  await set('{}')
  await ana.api.quizzes.start(quiz)
})
