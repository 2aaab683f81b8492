import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
})
afterAll(() => world.close())

const upload = async () => (await admin.api.media.upload({ file: new File(['%PDF-1.7 nothing'], 'notes.pdf') })).data
const seen = async (who: Member, id: number) => (await who.raw('GET', `/media/${id}`)).status === 200
const statusOf = async (id: number) =>
  (await world.app.services.database.read.selectFrom('media').select('status').where('id', '=', id).executeTakeFirst())?.status

test('files of a course are visible with the course and deleted with it', async () => {
  const [cover, inText] = [await upload(), await upload()]
  const body = {
    title: 'With files',
    description: 'x',
    cover_photo: cover.file_url,
    content: `<p><a href="${inText.file_url}">Notes</a></p>`,
  }
  const { id } = (await admin.api.courses.create(body)).data
  expect([await seen(ana, cover.id), await seen(ana, inText.id)]).toEqual([false, false])
  await admin.api.courses.update({ course_id: id, status: 'published', privacy: 'secret' })
  await admin.api.adminCourses.addStudent({ course_id: id, user_id: ana.id })
  expect([await seen(ana, cover.id), await seen(ana, inText.id), await seen(ben, cover.id)]).toEqual([true, true, false])
  await admin.api.courses.update({ course_id: id, cover_photo: null })
  expect([await statusOf(cover.id), await statusOf(inText.id)]).toEqual(['deleted', 'active'])
  await admin.api.courses.remove({ course_id: id })
  expect([await statusOf(inText.id), await seen(admin, inText.id)]).toEqual(['deleted', false])
})

test('files of a lesson are visible to those who may open it', async () => {
  const file = await upload()
  const { id: course_id } = (await admin.api.courses.create({ title: 'Lessons', description: 'x', status: 'published' })).data
  const { id: section_id } = (await admin.api.courseSections.create({ course_id, title: 'One' })).data
  const { id: lesson_id } = (await admin.api.adminLessons.create({ course_id, section_id, title: 'One', type: 'lesson' })).data
  await admin.api.lessons.update({
    course_id,
    lesson_id,
    status: 'published',
    content: `<p><a href="${file.file_url}">Notes</a></p>`,
  })
  expect([await seen(ana, file.id), await seen(admin, file.id)]).toEqual([false, true])
  await ana.api.courses.enroll({ course_id })
  expect([await seen(ana, file.id), await seen(ben, file.id)]).toEqual([true, false])
})
