import { afterAll, beforeAll, expect, it } from 'vitest'
import { crowd, makeSchool, type School } from '#test/course-fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
})
afterAll(() => world.close())

const LESSONS = 500
const STUDENTS = 5000
const ROUNDS = 7

/** Inserts published lessons directly. */
const fill = (school: School, count: number) =>
  world.app.write(null, async ({ db, now }) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      course_id: school.courseId,
      section_id: school.sectionId,
      feed_id: null,
      type: 'lesson' as const,
      status: 'published' as const,
      position: i + 10,
      slug: `filled-${i}`,
      title: `Filled ${i}`,
      created_at: now,
      updated_at: now,
    }))
    await db.insertInto('lessons').values(rows).execute()
    await db
      .updateTable('courses')
      .set((of) => ({ lessons_count: of('lessons_count', '+', count) }))
      .where('id', '=', school.courseId)
      .execute()
  })

const median = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
}

/** The last page of the student list. */
const lastPage = async (course_id: number) => Math.ceil((await admin.api.courses.byId({ course_id })).data.students_count / 20)

const ASKED = {
  lesson: (course_id: number, lesson_id: number) => ana.api.lessons.byId({ course_id, lesson_id }),
  course: (course_id: number) => ana.api.courses.byId({ course_id }),
  mine: () => ana.api.courses.mine({}),
  newest: (course_id: number) => admin.api.courses.students({ course_id }),
  oldest: async (course_id: number) => admin.api.courses.students({ course_id, page: await lastPage(course_id) }),
  furthest: (course_id: number) => admin.api.courses.students({ course_id, orderby: 'progress' }),
  called: (course_id: number) => admin.api.courses.students({ course_id, search: 'ana' }),
  profiles: (course_id: number) => admin.api.adminCourses.students({ course_id, sort_by: 'progress' }),
  report: (course_id: number) => admin.api.progress.get({ course_id, user_id: ana.id }),
  visit: async (course_id: number) => {
    await ana.api.courses.unenroll({ course_id })
    await ana.api.courses.enroll({ course_id })
  },
  progress: (course_id: number) => ana.api.progress.get({ course_id }),
  toggle: async (course_id: number, lesson_id: number) => {
    await ana.api.progress.complete({ course_id, lesson_id })
    await ana.api.progress.incomplete({ course_id, lesson_id })
  },
} as const

it('a course with many lessons and students is as fast as a small one', { timeout: 60_000 }, async () => {
  const small = await makeSchool(admin, { lessons: 2, students: [ana] })
  const large = await makeSchool(admin, { lessons: 2, students: [ana] })
  await fill(large, LESSONS)
  await crowd(world, large.courseId, STUDENTS)
  for (const [name, ask] of Object.entries(ASKED)) {
    const time = (school: School) => median(() => ask(school.courseId, school.lessons[1] ?? 0))
    const [quick, slow] = [await time(small), await time(large)]
    console.log(`large course ${world.dialect}: ${name} small=${quick.toFixed(1)}ms large=${slow.toFixed(1)}ms`)
    // Generous, as other tests run concurrently: a scan over all students would take a hundred times as long.
    expect(slow, name).toBeLessThan(quick * 4 + 10)
  }
  // Sorting by name reads only the columns it needs.
  const names = (page: number) => median(() => admin.api.courses.students({ course_id: large.courseId, orderby: 'display_name', page }))
  const [first, last] = [await names(1), await names(STUDENTS / 20)]
  console.log(`large course ${world.dialect}: names first=${first.toFixed(1)}ms last=${last.toFixed(1)}ms`)
  expect(Math.max(first, last)).toBeLessThan(500)
  // Reordering everything is one statement, and so is moving a lesson.
  const reorder = async ({ courseId: course_id }: School) => {
    const ids = (await admin.api.adminLessons.list({ course_id })).lessons.map(({ id }) => id)
    return async () => {
      ids.reverse()
      await admin.api.lessons.reorder({ course_id, lesson_ids: ids })
    }
  }
  const [few, all] = [await median(await reorder(small)), await median(await reorder(large))]
  const move = await median(() => admin.api.lessons.update({ course_id: large.courseId, lesson_id: large.lessons[1] ?? 0, order: 1 }))
  console.log(
    `large course ${world.dialect}: reorder small=${few.toFixed(1)}ms large=${all.toFixed(1)}ms, one to the front=${move.toFixed(1)}ms`,
  )
  expect(all).toBeLessThan(few * 4 + 100)
  expect(move).toBeLessThan(few * 4 + 100)
  // A write that affects all students handles a batch and leaves the rest to jobs.
  const start = performance.now()
  await admin.api.lessons.update({ course_id: large.courseId, lesson_id: large.lessons[0] ?? 0, status: 'draft' })
  const took = performance.now() - start
  console.log(`large course ${world.dialect}: unpublish=${took.toFixed(0)}ms`)
  expect(took).toBeLessThan(2000)
})
