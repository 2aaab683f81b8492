import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectInOrder, expectNoScan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { leaseDeliveries } from '../../db/index.ts'
import { countLeased, hasDue, sweepDeliveries } from './queries.ts'

let world: World
let admin: Member
const FEW = [1, 2] as const

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  await world.app.write(admin.id, async ({ db, now }) => {
    const rest = { previous_secret: null, previous_until: null, last_triggered_at: null, last_error: null, failing_since: null }
    const times = { paused_until: null, recheck_at: null, created_at: now, updated_at: now }
    for (const id of FEW) {
      const row = { id, name: 'x', url: 'https://x.example/', secret: '', headers: '', created_by: admin.id }
      await db
        .insertInto('webhooks')
        .values({ ...row, ...rest, ...times })
        .execute()
      await db.insertInto('webhook_events').values({ event: 'feed.created', webhook_id: id }).execute()
    }
    const row = { event: 'feed.created', name: 'feed.published', payload: '{}', actor_id: null, occurred_at: now, created_at: now } as const
    const none = { attempted_at: null, response_code: null, response_time: null, last_error: null, next_try_at: now, locked_until: null }
    const rows = Array.from({ length: 400 }, (_, n) => ({ ...row, ...none, webhook_id: FEW[n % 2] as number, event_id: n }))
    await db.insertInto('webhook_deliveries').values(rows).execute()
  })
})
afterAll(() => world.close())

const onSqlite = test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')

onSqlite('the log comes out of an index in its order, however it is filtered', async () => {
  const log = (query: object) => admin.api.webhooks.deliveries({ webhook_id: 1, ...query })
  for (const query of [{}, { status: 'pending' }, { event: 'feed.created' }, { page: 3 }]) {
    await expectInOrder(world, () => log(query).then(({ deliveries }) => expect(deliveries.length).toBeGreaterThan(0)))
  }
  await expectNoScan(world, () => log({ status: 'pending', event: 'feed.created' }))
})

onSqlite('a sender finds what is due, and the sweep what is old, through an index', async () => {
  const now = '2026-03-10 12:00:00'
  const plans = await world.app.services.database.write((db) =>
    plansOf(db, async () => {
      await hasDue(db, [1, now])
      await countLeased(db, [1, now])
      await leaseDeliveries(db, 1, now, now, 8)
      await sweepDeliveries(db, ['2026-01-01 00:00:00', 10])
    }),
  )
  expect(plans).toHaveLength(4)
  const used = plans.map(({ steps }) => steps.flatMap((step) => /INDEX (webhook_deliveries_\w+)/.exec(step)?.[1] ?? []).at(-1))
  expect(used).toEqual(['webhook_deliveries_due', 'webhook_deliveries_locked', 'webhook_deliveries_due', 'webhook_deliveries_created'])
  expect(plans.flatMap(({ steps }) => steps.filter((step) => step.startsWith('SCAN') || step.includes('TEMP B-TREE')))).toEqual([])
})
