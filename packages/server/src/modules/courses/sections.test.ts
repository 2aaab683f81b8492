import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let teacher: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  teacher = await world.member()
  ana = await world.member()
})
afterAll(() => world.close())

let made = 0
const makeCourse = async (fields: object = {}): Promise<number> => {
  made += 1
  const body = { title: `Course ${made}`, description: 'Short', status: 'published', instructor_id: teacher.id, ...fields } as const
  return (await admin.api.courses.create(body)).data.id
}
const makeSection = async (course_id: number, title: string) => (await teacher.api.courseSections.create({ course_id, title })).data
const makeLesson = async (course_id: number, section_id: number, title: string, type: 'lesson' | 'quiz' = 'lesson') => {
  const { data } = await teacher.api.adminLessons.create({ course_id, section_id, title, type })
  await teacher.api.lessons.update({ course_id, lesson_id: data.id, status: 'published' })
  return data.id
}
const sectionsOf = async (course_id: number) => (await teacher.api.courseSections.list({ course_id })).sections
const detail = async (course_id: number, as: Member) => (await as.api.courses.byId({ course_id })).data

describe('sections', () => {
  test('are appended as published, with unique slugs', async () => {
    const course = await makeCourse()
    const { status, body } = await teacher.api.courseSections.create.answer({ course_id: course, title: ' The  dough ' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      course_id: course,
      title: 'The dough',
      slug: 'the-dough',
      type: 'section',
      status: 'published',
      priority: 1,
      scheduled_at: null,
      days_after: 0,
      reactions_count: 0,
      created_at: '2026-03-10 12:00:00',
      updated_at: '2026-03-10 12:00:00',
      lessons: [],
    })
    const twin = await makeSection(course, 'The dough')
    expect([twin.priority, twin.slug.startsWith('the-dough-')]).toEqual([2, true])
    await refused(teacher.api.courseSections.create({ course_id: course, title: 'x', slug: 'The-Dough' }), 400, 'duplicate_slug')
    expect((await detail(course, ana)).sectionsCount).toBe(2)
    expect((await detail(course, ana)).sections.map(({ title }) => title)).toEqual(['The dough', 'The dough'])
  })

  test('are managed by managers of the course, and found in their own course only', async () => {
    const [course, other] = [await makeCourse(), await makeCourse()]
    const section = await makeSection(course, 'One')
    await ana.api.courses.enroll({ course_id: course })
    const at = { course_id: course, section_id: section.id }
    await refused(ana.api.courseSections.list({ course_id: course }), 403, 'rest_forbidden')
    await refused(ana.api.courseSections.byId(at), 403, 'rest_forbidden')
    await refused(ana.api.courseSections.create({ course_id: course, title: 'x' }), 403, 'rest_forbidden')
    await refused(ana.api.courseSections.patch({ ...at, title: 'x' }), 403, 'rest_forbidden')
    await refused(ana.api.courseSections.remove(at), 403, 'rest_forbidden')
    await refused(ana.api.courseSections.reorder({ course_id: course, indexes: {} }), 403, 'rest_forbidden')
    const elsewhere = { course_id: other, section_id: section.id }
    await refused(admin.api.courseSections.byId(elsewhere), 404, 'section_not_found')
    await refused(admin.api.courseSections.patch({ ...elsewhere, title: 'x' }), 404, 'section_not_found')
    await refused(admin.api.courseSections.update({ ...elsewhere, title: 'x', status: 'draft' }), 404, 'section_not_found')
    await refused(admin.api.courseSections.remove(elsewhere), 404, 'section_not_found')
    expect((await admin.api.courseSections.byId(at)).data.title).toBe('One')
  })

  test('unlock at a date or after a number of days, never both', async () => {
    const course = await makeCourse({ course_type: 'structured' })
    const { id } = await makeSection(course, 'Later')
    const patch = async (body: object) => (await teacher.api.courseSections.patch({ course_id: course, section_id: id, ...body })).data
    expect(await patch({ days_after: 7 })).toMatchObject({ days_after: 7, reactions_count: 7, scheduled_at: null })
    expect(await patch({ scheduled_at: '2026-04-01T08:00:00' })).toMatchObject({ days_after: 0, scheduled_at: '2026-04-01 08:00:00' })
    expect(await patch({ title: 'Much later' })).toMatchObject({ scheduled_at: '2026-04-01 08:00:00' })
    expect(await patch({ reactions_count: 3 })).toMatchObject({ days_after: 3, scheduled_at: null })
    await refused(patch({ days_after: 2, scheduled_at: '2026-04-01 08:00:00' }), 400, 'invalid_data')
    await refused(patch({ scheduled_at: '2026-02-30 08:00:00' }), 400, 'invalid_data')
    expect((await detail(course, ana)).sections[0]).toMatchObject({ is_locked: true, unlock_date: null })
    await ana.api.courses.enroll({ course_id: course })
    expect((await detail(course, ana)).sections[0]).toMatchObject({ is_locked: true, unlock_date: '2026-03-13 12:00:00' })
    expect((await detail(course, teacher)).sections[0]).toMatchObject({ is_locked: false })
    await admin.api.courses.update({ course_id: course, course_type: 'scheduled' })
    await patch({ scheduled_at: '2026-03-10 11:00:00' })
    expect((await detail(course, ana)).sections[0]).toMatchObject({ is_locked: false, unlock_date: '2026-03-10 11:00:00' })
  })

  test('are reordered together with their lessons', async () => {
    const course = await makeCourse()
    const [a, b, c] = [await makeSection(course, 'A'), await makeSection(course, 'B'), await makeSection(course, 'C')]
    const [la, lb, lc] = [
      await makeLesson(course, a.id, 'In A'),
      await makeLesson(course, b.id, 'In B'),
      await makeLesson(course, c.id, 'In C'),
    ]
    const { sections } = await teacher.api.courseSections.reorder({ course_id: course, indexes: { [c.id]: 1, [a.id]: 3 } })
    expect(sections.map(({ id, priority }) => [id, priority])).toEqual([
      [c.id, 1],
      [b.id, 2],
      [a.id, 3],
    ])
    expect(sections.flatMap(({ lessons }) => lessons.map(({ id, order }) => [id, order]))).toEqual([
      [lc, 1],
      [lb, 2],
      [la, 3],
    ])
    expect((await ana.api.lessons.list({ course_id: course })).data.map(({ id }) => id)).toEqual([lc, lb, la])
    const other = await makeSection(await makeCourse(), 'Elsewhere')
    for (const indexes of [{ [other.id]: 1 }, { x: 1 }, { [a.id]: 'x' }, { [a.id]: -1 }])
      expect((await teacher.raw('PATCH', `/admin/courses/${course}/sections/indexes`, { indexes })).body.code).toBe('invalid_data')
  })

  test('unpublished sections hide their lessons and are not counted', async () => {
    const course = await makeCourse()
    const [one, two] = [await makeSection(course, 'One'), await makeSection(course, 'Two')]
    await makeLesson(course, one.id, 'First')
    await makeLesson(course, two.id, 'Second')
    await ana.api.courses.enroll({ course_id: course })
    expect(await detail(course, ana)).toMatchObject({ sectionsCount: 2, lessonsCount: 2, lessons_count: 2 })
    await teacher.api.courseSections.update({ course_id: course, section_id: two.id, title: 'Two', status: 'draft' })
    expect(await detail(course, ana)).toMatchObject({ sectionsCount: 1, lessonsCount: 1 })
    expect((await detail(course, ana)).sections.map(({ id }) => id)).toEqual([one.id])
    expect((await teacher.api.courseSections.list({ course_id: course, only_published: true })).sections.map(({ id }) => id)).toEqual([
      one.id,
    ])
    expect((await sectionsOf(course)).map(({ status }) => status)).toEqual(['published', 'draft'])
  })

  test('are deleted with their lessons', async () => {
    const course = await makeCourse()
    const { id } = await makeSection(course, 'One')
    const lesson = await makeLesson(course, id, 'Gone')
    expect(await teacher.api.courseSections.remove({ course_id: course, section_id: id })).toEqual({ message: expect.any(String) })
    await refused(teacher.api.lessons.byId({ course_id: course, lesson_id: lesson }), 404, 'lesson_not_found')
    expect(await detail(course, ana)).toMatchObject({ sectionsCount: 0, lessonsCount: 0 })
  })

  test('deleting one leaves no gap in the lesson positions and keeps their order', async () => {
    const course = await makeCourse()
    const [one, two] = [await makeSection(course, 'One'), await makeSection(course, 'Two')]
    const [a, gone, b] = [
      await makeLesson(course, one.id, 'A'),
      await makeLesson(course, two.id, 'Gone'),
      await makeLesson(course, one.id, 'B'),
    ]
    const three = await makeSection(course, 'Three')
    const last = await makeLesson(course, three.id, 'Last')
    await teacher.api.lessons.reorder({ course_id: course, lesson_ids: [last, gone, b, a] })
    await teacher.api.courseSections.remove({ course_id: course, section_id: two.id })
    const { data } = await ana.api.lessons.list({ course_id: course })
    expect(data.map(({ id, order }) => [id, order])).toEqual([
      [last, 1],
      [b, 2],
      [a, 3],
    ])
  })
})

