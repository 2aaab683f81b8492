import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { admin, MEMBER_SCREENS, type Member, person, visit } from './browser.ts'
import { EVERY_KIND, makeCourse, type QuizInput } from './courses.ts'

const makeQuiz = async (title: string, settings: QuizInput['settings'], student: Member) => {
  const quiz = { questions: EVERY_KIND, settings }
  const course = await makeCourse(title, { One: { Check: quiz, Afterwards: 'Well done.' } })
  await admin().adminCourses.addStudent({ course_id: course.id, user_id: student.id })
  return { course, path: `/courses/${course.slug}/lessons/check`, ids: { course_id: course.id, lesson_id: course.lessons['Check'] ?? 0 } }
}

const stars = (page: Page) => page.getByRole('group', { name: 'Which star stays where it is?' })
const planets = (page: Page) => page.getByRole('group', { name: 'Which of these are planets?' })
const twinkle = (page: Page) => page.getByRole('group', { name: 'Planets do not twinkle.' })
const distance = (page: Page) => page.getByRole('textbox', { name: 'How many times the distance is it?' })

const handIn = async (page: Page) => {
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('dialog', { name: 'Submit your answers?' }).getByRole('button', { name: 'Submit' }).click()
}

describe.each(MEMBER_SCREENS)('a quiz, %s', (screen) => {
  it('keeps answers over a reload, shows the correct ones, and is retaken until passed', async () => {
    const lea = await person('Lea Marin')
    const rules = { time_limit: 600, max_attempts: 2, show_correct_answers: true }
    const { course, path, ids } = await makeQuiz(`Checked sky ${screen}`, rules, lea)
    const { page, consoleErrors } = await visit(screen, path, { as: lea })
    await page.getByText('10 minutes').waitFor()
    await page.getByText('2 of 2 left').waitFor()
    await page.getByRole('button', { name: 'Start quiz' }).click()
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor()
    expect(await page.getByRole('timer', { name: 'Time left' }).textContent()).toMatch(/^(10:00|9:5\d)$/)
    await stars(page).getByLabel('Sirius').check()
    await planets(page).getByLabel('Mars').check()
    await planets(page).getByLabel('The Moon').check()
    await distance(page).fill(' FIVE ')

    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('1 question is unanswered.').waitFor()
    expect(await page.evaluate('document.activeElement.closest("fieldset")?.textContent')).toContain('Planets do not twinkle.')
    await page.reload()
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor()
    expect(await stars(page).getByLabel('Sirius').isChecked()).toBe(true)
    expect(await planets(page).getByLabel('The Moon').isChecked()).toBe(true)
    expect(await distance(page).inputValue()).toBe(' FIVE ')
    await twinkle(page).getByRole('radio').first().check()

    // Resetting the course progress keeps the attempt in progress.
    await page.goto(`/courses/${course.slug}`)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Reset progress' }).click()
    await page.getByRole('dialog', { name: 'Reset your progress in this course?' }).getByRole('button', { name: 'Reset progress' }).click()
    await page.getByText('Course progress reset').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Check' }).click()
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor()
    expect(await distance(page).inputValue()).toBe(' FIVE ')
    await handIn(page)

    await page.getByRole('heading', { name: 'Not passed' }).waitFor()
    await page.getByText('2 of 4 correct').waitFor()
    expect(await page.getByText('The axis of the Earth points at it.').count()).toBe(1)
    expect(await page.getByRole('listitem').filter({ hasText: 'Sirius' }).getByText('Your answer', { exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Back to try again' }).click()
    await page.getByText('1 of 2 left').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor()
    expect(await distance(page).inputValue()).toBe('')
    await stars(page).getByLabel('The North Star').check()
    await planets(page).getByLabel('Mars').check()
    await planets(page).getByLabel('Venus').check()
    await twinkle(page).getByRole('radio').first().check()
    await distance(page).fill('5')
    await handIn(page)
    await page.getByRole('heading', { name: 'You passed' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Next' }).first().click()
    await page.getByText('Well done.').waitFor()

    await page.goBack()
    await page.getByText('You passed this quiz.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('button', { name: /^Attempt 1.*Not passed · 50%$/ }).click()
    await page.getByRole('heading', { name: 'Not passed' }).waitFor()
    expect((await lea.client.progress.get({ course_id: course.id })).data.progress_percentage).toBe(50)
    await expect(lea.client.quizzes.start(ids)).rejects.toMatchObject({ code: 'already_submitted' })

    await lea.client.progress.reset({ course_id: course.id })
    await page.goto(path)
    await page.getByText('You passed this quiz.').waitFor()
    await page.getByRole('button', { name: 'Mark as complete' }).click()
    await expect.poll(async () => (await lea.client.progress.get({ course_id: course.id })).data.progress_percentage).toBe(50)
    expect(consoleErrors).toEqual([])
  })

  it('submits when time runs out, hides correct answers, and starts no attempt by itself', async () => {
    const tom = await person('Tom Vidal')
    const { path, ids } = await makeQuiz(`Quick sky ${screen}`, { time_limit: 3, max_attempts: 3, show_correct_answers: false }, tom)
    const { page, consoleErrors } = await visit(screen, path, { as: tom })
    await page.getByRole('button', { name: 'Start quiz' }).click()
    await stars(page).getByLabel('The North Star').check()
    await page.getByRole('heading', { name: 'Not passed' }).waitFor()
    await page.getByText('Correct answers are not shown for this quiz.').waitFor()
    expect(await page.getByText('Correct answer', { exact: true }).count()).toBe(0)
    const { quiz_result: first } = await tom.client.quizzes.result(ids)
    expect(first).toMatchObject({ attempt_number: 1, correct_answers: 1, late: false })

    await page.getByRole('button', { name: 'Back to try again' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor()
    await distance(page).fill('6')
    // Submitted on another device.
    await tom.client.quizzes.submit({ ...ids, answers: { q1: 'b', q2: ['a'], q3: 'false', q4: '6' } })
    await page.reload()
    await page.getByText('1 of 3 left').waitFor()
    await page.getByRole('button', { name: /^Attempt 2/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'Attempt 3' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Attempt 3' }).waitFor()
    await page.getByRole('heading', { name: 'Not passed' }).waitFor()
    await page.getByRole('button', { name: 'Back to the quiz' }).click()
    await page.getByText('You have no attempts left.').waitFor()
    await expect(tom.client.quizzes.start(ids)).rejects.toMatchObject({ code: 'max_attempts_reached' })
    expect(consoleErrors).toEqual([])
  })
})
