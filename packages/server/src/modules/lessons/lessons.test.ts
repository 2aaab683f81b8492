import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLesson, makeSchool, makeSection } from '#test/course-fixtures.ts'
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

const listOf = async (who: Member, course_id: number) => (await who.api.lessons.list({ course_id })).data
const read = async (who: Member, course_id: number, lesson_id: number) => (await who.api.lessons.byId({ course_id, lesson_id })).data

describe('by slug', () => {
  it('is the lesson by id, for who sees the course', async () => {
    const { courseId, slug: course_slug, lessons } = await makeSchool(admin, { lessons: 2, students: [ana] })
    const [first, second] = [await read(ana, courseId, lessons[0] as number), await read(ana, courseId, lessons[1] as number)]
    const open = (who: Member, lesson_slug: string, slug = course_slug) => who.api.lessons.bySlug({ course_slug: slug, lesson_slug })
    expect((await open(ana, first.slug)).data).toEqual(first)
    expect((await open(outsider, second.slug)).data).toMatchObject({
      id: second.id,
      is_locked: true,
      lock_reason: 'not_enrolled',
      content: '',
    })
    const other = await makeSchool(admin, { lessons: 1 })
    await refused(open(ana, first.slug, other.slug), 404, 'lesson_not_found')
    await refused(open(ana, 'nowhere'), 404, 'lesson_not_found')
    await refused(open(ana, first.slug, 'nowhere'), 404, 'course_not_found')
    await admin.api.lessons.update({ course_id: courseId, lesson_id: second.id, status: 'draft' })
    await refused(open(ana, second.slug), 404, 'lesson_not_found')
    expect((await open(admin, second.slug)).data.status).toBe('draft')
    await admin.api.courses.update({ course_id: courseId, status: 'draft' })
    await refused(open(ana, first.slug), 404, 'course_not_found')
  })

  it('opening it counts as a visit', async () => {
    const { courseId, slug, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    const { slug: lesson_slug } = await read(admin, courseId, lessons[0] as number)
    await ana.api.lessons.bySlug({ course_slug: slug, lesson_slug })
    expect((await ana.api.progress.get({ course_id: courseId })).data.last_accessed).toBe('2026-03-10 12:00:00')
  })
})

describe('the outline of a course', () => {
  it('has the published lessons of each section, with locks and completions', async () => {
    const { courseId, slug, sectionId, lessons } = await makeSchool(admin, {
      lessons: 2,
      students: [ana],
      settings: { sequential_lesson_order: 'yes' },
    })
    const later = await makeSection(admin, courseId)
    const [one, two, third] = [lessons[0] as number, lessons[1] as number, await makeLesson(admin, courseId, later)]
    const draft = await makeLesson(admin, courseId, later, { status: 'draft' })
    const outline = async (who: Member) => {
      const { data } = await who.api.courses.bySlug({ course_slug: slug })
      expect((await who.api.courses.byId({ course_id: courseId })).data).toEqual(data)
      const sections = data.sections.map(({ id, lessons }) => [
        id,
        lessons.map((lesson) => [lesson.id, lesson.is_completed, lesson.is_locked]),
      ])
      return { sections, track: data.track }
    }
    expect(await outline(ana)).toEqual({
      sections: [
        [
          sectionId,
          [
            [one, false, false],
            [two, false, true],
          ],
        ],
        [later, [[third, false, true]]],
      ],
      track: { completed_lessons: [], isEnrolled: true, progress: 0 },
    })
    await ana.api.progress.complete({ course_id: courseId, lesson_id: one })
    expect(await outline(ana)).toEqual({
      sections: [
        [
          sectionId,
          [
            [one, true, false],
            [two, false, false],
          ],
        ],
        [later, [[third, false, true]]],
      ],
      track: { completed_lessons: [one], isEnrolled: true, progress: 33 },
    })
    expect((await outline(outsider)).track).toEqual({ completed_lessons: [], isEnrolled: false, progress: 0 })
    const { data } = await outsider.api.courses.byId({ course_id: courseId })
    const [first] = data.sections[0]?.lessons ?? []
    const shown = await read(outsider, courseId, one)
    expect(first).toEqual(Object.fromEntries(Object.keys(first ?? {}).map((name) => [name, shown[name as keyof typeof shown]])))
    expect(JSON.stringify(data)).not.toContain(`"id":${draft},`)
  })
})

describe('a lesson', () => {
  it('is created as a draft at the end of its section', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 2, students: [ana] })
    const { status, body } = await admin.api.adminLessons.create.answer({
      course_id: courseId,
      section_id: sectionId,
      title: '  New  one ',
      type: 'lesson',
    })
    expect([status, Object.keys(body.data).sort()]).toEqual([201, ['course_id', 'created_at', 'id', 'order', 'title']])
    expect(body.data).toMatchObject({ course_id: courseId, title: 'New one', order: 3 })
    expect((await listOf(ana, courseId)).map(({ id }) => id)).toEqual(lessons)
    await refused(read(ana, courseId, body.data.id), 404, 'lesson_not_found')
    expect(await read(admin, courseId, body.data.id)).toMatchObject({ status: 'draft', feed_id: null, is_locked: false, slug: 'new-one' })
    const later = await makeSection(admin, courseId)
    const behind = await makeLesson(admin, courseId, later)
    const { data } = await admin.api.adminLessons.create({
      course_id: courseId,
      section_id: sectionId,
      title: 'Before the next section',
      type: 'lesson',
    })
    expect(data.order).toBe(4)
    expect((await read(admin, courseId, behind)).order).toBe(5)
  })

  it.each([
    [{ type: 'lesson' }, 'missing_required_field', 'title'],
    [{ title: 'x' }, 'missing_required_field', 'type'],
    [{ title: 'x', type: 'lesson', section_id: undefined }, 'missing_required_field', 'section_id'],
  ])('requires %j and more', async (body, code, field) => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
    const { status, body: answer } = await admin.raw('POST', `/admin/courses/${courseId}/lessons`, { section_id: sectionId, ...body })
    expect([status, answer.code, answer.data.field]).toEqual([400, code, field])
  })

  it('is refused with an invalid type, title or section', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
    const other = await makeSchool(admin, { lessons: 0 })
    const make = (body: object) =>
      admin.raw('POST', `/admin/courses/${courseId}/lessons`, { title: 'x', type: 'lesson', section_id: sectionId, ...body })
    expect((await make({ type: 'video' })).body.code).toBe('invalid_data')
    expect((await make({ title: '  ' })).body.code).toBe('invalid_data')
    expect((await make({ title: 'x'.repeat(193) })).body.code).toBe('invalid_data')
    expect((await make({ section_id: other.sectionId })).body.code).toBe('section_not_found')
    expect((await make({ section_id: 987_654 })).body.code).toBe('section_not_found')
  })

  it('is partially updated, with sanitized content', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    const [lesson_id = 0] = lessons
    world.clock.advance(60)
    const { data } = await admin.api.lessons.update({
      course_id: courseId,
      lesson_id,
      title: 'Pruning',
      slug: 'Pruning-Roses',
      content: '<p onclick="x()">Cut <b>low</b></p><script>alert(1)</script><img src="javascript:x">',
      video_url: 'https://video.example/1',
      duration: '10 min',
      is_preview: 1,
      resources: [{ title: 'Plan', url: 'https://example.org/plan.pdf' }, { url: 'http://example.org/x' }],
    })
    const shown = await read(ana, courseId, lesson_id)
    expect(data).toEqual({ id: lesson_id, title: 'Pruning', updated_at: shown.updated_at })
    expect(shown).toMatchObject({
      title: 'Pruning',
      slug: 'pruning-roses',
      video_url: 'https://video.example/1',
      duration: '10 min',
      is_preview: true,
      is_completed: false,
      resources: [
        { title: 'Plan', url: 'https://example.org/plan.pdf' },
        { title: 'http://example.org/x', url: 'http://example.org/x' },
      ],
    })
    expect(shown.content).toContain('<b>low</b>')
    expect(shown.content).not.toMatch(/script|onclick|javascript/)
    await admin.api.lessons.update({ course_id: courseId, lesson_id, video_url: null, resources: null, content: null })
    expect(await read(ana, courseId, lesson_id)).toMatchObject({ title: 'Pruning', video_url: '', resources: [], content: '' })
  })

  it.each([
    [{ video_url: 'javascript:alert(1)' }, 'invalid_url'],
    [{ video_url: 'data:text/html,x' }, 'invalid_url'],
    [{ resources: [{ title: 'x', url: 'ftp://example.org' }] }, 'invalid_url'],
    [{ content: 'x'.repeat(200_001) }, 'invalid_content'],
    [{ slug: 'a b' }, 'invalid_data'],
    [{ title: '' }, 'invalid_data'],
    [{ status: 'pending' }, 'invalid_data'],
    [{ order: 0 }, 'invalid_data'],
    [{ section_id: 987_654 }, 'section_not_found'],
    [{ quiz: {} }, 'invalid_data'],
  ])('refuses %j', async (body, code) => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1 })
    const before = await read(admin, courseId, lessons[0] ?? 0)
    const { body: answer } = await admin.raw('PUT', `/courses/${courseId}/lessons/${lessons[0]}`, body)
    expect(answer.code).toBe(code)
    expect(await read(admin, courseId, lessons[0] ?? 0)).toEqual(before)
  })

  it('has a unique slug in its course', async () => {
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0 })
    const one = await makeLesson(admin, courseId, sectionId, { title: 'Same' })
    const two = await makeLesson(admin, courseId, sectionId, { title: 'Same' })
    const slugs = (await listOf(admin, courseId)).map(({ slug }) => slug)
    expect(slugs[0]).toBe('same')
    expect(slugs[1]).toMatch(/^same-[a-z2-7]{6}$/)
    await refused(admin.api.lessons.update({ course_id: courseId, lesson_id: two, slug: 'same' }), 400, 'duplicate_slug')
    await admin.api.lessons.update({ course_id: courseId, lesson_id: one, slug: 'same' })
  })

  it('is deleted with its data, and the others move up', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 3, students: [ana] })
    const [one = 0, two = 0, three = 0] = lessons
    const { feed_id } = await read(ana, courseId, two)
    await ana.api.comments.create({ feed_id: feed_id ?? 0, comment: 'Good' })
    await ana.api.progress.complete({ course_id: courseId, lesson_id: two })
    const { message } = await admin.api.lessons.remove({ course_id: courseId, lesson_id: two })
    expect(message).toBeTruthy()
    await refused(read(admin, courseId, two), 404, 'lesson_not_found')
    await refused(ana.api.comments.list({ feed_id: feed_id ?? 0 }), 404, 'feed_not_found')
    expect((await listOf(ana, courseId)).map(({ id, order }) => [id, order])).toEqual([
      [one, 1],
      [three, 2],
    ])
    expect((await ana.api.progress.get({ course_id: courseId })).data).toMatchObject({ completed_lessons: 0, total_lessons: 2 })
  })

  it('is duplicated as a draft after the original', async () => {
    const { courseId, lessons, sectionId } = await makeSchool(admin, { lessons: 2 })
    const quiz = await makeLesson(admin, courseId, sectionId, {
      type: 'quiz',
      quiz: {
        questions: [
          {
            type: 'true_false',
            question: 'So?',
            options: [
              { text: 'True', is_correct: true },
              { text: 'False', is_correct: false },
            ],
          },
        ],
      },
    })
    const { status, body } = await admin.api.adminLessons.duplicate.answer({ course_id: courseId, lesson_id: lessons[0] ?? 0 })
    expect([status, body.data.order]).toEqual([201, 2])
    expect(await read(admin, courseId, body.data.id)).toMatchObject({
      status: 'draft',
      feed_id: null,
      title: expect.stringMatching(/\(Copy\)$/),
    })
    const { data } = await admin.api.adminLessons.duplicate({ course_id: courseId, lesson_id: quiz })
    const copy = await read(admin, courseId, data.id)
    expect([copy.type, copy.quiz?.questions?.length]).toEqual(['quiz', 1])
  })

  it('moves within its course only', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 3, students: [ana] })
    const hidden = await makeSection(admin, courseId, { status: 'draft' })
    const [one = 0] = lessons
    await admin.api.adminLessons.move({ course_id: courseId, lesson_id: one, section_id: hidden })
    expect((await admin.api.adminLessons.list({ course_id: courseId, section_id: hidden })).lessons.map(({ id }) => id)).toEqual([one])
    expect((await read(admin, courseId, one)).order).toBe(3)
    // An unpublished section hides its lessons.
    await refused(read(ana, courseId, one), 404, 'lesson_not_found')
    expect((await ana.api.progress.get({ course_id: courseId })).data.total_lessons).toBe(2)
    const other = await makeSchool(admin)
    await refused(
      admin.api.adminLessons.move({ course_id: courseId, lesson_id: one, section_id: other.sectionId }),
      404,
      'section_not_found',
    )
    await refused(
      admin.api.adminLessons.move({ course_id: other.courseId, lesson_id: one, section_id: other.sectionId }),
      404,
      'lesson_not_found',
    )
  })
})

