import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crowd, makeLesson, makeSchool, makeSection, type School } from '#test/course-fixtures.ts'
import { expectNoScan } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let outsider: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
  outsider = await world.member({ username: 'outsider' })
})
afterAll(() => world.close())

const DAY = 24 * 3600
const HELD = {
  video_url: 'https://video.example/canary',
  resources: [{ title: 'canary', url: 'https://example.org/canary' }],
  content: 'canary',
}

const hold = (school: School, lesson: number) => admin.api.lessons.update({ course_id: school.courseId, lesson_id: lesson, ...HELD })

/** The lock of each lesson for a member, in order. Also checks that locked lessons show nothing, in the list and alone. */
const locksOf = async (who: Member, { courseId }: School) => {
  const list = await who.raw('GET', `/courses/${courseId}/lessons`)
  const reasons: (string | null)[] = []
  for (const lesson of list.body.data) {
    const one = await who.raw('GET', `/courses/${courseId}/lessons/${lesson.id}`)
    expect(one.body.data).toMatchObject({ is_locked: lesson.is_locked, lock_reason: lesson.lock_reason, unlock_date: lesson.unlock_date })
    const shown = [lesson, one.body.data].map((view) => /canary/.test(JSON.stringify(view)))
    expect(shown).toEqual([!lesson.is_locked, !lesson.is_locked])
    expect(lesson.is_locked).toBe(lesson.lock_reason !== null)
    reasons.push(lesson.lock_reason)
  }
  return reasons
}

const schoolWith = async (fields: Parameters<typeof makeSchool>[1]) => {
  const school = await makeSchool(admin, { students: [ana], ...fields })
  for (const lesson of school.lessons) await hold(school, lesson)
  return school
}

const complete = (who: Member, { courseId }: School, lesson_id = 0) => who.api.progress.complete({ course_id: courseId, lesson_id })

