import { PERMISSIONS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grant } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let last: Member
/** Has every permission but is not an administrator. */
let manager: Member
let report: number

beforeAll(async () => {
  world = await createWorld()
  last = await world.member({ role: 'admin' })
  manager = await world.member({ role: 'manager' })
  await grant(world, manager, PERMISSIONS)
  // Neither can administer: one is paused, one is suspended.
  const [paused, suspended] = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
  await last.api.managers.update({ user_id: paused.id, status: 'inactive' })
  await last.api.members.update({ user_id: suspended.id, status: 'suspended' })
  const { data } = await last.api.feeds.create({ message: 'Mine' })
  report = (await (await world.member()).api.moderation.report({ object_id: data.id, object_type: 'feed', reason: 'spam' })).id
})
afterAll(() => world.close())

/** Every way in which an account stops being an administrator. */
const WAYS: readonly (readonly [name: string, method: string, path: () => string, body: object])[] = [
  ['removed', 'DELETE', () => `/admin/managers/${last.id}`, {}],
  ['lowered', 'PUT', () => `/admin/managers/${last.id}`, { role: 'manager', permissions: PERMISSIONS }],
  ['lowered by being added anew', 'POST', () => '/admin/managers', { role: 'moderator' }],
  ['made inactive', 'PUT', () => `/admin/managers/${last.id}`, { status: 'inactive' }],
  ['made inactive by being added anew', 'POST', () => '/admin/managers', { role: 'admin', status: 'inactive' }],
  ['suspended', 'PATCH', () => `/members/${last.id}`, { status: 'suspended' }],
  ['banned', 'PATCH', () => `/members/${last.id}`, { status: 'banned' }],
  ['blocked', 'PATCH', () => `/members/${last.id}`, { status: 'blocked' }],
  ['suspended for a report', 'PUT', () => `/moderation/reports/${report}`, { status: 'resolved', action_taken: 'user_suspended' }],
  ['banned for a report', 'PUT', () => `/moderation/reports/${report}`, { status: 'resolved', action_taken: 'user_banned' }],
]

describe('the last administrator cannot be', () => {
  test.each(WAYS)('%s', async (_name, method, path, body) => {
    const sent = path() === '/admin/managers' ? { ...body, user_id: last.id } : body
    const mine = await last.raw(method, path(), sent)
    expect([mine.status, mine.body.code]).toEqual([409, 'last_admin'])
    const theirs = await manager.raw(method, path(), sent)
    expect([theirs.status, theirs.body.code]).toEqual([403, 'rest_forbidden'])
    expect((await last.raw('GET', '/admin/managers')).status).toBe(200)
  })

  test('deleted', async () => {
    const mine = await last.raw('DELETE', `/members/${last.id}`, { content: 'anonymise' })
    expect([mine.status, mine.body.code]).toEqual([409, 'last_admin'])
    expect((await manager.raw('DELETE', `/members/${last.id}`, { content: 'anonymise' })).status).toBe(403)
    expect((await last.raw('GET', '/admin/managers')).status).toBe(200)
  })
})

test('managers cannot grant permissions that they do not have, or any at all', async () => {
  const who = await world.member()
  for (const [method, path, body] of [
    ['POST', '/admin/managers', { user_id: who.id, role: 'moderator', permissions: [] }],
    ['PUT', `/admin/managers/${manager.id}`, { permissions: PERMISSIONS }],
    ['PATCH', `/members/${who.id}`, { is_verified: true }],
    ['PUT', '/settings', { features: { managers: false } }],
  ] as const) {
    const { status, body: answer } = await manager.raw(method, path, body)
    expect([path, status, answer.code]).toEqual([path, 403, 'rest_forbidden'])
  }
  const { status, body } = await manager.raw('PUT', '/settings', { default_role: 'admin' })
  expect([status, body.code]).toEqual([400, 'invalid_value'])
})
