import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsWith, grant } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let manager: Member
let moderator: Member
let teacher: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  manager = await world.member({ role: 'manager' })
  await grant(world, manager, ['manage_spaces'])
  moderator = await world.member({ role: 'moderator' })
  teacher = await world.member({ displayName: 'Tess Teacher' })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

let made = 0
type Fields = Omit<Parameters<Member['api']['courses']['create']>[0], 'title' | 'description'> & { title?: string; description?: string }
const make = async (fields: Fields = {}, by = admin) => {
  made += 1
  const { data } = await by.api.courses.create({ title: `Course ${made}`, description: 'Short', status: 'published', ...fields })
  return data
}
const read = async (id: number, as = admin) => (await as.api.courses.byId({ course_id: id })).data
const titles = async (as: Member, query: Parameters<Member['api']['courses']['list']>[0]) =>
  (await as.api.courses.list(query)).courses.data.map(({ title }) => title)

describe('creating a course', () => {
  test('makes a draft with the creator as instructor', async () => {
    const { status, body } = await admin.api.courses.create.answer({ title: '  Bread   baking ', description: 'Short' })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      title: 'Bread baking',
      slug: 'bread-baking',
      status: 'draft',
      created_at: '2026-03-10 12:00:00',
    })
    expect(await read(body.data.id)).toMatchObject({
      created_by: admin.id,
      instructor_id: admin.id,
      instructor: { id: admin.id, bio: '' },
      privacy: 'public',
      course_type: 'self_paced',
      difficulty: 'beginner',
      price: 0,
      rating: 0,
      category: '',
      type: 'course',
      is_enrolled: false,
      isEnrolled: false,
      progress: 0,
      lessons_count: 0,
      students_count: 0,
      published_at: null,
      lockscreen: { enabled: false },
    })
    expect(await eventsWith(world, { course_id: body.data.id })).toEqual(['course.created'])
  })

  test('accepts every field', async () => {
    const fields = {
      content: '<p onclick="x()">Read <b>this</b></p><script>alert(1)</script>',
      featured_image: 'https://pictures.example/a.png',
      privacy: 'private',
      course_type: 'structured',
      category: 'Kitchen  craft',
      difficulty: 'advanced',
      duration: '6 weeks',
      price: 49.9,
      instructor_id: teacher.id,
      settings: { sequential_lesson_order: 'yes', links: [{ title: 'Plan', permalink: 'https://plan.example/' }] },
      slug: 'All-Fields',
    } satisfies Fields
    const { id } = await make(fields)
    const course = await read(id)
    expect(course).toMatchObject({
      slug: 'all-fields',
      category: 'Kitchen craft',
      price: 49.9,
      duration: '6 weeks',
      difficulty: 'advanced',
      course_type: 'structured',
      instructor: { id: teacher.id, display_name: 'Tess Teacher' },
      settings: { sequential_lesson_order: 'yes', course_layout: 'classic', links: [{ title: 'Plan', enabled: 'yes' }] },
    })
    expect(course.content).toBe('<p>Read <b>this</b></p>')
    expect(await eventsWith(world, { course_id: id })).toEqual(['course.created', 'course.published'])
  })

  test('requires title and description, and validates all fields', async () => {
    const bad = async (body: object, code: string) => {
      const answer = await admin.raw('POST', '/courses', { title: 'x', description: 'x', ...body })
      expect([answer.status, answer.body.code]).toEqual([400, code])
      return answer.body.data
    }
    await bad({ title: undefined }, 'missing_required_field')
    await bad({ description: undefined }, 'missing_required_field')
    await bad({ title: '   ' }, 'invalid_data')
    for (const difficulty of ['impossible', 5])
      expect((await bad({ difficulty }, 'invalid_difficulty')).allowed_values).toEqual(['beginner', 'intermediate', 'advanced'])
    await bad({ featured_image: 'javascript:alert(1)' }, 'invalid_url')
    await bad({ settings: { links: [{ title: 'x', permalink: 'javascript:x' }] } }, 'invalid_url')
    await bad({ instructor_id: 987_654 }, 'invalid_data')
    await bad({ price: -1 }, 'invalid_data')
    await bad({ content: 'x'.repeat(50_001) }, 'invalid_data')
    await bad({ prerequisites: [987_654] }, 'invalid_data')
    await make({ slug: 'taken-slug' })
    await bad({ slug: 'Taken-Slug' }, 'duplicate_slug')
    await bad({ slug: 'my-courses' }, 'duplicate_slug')
  })

  test('a slug conflict does not reveal a hidden course', async () => {
    const own = await make({ instructor_id: ana.id })
    await make({ slug: 'secret-plans', privacy: 'secret' })
    await make({ slug: 'draft-plans', status: 'draft' })
    await make({ slug: 'open-plans' })
    const rename = async (slug: string) => (await ana.api.courses.update({ course_id: own.id, slug })).data.slug
    for (const slug of ['secret-plans', 'draft-plans']) expect((await rename(slug)).slice(0, -6)).toBe(`${slug}-`)
    await refused(rename('open-plans'), 400, 'duplicate_slug')
  })

  test('is allowed to administrators and managers of all spaces', async () => {
    expect((await make({}, manager)).status).toBe('published')
    const limited = await world.member({ role: 'manager' })
    await grant(world, limited, ['manage_spaces'], [])
    await world.app.write(null, ({ db }) => db.updateTable('managers').set({ all_spaces: 0 }).where('user_id', '=', limited.id).execute())
    for (const who of [ana, moderator, limited])
      await refused(who.api.courses.create({ title: 'x', description: 'x' }), 403, 'rest_forbidden')
    await refused(world.anonymous.courses.list(), 401, 'rest_forbidden')
  })
})