describe('the content of a lesson', () => {
  it('is for students and managers', async () => {
    const school = await schoolWith({ lessons: 2 })
    expect(await locksOf(ana, school)).toEqual([null, null])
    expect(await locksOf(admin, school)).toEqual([null, null])
    expect(await locksOf(outsider, school)).toEqual(['not_enrolled', 'not_enrolled'])
    expect((await world.request('GET', `/courses/${school.courseId}/lessons`)).status).toBe(401)
    await ana.raw('POST', `/courses/${school.courseId}/unenroll`)
    expect(await locksOf(ana, school)).toEqual(['not_enrolled', 'not_enrolled'])
  })

  it('is for everyone who sees the course if it is a preview or the setting allows it', async () => {
    const school = await schoolWith({ lessons: 2 })
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: school.lessons[1] ?? 0, is_preview: true })
    expect(await locksOf(outsider, school)).toEqual(['not_enrolled', null])
    await refused(complete(outsider, school, school.lessons[1]), 403, 'not_enrolled')
    const open = await schoolWith({ lessons: 2, settings: { public_lesson_view: 'yes' } })
    expect(await locksOf(outsider, open)).toEqual([null, null])
    const closed = await schoolWith({ lessons: 1, privacy: 'private', settings: { public_lesson_view: 'yes' } })
    expect(await locksOf(outsider, closed)).toEqual(['not_enrolled'])
    const dated = await schoolWith({ lessons: 1, course_type: 'structured', settings: { public_lesson_view: 'yes' } })
    expect(await locksOf(outsider, dated)).toEqual(['not_enrolled'])
    const secret = await schoolWith({ lessons: 1, privacy: 'secret' })
    await refused(outsider.api.lessons.list({ course_id: secret.courseId }), 404, 'course_not_found')
    expect(await locksOf(ana, secret)).toEqual([null])
  })

  it('of an unpublished course is for managers only', async () => {
    const school = await schoolWith({ lessons: 1, status: 'draft' })
    await refused(ana.api.lessons.list({ course_id: school.courseId }), 404, 'course_not_found')
    await refused(complete(ana, school, school.lessons[0]), 404, 'course_not_found')
    expect(await locksOf(admin, school)).toEqual([null])
  })

  it('is locked until the date of its section in a scheduled course', async () => {
    const school = await schoolWith({ lessons: 1, course_type: 'scheduled' })
    const at = new Date(world.clock.now().getTime() + 2 * DAY * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const later = await makeSection(admin, school.courseId, { scheduled_at: at })
    const lesson = await makeLesson(admin, school.courseId, later, HELD)
    expect(await locksOf(ana, school)).toEqual([null, 'section_locked'])
    expect((await ana.api.lessons.byId({ course_id: school.courseId, lesson_id: lesson })).data.unlock_date).toBe(at)
    const { data } = await refused(complete(ana, school, lesson), 403, 'lesson_locked')
    expect(data).toMatchObject({ lock_reason: 'section_locked', unlock_date: at })
    world.clock.advance(2 * DAY)
    expect(await locksOf(ana, school)).toEqual([null, null])
    await complete(ana, school, lesson)
  })

  it('is locked for some days after enrolment in a structured course', async () => {
    const school = await schoolWith({ lessons: 1, course_type: 'structured' })
    const later = await makeSection(admin, school.courseId, { days_after: 3 })
    await makeLesson(admin, school.courseId, later, HELD)
    const { data } = await ana.api.courses.byId({ course_id: school.courseId })
    const at = new Date(world.clock.now().getTime() + 3 * DAY * 1000).toISOString().slice(0, 19).replace('T', ' ')
    expect(data.sections.map(({ is_locked, unlock_date }) => ({ is_locked, unlock_date }))).toEqual([
      { is_locked: false, unlock_date: null },
      { is_locked: true, unlock_date: at },
    ])
    world.clock.advance(3 * DAY - 1)
    expect(await locksOf(ana, school)).toEqual([null, 'section_locked'])
    await outsider.raw('POST', `/courses/${school.courseId}/enroll`)
    world.clock.advance(1)
    expect(await locksOf(ana, school)).toEqual([null, null])
    expect(await locksOf(outsider, school)).toEqual([null, 'section_locked'])
  })

  it('is locked until all earlier lessons are completed in a sequential course', async () => {
    const school = await schoolWith({ lessons: 3, settings: { sequential_lesson_order: 'yes' } })
    const [a = 0, b = 0, c = 0] = school.lessons
    const draft = await admin.api.adminLessons.create({
      course_id: school.courseId,
      section_id: school.sectionId,
      title: 'Draft',
      type: 'lesson',
    })
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: draft.data.id, order: 1 })
    expect(await locksOf(ana, school)).toEqual([null, 'sequential', 'sequential'])
    await refused(complete(ana, school, b), 403, 'lesson_locked')
    await complete(ana, school, a)
    expect(await locksOf(ana, school)).toEqual([null, null, 'sequential'])
    await complete(ana, school, b)
    await ana.api.progress.incomplete({ course_id: school.courseId, lesson_id: a })
    expect(await locksOf(ana, school)).toEqual([null, 'sequential', 'sequential'])
    await complete(ana, school, b)
    await refused(complete(ana, school, c), 403, 'lesson_locked')
    expect((await admin.api.lessons.list({ course_id: school.courseId })).data.some((lesson) => lesson.is_locked)).toBe(false)
  })
})