describe('the order', () => {
  it('of a section is as requested and moves nothing else', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 3, students: [ana] })
    const [a = 0, b = 0, c = 0] = lessons
    const last = await makeLesson(admin, courseId, await makeSection(admin, courseId))
    const path = { course_id: courseId, section_id: sectionId }
    const idsOf = async (who: Member) => (await who.api.lessons.list({ course_id: courseId })).data.map(({ id, order }) => [id, order])
    const answer = await admin.api.adminLessons.reorder({ ...path, indexes: { [c]: 0, [a]: 1, [b]: 2 } })
    expect(answer.lessons.map(({ id, order, section_id }) => [id, order, section_id])).toEqual([
      [c, 1, sectionId],
      [a, 2, sectionId],
      [b, 3, sectionId],
    ])
    // A lesson that is not named keeps its position, after any lesson moved to it.
    await admin.api.adminLessons.reorder({ ...path, indexes: { [b]: 1 } })
    expect(await idsOf(ana)).toEqual([
      [b, 1],
      [c, 2],
      [a, 3],
      [last, 4],
    ])
    for (const indexes of [{ [last]: 1 }, { 987654: 1 }, { x: 1 }, { [a]: 'x' }, { [a]: -1 }, []]) {
      const { status, body } = await admin.raw('PATCH', `/admin/courses/${courseId}/sections/${sectionId}/indexes`, { indexes })
      expect([indexes, status, body.code]).toEqual([indexes, 400, 'invalid_data'])
    }
    await admin.api.lessons.reorder({ course_id: courseId, lesson_ids: [a, last, b, c] })
    await admin.api.adminLessons.reorder({ ...path, indexes: { [a]: 3 } })
    expect((await idsOf(ana)).map(([id]) => id)).toEqual([b, last, a, c])
    await refused(admin.api.adminLessons.reorder({ ...path, section_id: 987_654, indexes: {} }), 404, 'section_not_found')
    const other = await makeSchool(admin)
    await refused(admin.api.adminLessons.reorder({ ...path, section_id: other.sectionId, indexes: {} }), 404, 'section_not_found')
    await refused(ana.api.adminLessons.reorder({ ...path, indexes: { [a]: 1 } }), 403, 'rest_forbidden')
  })

  it('of a course is as requested', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 3, students: [ana] })
    const [a = 0, b = 0, c = 0] = lessons
    const { data, message } = await admin.api.lessons.reorder({ course_id: courseId, lesson_ids: [c, a, b] })
    expect([typeof message, data]).toEqual([
      'string',
      [
        { id: c, order: 1 },
        { id: a, order: 2 },
        { id: b, order: 3 },
      ],
    ])
    expect((await listOf(ana, courseId)).map(({ id, order }) => ({ id, order }))).toEqual(data)
    await admin.api.lessons.update({ course_id: courseId, lesson_id: b, order: 1 })
    expect((await listOf(ana, courseId)).map(({ id }) => id)).toEqual([b, c, a])
    await admin.api.lessons.update({ course_id: courseId, lesson_id: b, order: 99 })
    expect((await listOf(ana, courseId)).map(({ id }) => id)).toEqual([c, a, b])
    expect((await read(admin, courseId, b)).order).toBe(99)
    const { data: behind } = await admin.api.adminLessons.create({
      course_id: courseId,
      title: 'Behind',
      type: 'lesson',
      section_id: sectionId,
    })
    expect([behind.order, (await read(admin, courseId, b)).order]).toEqual([4, 3])
  })

  it('requires exactly the lessons of the course', async () => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 2 })
    const other = await makeSchool(admin, { lessons: 1 })
    const [a = 0, b = 0] = lessons
    const send = async (body: unknown, who = admin) => (await who.raw('PATCH', `/courses/${courseId}/lessons/reorder`, body)).body.code
    for (const ids of [[a], [a, a], [a, b, b], [], [a, b, ...other.lessons], [a, ...other.lessons], [a, 987_654]])
      expect([ids, await send({ lesson_ids: ids })]).toEqual([ids, 'invalid_data'])
    expect(await send({})).toBe('missing_required_field')
    expect(await send({ lesson_ids: 'x' })).toBe('invalid_data')
    expect(await send({ lesson_ids: [b, a] }, ana)).toBe('rest_forbidden')
    expect((await listOf(admin, courseId)).map(({ id }) => id)).toEqual([a, b])
  })

  it('stays complete while lessons are created concurrently', async () => {
    const { courseId, sectionId, lessons } = await makeSchool(admin, { lessons: 4 })
    await Promise.all([
      ...[1, 2, 3].map((i) =>
        admin.api.adminLessons.create({ course_id: courseId, section_id: sectionId, title: `New ${i}`, type: 'lesson' }),
      ),
      ...[1, 2, 3].map(() => admin.raw('PATCH', `/courses/${courseId}/lessons/reorder`, { lesson_ids: lessons.toReversed() })),
    ])
    expect((await listOf(admin, courseId)).map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })
})

