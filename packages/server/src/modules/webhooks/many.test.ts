import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { LOOPBACK, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld } from '#test/world.ts'

/** 10,000 for the full test. */
const EVENTS = Number(process.env['LYCEUM_TEST_WEBHOOK_EVENTS'] ?? 300)
const TIMEOUT_MS = 60_000 + EVENTS * 30

test(
  `${EVENTS} events reach an endpoint that fails a third of the time, next to one that never responds`,
  async () => {
    const world = await createWorld({ env: LOOPBACK })
    const admin = await world.member({ role: 'admin' })
    let n = 0
    const receiver = await startReceiver((_got, response) => void response.writeHead(++n % 3 === 0 ? 500 : 200).end())
    const gone = await startReceiver()
    await gone.stop()
    const { id, secret } = await admin.api.webhooks.create({ name: 'Third', url: receiver.url, events: ['feed.deleted'], retry_count: 10 })
    await admin.api.webhooks.create({ name: 'Gone', url: gone.url, events: ['feed.deleted'] })

    const started = performance.now()
    for (let from = 0; from < EVENTS; from += 500) {
      await world.app.write(admin.id, async ({ emit }) => {
        for (let feed_id = from + 1; feed_id <= Math.min(EVENTS, from + 500); feed_id++)
          await emit('feed.deleted', { feed_id, user_id: admin.id })
      })
    }
    await world.runPendingJobs()
    const firstRound = performance.now() - started
    const open = async () => (await admin.api.webhooks.deliveries({ webhook_id: id, status: 'pending' })).pagination.total
    for (let rounds = 0; (await open()) > 0; rounds++) {
      expect(rounds).toBeLessThan(20)
      world.clock.advance(20 * 3600)
      await world.runPendingJobs()
    }
    const took = performance.now() - started

    const byId = Map.groupBy(receiver.seen, ({ headers }) => String(headers['webhook-id']))
    const told = new Set(receiver.seen.map(({ body }) => body.data.id))
    const key = Buffer.from(secret.slice(6), 'base64')
    const forged = receiver.seen.filter(({ headers, text }) => {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
      return headers['webhook-signature'] !== `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
    })
    const { pagination } = await admin.api.webhooks.deliveries({ webhook_id: id, status: 'delivered' })
    console.log(
      `webhooks ${world.dialect}: events=${EVENTS} sent=${receiver.seen.length} first_round_ms=${Math.round(firstRound)} all_ms=${Math.round(took)}`,
    )
    expect([told.size, byId.size, pagination.total, forged.length]).toEqual([EVENTS, EVENTS, EVENTS, 0])
    const once = [...byId.values()].filter((list) => list.length === 1).length
    expect(once).toBeGreaterThan(EVENTS / 2)
    expect(firstRound).toBeLessThan(10_000 + EVENTS * 20)
    await receiver.stop()
    await world.close()
  },
  TIMEOUT_MS,
)
