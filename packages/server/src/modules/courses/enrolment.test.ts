import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsWith } from '#test/fixtures.ts'
import { expectInOrder, expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { insertRows } from '../../db/index.ts'
import { listCourses, listMyCourses } from './queries.ts'
import { listStudents } from './students.ts'

let world: World
let admin: Member
let teacher: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  teacher = await world.member()
  ana = await world.member({ displayName: 'Ana Alder' })
  ben = await world.member({ displayName: 'Ben Birch' })
})
afterAll(() => world.close())

let made = 0
type Fields = Partial<Parameters<Member['api']['courses']['create']>[0]>
const make = async (fields: Fields = {}): Promise<number> => {
  made += 1
  const body = { title: `Course ${made}`, description: 'Short', status: 'published', instructor_id: teacher.id, ...fields } as const
  return (await admin.api.courses.create(body)).data.id
}
const countOf = async (id: number) => (await admin.api.courses.byId({ course_id: id })).data.students_count
const rowsOf = (id: number) =>
  world.app.services.database.read.selectFrom('enrolments').select('user_id').where('course_id', '=', id).execute()
const complete = (id: number, who: Member) =>
  world.app.write(null, ({ db, now }) =>
    db.updateTable('enrolments').set({ completed_at: now }).where('course_id', '=', id).where('user_id', '=', who.id).execute(),
  )

describe('enrolling', () => {
  test('returns the enrolment, and succeeds once', async () => {
    const id = await make()
    const { status, body } = await ana.api.courses.enroll.answer({ course_id: id })
    expect(status).toBe(201)
    expect(body.data).toEqual({ enrollment_id: expect.any(Number), course_id: id, user_id: ana.id, enrolled_at: '2026-03-10 12:00:00' })
    await refused(ana.api.courses.enroll({ course_id: id }), 400, 'already_enrolled')
    expect(await countOf(id)).toBe(1)
    expect((await ana.api.courses.byId({ course_id: id })).data).toMatchObject({ is_enrolled: true, enrolled_at: '2026-03-10 12:00:00' })
    expect(await eventsWith(world, { course_id: id, user_id: ana.id })).toEqual(['course.enrolled'])
  })

  test('can be undone once', async () => {
    const id = await make()
    await ana.api.courses.enroll({ course_id: id })
    await ana.api.courses.unenroll({ course_id: id })
    await refused(ana.api.courses.unenroll({ course_id: id }), 403, 'not_enrolled')
    expect([await countOf(id), await rowsOf(id)]).toEqual([0, []])
    expect(await eventsWith(world, { course_id: id, user_id: ana.id })).toEqual(['course.enrolled', 'course.unenrolled'])
  })

  test('private courses only accept added students; secret courses and drafts are not found', async () => {
    const [open, secret, draft] = [await make({ privacy: 'private' }), await make({ privacy: 'secret' }), await make({ status: 'draft' })]
    await refused(ana.api.courses.enroll({ course_id: open }), 403, 'rest_forbidden')
    for (const id of [secret, draft]) await refused(ana.api.courses.enroll({ course_id: id }), 404, 'course_not_found')
    for (const id of [open, secret]) {
      const { status, body } = await teacher.api.adminCourses.addStudent.answer({ course_id: id, user_id: ana.id })
      expect([status, body.data.user_id]).toEqual([201, ana.id])
      await refused(ana.api.courses.enroll({ course_id: id }), 400, 'already_enrolled')
      await refused(teacher.api.adminCourses.addStudent({ course_id: id, user_id: ana.id }), 400, 'already_enrolled')
      expect((await ana.api.courses.byId({ course_id: id })).data.is_enrolled).toBe(true)
    }
    await teacher.api.adminCourses.removeStudent({ course_id: secret, user_id: ana.id })
    await refused(ana.api.courses.byId({ course_id: secret }), 404, 'course_not_found')
    await refused(teacher.api.adminCourses.removeStudent({ course_id: secret, user_id: ana.id }), 404, 'user_not_found')
    await admin.api.courses.update({ course_id: open, status: 'draft' })
    await refused(ana.api.courses.unenroll({ course_id: open }), 404, 'course_not_found')
  })

  test('managers add and remove active members only', async () => {
    const id = await make()
    await refused(ben.api.adminCourses.addStudent({ course_id: id, user_id: ana.id }), 403, 'rest_forbidden')
    await refused(ben.api.adminCourses.removeStudent({ course_id: id, user_id: ana.id }), 403, 'rest_forbidden')
    await refused(admin.api.adminCourses.addStudent({ course_id: id, user_id: 987_654 }), 404, 'user_not_found')
    const gone = await world.member()
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', gone.id).execute())
    await refused(admin.api.adminCourses.addStudent({ course_id: id, user_id: gone.id }), 404, 'user_not_found')
  })

  test('fifty concurrent requests create one enrolment', async () => {
    const id = await make()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ana.raw('POST', `/courses/${id}/enroll`)))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([statuses.get(201)?.length, statuses.get(400)?.length]).toEqual([1, 49])
    expect([await countOf(id), (await rowsOf(id)).length]).toEqual([1, 1])
  })

  test('concurrent enrolments and departures are counted exactly', async () => {
    const id = await make()
    const people = await Promise.all(Array.from({ length: 12 }, () => world.member()))
    await Promise.all(people.map((who) => who.raw('POST', `/courses/${id}/enroll`)))
    expect(await countOf(id)).toBe(12)
    await Promise.all(
      people.slice(0, 5).flatMap((who) => [who.raw('POST', `/courses/${id}/unenroll`), who.raw('POST', `/courses/${id}/unenroll`)]),
    )
    expect([await countOf(id), (await rowsOf(id)).length]).toEqual([7, 7])
  })
})