describe('members who do not manage the course', () => {
  it('cannot change anything, nor discover hidden lessons', async () => {
    const { courseId, lessons, sectionId } = await makeSchool(admin, { lessons: 1, students: [ana] })
    const secret = await makeSchool(admin, { lessons: 1, privacy: 'secret' })
    const [lesson = 0] = lessons
    const calls = (course: number, id: number) =>
      [
        ['POST', `/admin/courses/${course}/lessons`, { title: 'x', type: 'lesson', section_id: sectionId }],
        ['PUT', `/courses/${course}/lessons/${id}`, { title: 'x' }],
        ['PUT', `/courses/${course}/lessons/${id}`, { title: 'x', content: 'y' }],
        ['DELETE', `/courses/${course}/lessons/${id}`, undefined],
        ['PATCH', `/courses/${course}/lessons/reorder`, { lesson_ids: [id] }],
        ['POST', `/admin/courses/${course}/lessons/${id}/duplicate`, undefined],
        ['PUT', `/admin/courses/${course}/move-lesson`, { lesson_id: id, section_id: sectionId }],
        ['GET', `/admin/courses/${course}/lessons`, undefined],
      ] as const
    for (const who of [ana, outsider, await world.member({ role: 'moderator' })]) {
      for (const [method, path, body] of calls(courseId, lesson)) {
        const answer = await who.raw(method, path, body)
        expect([who.username, method, path, answer.body.code]).toEqual([who.username, method, path, 'rest_forbidden'])
      }
      for (const [method, path, body] of calls(secret.courseId, secret.lessons[0] ?? 0))
        expect((await who.raw(method, path, body)).body).toEqual(
          (await who.raw(method, path.replace(String(secret.courseId), '987654'), body)).body,
        )
    }
    for (const [method, path, body] of calls(courseId, lesson)) expect((await world.request(method, path, body)).status).toBe(401)
    const other = await makeSchool(admin, { lessons: 1 })
    await refused(admin.api.lessons.update({ course_id: other.courseId, lesson_id: lesson, title: 'x' }), 404, 'lesson_not_found')
    await refused(admin.api.lessons.remove({ course_id: other.courseId, lesson_id: lesson }), 404, 'lesson_not_found')
    await refused(admin.api.lessons.remove({ course_id: 987_654, lesson_id: lesson }), 404, 'course_not_found')
    await refused(read(ana, courseId, 987_654), 404, 'lesson_not_found')
    await refused(read(ana, 987_654, lesson), 404, 'course_not_found')
  })

  it('do not include its instructor', async () => {
    const teacher = await world.member({ username: 'teacher' })
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0, instructor_id: teacher.id })
    const lesson = await makeLesson(teacher, courseId, sectionId)
    expect((await listOf(teacher, courseId)).map(({ id }) => id)).toEqual([lesson])
  })
})