describe('comments on a lesson', () => {
  const feedOf = async (who: Member, { courseId }: School, lesson_id = 0) =>
    (await who.api.lessons.byId({ course_id: courseId, lesson_id })).data.feed_id ?? 0

  it('are for members who may read it', async () => {
    const school = await schoolWith({ lessons: 1 })
    const feed_id = await feedOf(ana, school, school.lessons[0])
    expect(await feedOf(outsider, school, school.lessons[0])).toBe(0)
    const { data } = await ana.api.comments.create({ feed_id, comment: 'A canary word' })
    await admin.api.comments.create({ feed_id, comment: 'Reply', parent_id: data.id })
    expect((await ana.raw('POST', `/feeds/${feed_id}/react`, { type: 'like' })).status).toBe(200)
    await ana.raw('POST', `/feeds/${feed_id}/comments/${data.id}/reactions`, { type: 'love' })
    expect((await ana.api.comments.list({ feed_id })).comments.length).toBe(2)
    expect((await ana.api.feeds.byId({ feed_id })).data).toMatchObject({
      type: 'course_lesson',
      comments_count: 2,
      message: '',
      space: null,
    })
    expect((await ana.api.lessons.list({ course_id: school.courseId })).data[0]?.comments_count).toBe(2)

    const moderator = await world.member({ role: 'moderator' })
    for (const who of [outsider, moderator]) {
      for (const [method, path, body] of [
        ['GET', `/feeds/${feed_id}/by-id`, undefined],
        ['GET', `/feeds/${feed_id}/comments`, undefined],
        ['POST', `/feeds/${feed_id}/comments`, { comment: 'x' }],
        ['GET', `/comments/${data.id}`, undefined],
        ['POST', `/feeds/${feed_id}/comments/${data.id}`, { comment: 'x' }],
        ['DELETE', `/feeds/${feed_id}/comments/${data.id}`, undefined],
        ['POST', `/feeds/${feed_id}/react`, { type: 'like' }],
        ['POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark' }],
        ['GET', `/feeds/${feed_id}/reactions`, undefined],
        ['GET', `/comments/${data.id}/reactions`, undefined],
        ['POST', `/feeds/${feed_id}`, { message: 'x' }],
        ['DELETE', `/feeds/${feed_id}`, undefined],
      ] as const) {
        const answer = await who.raw(method, path, body)
        expect([who.username, method, path, answer.status]).toEqual([who.username, method, path, 404])
        const missing = await who.raw(
          method,
          path.replace(String(feed_id), '987654').replace(`comments/${data.id}`, 'comments/987654'),
          body,
        )
        expect(answer.body).toEqual(missing.body)
      }
    }
    for (const who of [ana, admin]) {
      expect((await who.raw('POST', `/feeds/${feed_id}`, { message: 'x' })).body.code).toBe('rest_forbidden')
      expect((await who.raw('POST', `/feeds/${feed_id}`, { status: 'draft' })).body.code).toBe('rest_forbidden')
      expect((await who.raw('POST', `/feeds/${feed_id}`, { is_sticky: true })).body.code).toBe('rest_forbidden')
      expect((await who.raw('DELETE', `/feeds/${feed_id}`)).body.code).toBe('rest_forbidden')
    }
  })

  it('appear in no list, search or activity', async () => {
    const school = await schoolWith({ lessons: 1 })
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: school.lessons[0] ?? 0, title: 'Zanzibar' })
    const feed_id = await feedOf(ana, school, school.lessons[0])
    await ana.api.comments.create({ feed_id, comment: 'Quokka' })
    await ana.raw('POST', `/feeds/${feed_id}/react`, { react_type: 'bookmark' })
    await world.runPendingJobs()
    for (const who of [ana, admin, outsider]) {
      for (const path of [
        '/feeds',
        '/feeds?search=zanzibar',
        `/feeds?user_id=${admin.id}`,
        '/feeds?type=course_lesson',
        '/feeds/bookmarks',
        '/activities',
        '/feeds/ticker',
        '/profile/ana/comments',
      ]) {
        const { text, status } = await who.raw('GET', path)
        expect([path, status, /zanzibar|quokka/i.test(text)]).toEqual([path, 200, false])
      }
    }
    // The instructor is notified as long as they teach the course.
    const told = (await admin.api.notifications.list()).notifications.data.filter(({ object_id }) => object_id === feed_id)
    expect(told.map(({ type }) => type)).toEqual(['new_comment'])
    expect((await outsider.api.notifications.list()).notifications.data).toEqual([])
  })

  it('are hidden with a locked or unpublished lesson', async () => {
    const school = await schoolWith({ lessons: 2, settings: { sequential_lesson_order: 'yes' } })
    const [a = 0, b = 0] = school.lessons
    const feed_id = await feedOf(admin, school, b)
    const { data } = await admin.api.comments.create({ feed_id, comment: 'For later' })
    await admin.api.comments.create({ feed_id, comment: 'Too early for @ana' })
    await world.runPendingJobs()
    expect((await ana.raw('GET', '/notifications')).text).not.toContain('Too early')
    await refused(ana.api.comments.list({ feed_id }), 404, 'feed_not_found')
    await refused(ana.api.comments.byId({ comment_id: data.id }), 404, 'comment_not_found')
    await refused(ana.api.comments.create({ feed_id, comment: 'x' }), 404, 'feed_not_found')
    await complete(ana, school, a)
    expect((await ana.api.comments.list({ feed_id })).comments.length).toBe(2)
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: b, status: 'draft' })
    await refused(ana.api.comments.list({ feed_id }), 404, 'feed_not_found')
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: b, status: 'published' })
    expect(await feedOf(ana, school, b)).toBe(feed_id)
  })

  it('are linked only for members who may read them', async () => {
    const school = await schoolWith({ lessons: 2, settings: { public_lesson_view: 'yes' } })
    const [preview = 0, other = 0] = school.lessons
    await admin.api.lessons.update({ course_id: school.courseId, lesson_id: preview, is_preview: true })
    await admin.api.comments.create({ feed_id: await feedOf(ana, school, preview), comment: 'Among us' })
    for (const lesson_id of [preview, other]) {
      const { data } = await outsider.api.lessons.byId({ course_id: school.courseId, lesson_id })
      expect(data).toMatchObject({ is_locked: false, feed_id: null, comments_count: 0 })
    }
    for (const { feed_id, comments_count } of (await outsider.api.lessons.list({ course_id: school.courseId })).data)
      expect([feed_id, comments_count]).toEqual([null, 0])
    const [told] = (await ana.api.lessons.list({ course_id: school.courseId })).data
    expect(told).toMatchObject({ feed_id: expect.any(Number), comments_count: 1 })
  })

  it('are refused if the course disables them', async () => {
    const school = await schoolWith({ lessons: 1 })
    const feed_id = await feedOf(ana, school, school.lessons[0])
    await ana.api.comments.create({ feed_id, comment: 'First' })
    await admin.api.courses.update({ course_id: school.courseId, settings: { disable_comments: 'yes' } })
    await refused(ana.api.comments.create({ feed_id, comment: 'Second' }), 403, 'feed_locked')
    expect((await ana.api.comments.list({ feed_id })).comments.length).toBe(1)
  })
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] !== 'postgres')('plans on SQLite', () => {
  it('find lessons, feeds and progress by index, however many students there are', async () => {
    const school = await schoolWith({ lessons: 2, settings: { sequential_lesson_order: 'yes' } })
    await crowd(world, school.courseId, 50)
    const [a = 0] = school.lessons
    const feed_id = (await ana.api.lessons.byId({ course_id: school.courseId, lesson_id: a })).data.feed_id ?? 0
    const plans = await expectNoScan(world, async () => {
      await ana.api.lessons.list({ course_id: school.courseId })
      await ana.api.lessons.byId({ course_id: school.courseId, lesson_id: a })
      await ana.api.comments.list({ feed_id })
      await ana.api.progress.get({ course_id: school.courseId })
      await refused(ana.api.progress.certificate({ course_id: school.courseId }), 400, 'course_not_complete')
      await refused(world.anonymous.certificates.check({ code: '0'.repeat(32) }), 404, 'certificate_not_found')
    })
    const sorts = plans.filter(({ steps }) => steps.some((step) => step.includes('TEMP B-TREE')))
    expect(sorts.map(({ sql }) => sql).filter((sql) => /from lessons/.test(sql))).toEqual([])
  })
})