describe('prerequisites', () => {
  test('prevent enrolment until they are completed', async () => {
    const [first, hidden] = [await make({ title: 'First' }), await make({ privacy: 'secret' })]
    const id = await make({ prerequisites: [first] })
    await admin.api.courses.update({ course_id: id, required_courses: [first, hidden] })
    const error = await refused(ana.api.courses.enroll({ course_id: id }), 403, 'prerequisites_missing')
    expect(error.data['missing']).toEqual([{ id: first, title: 'First', slug: 'first' }])
    const { data } = await ana.api.courses.byId({ course_id: id })
    expect(data.prerequisites).toEqual([{ id: first, title: 'First', slug: 'first', is_completed: false }])
    expect(data.lockscreen).toMatchObject({ enabled: true, type: 'prerequisite', conditions: { required_courses: [first] } })
    await admin.api.adminCourses.addStudent({ course_id: hidden, user_id: ana.id })
    await ana.api.courses.enroll({ course_id: first })
    for (const one of [first, hidden]) await complete(one, ana)
    await ana.api.courses.enroll({ course_id: id })
  })

  test('are set by the lock screen and removed with it', async () => {
    const [first, id] = [await make(), await make()]
    const set = (enabled: boolean, conditions?: object) =>
      admin.api.adminCourses.saveLockscreens({
        course_id: id,
        enabled,
        type: 'prerequisite',
        ...(conditions && { conditions: { ...conditions } }),
      })
    const { lockscreen } = await set(true, { required_courses: [first] })
    expect(lockscreen).toEqual({
      enabled: true,
      type: 'prerequisite',
      conditions: { required_courses: [first] },
      message: '',
      button_text: '',
      button_url: '',
    })
    await refused(ana.api.courses.enroll({ course_id: id }), 403, 'prerequisites_missing')
    await admin.api.adminCourses.addStudent({ course_id: id, user_id: ben.id })
    await set(false)
    await ana.api.courses.enroll({ course_id: id })
    for (const bad of [[id], [987_654], ['x'], 'x', [first, 1.5]])
      expect(
        (
          await admin.raw('PUT', `/admin/courses/${id}/lockscreens`, {
            enabled: true,
            type: 'prerequisite',
            conditions: { required_courses: bad },
          })
        ).body.code,
      ).toBe('invalid_data')
  })

  test('are dropped once deleted, and do not block changes to the lock screen', async () => {
    const [gone, kept] = [await make(), await make()]
    const id = await make({ prerequisites: [gone, kept] })
    await admin.api.courses.remove({ course_id: gone })
    const { lockscreen } = await admin.api.adminCourses.saveLockscreens({ course_id: id, enabled: true, message: 'First things first' })
    expect(lockscreen).toMatchObject({ type: 'prerequisite', conditions: { required_courses: [kept] }, message: 'First things first' })
    const error = await refused(ana.api.courses.enroll({ course_id: id }), 403, 'prerequisites_missing')
    expect(error.data['missing']).toMatchObject([{ id: kept }])
  })

  test('cannot be circular or include hidden courses', async () => {
    const [a, b, c] = [await make(), await make(), await make()]
    await admin.api.courses.update({ course_id: b, prerequisites: [a] })
    await admin.api.courses.update({ course_id: c, prerequisites: [b] })
    await refused(admin.api.courses.update({ course_id: a, prerequisites: [c] }), 400, 'invalid_data')
    const draft = await make({ status: 'draft', instructor_id: null })
    const own = await make()
    await refused(teacher.api.courses.update({ course_id: own, prerequisites: [draft] }), 400, 'invalid_data')
    const race = await Promise.all([
      admin.raw('PUT', `/courses/${a}`, { prerequisites: [own] }),
      admin.raw('PUT', `/courses/${own}`, { prerequisites: [a] }),
    ])
    expect(race.map(({ status }) => status).sort()).toEqual([200, 400])
  })
})

