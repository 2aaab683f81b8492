import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeLesson, makeSchool, makeSection } from '#test/course-fixtures.ts'
import { expectNoScan } from '#test/plans.ts'
import { type Listener, listen, summaryOf } from '#test/sse-client.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let teacher: Member
let moderator: Member
let ana: Member
let ben: Member
let outsider: Member
const listeners: Listener[] = []

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator' })
  teacher = await world.member()
  ana = await world.member()
  ben = await world.member()
  outsider = await world.member()
})
afterEach(() => Promise.all(listeners.splice(0).map((listener) => listener.stop())))
afterAll(() => world.close())

const everybody = () => ({ admin, moderator, teacher, ana, ben, outsider })
const hear = async (who: Member, lastEventId?: string) => {
  const listener = await listen(world, who, lastEventId)
  listeners.push(listener)
  return listener
}
const feedOf = async (course_id: number, lesson_id = 0) => (await admin.api.lessons.byId({ course_id, lesson_id })).data.feed_id ?? 0
const say = async (who: Member, feed_id: number, comment = 'What about salt?') =>
  (await who.api.comments.create({ feed_id, comment })).data.id

/** The comment and reaction events that each member receives during `work`. */
const heardBy = async (work: () => Promise<unknown>): Promise<Record<string, string[]>> => {
  const all = await Promise.all(Object.entries(everybody()).map(async ([name, who]) => [name, await hear(who)] as const))
  await work()
  const told = await Promise.all(all.map(async ([name, listener]) => [name, summaryOf(await listener.all())] as const))
  return Object.fromEntries(told.map(([name, events]) => [name, events.filter((text) => /^(comment|reaction|feed)/.test(text))]))
}
const hearing = (events: Record<string, string[]>) => Object.keys(events).filter((name) => (events[name] ?? []).length > 0)

describe('comments in a lesson', () => {
  test('are delivered to those who may read them: students, instructors, course managers', async () => {
    const { courseId, lessons } = await makeSchool(admin, { instructor_id: teacher.id, students: [ana, ben] })
    const feed = await feedOf(courseId, lessons[0])
    const comments = await heardBy(() => say(ben, feed))
    const reactions = await heardBy(() => ana.api.reactions.toFeed({ feed_id: feed, type: 'like' }))
    const id = await say(ben, feed)
    const changes = await heardBy(() => ben.api.comments.update({ feed_id: feed, comment_id: id, comment: 'And pepper?' }))
    const gone = await heardBy(() => ben.api.comments.remove({ feed_id: feed, comment_id: id }))
    const readers = ['admin', 'teacher', 'ana', 'ben']
    expect([comments, reactions, changes, gone].map(hearing)).toEqual([readers, readers, readers, readers])
    expect([changes['ana'], gone['ana'], reactions['ana']]).toEqual([
      [`comment updated ${id}`],
      [`comment deleted ${id}`],
      [`reaction ${feed}`],
    ])
  })

  test('contain their type', async () => {
    const { courseId, lessons } = await makeSchool(admin, { students: [ana, ben] })
    const feed_id = await feedOf(courseId, lessons[0])
    const listener = await hear(ana)
    const comment_id = await say(ben, feed_id)
    expect((await listener.next('comment')).data).toEqual({
      action: 'published',
      comment_id,
      feed_id,
      space_id: null,
      user_id: ben.id,
      parent_id: null,
      comments_count: 1,
    })
  })

  test('are not delivered to former students, nor in unpublished courses or lessons', async () => {
    const { courseId, lessons } = await makeSchool(admin, { students: [ana, ben], instructor_id: teacher.id })
    const feed = await feedOf(courseId, lessons[0])
    await ben.api.courses.unenroll({ course_id: courseId })
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'teacher', 'ana'])
    await admin.api.lessons.update({ course_id: courseId, lesson_id: lessons[0] ?? 0, status: 'draft' })
    expect(hearing(await heardBy(() => say(teacher, feed)))).toEqual(['admin', 'teacher'])
    await admin.api.lessons.update({ course_id: courseId, lesson_id: lessons[0] ?? 0, status: 'published' })
    await admin.api.courses.update({ course_id: courseId, status: 'archived' })
    expect(hearing(await heardBy(() => say(teacher, feed)))).toEqual(['admin', 'teacher'])
  })

  test('are withheld while the section is locked for the viewer', async () => {
    const { courseId } = await makeSchool(admin, { lessons: 0, course_type: 'structured' })
    const section = await makeSection(admin, courseId, { days_after: 2 })
    const lesson = await makeLesson(admin, courseId, section)
    const preview = await makeLesson(admin, courseId, section, { is_preview: true })
    await ana.api.courses.enroll({ course_id: courseId })
    world.clock.advance(2 * 86_400 + 1)
    await ben.api.courses.enroll({ course_id: courseId })
    const feed = await feedOf(courseId, lesson)
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'ana'])
    // A preview is open to all, but only participants of the course discuss it.
    expect(hearing(await heardBy(async () => say(ben, await feedOf(courseId, preview))))).toEqual(['admin', 'ana', 'ben'])
    world.clock.advance(2 * 86_400 + 1)
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'ana', 'ben'])
  })

  test('are withheld until the viewer has progressed that far', async () => {
    const { courseId, lessons } = await makeSchool(admin, {
      lessons: 3,
      students: [ana, ben],
      settings: { sequential_lesson_order: 'yes' },
    })
    const [first = 0, second = 0, third = 0] = lessons
    for (const lesson_id of [first, second]) await ana.api.progress.complete({ course_id: courseId, lesson_id })
    const feed = await feedOf(courseId, third)
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'ana'])
    await ben.api.progress.complete({ course_id: courseId, lesson_id: first })
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'ana'])
    expect(hearing(await heardBy(async () => say(ana, await feedOf(courseId, second))))).toEqual(['admin', 'ana', 'ben'])
    // An unpublished lesson does not block progress.
    await admin.api.lessons.update({ course_id: courseId, lesson_id: second, status: 'draft' })
    expect(hearing(await heardBy(() => say(ana, feed)))).toEqual(['admin', 'ana', 'ben'])
  })

  test('are delivered on resume, according to what the viewer may see by then', async () => {
    const { courseId, lessons } = await makeSchool(admin, { students: [ana, ben] })
    const feed = await feedOf(courseId, lessons[0])
    const before = await hear(ana)
    const seen = before.received[0]?.id ?? ''
    await before.stop()
    const id = await say(ben, feed)
    const again = await hear(ana, seen)
    expect(summaryOf(await again.all()).filter((text) => text.startsWith('comment'))).toEqual([`comment published ${id}`])
    await admin.api.adminCourses.removeStudent({ course_id: courseId, user_id: ana.id })
    const gone = await hear(ana, seen)
    expect(summaryOf(await gone.all()).filter((text) => text.startsWith('comment'))).toEqual([])
  })

  test('are loaded using indexes', async () => {
    if (world.dialect !== 'sqlite') return expect(world.dialect).toBe('postgres')
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2, students: [ana], settings: { sequential_lesson_order: 'yes' } })
    const feed = await feedOf(courseId, lessons[1])
    const listener = await hear(ana)
    const plans = await expectNoScan(world, async () => {
      await say(admin, feed)
      await listener.all()
    })
    expect(plans.some(({ sql }) => sql.includes('count(*) as done'))).toBe(true)
  })
})
