import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLesson, makeSchool } from '#test/course-fixtures.ts'
import { eventsWith } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { eraseLearning } from './index.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const QUESTION = { id: 'q', type: 'true_false', question: 'So?', correct_answer: true } as const

const enrol = (who: Member, course_id: number) => who.api.courses.enroll({ course_id })
const leave = (who: Member, course_id: number) => who.api.courses.unenroll({ course_id })
const complete = (who: Member, course_id: number, lesson_id = 0) => who.api.progress.complete({ course_id, lesson_id })
const submit = (who: Member, course_id: number, lesson: number, answer: boolean) =>
  who.raw('POST', `/courses/${course_id}/lessons/${lesson}/quiz/submit`, { answers: { q: answer } })
const progressOf = async (who: Member, course_id: number) => (await who.api.progress.get({ course_id })).data
const told = async (course_id: number, user_id: number) =>
  (await eventsWith(world, { course_id, user_id })).filter((name) => name === 'course.completed').length
const rows = (course_id: number, user_id: number) =>
  world.app.services.database.read
    .selectFrom('course_completions')
    .selectAll()
    .where('course_id', '=', course_id)
    .where('user_id', '=', user_id)
    .execute()

describe('a student who leaves a course and returns', () => {
  it('continues with their earlier progress', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 4 })
    await enrol(ana, courseId)
    for (const lesson of lessons.slice(0, 2)) await complete(ana, courseId, lesson)
    await leave(ana, courseId)
    await refused(ana.api.progress.get({ course_id: courseId }), 403, 'not_enrolled')
    await enrol(ana, courseId)
    expect(await progressOf(ana, courseId)).toMatchObject({ progress_percentage: 50, completed_lessons: 2, completed_at: null })
    expect((await ana.api.courses.byId({ course_id: courseId })).data.progress).toBe(50)
    expect((await ana.api.lessons.list({ course_id: courseId })).data.map((lesson) => lesson.is_completed)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('has used up their attempts', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
    const settings = { max_attempts: 2, passing_score: 100 }
    const quiz = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions: [QUESTION], settings } })
    await enrol(ana, courseId)
    expect((await submit(ana, courseId, quiz, false)).status).toBe(201)
    await leave(ana, courseId)
    expect((await submit(ana, courseId, quiz, false)).body.code).toBe('not_enrolled')
    await enrol(ana, courseId)
    expect((await submit(ana, courseId, quiz, false)).status).toBe(201)
    await leave(ana, courseId)
    await enrol(ana, courseId)
    expect((await submit(ana, courseId, quiz, true)).body.code).toBe('max_attempts_reached')
    const start = await ana.raw('POST', `/courses/${courseId}/lessons/${quiz}/quiz/start`)
    expect([start.status, start.body.code]).toEqual([403, 'max_attempts_reached'])
  })

  it('continues an attempt in progress', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
    const quiz = await makeLesson(admin, courseId, sectionId, {
      type: 'quiz',
      quiz: { questions: [QUESTION], settings: { time_limit: 60 } },
    })
    const start = () => ana.raw('POST', `/courses/${courseId}/lessons/${quiz}/quiz/start`)
    await enrol(ana, courseId)
    const begun = await start()
    await leave(ana, courseId)
    world.clock.advance(90)
    await enrol(ana, courseId)
    const again = await start()
    expect([begun.status, again.status, again.body.data]).toEqual([201, 200, begun.body.data])
    expect((await submit(ana, courseId, quiz, true)).body.quiz_result).toMatchObject({ late: true, attempt_number: 1 })
  })

  it('has still completed it, with the same certificate and no further announcement', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2 })
    await enrol(ana, courseId)
    for (const lesson of lessons) await complete(ana, courseId, lesson)
    const before = await progressOf(ana, courseId)
    const { certificate_id } = (await ana.api.progress.certificate({ course_id: courseId })).data
    await leave(ana, courseId)
    await refused(world.anonymous.certificates.check({ code: certificate_id }), 404, 'certificate_not_found')
    world.clock.advance(3600)
    await enrol(ana, courseId)
    const { completed_at, progress_percentage, certificate_url } = await progressOf(ana, courseId)
    expect({ completed_at, progress_percentage, certificate_url }).toEqual({
      completed_at: before.completed_at,
      progress_percentage: 100,
      certificate_url: before.certificate_url,
    })
    expect((await world.anonymous.certificates.check({ code: certificate_id })).data.certificate_id).toBe(certificate_id)
    expect(await told(courseId, ana.id)).toBe(1)
  })

  it('cannot complete it a second time in any way', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 2 })
    const [a = 0, b = 0] = lessons
    await enrol(ana, courseId)
    for (const lesson of [a, b]) await complete(ana, courseId, lesson)
    const first = (await progressOf(ana, courseId)).completed_at
    world.clock.advance(60)
    // Taken back, left, returned, completed.
    await ana.api.progress.incomplete({ course_id: courseId, lesson_id: b })
    await leave(ana, courseId)
    await enrol(ana, courseId)
    await complete(ana, courseId, b)
    expect([await told(courseId, ana.id), (await progressOf(ana, courseId)).completed_at]).toEqual([1, first])
    // Removed and added by a teacher, reset.
    await admin.api.adminCourses.removeStudent({ course_id: courseId, user_id: ana.id })
    await admin.api.adminCourses.addStudent({ course_id: courseId, user_id: ana.id })
    await ana.api.progress.reset({ course_id: courseId })
    for (const lesson of [a, b]) await complete(ana, courseId, lesson)
    // Reopened by a new lesson.
    const c = await makeLesson(admin, courseId, sectionId)
    expect((await progressOf(ana, courseId)).completed_at).toBeNull()
    await leave(ana, courseId)
    await enrol(ana, courseId)
    await complete(ana, courseId, c)
    expect([await told(courseId, ana.id), (await progressOf(ana, courseId)).completed_at]).toEqual([1, first])
    expect(await rows(courseId, ana.id)).toHaveLength(1)
  })

  it('completes it on return if everything is done only then', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2 })
    const [a = 0, b = 0] = lessons
    await enrol(ana, courseId)
    await complete(ana, courseId, a)
    await leave(ana, courseId)
    await admin.api.lessons.remove({ course_id: courseId, lesson_id: b })
    expect(await told(courseId, ana.id)).toBe(0)
    await enrol(ana, courseId)
    expect([await told(courseId, ana.id), (await progressOf(ana, courseId)).progress_percentage]).toEqual([1, 100])
  })

  it('completes it once in many concurrent requests', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2 })
    const path = (lesson: number) => `/courses/${courseId}/lessons/${lesson}/complete`
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        Array.from({ length: 24 }, (_, i) => {
          if (i % 6 === 4) return ana.raw('POST', `/courses/${courseId}/unenroll`)
          if (i % 3 === 0) return ana.raw('POST', `/courses/${courseId}/enroll`)
          return ana.raw('POST', path(lessons[i % 2] ?? 0))
        }),
      ).then((answers) => {
        for (const { status, body } of answers) expect([200, 201, 400, 403, 409], JSON.stringify(body)).toContain(status)
      })
    }
    await ana.raw('POST', `/courses/${courseId}/enroll`)
    await Promise.all(lessons.flatMap((lesson) => [1, 2, 3].map(() => complete(ana, courseId, lesson))))
    expect([await told(courseId, ana.id), (await rows(courseId, ana.id)).length]).toEqual([1, 1])
    const { students_count } = (await admin.api.courses.byId({ course_id: courseId })).data
    expect(students_count).toBe(1)
  })

  it('is limited by a database constraint', async () => {
    const { courseId } = await makeSchool(admin, { lessons: 1 })
    const values = {
      course_id: courseId,
      user_id: ana.id,
      completed_at: '2026-03-01 00:00:00',
      certificate_code: null,
      certificate_at: null,
    }
    const store = () => world.app.services.database.write((db) => db.insertInto('course_completions').values(values).execute())
    await store()
    await expect(store()).rejects.toThrow()
  })
})

