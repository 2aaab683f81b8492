import { afterAll, beforeAll, expect, it } from 'vitest'
import { crowd, makeSchool, type School } from '../../../test/school.ts'
import { createWorld, type Member, type World } from '../../../test/world.ts'

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
const STUDENTS = 10_000
const ROUNDS = 15

/** Published lessons past the API. */
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

const ASKED = {
  lesson: (course_id: number, lesson_id: number) => ana.api.lessons.byId({ course_id, lesson_id }),
  progress: (course_id: number) => ana.api.progress.get({ course_id }),
  toggle: async (course_id: number, lesson_id: number) => {
    await ana.api.progress.complete({ course_id, lesson_id })
    await ana.api.progress.incomplete({ course_id, lesson_id })
  },
} as const

it('a course of many lessons and students is as quick as a small one', { timeout: 60_000 }, async () => {
  const small = await makeSchool(admin, { lessons: 2, students: [ana] })
  const large = await makeSchool(admin, { lessons: 2, students: [ana] })
  await fill(large, LESSONS)
  await crowd(world, large.courseId, STUDENTS)
  for (const [name, ask] of Object.entries(ASKED)) {
    const time = (school: School) => median(() => ask(school.courseId, school.lessons[1] ?? 0))
    const [quick, slow] = [await time(small), await time(large)]
    console.log(`large course ${world.dialect}: ${name} small=${quick.toFixed(1)}ms large=${slow.toFixed(1)}ms`)
    // Generous, as other tests run at the same time: a walk over the students would take a hundred times as long.
    expect(slow, name).toBeLessThan(quick * 4 + 10)
  }
  // A write that concerns them all does some of them and leaves the others to jobs.
  const start = performance.now()
  await admin.api.lessons.update({ course_id: large.courseId, lesson_id: large.lessons[0] ?? 0, status: 'draft' })
  const took = performance.now() - start
  console.log(`large course ${world.dialect}: unpublish=${took.toFixed(0)}ms`)
  expect(took).toBeLessThan(2000)
})