describe('students', () => {
  test('are listed for managers of the course', async () => {
    const id = await make()
    await ana.api.courses.enroll({ course_id: id })
    world.clock.advance(60)
    await ben.api.courses.enroll({ course_id: id })
    await world.app.write(null, ({ db }) =>
      db.updateTable('enrolments').set({ progress: 40 }).where('course_id', '=', id).where('user_id', '=', ana.id).execute(),
    )
    const list = async (query: object = {}) =>
      (await teacher.api.courses.students({ course_id: id, ...query })).data.map(({ user_id }) => user_id)
    expect(await list()).toEqual([ben.id, ana.id])
    expect(await list({ order: 'asc' })).toEqual([ana.id, ben.id])
    expect(await list({ orderby: 'display_name' })).toEqual([ana.id, ben.id])
    expect(await list({ orderby: 'display_name', order: 'desc' })).toEqual([ben.id, ana.id])
    expect(await list({ orderby: 'progress' })).toEqual([ana.id, ben.id])
    expect(await list({ search: 'birch' })).toEqual([ben.id])
    expect(await list({ search: '%%' })).toEqual([])
    const { data, meta } = await teacher.api.courses.students({ course_id: id, per_page: 1, page: 2 })
    expect(meta).toEqual({ total: 2, per_page: 1, current_page: 2, total_pages: 2 })
    expect(data[0]).toEqual({
      user_id: ana.id,
      username: ana.username,
      display_name: 'Ana Alder',
      avatar: '',
      progress_percentage: 40,
      enrolled_at: expect.any(String),
      last_accessed: null,
    })
    const { students } = await admin.api.adminCourses.students({ course_id: id, sort_by: 'display_name' })
    expect(students.data.map(({ user_id, progress, space_pivot }) => [user_id, progress, space_pivot.role])).toEqual([
      [ana.id, 40, 'student'],
      [ben.id, 0, 'student'],
    ])
    await refused(ana.api.courses.students({ course_id: id }), 403, 'rest_forbidden')
    await refused(ana.api.adminCourses.students({ course_id: id }), 403, 'rest_forbidden')
  })

  test('are sorted by last activity only for callers who may see it', async () => {
    const [id, now] = [await make(), '2026-03-01 00:00:00']
    for (const who of [ana, ben]) await who.api.courses.enroll({ course_id: id })
    const set = (who: Member, last_activity: string | null) =>
      world.app.services.database.write((db) => db.updateTable('users').set({ last_activity }).where('id', '=', who.id).execute())
    const list = async (who: Member, sort_dir?: 'asc' | 'desc') => {
      const { students } = await who.api.adminCourses.students({ course_id: id, sort_by: 'last_activity', ...(sort_dir && { sort_dir }) })
      return students.data.map(({ user_id }) => user_id)
    }
    await set(ana, now)
    await set(ben, null)
    expect(await list(teacher)).toEqual([ana.id, ben.id])
    expect(await list(teacher, 'asc')).toEqual([ben.id, ana.id])
    expect((await admin.raw('POST', '/settings/privacy-settings', { show_last_activity: 'no' })).status).toBe(200)
    expect(await list(teacher)).toEqual([ben.id, ana.id])
    expect(await list(admin)).toEqual([ana.id, ben.id])
    await admin.raw('POST', '/settings/privacy-settings', { show_last_activity: 'yes' })
  })

  test('10,000 students are paged at the same cost from the first page to the last', async () => {
    const id = await make()
    const now = '2026-03-01 00:00:00'
    const many = Array.from({ length: 10_000 }, (_, i) => i)
    await world.app.services.database.write(async (db) => {
      const columns = ['username', 'email', 'display_name', 'created_at', 'updated_at']
      await insertRows(
        db,
        'users',
        columns,
        many.map((i) => [`s${i}`, `s${i}@example.net`, `Student ${i}`, now, now]),
      )
      const people = await db.selectFrom('users').select('id').where('created_at', '=', now).orderBy('id').execute()
      await insertRows(
        db,
        'enrolments',
        ['course_id', 'user_id', 'enrolled_at', 'enrolled_epoch', 'progress'],
        people.map(({ id: user }, i) => [id, user, now, 0, i % 100]),
      )
      await db.updateTable('courses').set({ students_count: people.length }).where('id', '=', id).execute()
    })
    const page = async (orderby: 'enrolled_at' | 'display_name' | 'progress', number: number) => {
      const { data, meta } = await admin.api.courses.students({ course_id: id, orderby, page: number })
      expect([data.length, meta.total]).toEqual([20, 10_000])
      return data.map(({ user_id }) => user_id)
    }
    for (const orderby of ['enrolled_at', 'display_name', 'progress'] as const) {
      const [first, last] = [await page(orderby, 1), await page(orderby, 500)]
      expect(new Set([...first, ...last]).size).toBe(40)
    }
    await ana.api.courses.enroll({ course_id: id })
    expect(await countOf(id)).toBe(10_001)
  })
})

