import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { processEnv, readyEnv } from '#test/command.ts'
import { LOOPBACK, startReceiver } from '#test/webhook-receiver.ts'
import { createCore } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { type Clock, nowOf, systemClock } from '../../core/clock.ts'
import { migrate } from '../../db/index.ts'
import { createRegistry, createWorker, createWriter } from '../../jobs/index.ts'
import { createAccount, setRole } from '../accounts/index.ts'
import { createWebhook } from './commands.ts'
import { webhooks } from './module.ts'

const PROGRAM = fileURLToPath(new URL('../../../test-support/jobs/webhook-sender.ts', import.meta.url))
const EVENTS = 120
const KILLS = Number(process.env['LYCEUM_TEST_KILLS'] ?? 2)
const TIMEOUT_MS = 60_000 + KILLS * 10_000
/** After every lease and retry delay. */
const LATER_MS = 24 * 3600_000

const openCore = (env: Record<string, string>, clock: Clock = systemClock) => {
  const core = createCore({ config: readConfig(env), clock, passwordCost: 4 })
  const registry = createRegistry(webhooks.listeners ?? [], webhooks.jobs ?? [])
  const sender = createWorker(core.services, registry)
  return { ...core, sender, write: createWriter(core.services, registry, { wake: () => {} }) }
}

test(
  'a sender that is killed repeatedly loses no delivery',
  async () => {
    let child: ChildProcess | undefined
    let left = Number.POSITIVE_INFINITY
    onTestFinished(() => void child?.kill('SIGKILL'))
    const receiver = await startReceiver((_got, response) => {
      if (--left <= 0) child?.kill('SIGKILL')
      response.end()
    })
    const env = { ...(await readyEnv()), ...LOOPBACK, LYCEUM_LOG_LEVEL: 'fatal' }
    const first = openCore(env)
    await migrate(first.services.database, nowOf(systemClock))
    await first.write(null, async (ctx) => {
      const id = await createAccount(ctx, { username: 'boss', email: 'boss@example.org', passwordHash: null, displayName: 'Boss' })
      await setRole(ctx, id, 'admin', null)
      const actor = {
        id,
        username: 'boss',
        role: 'admin',
        permissions: new Set<never>(),
        managedSpaces: null,
        createdAt: '',
        sessionId: null,
      } as const
      const request = { id: 'r', ip: '127.0.0.1', userAgent: '', url: '', startedAt: 0 }
      await createWebhook({ ...ctx, actor, request }, { name: 'Hook', url: receiver.url, events: ['feed.deleted'], retry_count: 10 })
    })

    let made = 0
    let between = 0
    for (let round = 0; round < KILLS; round++) {
      await first.write(null, async ({ emit }) => {
        for (let n = 0; n < EVENTS; n++) await emit('feed.deleted', { feed_id: ++made, user_id: 1 })
      })
      left = randomInt(20, 80)
      child = spawn(process.execPath, [PROGRAM, String(round)], { env: processEnv(env), stdio: 'ignore' })
      const [, signal] = await once(child, 'close')
      expect(signal).toBe('SIGKILL')
      const taken = await first.services.database.read
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('locked_until', 'is not', null)
        .execute()
      if (taken.length > 0) between += 1
    }
    left = Number.POSITIVE_INFINITY

    await first.close()
    const last = openCore(env, { now: () => new Date(Date.now() + LATER_MS) })
    await last.sender.runPending()
    const rows = await last.services.database.read.selectFrom('webhook_deliveries').select(['status', 'locked_until']).execute()
    const told = Map.groupBy(receiver.seen, ({ body }) => body.data.id as number)
    const again = receiver.seen.length - told.size
    console.log(
      `webhooks ${last.services.database.dialect}: kills=${KILLS} in_between=${between} events=${made} told=${told.size} again=${again}`,
    )
    expect([
      told.size,
      rows.length,
      rows.filter(({ status, locked_until }) => status === 'delivered' && locked_until === null).length,
    ]).toEqual([made, made, made])
    // All deliveries of an event have the same id, so that the receiver can recognize duplicates.
    for (const list of told.values()) expect(new Set(list.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(between).toBeGreaterThan(0)
    expect(again).toBeLessThanOrEqual(KILLS * 8)
    await last.close()
    await receiver.stop()
  },
  TIMEOUT_MS,
)