describe('updating a course', () => {
  test('publishes it once', async () => {
    const { id } = await make({ status: 'draft' })
    await refused(ana.api.courses.byId({ course_id: id }), 404, 'course_not_found')
    const { data } = await admin.api.courses.update({ course_id: id, status: 'published', title: 'Now out' })
    expect(data).toEqual({ id, title: 'Now out', slug: expect.any(String), status: 'published', updated_at: '2026-03-10 12:00:00' })
    expect((await read(id, ana)).published_at).toBe('2026-03-10 12:00:00')
    await admin.api.courses.update({ course_id: id, status: 'archived' })
    await refused(ana.api.courses.byId({ course_id: id }), 404, 'course_not_found')
    await admin.api.courses.update({ course_id: id, status: 'published' })
    expect((await eventsWith(world, { course_id: id })).filter((name) => name === 'course.published')).toHaveLength(1)
  })

  test('merges settings, keeps omitted fields and clears those set to null', async () => {
    const { id, slug } = await make({ category: 'Baking', settings: { emoji: '🍞', disable_comments: 'yes' }, duration: 'long' })
    await admin.api.courses.update({ course_id: id, settings: { course_layout: 'modern' }, duration: null, category: null })
    expect(await read(id)).toMatchObject({
      slug,
      category: '',
      duration: '',
      settings: { emoji: '🍞', disable_comments: 'yes', course_layout: 'modern' },
    })
  })

  test('is allowed to managers of the course', async () => {
    const { id } = await make({ instructor_id: teacher.id })
    for (const who of [ana, moderator]) {
      await refused(who.api.courses.update({ course_id: id, title: 'Mine' }), 403, 'rest_forbidden')
      await refused(who.api.courses.remove({ course_id: id }), 403, 'rest_forbidden')
      await refused(who.api.adminCourses.saveLockscreens({ course_id: id, enabled: true }), 403, 'rest_forbidden')
    }
    await teacher.api.courses.update({ course_id: id, title: 'By its teacher' })
    await refused(teacher.api.courses.update({ course_id: id, instructor_id: ana.id }), 403, 'rest_forbidden')
    await manager.api.courses.update({ course_id: id, instructor_id: null })
    await refused(teacher.api.courses.update({ course_id: id, title: 'No more' }), 403, 'rest_forbidden')
  })

  test('a hidden course gets the same response as a missing one', async () => {
    const { id } = await make({ privacy: 'secret' })
    const missing = await ana.raw('PUT', '/courses/987654321', { title: 'x' })
    expect([missing.status, missing.body.code]).toEqual([404, 'course_not_found'])
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/enroll'],
      ['POST', '/unenroll'],
      ['GET', '/students'],
    ] as const) {
      const answer = await ana.raw(method, `/courses/${id}${path}`, method === 'GET' ? undefined : { title: 'x' })
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
  })
})

