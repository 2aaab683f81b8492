import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { codeOf, ROOT } from './stage.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_COMPAT: 'fluentcommunity', LYCEUM_RATE_LIMIT: 'on' } })
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
  ben = await world.member({ username: 'ben' })
})
afterAll(() => world.close())
// The windows of the tests before are over.
beforeEach(() => world.clock.advance(2 * 86_400))

const routesOf = async (): Promise<(readonly [method: string, path: string])[]> => {
  const { body } = await world.request('GET', ROOT)
  return Object.entries(body.routes as Record<string, { methods: string[] }>).flatMap(([path, { methods }]) =>
    methods.map((method) => [method, path.replace('/fluent-community/v2', '').replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}')] as const),
  )
}
const VALUES: Readonly<Record<string, string>> = {
  username: 'ana',
  space_slug: 'none',
  feed_slug: 'none',
  course_slug: 'none',
  lesson_slug: 'none',
}
const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '1')

test('no route is open to guests', { timeout: 60_000 }, async () => {
  const routes = await routesOf()
  expect(routes.length).toBeGreaterThan(250)
  for (const [method, path] of routes) {
    world.clock.advance(10)
    const answer = await world.request(method, `${ROOT}${filled(path)}`, method === 'GET' || method === 'DELETE' ? undefined : {})
    expect([method, path, answer.status]).toEqual([method, path, 401])
  }
})

test('a route of staff refuses members as the operation itself does', { timeout: 60_000 }, async () => {
  const staff = Object.values(api as Readonly<Record<string, Readonly<Record<string, Route>>>>)
    .flatMap((group) => Object.values(group))
    .filter(({ access, produces }) => access !== 'public' && access !== 'member' && produces !== 'events')
  expect(staff.length).toBeGreaterThan(60)
  for (const { method, path } of staff) {
    world.clock.advance(10)
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const own = await ben.raw(method, filled(path), body)
    expect([method, path, own.status]).toEqual([method, path, 403])
    expect([method, path, ...codeOf(await ben.raw(method, `${ROOT}${filled(path)}`, body))]).toEqual([method, path, ...codeOf(own)])
  }
})

test('what only the mount has refuses members too', { timeout: 60_000 }, async () => {
  const { courseId: course, lessons, sectionId } = await makeSchool(admin, { lessons: 1, students: [] })
  const base = `/admin/courses/${course}`
  const lesson = lessons[0]
  for (const [method, path, body] of [
    ['POST', '/admin/webhooks', { title: 'x', url: 'https://example.org/' }],
    ['PUT', base, { title: 'x' }],
    ['DELETE', base, undefined],
    ['POST', `${base}/links`, { links: [] }],
    ['POST', `${base}/students/bulk-add`, { user_ids: [ben.id] }],
    ['GET', `${base}/export/students`, undefined],
    ['GET', `${base}/export/quiz-results`, undefined],
    ['GET', `${base}/quiz-results`, undefined],
    ['PUT', `${base}/lessons/${lesson}`, { lesson: { title: 'x' } }],
    ['DELETE', `${base}/lessons/${lesson}`, undefined],
    ['POST', `${base}/lessons/${lesson}/duplicate`, {}],
    ['GET', `${base}/sections/${sectionId}`, undefined],
  ] as const) {
    const { status, text } = await ben.raw(method, `${ROOT}${path}`, body)
    expect([method, path, status, [403, 404].includes(status) ? '' : text]).toEqual([method, path, expect.any(Number), ''])
  }
  expect((await admin.api.courses.byId({ course_id: course })).data).toMatchObject({ studentsCount: 0, lessonsCount: 1 })
})

test('a password is changed by its owner alone', async () => {
  const answer = await admin.raw('POST', `${ROOT}/profile/ana/change-password`, { current_password: 'x', new_password: 'Quiet-river-7431' })
  expect(codeOf(answer)).toEqual([403, 'rest_forbidden'])
})

