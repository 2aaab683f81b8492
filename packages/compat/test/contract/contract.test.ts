import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, makeStage, ROOT } from '../stage.ts'
import { CONVERSATION } from './conversation.ts'
import { COURSES } from './courses.ts'
import { PEOPLE_AND_SPACES } from './people-and-spaces.ts'
import { RUNNING } from './running.ts'
import { fieldsIn, type Place, pathOn } from './table.ts'

let place: Place
beforeAll(async () => {
  const stage = await makeStage()
  const { admin, ana, ben, space, feed, comment, school, world } = stage
  const topic = (await admin.api.adminTopics.create({ title: 'Harvest', slug: 'harvest', space_ids: [space.id] })).id
  const group = (await admin.api.spaceGroups.create({ title: 'Beds' })).space_group
  await admin.api.spaceGroups.moveSpace({ space_id: space.id, group_id: group.id })
  await ana.api.feeds.update({ feed_id: feed, topics: [topic] })
  await admin.api.feeds.patch({ feed_id: feed, is_sticky: true })
  await ben.api.feeds.create({ title: 'Harvest', message: 'seeds', space_id: space.id, topics: [topic] })
  await ana.api.feeds.create({ message: 'Later', status: 'scheduled', scheduled_at: '2031-01-01 08:00:00' })
  await ben.api.surveys.vote({ feed_id: feed, option_slug: 'sat' })
  await ben.api.reactions.toFeed({ feed_id: feed, react_type: 'bookmark' })
  for (const course_id of [school.courseId, stage.quiz.course_id]) await admin.api.courses.update({ course_id, instructor_id: admin.id })
  const [lesson] = school.lessons
  const { slug: lessonSlug, feed_id } = (await ana.api.lessons.byId({ course_id: school.courseId, lesson_id: lesson as number })).data
  if (feed_id) await ana.api.comments.create({ feed_id, comment: 'Clear' })
  const feedSlug = (await ana.api.feeds.byId({ feed_id: feed })).data.slug
  await world.runPendingJobs()
  expect(comment).toBeGreaterThan(0)
  place = { ...stage, feedSlug, lessonSlug, topic }
})
afterAll(() => place.world.close())

describe.each([
  ['conversation', CONVERSATION, 20, 500],
  ['people and spaces', PEOPLE_AND_SPACES, 25, 400],
  ['courses', COURSES, 20, 300],
  ['running', RUNNING, 25, 50],
] as const)('%s: a strict reader accepts', (_group, requests, leastRequests, leastFields) => {
  test.each(requests)('%s GET %s', async (who, path, shape) => {
    await ask(place[who], 'GET', pathOn(place, path), shape)
  })

  test('every answer that the group must have', () => {
    expect(requests.length).toBeGreaterThanOrEqual(leastRequests)
    expect(requests.reduce((sum, [, , shape]) => sum + fieldsIn(shape), 0)).toBeGreaterThanOrEqual(leastFields)
  })
})

test('lists that are paged lead to their other pages', async () => {
  const read = (path: string) => place.ana.raw('GET', path).then(({ body }) => body.members)
  const first = await read(pathOn(place, '//wp-json/fluent-community/v2/spaces/{space}/members?per_page=2'))
  expect([first.total > 2, first.prev_page_url]).toEqual([true, null])
  const next = new URL(first.next_page_url)
  const second = await read(`/${next.pathname}${next.search}`)
  expect([second.current_page, second.prev_page_url]).toEqual([2, first.first_page_url])
  const ids = ({ data }: typeof first) => data.map(({ user_id }: { user_id: string }) => user_id)
  expect(ids(first)).not.toEqual(expect.arrayContaining(ids(second)))
})

test('people are added by their addresses, and who is not known is counted', async () => {
  const { admin, ana, ben, space, school, world } = place
  const guest = await world.member()
  const rows = [guest, { email: 'nobody@example.org' }].map(({ email }) => ({ email: email.toUpperCase(), name: 'X' }))
  const COUNTS = { message: 'str', added: 'int', skipped: 'int', failed: 'int', processed: 'int', total: 'int', has_more: 'bool' } as const
  for (const path of ['/spaces/{space}/members/bulk-import', '/admin/courses/{course}/students/bulk-import']) {
    const answer = await ask(admin, 'POST', pathOn(place, path), COUNTS, { rows })
    expect(answer).toMatchObject({ added: 1, failed: 1, processed: 2, total: 2, has_more: false })
    const refused = await ben.raw('POST', pathOn(place, `${ROOT}${path}`), { rows: [{ email: ana.email }] })
    expect([403, 404]).toContain(refused.status)
  }
  expect((await ana.api.spaceMembers.list({ space_slug: space.slug })).data.map(({ user_id }) => user_id)).toContain(guest.id)
  expect((await admin.api.adminCourses.students({ course_id: school.courseId })).students.data.map(({ user_id }) => user_id)).toContain(
    guest.id,
  )
})

test('who may not see when others were active is not told', async () => {
  const { admin, ana, ben, world } = place
  const was = '2026-03-09 08:00:00'
  await world.app.write(null, ({ db }) => db.updateTable('users').set({ last_activity: was }).where('id', '=', ana.id).execute())
  const path = pathOn(place, '//wp-json/fluent-community/v2/feeds/{feed}/by-id')
  const seenBy = async (who: typeof ben) => (await who.raw('GET', path)).body.feed.xprofile.last_activity
  const hide = (value: 'yes' | 'no') => admin.api.settingsPages.savePrivacy({ show_last_activity: value })
  expect(await seenBy(ben)).toBe(was)
  await hide('no')
  expect([await seenBy(ben), await seenBy(admin)]).toEqual([null, was])
  await hide('yes')
})
