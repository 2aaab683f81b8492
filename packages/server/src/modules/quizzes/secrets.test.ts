import { api, type Route, type Routes } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeQuiz, QUESTIONS, type QuizPlace, RIGHT, SECRET, submit } from '#test/quiz-stage.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
let owner: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana' })
  owner = await world.member()
})
afterAll(() => world.close())

const gets: readonly Route[] = Object.values(api as Record<string, Routes>)
  .flatMap((group) => Object.values(group))
  .filter(({ method, produces }) => method === 'GET' && produces !== 'events')

const filled = ({ path }: Route, { course_id, lesson_id }: QuizPlace, quiz_id: number): string =>
  path.replace(/\{([a-z_]+)\}/g, (_all, name: string) => {
    const known: Record<string, string | number> = { course_id, lesson_id, quiz_id, username: 'ana', user_id: ana.id, student_id: ana.id }
    return String(known[name] ?? 1)
  })

/** What reveals an answer: the texts of keys and explanations, and the fields that contain what is correct. */
const KEYS = new RegExp(`${SECRET}|is_correct|"correct_answer"|"explanation"`, 'i')

/** Every response about the quiz that a member can read, with and without optional parts of lists. */
const readsOf = async (who: Member, quiz: QuizPlace, quiz_id: number) => {
  const told: { at: string; status: number; text: string }[] = []
  const keep = (at: string, { status, text }: { status: number; text: string }) => told.push({ at, status, text })
  for (const route of gets) {
    const at = filled(route, quiz, quiz_id)
    for (const query of ['', `?search=${SECRET}&q=${SECRET}`, '?include_answers=true&attempt=1&page=1']) {
      keep(`GET ${at}${query}`, await who.raw('GET', at + query))
    }
  }
  const lesson = `/courses/${quiz.course_id}/lessons/${quiz.lesson_id}`
  const shown = { settings: { show_correct_answers: true }, questions: [] }
  keep('PUT lesson', await who.raw('PUT', lesson, { title: 'x', quiz: shown }))
  keep('PUT malformed lesson', await who.raw('PUT', lesson, { quiz: { questions: [{ id: 'colour', type: 'essay' }] } }))
  keep('grade', await who.raw('POST', `${quiz.admin}/${quiz_id}`, { answers: { colour: { points: 1 } } }))
  keep('start', await who.raw('POST', `${quiz.path}/start`))
  keep('submit nothing', await who.raw('POST', `${quiz.path}/submit`, { answers: {} }))
  keep('submit oddly', await who.raw('POST', `${quiz.path}/submit`, { answers: { colour: { a: 1 }, wet: [[]], why: { is: 1 } } }))
  return told
}

const expectNothing = async (who: Member, quiz: QuizPlace, quiz_id: number) => {
  const told = await readsOf(who, quiz, quiz_id)
  expect(told.length).toBeGreaterThan(100)
  expect(told.filter(({ status }) => status >= 500)).toEqual([])
  // The search term may be echoed in page URLs.
  const quoted = /search=Secretreason|q=Secretreason/g
  expect(told.filter(({ text }) => KEYS.test(text.replace(quoted, ''))).map(({ at }) => at)).toEqual([])
}

describe('students never read a key', () => {
  test.each([true, false])('before the attempt, with show_correct_answers %s', async (show_correct_answers) => {
    const questions = QUESTIONS.slice(0, 4)
    const quiz = await makeQuiz(world, { questions, settings: { show_correct_answers }, students: [ana, owner], owner })
    const { quiz_result } = await submit(owner, quiz, RIGHT)
    await expectNothing(ana, quiz, quiz_result.id)
    const outsider = await world.member()
    await expectNothing(outsider, quiz, quiz_result.id)
  })

  test('after the attempt, unless it is shown', async () => {
    const quiz = await makeQuiz(world, { questions: QUESTIONS, settings: { show_correct_answers: false }, students: [ana], owner })
    // Students may read their own answers; these contain nothing of the key.
    const submission = await ana.raw('POST', `${quiz.path}/submit`, { answers: { ...RIGHT, capital: 'Rome' } })
    expect(submission.status).toBe(201)
    expect(submission.text).not.toMatch(KEYS)
    expect(submission.body.detailed_results[0]).toEqual({
      question_id: 'colour',
      type: 'multiple_choice',
      question: 'Which colour has a clear sky?',
      options: [
        { id: 'blue', text: 'Blue' },
        { id: 'green', text: 'Green' },
      ],
      your_answer: 'blue',
      points_earned: null,
      points_possible: 1,
    })
    await expectNothing(ana, quiz, submission.body.quiz_result.id)
    await owner.api.adminQuizzes.grade({ ...quiz, quiz_id: submission.body.quiz_result.id, answers: { why: 5 } })
    await expectNothing(ana, quiz, submission.body.quiz_result.id)
    // Managers do read it, which proves that the crawl finds it.
    const told = await owner.raw('GET', `${quiz.admin}/${submission.body.quiz_result.id}`)
    expect(told.text).toMatch(KEYS)
  })
})
