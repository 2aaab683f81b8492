import type { AuditAction } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectInOrder } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { audit } from './index.ts'
import { listAudit } from './routes.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin', username: 'root' })
  ana = await world.member({ role: 'moderator', username: 'ana' })
  const decide = (actorId: number | null, action: AuditAction, object_id: number, details = {}) =>
    world.app.write(actorId, (ctx) =>
      audit({ ...ctx, actor: actorId === null ? null : { id: actorId } }, action, {
        object_type: action.split('.')[0] ?? '',
        object_id,
        details,
      }),
    )
  await decide(ana.id, 'report.decided', 7, { status: 'resolved' })
  await decide(null, 'feed.removed', 3)
  world.clock.advance(24 * 3600)
  await decide(ana.id, 'feed.approved', 4)
})
afterAll(() => world.close())

test('lists entries newest first, with their actors', async () => {
  const { entries, pagination } = await admin.api.audit.list()
  expect(entries.map(({ action, object_type, object_id }) => [action, object_type, object_id])).toEqual([
    ['feed.approved', 'feed', 4],
    ['feed.removed', 'feed', 3],
    ['report.decided', 'report', 7],
  ])
  expect(entries[2]).toMatchObject({
    actor_id: ana.id,
    actor: { id: ana.id, username: 'ana' },
    details: { status: 'resolved' },
    created_at: '2026-03-10 12:00:00',
  })
  expect(entries[1]).toMatchObject({ actor_id: null, actor: null, ip_address: '' })
  expect(pagination).toEqual({ total: 3, per_page: 20, current_page: 1, total_pages: 1 })
})

test.each([
  [{ actor_id: 2 }, ['feed.approved', 'report.decided']],
  [{ action: 'feed.removed' }, ['feed.removed']],
  [{ object_type: 'report' }, ['report.decided']],
  [{ object_type: 'feed', object_id: 5 }, []],
  [{ date_to: '2026-03-10' }, ['feed.removed', 'report.decided']],
  [{ date_from: '2026-03-11' }, ['feed.approved']],
  [{ date_from: '2026-03-10', date_to: '2026-03-11', per_page: 1, page: 2 }, ['feed.removed']],
])('%o gives %j', async (query, actions) => {
  const { entries } = await admin.api.audit.list(query)
  expect(entries.map(({ action }) => action)).toEqual(actions)
})

test('refuses an invalid date', async () => {
  await refused(admin.api.audit.list({ date_from: '2026-02-30' }), 400, 'invalid_parameter')
})

test('only administrators may read it', async () => {
  for (const who of [ana, await world.member()]) await refused(who.api.audit.list(), 403, 'rest_forbidden')
  await refused(world.anonymous.audit.list(), 401, 'rest_forbidden')
})

test('records the IP address and the request id', async () => {
  const { entries } = await admin.api.audit.list()
  expect(entries.every(({ request_id }) => request_id === '')).toBe(true)
  await world.app.write(admin.id, (ctx) =>
    audit({ ...ctx, actor: admin, request: { id: 'r1', ip: '192.0.2.7', userAgent: '', url: '', startedAt: 0 } }, 'levels.saved', {
      object_type: 'leaderboard',
      object_id: null,
    }),
  )
  expect((await admin.api.audit.list({ action: 'levels.saved' })).entries).toMatchObject([
    { ip_address: '192.0.2.7', request_id: 'r1', object_id: null },
  ])
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] !== 'postgres')('plans', () => {
  test.each([{}, { actor_id: 1 }, { action: 'x' }, { object_type: 'x' }, { object_type: 'x', object_id: 1 }])('%o', async (filter) => {
    const db = world.app.services.database.read
    await expectInOrder(world, () => listAudit(db, filter))
  })
})
