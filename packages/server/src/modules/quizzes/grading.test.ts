import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsWith, grant } from '#test/fixtures.ts'
import { completed, makeQuiz, QUESTIONS, type QuizPlace, RIGHT, redefine, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let ana: Member
let ben: Member
let owner: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  owner = await world.member({ displayName: 'Olga' })
  admin = await world.member({ role: 'admin' })
})
beforeEach(async () => {
  ana = await world.member({ displayName: 'ana' })
  ben = await world.member({ displayName: 'Ben' })
})
afterAll(() => world.close())

const FAILED = truths(true, false, false)
const submitted = async (who: Member, quiz: QuizPlace, answers: Record<string, unknown>, time_spent = 10) =>
  (await submit(who, quiz, answers, { time_spent })).quiz_result.id

describe('the list of submissions', () => {
  /** Ana passes (100, 40 s), Ben fails (33, 20 s), another student fails (0, 30 s) and then passes (67, 10 s); one attempt is open. */
  const filled = async () => {
    const cem = await world.member({ displayName: 'cem' })
    const quiz = await makeQuiz(world, { questions: THREE, settings: { passing_score: 60 }, students: [ana, ben, cem, owner], owner })
    await submitted(ana, quiz, truths(true, true, true), 40)
    world.clock.advance(1)
    await submitted(ben, quiz, FAILED, 20)
    world.clock.advance(1)
    await submitted(cem, quiz, truths(false, false, false), 30)
    world.clock.advance(1)
    await submitted(cem, quiz, truths(true, true, false), 10)
    await owner.api.quizzes.start(quiz)
    type Query = Omit<Parameters<Member['api']['adminQuizzes']['list']>[0], 'course_id'>
    const list = (query: Query = {}, who = owner) => who.api.adminQuizzes.list({ course_id: quiz.course_id, ...query })
    const scores = async (query: Query) => (await list(query)).quiz_results.map(({ score }) => score)
    return { quiz, cem, list, scores }
  }

  test('is filtered, sorted and paged, with statistics over all results', async () => {
    const { quiz, cem, list, scores } = await filled()
    const { quiz_results, pagination, statistics } = await list()
    expect(pagination).toEqual({ total: 4, per_page: 20, current_page: 1, total_pages: 1 })
    expect(statistics).toEqual({ total_submissions: 4, passed: 2, failed: 2, average_score: 50, average_time: 25 })
    expect(quiz_results[0]).toEqual({
      id: expect.any(Number),
      xprofile: expect.objectContaining({ user_id: cem.id, display_name: 'cem' }),
      lesson: { id: quiz.lesson_id, title: 'Lesson 0', slug: 'l0' },
      score: 67,
      total_questions: 3,
      correct_answers: 2,
      passed: true,
      attempt_number: 2,
      status: 'graded',
      late: false,
      time_spent: 10,
      submitted_at: expect.any(String),
    })
    expect([await scores({}), await scores({ order: 'asc' })]).toEqual([
      [67, 0, 33, 100],
      [100, 33, 0, 67],
    ])
    expect([await scores({ orderby: 'score' }), await scores({ orderby: 'score', order: 'asc' })]).toEqual([
      [100, 67, 33, 0],
      [0, 33, 67, 100],
    ])
    const names = async (order: 'asc' | 'desc') =>
      (await list({ orderby: 'user_name', order })).quiz_results.map(({ xprofile }) => xprofile.display_name)
    expect([await names('asc'), await names('desc')]).toEqual([
      ['ana', 'Ben', 'cem', 'cem'],
      ['cem', 'cem', 'Ben', 'ana'],
    ])
    expect([await scores({ status: 'passed' }), await scores({ status: 'failed' })]).toEqual([
      [67, 100],
      [0, 33],
    ])
    expect((await list({ status: 'failed', per_page: 1 })).statistics).toEqual({
      total_submissions: 2,
      passed: 0,
      failed: 2,
      average_score: 16.5,
      average_time: 25,
    })
    expect([await scores({ user_id: cem.id }), await scores({ lesson_id: quiz.lesson_id, user_id: ben.id })]).toEqual([[67, 0], [33]])
    expect((await scores({ lesson_id: quiz.lesson_id, orderby: 'score' })).length).toBe(4)
    expect((await list({ user_id: cem.id })).statistics.total_submissions).toBe(2)
    const page = await list({ orderby: 'score', order: 'asc', per_page: 3, page: 2 })
    expect([page.quiz_results.map(({ score }) => score), page.pagination]).toEqual([
      [100],
      { total: 4, per_page: 3, current_page: 2, total_pages: 2 },
    ])
    const none = { total_submissions: 0, passed: 0, failed: 0, average_score: 0, average_time: 0 }
    expect((await list({ user_id: 987_654_321 })).statistics).toEqual(none)
    const other = await makeQuiz(world, { questions: THREE, students: [ana] })
    await submitted(ana, other, FAILED)
    expect((await list({ lesson_id: other.lesson_id })).statistics).toEqual(none)
    expect((await list({ user_id: ana.id })).statistics.total_submissions).toBe(1)
  })

  test('refuses other values', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, owner })
    for (const query of ['status=nonsense', 'orderby=user_email', 'orderby=__proto__', 'order=up', 'lesson_id=x', 'user_id=0', 'page=0']) {
      const { status, body } = await owner.raw('GET', `${quiz.admin}?${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_parameter'])
    }
  })
})

describe('managers of the course', () => {
  test('see and grade submissions; nobody else does', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, students: [ana, ben], owner })
    const quiz_id = await submitted(ana, quiz, RIGHT)
    const manager = await world.member({ role: 'manager' })
    const plainManager = await world.member({ role: 'manager' })
    await grant(world, manager, ['manage_spaces'])
    for (const who of [owner, admin, manager]) {
      expect((await who.api.adminQuizzes.list(quiz)).quiz_results.length).toBe(1)
      await who.api.adminQuizzes.show({ ...quiz, quiz_id })
      await who.api.adminQuizzes.grade({ ...quiz, quiz_id, feedback: 'Seen' })
    }
    const outsider = await world.member()
    for (const who of [ana, ben, outsider, plainManager]) {
      for (const id of [quiz_id, 987_654_321]) {
        await refused(who.api.adminQuizzes.list(quiz), 403, 'rest_forbidden')
        await refused(who.api.adminQuizzes.show({ ...quiz, quiz_id: id }), 403, 'rest_forbidden')
        await refused(who.api.adminQuizzes.grade({ ...quiz, quiz_id: id, score: 100 }), 403, 'rest_forbidden')
      }
    }
    const draft = await makeQuiz(world, { questions: THREE, owner, course: { status: 'draft' } })
    await refused(outsider.api.adminQuizzes.list(draft), 404, 'course_not_found')
    await refused(admin.api.adminQuizzes.list({ course_id: 987_654_321 }), 404, 'course_not_found')
    expect((await world.request('GET', quiz.admin)).status).toBe(401)
    const { graded_by } = (await admin.api.adminQuizzes.show({ ...quiz, quiz_id })).quiz_result
    expect(graded_by?.id).toBe(manager.id)
  })

  test('find a submission in its own course only, and only once it is submitted', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana, ben], owner })
    const theirs = await makeQuiz(world, { questions: THREE, students: [ana] })
    const quiz_id = await submitted(ana, theirs, FAILED)
    const { data } = await ben.api.quizzes.start(quiz)
    for (const id of [quiz_id, data.id, 987_654_321]) {
      await refused(owner.api.adminQuizzes.grade({ ...quiz, quiz_id: id, score: 100 }), 404, 'quiz_not_found')
      await refused(owner.api.adminQuizzes.show({ ...quiz, quiz_id: id }), 404, 'quiz_not_found')
    }
    expect((await ana.api.quizzes.result(theirs)).quiz_result.score).toBe(33)
  })

  test('override score, verdict and feedback', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana], owner })
    const quiz_id = await submitted(ana, quiz, FAILED)
    const grade = async (body: object) => (await owner.api.adminQuizzes.grade({ ...quiz, quiz_id, ...body })).quiz_result
    world.clock.advance(60)
    expect(await grade({ score: 85, passed: true, feedback: 'Well argued' })).toMatchObject({
      id: quiz_id,
      score: 85,
      passed: true,
      feedback: 'Well argued',
      graded_at: expect.any(String),
      graded_by: { id: owner.id, display_name: 'Olga' },
    })
    const seen = async () => {
      const { score, passed, feedback, status } = (await ana.api.quizzes.result(quiz)).quiz_result
      return [score, passed, feedback, status]
    }
    expect(await seen()).toEqual([85, true, 'Well argued', 'graded'])
    expect(await completed(world, quiz)).toEqual([ana.id])
    await grade({ feedback: 'Try again' })
    expect(await seen()).toEqual([85, true, 'Try again', 'graded'])
    await grade({})
    expect(await seen()).toEqual([85, true, 'Try again', 'graded'])
    await grade({ passed: false })
    expect([await seen(), await completed(world, quiz)]).toEqual([[85, false, 'Try again', 'graded'], []])
    await grade({ score: 71 })
    expect([await seen(), await completed(world, quiz)]).toEqual([[71, true, 'Try again', 'graded'], [ana.id]])
    await grade({ score: 10, feedback: '' })
    expect(await seen()).toEqual([10, false, 'Not passed: 10% of the points, 70% are needed.', 'graded'])
    expect(await completed(world, quiz)).toEqual([])
    expect((await submit(ana, quiz, truths(true, true, true))).quiz_result.attempt_number).toBe(2)
    await grade({ passed: true })
    await grade({ passed: false })
    // The second attempt is still passed.
    expect(await completed(world, quiz)).toEqual([ana.id])
    for (const status of ['passed', 'failed'] as const)
      expect((await owner.raw('POST', `${quiz.admin}/${quiz_id}`, { status })).body.quiz_result.passed).toBe(status === 'passed')
    for (const body of [
      { score: 101 },
      { score: -1 },
      { score: 'many' },
      { score: 1.5 },
      { passed: 'yes' },
      { feedback: 'x'.repeat(5001) },
      { answers: ['x'] },
      { status: 'graded' },
      { status: true },
      { status: 'passed', passed: false },
      { verdict: 'passed' },
    ]) {
      const { status, body: told } = await owner.raw('POST', `${quiz.admin}/${quiz_id}`, body)
      expect([body, status, told.code]).toEqual([body, 400, 'invalid_data'])
    }
  })

  test('grade single answers; the rest is recomputed', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, students: [ana], owner })
    const quiz_id = await submitted(ana, quiz, RIGHT)
    const grade = (answers: Record<string, unknown>) => owner.api.adminQuizzes.grade({ ...quiz, quiz_id, answers })
    for (const answers of [
      { nothing: 1 },
      { why: 6 },
      { why: -1 },
      { why: 1.5 },
      { why: {} },
      { why: [] },
      { why: 'good' },
      { why: { points: '3' } },
      { why: { is_correct: 'perhaps' } },
    ]) {
      await refused(grade(answers as Record<string, unknown>), 400, 'invalid_data')
    }
    expect((await grade({ capital: { is_correct: false } })).quiz_result).toMatchObject({ score: 40, status: 'completed', passed: false })
    expect((await grade({ why: { points: 4 } })).quiz_result).toMatchObject({
      score: 80,
      status: 'graded',
      passed: true,
      correct_answers: 3,
    })
    expect(await completed(world, quiz)).toEqual([ana.id])
    expect(await eventsWith(world, { attempt_id: quiz_id })).toEqual(['quiz.submitted', 'quiz.graded'])
    const { detailed_results, quiz_result } = await ana.api.quizzes.result(quiz)
    expect(detailed_results.slice(3).map(({ is_correct, points_earned }) => [is_correct, points_earned])).toEqual([
      [false, 0],
      [false, 4],
    ])
    expect(quiz_result.feedback).toBe('Passed with 80%.')
    expect((await grade({ why: { points: 4, is_correct: true }, capital: null })).quiz_result).toMatchObject({
      score: 90,
      correct_answers: 5,
    })
    expect((await grade({ why: false })).quiz_result).toMatchObject({ score: 50, passed: false })
    expect((await grade({ why: 5 })).quiz_result).toMatchObject({ score: 100, passed: true, correct_answers: 5 })
    const shown = await owner.api.adminQuizzes.show({ ...quiz, quiz_id })
    expect(shown.quiz_result).toMatchObject({
      score: 100,
      xprofile: { user_id: ana.id },
      graded_by: { id: owner.id },
      answers: { colour: 'blue' },
    })
    expect(shown.detailed_results[0]).toMatchObject({ correct_answer: 'blue', explanation: 'Secretreason one' })
  })

  test('grade by the questions of the attempt, whatever the quiz has become', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, students: [ana], owner })
    const quiz_id = await submitted(ana, quiz, RIGHT)
    await redefine(world, quiz, { questions: THREE, settings: { passing_score: 100 } })
    const { quiz_result } = await owner.api.adminQuizzes.grade({ ...quiz, quiz_id, answers: { why: 4 } })
    expect(quiz_result).toMatchObject({ score: 90, passed: true, passing_score: 70, total_questions: 5 })
  })

  test('can grade students who have left the course', async () => {
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana], owner })
    const quiz_id = await submitted(ana, quiz, FAILED)
    await world.app.write(null, ({ db }) => db.deleteFrom('enrolments').where('user_id', '=', ana.id).execute())
    expect((await owner.api.adminQuizzes.grade({ ...quiz, quiz_id, passed: true })).quiz_result.passed).toBe(true)
    expect(await completed(world, quiz)).toEqual([])
  })
})