test('what the caller cannot see does not exist', async () => {
  const { data: space } = await admin.api.spaces.create({ title: 'Hidden', privacy: 'secret' })
  const { data: feed } = await admin.api.feeds.create({ message: 'Secret', space_id: space.id })
  const { data: comment } = await admin.api.comments.create({ feed_id: feed.id, comment: 'Secret' })
  for (const path of [
    `/feeds/${feed.id}/by-id`,
    `/feeds/${feed.id}/comments`,
    `/feeds/${feed.id}/reactions`,
    `/comments/${comment.id}`,
    `/spaces/${space.slug}/by-slug`,
    `/feeds?space=${space.slug}`,
    `/feeds?space_id=${space.id}`,
  ])
    expect([path, (await ben.raw('GET', `${ROOT}${path}`)).status]).toEqual([path, 404])
  const { body } = await ben.raw('POST', `${ROOT}/feeds/batch`, { feed_ids: [feed.id] })
  expect(body).toEqual({ feeds: [], count: 0 })
  for (const path of ['/feeds', '/comments', '/feeds/ticker?since=1', '/activities', '/feeds/ticker-updates?since=1', '/spaces'])
    expect((await ben.raw('GET', `${ROOT}${path}`)).text).not.toContain('Secret')
  for (const path of ['/spaces', '/spaces/all-spaces', '/admin/all_space_courses', '/admin/topics', '/feeds'])
    expect((await ben.raw('GET', `${ROOT}${path}`)).text).not.toContain('Hidden')
})

test('a feature that is off is off here', async () => {
  await admin.api.settings.saveFeatures({ followers: false })
  const own = await ben.raw('POST', '/profile/ana/follow', {})
  expect(own.status).not.toBe(200)
  for (const path of ['/profile/ana/follow', '/profile/ana/toggle-follow'])
    expect(codeOf(await ben.raw('POST', `${ROOT}${path}`, {}))).toEqual(codeOf(own))
  await admin.api.settings.saveFeatures({ followers: true })
})

describe('limits', () => {
  test('of writes are shared with the operations', async () => {
    await admin.api.settings.save({ limits: { posts_per_minute: 4 } } as never)
    const statuses: number[] = []
    for (const path of ['/feeds', `${ROOT}/feeds`, `${ROOT}/feeds`, '/feeds', `${ROOT}/feeds`, '/feeds'])
      statuses.push((await ben.raw('POST', path, { message: `By ${path}` })).status)
    expect(statuses).toEqual([201, 200, 200, 201, 429, 429])
  })

  test('of requests count each operation that a request needs', async () => {
    const remaining = async (path: string) => Number((await ben.raw('GET', path)).headers.get('x-ratelimit-remaining'))
    const before = await remaining('/feeds')
    expect(before - (await remaining(`${ROOT}/feeds`))).toBe(1)
    expect(before - (await remaining(`${ROOT}/notifications`))).toBe(3)
  })
})

describe('a repeated request', () => {
  const key = (value: string) => ({ 'idempotency-key': value })

  test('is carried out once', async () => {
    const post = () => ana.raw('POST', `${ROOT}/feeds`, { message: 'Once' }, key('once'))
    const [first, second] = [await post(), await post()]
    expect([second.status, second.body.feed.id, second.headers.get('idempotency-replayed')]).toEqual([200, first.body.feed.id, 'true'])
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, { message: 'Other' }, key('once')))).toEqual([422, 'idempotency_mismatch'])
  })

  test('of several writes carries out each of them once', async () => {
    const { courseId } = await makeSchool(admin, { lessons: 1, students: [] })
    const add = () => admin.raw('POST', `${ROOT}/admin/courses/${courseId}/students/bulk-add`, { user_ids: [ana.id, ben.id] }, key('bulk'))
    expect((await add()).body).toMatchObject({ added: 2, skipped: 0, failed: 0 })
    expect((await add()).body).toMatchObject({ added: 2, skipped: 0, failed: 0 })
    expect((await admin.api.courses.byId({ course_id: courseId })).data.studentsCount).toBe(2)
  })
})