describe('copies', () => {
  test('of a course contain sections, lessons and quizzes, but no students', async () => {
    const course = await makeCourse({ title: 'Original', category: 'Arts', settings: { emoji: '🎨' } })
    const section = await makeSection(course, 'One')
    await makeLesson(course, section.id, 'Text')
    const quiz = await makeLesson(course, section.id, 'Quiz', 'quiz')
    const question = {
      type: 'true_false',
      question: 'Is it?',
      points: 1,
      options: [
        { text: 'True', is_correct: true },
        { text: 'False', is_correct: false },
      ],
    } satisfies NonNullable<NonNullable<Parameters<Member['api']['lessons']['update']>[0]['quiz']>['questions']>[number]
    await teacher.api.lessons.update({ course_id: course, lesson_id: quiz, quiz: { questions: [question] } })
    await ana.api.courses.enroll({ course_id: course })
    const { status, body } = await admin.api.courseCopies.course.answer({ course_id: course })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ title: 'Original (Copy)', status: 'draft' })
    const copy = (await admin.api.courses.byId({ course_id: body.data.id })).data
    expect(copy).toMatchObject({ students_count: 0, sectionsCount: 1, lessonsCount: 2, category: 'Arts', settings: { emoji: '🎨' } })
    const [copied] = (await admin.api.courseSections.list({ course_id: copy.id })).sections
    expect(copied?.lessons.map(({ title, type, status: state }) => [title, type, state])).toEqual([
      ['Text', 'lesson', 'published'],
      ['Quiz', 'quiz', 'published'],
    ])
    const lesson = (await admin.api.lessons.byId({ course_id: copy.id, lesson_id: copied?.lessons[1]?.id ?? 0 })).data
    expect(lesson.quiz?.questions?.map((one) => one.question)).toEqual(['Is it?'])
    await refused(ana.api.courses.byId({ course_id: copy.id }), 404, 'course_not_found')
    await refused(teacher.api.courseCopies.course({ course_id: course }), 403, 'rest_forbidden')
  })

  test('of a section require access to both courses', async () => {
    const [from, to, secret] = [await makeCourse(), await makeCourse(), await makeCourse({ privacy: 'secret', instructor_id: null })]
    const section = await makeSection(from, 'Shared')
    await makeLesson(from, section.id, 'Text')
    await makeSection(to, 'Shared')
    const { data } = await teacher.api.courseCopies.section({ course_id: to, section_id: section.id, from_course_id: from })
    expect([data.title, data.priority, data.lessons.map(({ title }) => title)]).toEqual(['Shared', 2, ['Text']])
    expect((await detail(to, ana)).lessonsCount).toBe(1)
    const hidden = (await admin.api.courseSections.create({ course_id: secret, title: 'Hidden' })).data
    await refused(
      teacher.api.courseCopies.section({ course_id: to, section_id: hidden.id, from_course_id: secret }),
      404,
      'course_not_found',
    )
    await refused(
      teacher.api.courseCopies.section({ course_id: to, section_id: hidden.id, from_course_id: from }),
      404,
      'section_not_found',
    )
    await refused(ana.api.courseCopies.section({ course_id: to, section_id: section.id, from_course_id: from }), 403, 'rest_forbidden')
  })
})
