import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLesson, makeSchool, makeSection } from '#test/course-fixtures.ts'
import { fetchFile, statusOf, upload } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { runChecks } from '../../cli/doctor/run-checks.ts'
import { nowOf } from '../../core/clock.ts'
import { collectGarbage, removeStrays } from '../media/index.ts'

let world: World
let admin: Member
let teacher: Member
let ana: Member
let outsider: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  teacher = await world.member()
  ana = await world.member()
  outsider = await world.member()
})
afterAll(() => world.close())

const address = (text: string) => new RegExp(`${world.origin}/media/[^"<]+`).exec(text)?.[0] ?? ''
const detail = async (who: Member, course_id: number) => (await who.api.courses.byId({ course_id })).data
const lessonsOf = async (course_id: number) => (await admin.api.adminLessons.list({ course_id })).lessons
const lessonOf = async (who: Member, course_id: number, lesson_id: number) => (await who.api.lessons.byId({ course_id, lesson_id })).data
const everythingSwept = async () => {
  await collectGarbage(world.app.services)
  world.clock.advance(2 * 3600 + 1)
  await collectGarbage(world.app.services)
  // Backdated, so that files without a row count as stray.
  const media = join(world.app.services.config.dataDir, 'media')
  for (const name of readdirSync(media, { recursive: true }).map(String)) utimesSync(join(media, name), 1, 1)
  await removeStrays(
    world.app.services,
    Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0')),
  )
}
const missingFiles = async () => {
  const { database, storage } = world.app.services
  const { violations, warnings } = await runChecks(database, { now: nowOf(world.clock), sample: 10, storage })
  return [...violations.filter(({ check }) => check === 'media_files'), ...warnings.filter((text) => text.includes('stored file'))]
}

/** A private course with files in its cover, text and lessons, one of them used twice. */
const withFiles = async () => {
  const [cover, inText, notes, shared] = [await upload(admin), await upload(admin), await upload(admin), await upload(admin)]
  const { courseId, sectionId } = await makeSchool(admin, {
    lessons: 0,
    privacy: 'secret',
    cover_photo: cover.file_url,
    content: `<p><a href="${inText.file_url}">Text</a></p>`,
  })
  const first = await makeLesson(admin, courseId, sectionId, {
    content: `<p><img src="${shared.file_url}" alt=""> <img src="${cover.file_url}" alt=""></p>`,
    resources: [{ title: 'Notes', url: notes.file_url }],
  })
  const second = await makeLesson(admin, courseId, sectionId, { content: `<p><img src="${shared.file_url}" alt=""></p>` })
  return { courseId, sectionId, first, second, files: [cover, inText, notes, shared] }
}

const copyOf = async (course_id: number) => {
  const { id } = (await admin.api.courseCopies.course({ course_id })).data
  await admin.api.courses.update({ course_id: id, status: 'published' })
  const [first, second] = await lessonsOf(id)
  const at = async (lesson: number | undefined) => lessonOf(admin, id, lesson ?? 0)
  const [one, two] = [await at(first?.id), await at(second?.id)]
  const { cover_photo, content } = await detail(admin, id)
  return { id, one, two, urls: [cover_photo, address(content), one.resources[0]?.url ?? '', address(one.content)] }
}