describe('deleting an account', () => {
  const TABLES = ['enrolments', 'lesson_completions', 'course_completions', 'quiz_attempts'] as const
  const left = (user_id: number) =>
    Promise.all(
      TABLES.map(async (table) => {
        const found = await world.app.services.database.read.selectFrom(table).select('user_id').where('user_id', '=', user_id).execute()
        return found.length
      }),
    )
  const studentsOf = async (course_id: number) => (await admin.api.courses.byId({ course_id })).data.students_count

  it('erases everything it has learned and nothing of others', async () => {
    const [gone, stays] = [await world.member(), ben]
    const schools = await Promise.all([1, 2].map(() => makeSchool(admin, { lessons: 1 })))
    for (const { courseId, sectionId, lessons } of schools) {
      const quiz = await makeLesson(admin, courseId, sectionId, { type: 'quiz', quiz: { questions: [QUESTION] } })
      for (const who of [gone, stays]) {
        await enrol(who, courseId)
        await complete(who, courseId, lessons[0])
        expect((await submit(who, courseId, quiz, true)).status).toBe(201)
      }
    }
    // One of the courses was left before.
    await leave(gone, schools[1]?.courseId ?? 0)
    const { certificate_id } = (await gone.api.progress.certificate({ course_id: schools[0]?.courseId ?? 0 })).data
    expect([await left(gone.id), await left(stays.id)]).toEqual([
      [1, 4, 2, 2],
      [2, 4, 2, 2],
    ])
    await world.app.write(null, (ctx) => eraseLearning(ctx, gone.id))
    expect([await left(gone.id), await left(stays.id)]).toEqual([
      [0, 0, 0, 0],
      [2, 4, 2, 2],
    ])
    expect(await Promise.all(schools.map(({ courseId }) => studentsOf(courseId)))).toEqual([1, 1])
    await refused(world.anonymous.certificates.check({ code: certificate_id }), 404, 'certificate_not_found')
    await world.app.write(null, (ctx) => eraseLearning(ctx, gone.id))
    expect(await studentsOf(schools[0]?.courseId ?? 0)).toBe(1)
  })

  it('keeps counters correct while it enrols and leaves concurrently', async () => {
    const [gone, schools] = [await world.member(), await Promise.all([1, 2, 3].map(() => makeSchool(admin, { lessons: 1 })))]
    const ids = schools.map(({ courseId }) => courseId)
    await Promise.all([
      ...ids.map((id) => gone.raw('POST', `/courses/${id}/enroll`)),
      ...ids.map((id) => admin.raw('POST', `/admin/courses/${id}/students`, { user_id: gone.id })),
      world.app.write(null, (ctx) => eraseLearning(ctx, gone.id)),
      ...ids.map((id) => gone.raw('POST', `/courses/${id}/unenroll`)),
      world.app.write(null, (ctx) => eraseLearning(ctx, gone.id)),
      ...ids.map((id) => gone.raw('POST', `/courses/${id}/enroll`)),
    ])
    const counts = await Promise.all(ids.map(studentsOf))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe((await left(gone.id))[0])
    await world.app.write(null, (ctx) => eraseLearning(ctx, gone.id))
    expect(await Promise.all(ids.map(studentsOf))).toEqual([0, 0, 0])
  })

  it('finds the rows by index', async () => {
    if (world.dialect !== 'sqlite') return expect(world.dialect).toBe('postgres')
    const writer = await world.app.services.database.write(async (db) => db)
    const plans = await plansOf(writer, () => world.app.write(null, (ctx) => eraseLearning(ctx, ben.id)))
    expect(plans.length).toBeGreaterThan(4)
    expect(plans.flatMap(({ steps }) => steps).filter((step) => step.startsWith('SCAN'))).toEqual([])
  })
})
