import { expect, test, vi } from 'vitest'
import { LOOPBACK } from '#test/webhook-receiver.ts'
import { createWorld } from '#test/world.ts'
import { runText } from '../../db/index.ts'
import { deleteWebhook, recordDeliveries } from './queries.ts'

const NOW = '2026-03-10 12:00:00'

test('a webhook deleted while an event is recorded gets no delivery, and the others do', async () => {
  const world = await createWorld({ manyConnections: true, env: LOOPBACK })
  const { database } = world.app.services
  const admin = await world.member({ role: 'admin' })
  const hook = async () =>
    (await admin.api.webhooks.create({ name: 'Hook', url: 'http://127.0.0.1:9/hook', events: ['feed.created'], status: 'inactive' })).id
  const [gone, stays] = [await hook(), await hook()]
  await admin.api.feeds.create({ message: 'Hello' })
  await world.runPendingJobs()
  await database.write((db) => db.updateTable('webhooks').set({ status: 'active' }).execute())
  const [event] = await runText<{ id: number }>(database.read, `select id from events where name = 'feed.published'`, [])

  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isGone, resolve: left } = Promise.withResolvers<void>()
  const deleting = database.write(async (db) => {
    await deleteWebhook(db, [gone])
    left()
    await mayEnd
  })
  await isGone
  const telling = database.write((db) => recordDeliveries(db, [event?.id ?? 0], 'feed.created', NOW))
  const waits = () =>
    runText(database.read, `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`, [])
  // SQLite serializes writes anyway.
  if (world.dialect === 'postgres') await vi.waitUntil(async () => (await waits()).length > 0, { timeout: 10_000, interval: 10 })
  end()
  await deleting
  expect(await telling).toEqual(new Set([stays]))
  await world.close()
})
