import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInOrder, expectNoScan, plansOf } from '#test/plans.ts'
import { makeQuiz, type QuizPlace, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

describe.runIf(onSqlite)('on SQLite', () => {
  let world: World
  let ana: Member
  let owner: Member
  let quiz: QuizPlace

  beforeAll(async () => {
    world = await createWorld()
    ana = await world.member()
    owner = await world.member()
    quiz = await makeQuiz(world, { questions: THREE, students: [ana], owner, after: 1 })
    await submit(ana, quiz, truths(true, false, false))
  })
  afterAll(() => world.close())

  const list = (query: object) => () => owner.api.adminQuizzes.list({ course_id: quiz.course_id, ...query })

  it('submissions of a course or quiz are read from an index in order', async () => {
    for (const orderby of ['submitted_at', 'score'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        for (const status of ['all', 'passed', 'failed'] as const) {
          await expectInOrder(world, list({ orderby, order, status }))
          await expectInOrder(world, list({ orderby, order, status, lesson_id: quiz.lesson_id }))
        }
      }
    }
  })

  it('submissions of one student, and the order by name, use an index', async () => {
    for (const query of [{ user_id: ana.id }, { user_id: ana.id, lesson_id: quiz.lesson_id }, { orderby: 'user_name' }]) {
      await expectNoScan(world, list(query))
    }
  })

  it('statistics are computed from a covering index', async () => {
    for (const query of [{}, { status: 'failed' }, { lesson_id: quiz.lesson_id }]) {
      const plans = await plansOf(world.app.services.database.read, list(query))
      const sums = plans.find(({ sql }) => sql.includes('sum('))
      expect(sums?.steps.join()).toMatch(/^SEARCH a USING COVERING INDEX quiz_attempts_(course|lesson) /)
    }
  })

  it('a result is found by index', async () => {
    await expectNoScan(world, () => ana.api.quizzes.result(quiz))
    await expectNoScan(world, () => ana.api.quizzes.result({ ...quiz, attempt: '1' }))
  })
})
