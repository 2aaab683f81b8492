import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crowd, makeLesson, makeSchool } from '#test/course-fixtures.ts'
import { eventsWith } from '#test/fixtures.ts'
import { makeQuiz, submit, THREE, truths } from '#test/quiz-stage.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let outsider: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana', displayName: 'Ana <b>Ruiz' })
  outsider = await world.member({ username: 'outsider' })
})
afterAll(() => world.close())

const complete = (who: Member, course_id: number, lesson_id = 0) => who.api.progress.complete({ course_id, lesson_id })
const progressOf = async (who: Member, course_id: number) => (await who.api.progress.get({ course_id })).data
const completions = async (course_id: number, user_id: number) =>
  (await eventsWith(world, { course_id, user_id })).filter((name) => name === 'course.completed').length

describe('progress', () => {
  it('advances from lesson to lesson', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 3, students: [ana] })
    const [a = 0, b = 0, c = 0] = lessons
    expect(await progressOf(ana, courseId)).toMatchObject({
      course_id: courseId,
      user_id: ana.id,
      progress_percentage: 0,
      completed_lessons: 0,
      total_lessons: 3,
      time_spent: '0m',
      last_accessed: null,
      completed_at: null,
      certificate_url: null,
      next_lesson: { id: a, order: 1 },
    })
    await ana.api.lessons.byId({ course_id: courseId, lesson_id: b })
    const at = (await progressOf(ana, courseId)).started_at
    expect((await progressOf(ana, courseId)).last_accessed).toBe(at)
    const first = await ana.api.progress.complete.answer({ course_id: courseId, lesson_id: b })
    expect([first.status, first.body.data]).toEqual([
      200,
      { lesson_id: b, completed_at: at, progress_percentage: 33, next_lesson: { id: c, title: expect.any(String) } },
    ])
    world.clock.advance(100)
    expect((await complete(ana, courseId, b)).data).toEqual(first.body.data)
    expect((await complete(ana, courseId, c)).data).toMatchObject({ progress_percentage: 66, next_lesson: { id: a } })
    expect((await ana.api.lessons.list({ course_id: courseId })).data.map((lesson) => lesson.is_completed)).toEqual([false, true, true])
    expect((await complete(ana, courseId, a)).data).toMatchObject({ progress_percentage: 100, next_lesson: null })
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100, completed_lessons: 3, next_lesson: null })
    const { data } = await ana.api.progress.incomplete({ course_id: courseId, lesson_id: a })
    expect(data).toEqual({ lesson_id: a, progress_percentage: 66 })
    expect((await ana.api.progress.incomplete({ course_id: courseId, lesson_id: a })).data.progress_percentage).toBe(66)
    const state = await ana.api.progress.setCompletion({ course_id: courseId, lesson_id: a, state: 'completed' })
    expect(state).toMatchObject({ is_completed: true, progress_percentage: 100 })
    expect(await ana.api.progress.setCompletion({ course_id: courseId, lesson_id: a, state: 'incomplete' })).toMatchObject({
      is_completed: false,
    })
  })

  it('shows the last access by reading, completing or taking a quiz', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    const quiz = await makeQuiz(world, { questions: THREE, students: [ana] })
    await complete(ana, courseId, lessons[0])
    const first = (await progressOf(ana, courseId)).last_accessed
    expect(first).not.toBeNull()
    world.clock.advance(5)
    await complete(ana, courseId, lessons[0])
    expect((await progressOf(ana, courseId)).last_accessed).not.toBe(first)
    await ana.api.quizzes.start(quiz)
    const started = (await progressOf(ana, quiz.course_id)).last_accessed
    expect(started).not.toBeNull()
    world.clock.advance(5)
    await submit(ana, quiz, truths(true, false, false))
    expect((await progressOf(ana, quiz.course_id)).last_accessed).not.toBe(started)
  })

  it('is for students only', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    const other = await makeSchool(admin, { lessons: 1, students: [ana] })
    const secret = await makeSchool(admin, { lessons: 1, privacy: 'secret' })
    for (const who of [outsider, admin]) {
      await refused(complete(who, courseId, lessons[0]), 403, 'not_enrolled')
      await refused(who.api.progress.incomplete({ course_id: courseId, lesson_id: lessons[0] ?? 0 }), 403, 'not_enrolled')
      await refused(progressOf(who, courseId), 403, 'not_enrolled')
      await refused(who.api.progress.reset({ course_id: courseId }), 403, 'not_enrolled')
      await refused(who.api.progress.certificate({ course_id: courseId }), 403, 'not_enrolled')
    }
    await refused(complete(ana, courseId, other.lessons[0]), 404, 'lesson_not_found')
    await refused(complete(outsider, secret.courseId, secret.lessons[0]), 404, 'course_not_found')
    await refused(outsider.api.progress.get({ course_id: secret.courseId }), 404, 'course_not_found')
    await refused(outsider.api.progress.get({ course_id: courseId, user_id: ana.id }), 403, 'rest_forbidden')
    expect((await admin.api.progress.get({ course_id: courseId, user_id: ana.id })).data.user_id).toBe(ana.id)
    expect((await ana.api.progress.get({ course_id: courseId, user_id: ana.id })).data.user_id).toBe(ana.id)
    await refused(admin.api.progress.get({ course_id: courseId, user_id: outsider.id }), 403, 'not_enrolled')
    await refused(ana.api.progress.resetStudent({ course_id: courseId, user_id: ana.id }), 403, 'rest_forbidden')
    await refused(admin.api.progress.resetStudent({ course_id: courseId, user_id: outsider.id }), 404, 'member_not_found')
    expect((await world.request('POST', `/courses/${courseId}/lessons/${lessons[0]}/complete`)).status).toBe(401)
  })

  it('of a quiz requires passing it', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0, students: [ana] })
    const question = { id: 'q', type: 'true_false', question: 'So?', correct_answer: true } as const
    const quiz = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions: [question] } })
    await refused(complete(ana, courseId, quiz), 403, 'rest_forbidden')
    await ana.raw('POST', `/courses/${courseId}/lessons/${quiz}/quiz/submit`, { answers: { q: 'true' }, time_spent: 3900 })
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100, time_spent: '1h 5m' })
    await ana.api.progress.incomplete({ course_id: courseId, lesson_id: quiz })
    expect((await complete(ana, courseId, quiz)).data.progress_percentage).toBe(100)
  })

  it('of a quiz that cannot be taken works like any lesson', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0, students: [ana] })
    const empty = await makeLesson(admin, courseId, sectionId, { type: 'quiz' })
    const full = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions: THREE } })
    await admin.api.courses.update({ course_id: courseId, settings: { sequential_lesson_order: 'yes' } })
    await refused(complete(ana, courseId, full), 403, 'lesson_locked')
    await complete(ana, courseId, empty)
    await refused(complete(ana, courseId, full), 403, 'rest_forbidden')
    await admin.api.settings.saveFeatures({ quizzes: false })
    expect((await complete(ana, courseId, full)).data.progress_percentage).toBe(100)
    await ana.api.progress.incomplete({ course_id: courseId, lesson_id: full })
    await admin.api.settings.saveFeatures({ quizzes: true })
    await refused(complete(ana, courseId, full), 403, 'rest_forbidden')
  })

  it('is updated when lessons are published and unpublished', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 2, students: [ana] })
    const [a = 0, b = 0] = lessons
    await complete(ana, courseId, a)
    await admin.api.lessons.update({ course_id: courseId, lesson_id: b, status: 'draft' })
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100, total_lessons: 1 })
    expect(await completions(courseId, ana.id)).toBe(1)
    await admin.api.lessons.update({ course_id: courseId, lesson_id: a, title: 'Changed' })
    const certificate = (await ana.api.progress.certificate({ course_id: courseId })).data
    await makeLesson(admin, courseId, sectionId)
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 50, completed_at: null })
    // An issued certificate stays valid.
    expect((await world.anonymous.certificates.check({ code: certificate.certificate_id })).data).toEqual(certificate)
    await refused(ana.api.progress.certificate({ course_id: courseId }), 400, 'course_not_complete')
    for (const { id } of (await ana.api.lessons.list({ course_id: courseId })).data) await complete(ana, courseId, id)
    expect(await completions(courseId, ana.id)).toBe(1)
    expect((await ana.api.progress.certificate({ course_id: courseId })).data.certificate_id).toBe(certificate.certificate_id)
    await admin.api.lessons.remove({ course_id: courseId, lesson_id: a })
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100, total_lessons: 1 })
    expect(await completions(courseId, ana.id)).toBe(1)
  })

  it('keeps certificates while nothing in the course is published', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    await complete(ana, courseId, lessons[0] ?? 0)
    const certificate = (await ana.api.progress.certificate({ course_id: courseId })).data
    const { completed_at } = await progressOf(ana, courseId)
    world.clock.advance(60)
    const check = async () => (await world.anonymous.certificates.check({ code: certificate.certificate_id })).data
    const setStatus = (status: 'draft' | 'published') =>
      admin.api.courseSections.patch({ course_id: courseId, section_id: sectionId, status })
    await setStatus('draft')
    expect(await check()).toEqual(certificate)
    await setStatus('published')
    expect((await ana.api.progress.certificate({ course_id: courseId })).data).toEqual(certificate)
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100, completed_at })
    await admin.api.lessons.remove({ course_id: courseId, lesson_id: lessons[0] ?? 0 })
    expect(await check()).toEqual(certificate)
  })

  it('announces the completion of a course once', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2, students: [ana] })
    const [a = 0, b = 0] = lessons
    await Promise.all([a, b, a, b, a, b].map((id) => complete(ana, courseId, id)))
    expect(await completions(courseId, ana.id)).toBe(1)
    const names = await eventsWith(world, { course_id: courseId, user_id: ana.id })
    expect(names.filter((name) => name === 'lesson.completed').length).toBe(2)
    await Promise.all(
      [1, 2, 3].flatMap(() => [ana.api.progress.incomplete({ course_id: courseId, lesson_id: a }), complete(ana, courseId, a)]),
    )
    await complete(ana, courseId, a)
    expect(await completions(courseId, ana.id)).toBe(1)
    await ana.api.progress.reset({ course_id: courseId })
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 0, completed_lessons: 0 })
    for (const id of [a, b]) await complete(ana, courseId, id)
    expect(await completions(courseId, ana.id)).toBe(1)
    await ana.raw('POST', `/courses/${courseId}/unenroll`)
    await ana.raw('POST', `/courses/${courseId}/enroll`)
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 100 })
    expect(await completions(courseId, ana.id)).toBe(1)
  })

  it('is correct after lessons change while they are being completed', async () => {
    const students = await Promise.all([1, 2, 3, 4].map(() => world.member()))
    const { courseId, lessons } = await makeSchool(admin, { lessons: 3, students })
    const [a = 0, b = 0, c = 0] = lessons
    const publish = (status: 'draft' | 'published') => admin.api.lessons.update({ course_id: courseId, lesson_id: c, status })
    await Promise.all([
      ...students.flatMap((who) => [a, b].map((id) => complete(who, courseId, id))),
      publish('draft'),
      ...students.map((who) => who.api.progress.incomplete({ course_id: courseId, lesson_id: b })),
      publish('published'),
      admin.api.lessons.reorder({ course_id: courseId, lesson_ids: [c, b, a] }),
    ])
    await world.runPendingJobs()
    const rows = await world.app.services.database.read.selectFrom('enrolments').selectAll().where('course_id', '=', courseId).execute()
    for (const who of students) {
      const live = (await admin.api.progress.get({ course_id: courseId, user_id: who.id })).data
      const kept = rows.find(({ user_id }) => user_id === who.id)
      expect([kept?.progress, kept?.completed_lessons]).toEqual([live.progress_percentage, live.completed_lessons])
    }
  })

  it('is reconciled for many students in batches', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 1 })
    await crowd(world, courseId, 450)
    const all = () => world.app.services.database.read.selectFrom('enrolments').selectAll().where('course_id', '=', courseId).execute()
    await world.app.write(null, async ({ db, now }) => {
      for (const { user_id } of await all())
        await db
          .insertInto('lesson_completions')
          .values({ user_id, course_id: courseId, lesson_id: lessons[0] ?? 0, completed_at: now })
          .execute()
    })
    await makeLesson(admin, courseId, sectionId)
    await world.runPendingJobs()
    expect(new Set((await all()).map(({ progress, completed_lessons }) => `${progress} ${completed_lessons}`))).toEqual(new Set(['50 1']))
    await admin.api.lessons.remove({
      course_id: courseId,
      lesson_id: (await admin.api.lessons.list({ course_id: courseId })).data[1]?.id ?? 0,
    })
    await world.runPendingJobs()
    expect(new Set((await all()).map(({ progress }) => progress))).toEqual(new Set([100]))
    const completed = await world.app.services.database.read
      .selectFrom('course_completions')
      .select('certificate_code')
      .where('course_id', '=', courseId)
      .execute()
    expect(new Set(completed.map(({ certificate_code }) => certificate_code)).size).toBe(450)
  })
})