describe('lists', () => {
  test('search, filters, order and pages', async () => {
    for (const [title, difficulty] of [
      ['Zopf 100%', 'beginner'],
      ['Zopf and Ciabatta', 'advanced'],
      ['Baguette', 'advanced'],
    ] as const) {
      world.clock.advance(1)
      await make({ title, difficulty, category: 'Loaves', description: 'Flour_water', instructor_id: teacher.id })
    }
    expect(await titles(ana, { search: 'flour_' })).toEqual(['Baguette', 'Zopf and Ciabatta', 'Zopf 100%'])
    expect(await titles(ana, { search: '100%' })).toEqual(['Zopf 100%'])
    expect(await titles(ana, { search: 'ZOPF', order: 'asc' })).toEqual(['Zopf 100%', 'Zopf and Ciabatta'])
    expect(await titles(ana, { category: 'loaves', orderby: 'title' })).toEqual(['Baguette', 'Zopf 100%', 'Zopf and Ciabatta'])
    expect(await titles(ana, { category: 'Loaves', difficulty: 'advanced', orderby: 'rating' })).toEqual(['Baguette', 'Zopf and Ciabatta'])
    expect(await titles(ana, { category: 'Nothing' })).toEqual([])
    expect(await titles(ana, { instructor_id: teacher.id, category: 'loaves', page: 2, per_page: 2 })).toEqual(['Zopf 100%'])
    const { courses, course_categories } = await ana.api.courses.list({ category: 'loaves', per_page: 1 })
    expect([courses.total, courses.last_page, courses.data.length]).toEqual([3, 3, 1])
    expect(course_categories).toContainEqual({ id: expect.any(Number), title: 'Loaves', slug: 'loaves' })
    expect((await ana.raw('GET', '/courses?orderby=__proto__')).body.code).toBe('invalid_parameter')
  })

  test('contain visible courses only: unpublished ones for managers, secret ones for students', async () => {
    const title = 'Hidden things'
    await make({ title, status: 'draft', instructor_id: teacher.id, category: 'Drafted secrets' })
    const secret = await make({ title, privacy: 'secret' })
    const archived = await make({ title, status: 'archived' })
    expect(await titles(ana, { search: title })).toEqual([])
    expect(await titles(ana, { search: title, status: 'draft' })).toEqual([])
    expect(await titles(moderator, { search: title, status: 'draft' })).toEqual([])
    expect(await titles(teacher, { search: title, status: 'draft' })).toEqual([title])
    expect(await titles(manager, { search: title })).toEqual([title])
    expect((await manager.api.courses.list({ search: title, status: 'archived' })).courses.data.map(({ id }) => id)).toEqual([archived.id])
    expect((await ana.api.courses.list()).course_categories.map((one) => one.title)).not.toContain('Drafted secrets')
    expect((await ana.api.courses.list({ status: 'draft' })).course_categories).toEqual([])
    await admin.api.adminCourses.addStudent({ course_id: secret.id, user_id: ana.id })
    expect(await titles(ana, { search: title })).toEqual([title])
  })

  test('omit what a course hides', async () => {
    const hidden = { hide_members_count: 'yes', hide_instructor_view: 'yes' } as const
    const { id } = await make({ title: 'Modest', settings: hidden, instructor_id: teacher.id })
    await ana.api.courses.enroll({ course_id: id })
    expect(await read(id, ana)).toMatchObject({
      students_count: 0,
      studentsCount: 0,
      instructor: null,
      instructor_id: null,
      created_by: null,
    })
    expect(await titles(ana, { search: 'Modest', instructor_id: teacher.id })).toEqual([])
    expect(await titles(teacher, { search: 'Modest', instructor_id: teacher.id })).toEqual(['Modest'])
    expect(await read(id, teacher)).toMatchObject({ students_count: 1, studentsCount: 1, instructor: { id: teacher.id } })
  })

  test('my courses: active, completed, all', async () => {
    const student = await world.member()
    const [one, two] = [await make(), await make()]
    for (const { id } of [one, two]) {
      world.clock.advance(1)
      await student.api.courses.enroll({ course_id: id })
    }
    await world.app.write(null, ({ db, now }) =>
      db.updateTable('enrolments').set({ completed_at: now, progress: 100 }).where('course_id', '=', one.id).execute(),
    )
    const mine = async (status?: 'active' | 'completed' | 'all') =>
      (await student.api.courses.mine({ status })).courses.data.map(({ id, progress }) => [id, progress])
    expect(await mine()).toEqual([[two.id, 0]])
    expect(await mine('completed')).toEqual([[one.id, 100]])
    expect(await mine('all')).toEqual([
      [two.id, 0],
      [one.id, 100],
    ])
    await admin.api.courses.update({ course_id: two.id, status: 'draft' })
    expect(await mine()).toEqual([])
  })
})

test('a course is read by its slug, with the caller’s abilities', async () => {
  const { id, slug } = await make({ instructor_id: teacher.id })
  const { data } = await ana.api.courses.bySlug({ course_slug: slug })
  expect([data.id, data.permissions]).toEqual([
    id,
    { can_manage: false, can_self_enroll: true, can_view_lessons: false, can_view_students: false, can_appoint_instructor: false },
  ])
  expect((await read(id, teacher)).permissions).toMatchObject({ can_manage: true, can_view_students: true, can_appoint_instructor: false })
  expect((await read(id, manager)).permissions).toMatchObject({ can_manage: true, can_appoint_instructor: true })
  await refused(ana.api.courses.bySlug({ course_slug: 'nothing-there' }), 404, 'course_not_found')
})

test('deleting a course deletes everything that belongs to it', async () => {
  const { id } = await make()
  const { data: section } = await admin.api.courseSections.create({ course_id: id, title: 'One' })
  await ben.api.courses.enroll({ course_id: id })
  expect(await admin.api.courses.remove({ course_id: id })).toEqual({ message: expect.any(String) })
  await refused(admin.api.courses.byId({ course_id: id }), 404, 'course_not_found')
  const db = world.app.services.database.read
  expect(await db.selectFrom('course_sections').select('id').where('id', '=', section.id).execute()).toEqual([])
  expect(await db.selectFrom('enrolments').select('id').where('course_id', '=', id).execute()).toEqual([])
  expect((await eventsWith(world, { course_id: id })).at(-1)).toBe('course.deleted')
})
