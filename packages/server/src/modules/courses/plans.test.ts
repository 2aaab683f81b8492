import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crowd, makeSchool, type School } from '#test/course-fixtures.ts'
import { expectInOrder, expectNoScan, expectNotWhole, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let teacher: Member
let school: School

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
  teacher = await world.member()
  const first = await makeSchool(admin, { lessons: 1 })
  school = await makeSchool(admin, {
    category: 'Bread',
    difficulty: 'advanced',
    instructor_id: teacher.id,
    students: [ana],
    prerequisites: [first.courseId],
  })
})
afterAll(() => world.close())

const ORDERS = ['created_at', 'updated_at', 'title', 'rating'] as const
const DIRECTIONS = ['asc', 'desc'] as const
const FILTERS = (): readonly object[] => [
  {},
  { search: 'cour' },
  { difficulty: 'advanced' },
  { category: 'Bread' },
  { instructor_id: teacher.id },
  { category: 'Bread', difficulty: 'advanced', instructor_id: teacher.id, search: 'cour' },
  { status: 'draft' },
]

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('on SQLite', () => {
  /** Categories are few and scanned in full; each one only appears with a visible course. */
  const FEW = /^SCAN (k|course_categories)( |$)/
  const steps = async (work: () => Promise<unknown>) =>
    (await plansOf(world.app.services.database.read, work)).flatMap((plan) => plan.steps)

  it('courses are read from the index of their order, with any filter', async () => {
    for (const who of [ana, teacher, admin])
      for (const orderby of ORDERS)
        for (const order of DIRECTIONS)
          for (const filter of FILTERS()) {
            const query = { ...filter, orderby, order }
            const plans = await plansOf(world.app.services.database.read, () => who.api.courses.list(query))
            const scans = plans.flatMap(({ steps }) => steps).filter((step) => step.startsWith('SCAN') && !FEW.test(step))
            // A filter by a user's id may be the better access path; the remaining rows are then sorted.
            const page = plans.find(({ sql }) => sql.includes('order by c.'))?.steps.join() ?? ''
            const inOrder = !page.includes('TEMP B-TREE') || /courses_(instructor|category)/.test(page)
            expect({ query, scans, inOrder }).toEqual({ query, scans: [], inOrder: true })
          }
  })

  it('a student’s courses and a course’s students are read from an index', async () => {
    const inOrder = async (work: () => Promise<unknown>) => {
      const found = await steps(work)
      expect(found.filter((step) => step.startsWith('SCAN') && !FEW.test(step))).toEqual([])
      return found
    }
    for (const status of ['active', 'completed', 'all'] as const) {
      const found = await inOrder(() => ana.api.courses.mine({ status }))
      expect(found.some((step) => step.includes('enrolments_user (user_id=?)'))).toBe(true)
    }
    const { courseId: course_id } = school
    for (const order of DIRECTIONS)
      for (const [orderby, index] of [
        ['enrolled_at', 'enrolments_course'],
        ['progress', 'enrolments_progress'],
      ] as const) {
        const found = await inOrder(() => admin.api.courses.students({ course_id, orderby, order }))
        expect([orderby, found.some((step) => step.includes(`INDEX ${index} (course_id=?)`))]).toEqual([orderby, true])
      }
    for (const query of [{ orderby: 'display_name' }, { search: 'an' }, { search: 'an', orderby: 'display_name' }] as const)
      await expectNoScan(world, () => admin.api.courses.students({ course_id, ...query }))
    for (const sort_by of ['created_at', 'display_name', 'last_activity', 'progress'] as const)
      await expectNoScan(world, () => admin.api.adminCourses.students({ course_id, sort_by }))
  })

  it('sections, lessons, progress and prerequisites are found by index', async () => {
    const { courseId: course_id, sectionId: section_id, slug: course_slug, lessons } = school
    const [lesson_id = 0] = lessons
    for (const who of [ana, admin]) {
      await expectInOrder(world, () => who.api.lessons.list({ course_id }))
      await expectNoScan(world, () => who.api.lessons.byId({ course_id, lesson_id }))
      await expectNoScan(world, () => who.api.courses.byId({ course_id }))
      await expectNoScan(world, () => who.api.courses.bySlug({ course_slug }))
    }
    await expectInOrder(world, () => admin.api.courseSections.list({ course_id }))
    await expectInOrder(world, () => admin.api.courseSections.byId({ course_id, section_id }))
    await expectInOrder(world, () => admin.api.adminLessons.list({ course_id }))
    await expectInOrder(world, () => admin.api.adminLessons.list({ course_id, section_id }))
    await expectNoScan(world, () => ana.api.progress.get({ course_id }))
    await expectNoScan(world, () => admin.api.progress.get({ course_id, user_id: ana.id }))
    for (const lesson of lessons) await ana.api.progress.complete({ course_id, lesson_id: lesson })
    const { certificate_id: code } = (await ana.api.progress.certificate({ course_id })).data
    await expectNoScan(world, () => ana.api.progress.certificate({ course_id }))
    await expectNoScan(world, () => world.anonymous.certificates.check({ code }))
  })
})

it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')('on PostgreSQL no list of a large course scans all students', async () => {
  const { courseId: course_id, lessons } = await makeSchool(admin, { students: [ana] })
  await crowd(world, course_id, 20_000)
  await world.app.services.database.write(async (db) => {
    const { sql } = await import('kysely')
    for (const table of ['enrolments', 'users', 'lesson_completions', 'course_completions']) await sql.raw(`analyze ${table}`).execute(db)
  })
  const students = (query: object) => () => admin.api.courses.students({ course_id, ...query })
  const never = (work: () => Promise<unknown>) => expectNotWhole(world, ['enrolments', 'users'], work)
  for (const order of DIRECTIONS) for (const orderby of ['enrolled_at', 'progress'] as const) await never(students({ orderby, order }))
  await never(students({ search: 'ana' }))
  await never(() => ana.api.courses.mine({}))
  await never(() => ana.api.courses.byId({ course_id }))
  await never(() => ana.api.progress.get({ course_id }))
  await never(() => ana.api.lessons.byId({ course_id, lesson_id: lessons[0] ?? 0 }))
})
