import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { processEnv, readyEnv } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createCore } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { nowOf } from '../../core/clock.ts'
import { insertRows, migrate } from '../../db/index.ts'
import { createRegistry, createWorker, createWriter } from '../../jobs/index.ts'
import { createAccount, setRole } from '../accounts/index.ts'
import { delivery } from './delivery/module.ts'
import { notifications } from './module.ts'

const PROGRAM = fileURLToPath(new URL('../../../test-support/jobs/fan-out.ts', import.meta.url))
const PEOPLE = Number(process.env['LYCEUM_TEST_CROWD'] ?? 800)
const KILLS = Number(process.env['LYCEUM_TEST_KILLS'] ?? (SOAK > 1 ? 2 : 1))
const TIMEOUT_MS = 60_000 + KILLS * 10_000 + PEOPLE * 10

/** Runs the fan-out in a process that kills itself at that batch. */
const runUntilKilled = (env: Record<string, string>, portion: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, String(portion)], {
      env: processEnv(env),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (_code, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error(err))))
  })

const openCore = (env: Record<string, string>) => {
  const core = createCore({ config: readConfig(env), passwordCost: 4 })
  const registry = createRegistry(notifications.listeners ?? [], [...(notifications.jobs ?? []), ...(delivery.jobs ?? [])])
  const teller = createWorker(core.services, registry)
  return { ...core, teller, tell: createWriter(core.services, registry, teller) }
}

test(
  'a process killed during the fan-out still notifies everyone exactly once',
  async () => {
    const env = await readyEnv()
    const first = openCore(env)
    const { database, clock } = first.services
    await migrate(database, nowOf(clock))
    const author = await first.write(null, async (ctx) => {
      const id = await createAccount(ctx, { username: 'caller', email: 'caller@example.org', passwordHash: null, displayName: 'Caller' })
      await setRole(ctx, id, 'admin', null)
      const columns = ['username', 'email', 'display_name', 'created_at', 'updated_at']
      const rows = Array.from({ length: PEOPLE }, (_, i) => [`crowd${i}`, `crowd${i}@example.org`, `Crowd ${i}`, ctx.now, ctx.now])
      await insertRows(ctx.db, 'users', columns, rows)
      return id
    })
    const feedId = await first.write(author, async (ctx) => {
      const { now } = ctx
      const text = { title: '', slug: 'call', message: 'Dear @everyone', message_rendered: '<p>Dear @everyone</p>', type: 'feed' }
      const times = { created_at: now, updated_at: now, published_at: now, active_at: now, expired_at: null, scheduled_at: null }
      const place = { user_id: author, parent_id: null, space_id: null, featured_image: null, listed: 1 } as const
      const feed = await ctx.db
        .insertInto('feeds')
        .values({ ...text, ...times, ...place, status: 'published' })
        .returning('id')
        .executeTakeFirstOrThrow()
      return feed.id
    })
    // Jobs of modules that this test does not include.
    await first.write(null, async ({ db }) => {
      await db.deleteFrom('jobs').execute()
      await db.deleteFrom('pending_events').execute()
    })
    await first.tell(author, (ctx) => ctx.emit('feed.published', { feed_id: feedId }))
    await first.close()

    let between = 0
    for (let i = 0; i < KILLS; i++) {
      await runUntilKilled(env, 2 + (i % 2))
      const look = openCore(env)
      const told = await look.services.database.read.selectFrom('notifications').select('id').execute()
      if (told.length > 0 && told.length < PEOPLE) between += 1
      await look.close()
    }

    const last = openCore(env)
    await last.teller.runPending()
    const db = last.services.database.read
    const told = (await db.selectFrom('notifications').select(['id', 'user_id']).execute()).map(({ user_id }) => user_id)
    const causes = await db.selectFrom('notification_actors').select('notification_id').execute()
    const announced = await db.selectFrom('events').select('payload').where('name', '=', 'notification.created').execute()
    const left = await db.selectFrom('jobs').select('name').where('name', 'like', 'notifications.%').execute()
    console.log(`fan-out ${last.services.database.dialect}: people=${PEOPLE} kills=${KILLS} in_between=${between} told=${told.length}`)
    expect({ told: told.length, people: new Set(told).size, causes: new Set(causes.map((cause) => cause.notification_id)).size }).toEqual({
      told: PEOPLE,
      people: PEOPLE,
      causes: PEOPLE,
    })
    expect(new Set(announced.map(({ payload }) => payload)).size).toBe(PEOPLE)
    expect(announced.length).toBe(PEOPLE)
    expect(left).toEqual([])
    expect(between).toBe(KILLS)
    await last.close()
  },
  TIMEOUT_MS,
)