test('every list uses an index in its order', async () => {
  if (world.dialect !== 'sqlite') return expect(world.dialect).toBe('postgres')
  const db = world.app.services.database.read
  const member = {
    id: ana.id,
    username: ana.username,
    role: 'member' as const,
    permissions: new Set<never>(),
    managedSpaces: null,
    createdAt: '',
    sessionId: null,
  }
  const window = { limit: 20, offset: 0 }
  for (const by of ['created_at', 'updated_at', 'title', 'rating'] as const)
    for (const direction of ['asc', 'desc'] as const)
      await expectInOrder(world, () => listCourses(db, member, { status: 'published', search: 'x' }, { by, direction }, window))
  await expectInOrder(world, () => listMyCourses(db, member, 'active', window))
  const students = { courseId: 1, count: 2, direction: 'desc' } as const
  for (const by of ['enrolled_at', 'progress'] as const) {
    const plans = await expectNoScan(world, () => listStudents(db, { ...students, by }, window))
    expect(
      plans.flatMap(({ steps }) => steps).filter((step) => step.includes(`enrolments_${by === 'progress' ? 'progress' : 'course'}`)),
    ).toHaveLength(1)
  }
  await expectNoScan(world, () => listStudents(db, { ...students, by: 'display_name', search: 'ana' }, window))
})