describe('a certificate', () => {
  const finish = async (who: Member = ana) => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [who] })
    const { data } = await refused(who.api.progress.certificate({ course_id: courseId }), 400, 'course_not_complete')
    expect(data['progress_percentage']).toBe(0)
    await complete(who, courseId, lessons[0])
    return { courseId, lessonId: lessons[0] ?? 0, certificate: (await who.api.progress.certificate({ course_id: courseId })).data }
  }
  const open = (code: string) => world.request('GET', `//certificates/${code}`)

  it('has a public page', async () => {
    const { courseId, certificate } = await finish()
    expect(certificate).toMatchObject({ student_name: 'Ana <b>Ruiz', certificate_id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(certificate.certificate_url).toBe(`${world.origin}/certificates/${certificate.certificate_id}`)
    expect((await progressOf(ana, courseId)).certificate_url).toBe(certificate.certificate_url)
    expect((await world.anonymous.certificates.check({ code: certificate.certificate_id })).data).toEqual(certificate)
    const { status, text, headers } = await open(certificate.certificate_id)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('Ana &lt;b&gt;Ruiz')
    expect(text).toContain(certificate.course_title)
    expect(text).toContain('March 2026')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
    )
    expect(text).not.toMatch(/<script|@example\.org|style="/)
  })

  it('is suspended when a completion is taken back', async () => {
    const unknown = await open('0'.repeat(32))
    expect(unknown.status).toBe(404)
    for (const code of ['x', '0'.repeat(31), '%20', 'A'.repeat(32)]) {
      expect((await open(code)).status).toBe(404)
      expect((await world.request('GET', `/certificates/${code}`)).body.code).toBe('certificate_not_found')
    }
    const isGone = async (code: string) => {
      await refused(world.anonymous.certificates.check({ code }), 404, 'certificate_not_found')
      expect(await open(code)).toMatchObject({ status: 404, text: unknown.text })
    }
    const left = await finish()
    await ana.raw('POST', `/courses/${left.courseId}/unenroll`)
    await isGone(left.certificate.certificate_id)
    const reset = await finish()
    await admin.api.progress.resetStudent({ course_id: reset.courseId, user_id: ana.id })
    await isGone(reset.certificate.certificate_id)
    const taken = await finish()
    await ana.api.progress.incomplete({ course_id: taken.courseId, lesson_id: taken.lessonId })
    await isGone(taken.certificate.certificate_id)
    await complete(ana, taken.courseId, taken.lessonId)
    expect((await open(taken.certificate.certificate_id)).status).toBe(200)
    await admin.api.courses.remove({ course_id: taken.courseId })
    await isGone(taken.certificate.certificate_id)
  })
})