describe('a duplicated course', () => {
  test('has its own files, which stay when the original is deleted', async () => {
    const { courseId, files } = await withFiles()
    const { id, one, two, urls } = await copyOf(courseId)
    const originals = files.map(({ file_url }) => file_url)
    expect(new Set([...originals, ...urls]).size).toBe(8)
    // A file that two lessons share, or a cover used in a lesson, is one file in the copy, too.
    expect(address(two.content)).toBe(address(one.content))
    expect(one.content).toContain(urls[0])

    const { bytes } = await fetchFile(admin, originals[0] ?? '')
    await admin.api.courses.remove({ course_id: courseId })
    expect(await Promise.all(originals.map((url) => statusOf(admin, url)))).toEqual([404, 404, 404, 404])
    await everythingSwept()
    for (const url of urls) expect((await fetchFile(admin, url)).bytes.equals(bytes)).toBe(true)
    expect(await missingFiles()).toEqual([])

    await admin.api.courses.remove({ course_id: id })
    await everythingSwept()
    expect(await world.app.services.database.read.selectFrom('media').select('id').execute()).toEqual([])
    expect(await missingFiles()).toEqual([])
  })

  test('can be deleted without affecting the original', async () => {
    const { courseId, files } = await withFiles()
    const { id, urls } = await copyOf(courseId)
    await admin.api.courses.remove({ course_id: id })
    await everythingSwept()
    expect(await Promise.all(urls.map((url) => statusOf(admin, url)))).toEqual([404, 404, 404, 404])
    for (const { file_url } of files) expect((await fetchFile(admin, file_url)).status).toBe(200)
    const small = files[0]?.thumbnail_url ?? ''
    expect(await statusOf(admin, small)).toBe(200)
    await admin.api.courses.remove({ course_id: courseId })
  })

  test('shows its files to its own students only', async () => {
    const { courseId, files } = await withFiles()
    const { id, urls } = await copyOf(courseId)
    await admin.api.adminCourses.addStudent({ course_id: courseId, user_id: ana.id })
    await admin.api.adminCourses.addStudent({ course_id: id, user_id: teacher.id })
    const seen = (who: Member, list: readonly string[]) => Promise.all(list.map((url) => statusOf(who, url)))
    const originals = files.map(({ file_url }) => file_url)
    expect([await seen(ana, originals), await seen(ana, urls)]).toEqual([
      [200, 200, 200, 200],
      [404, 404, 404, 404],
    ])
    expect([await seen(teacher, originals), await seen(teacher, urls)]).toEqual([
      [404, 404, 404, 404],
      [200, 200, 200, 200],
    ])
    expect(await seen(outsider, urls)).toEqual([404, 404, 404, 404])
    // The copy releases files like any course.
    await admin.api.courses.update({ course_id: id, cover_photo: null })
    expect([await statusOf(teacher, urls[0] ?? ''), await statusOf(ana, originals[0] ?? '')]).toEqual([404, 200])
    for (const course_id of [courseId, id]) await admin.api.courses.remove({ course_id })
  })

  test('publishes no files of other objects', async () => {
    const secret = await upload(ana)
    const feed = (await ana.api.feeds.create({ message: secret.file_url, privacy: 'private' })).data.id
    const { courseId, sectionId } = await makeSchool(admin, { lessons: 0, instructor_id: teacher.id, privacy: 'public' })
    await makeLesson(teacher, courseId, sectionId, { content: `<p><a href="${secret.file_url}">x</a></p>`, is_preview: true })
    const { id } = (await admin.api.courseCopies.course({ course_id: courseId })).data
    await admin.api.courses.update({ course_id: id, status: 'published', instructor_id: teacher.id })
    const [lesson] = await lessonsOf(id)
    expect((await lessonOf(teacher, id, lesson?.id ?? 0)).content).toContain(secret.file_url)
    expect([await statusOf(teacher, secret.file_url), await statusOf(ana, secret.file_url)]).toEqual([404, 200])
    await ana.api.feeds.remove({ feed_id: feed })
  })
})

test('a section copied to another course has its own files', async () => {
  const { courseId, sectionId, files } = await withFiles()
  const other = await makeSchool(admin, { lessons: 0, privacy: 'secret', students: [ana] })
  await admin.api.courseCopies.section({ course_id: other.courseId, section_id: sectionId, from_course_id: courseId })
  const [one] = await lessonsOf(other.courseId)
  const lesson = await lessonOf(ana, other.courseId, one?.id ?? 0)
  const urls = [address(lesson.content), lesson.resources[0]?.url ?? '']
  await admin.api.courses.remove({ course_id: courseId })
  await everythingSwept()
  expect(await Promise.all(urls.map((url) => statusOf(ana, url)))).toEqual([200, 200])
  // The cover of the original course was copied, as a lesson shows it.
  const pictures = [...lesson.content.matchAll(new RegExp(`${world.origin}/media/[^"]+`, 'g'))].map(([url]) => url)
  expect(await Promise.all(pictures.map((url) => statusOf(ana, url)))).toEqual([200, 200])
  expect(await statusOf(outsider, urls[0] ?? '')).toBe(404)
  expect(files.some(({ file_url }) => lesson.content.includes(file_url))).toBe(false)
})

test('a duplicated lesson has its own files', async () => {
  const { courseId, first, files } = await withFiles()
  const { id } = (await admin.api.adminLessons.duplicate({ course_id: courseId, lesson_id: first })).data
  const copy = await lessonOf(admin, courseId, id)
  await admin.api.lessons.remove({ course_id: courseId, lesson_id: first })
  await everythingSwept()
  expect(await statusOf(admin, copy.resources[0]?.url ?? '')).toBe(200)
  expect(await statusOf(admin, files[2]?.file_url ?? '')).toBe(404)
  // The cover belongs to the course, in the copy as well.
  expect(copy.content).toContain(files[0]?.file_url)
})

test('the stored file is deleted with the last copy', async () => {
  const { courseId, first, files } = await withFiles()
  const section = await makeSection(admin, courseId)
  await makeLesson(admin, courseId, section)
  const { id } = (await admin.api.adminLessons.duplicate({ course_id: courseId, lesson_id: first })).data
  const row = await world.app.services.database.read
    .selectFrom('media')
    .selectAll()
    .where('id', '=', files[2]?.id ?? 0)
    .executeTakeFirstOrThrow()
  const rows = await world.app.services.database.read.selectFrom('media').selectAll().where('path', '=', row.path).execute()
  expect(rows.map(({ object_id, user_id }) => [object_id, user_id])).toEqual([
    [first, admin.id],
    [id, admin.id],
  ])
  for (const lesson_id of [first, id]) await admin.api.lessons.remove({ course_id: courseId, lesson_id })
  await everythingSwept()
  const there = await world.app.services.storage.of('disk').has(row.path)
  expect(there).toBe(false)
})
