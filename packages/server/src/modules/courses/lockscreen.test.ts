import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let teacher: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  teacher = await world.member()
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const shownTo = async (who: Member, course_id: number) => (await who.api.courses.byId({ course_id })).data.lockscreen
const save = (course_id: number, body: object) => admin.raw('PUT', `/admin/courses/${course_id}/lockscreens`, body)
const DOOR = { message: 'Pay <b>first</b>', button_text: 'Pay', button_url: 'https://shop.example/bread' }

describe('the lock screen of a course', () => {
  for (const type of ['custom', 'payment', 'membership'] as const)
    test(`of type ${type} is shown to those who are not enrolled, while it is enabled`, async () => {
      const { courseId } = await makeSchool(admin, { instructor_id: teacher.id, students: [ana], privacy: 'private' })
      expect(await shownTo(ben, courseId)).toBeNull()
      const secret = { required_membership: 'gold', product: 4711 }
      expect((await save(courseId, { enabled: true, type, conditions: secret, ...DOOR })).status).toBe(200)
      expect(await shownTo(ben, courseId)).toEqual({ enabled: true, type, conditions: {}, ...DOOR })
      expect(await shownTo(ana, courseId)).toBeNull()
      for (const who of [teacher, admin]) expect(await shownTo(who, courseId)).toEqual({ enabled: true, type, conditions: secret, ...DOOR })
      await admin.api.adminCourses.removeStudent({ course_id: courseId, user_id: ana.id })
      expect(await shownTo(ana, courseId)).toMatchObject({ enabled: true, type })
      await save(courseId, { enabled: false })
      expect([await shownTo(ana, courseId), (await shownTo(teacher, courseId))?.enabled]).toEqual([null, false])
    })

  test('with prerequisites is hidden from members who have completed them', async () => {
    const first = await makeSchool(admin, { lessons: 1, students: [ana, ben] })
    const { courseId } = await makeSchool(admin, { lessons: 1, prerequisites: [first.courseId] })
    for (const who of [ana, ben])
      expect(await shownTo(who, courseId)).toMatchObject({ type: 'prerequisite', conditions: { required_courses: [first.courseId] } })
    await ana.api.progress.complete({ course_id: first.courseId, lesson_id: first.lessons[0] ?? 0 })
    expect([await shownTo(ana, courseId), (await shownTo(ben, courseId))?.type]).toEqual([null, 'prerequisite'])
    await admin.api.adminCourses.addStudent({ course_id: courseId, user_id: ben.id })
    expect(await shownTo(ben, courseId)).toBeNull()
  })

  test('links to web addresses only and contains plain text', async () => {
    const { courseId } = await makeSchool(admin, { lessons: 0 })
    for (const button_url of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/setup', 'ftp://x.example', 'https://'])
      expect((await save(courseId, { enabled: true, button_url })).body).toMatchObject({
        code: 'invalid_url',
        data: { field: 'button_url' },
      })
    for (const body of [{ message: 'x'.repeat(5001) }, { button_text: 'x'.repeat(201) }, { type: 'redirect' }, { conditions: 'x' }])
      expect([400, (await save(courseId, { enabled: true, ...body })).status]).toEqual([400, 400])
    expect((await save(courseId, { message: 'x' })).body.code).toBe('missing_required_field')
    expect((await save(courseId, { enabled: true, conditions: { x: 'y'.repeat(17_000) } })).body.code).toBe('invalid_data')
    expect(await shownTo(ben, courseId)).toBeNull()
  })
})
