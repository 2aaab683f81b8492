import { afterAll, beforeAll, expect, test } from 'vitest'
import { plansOf } from '#test/plans.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'
import { createTaskRunner } from './recurring-tasks.ts'

const DAY = 24 * 3600

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const count = async (table: 'sessions' | 'tokens' | 'idempotency_keys' | 'events') =>
  (await world.app.services.database.read.selectFrom(table).selectAll().execute()).length

test('removes expired rows and keeps the rest', async () => {
  const ana = await register(world)
  const { raw } = await signIn(world, ana.username)
  await world.anonymous.auth.forgotPassword({ login: ana.email })
  await world.runPendingJobs()
  await raw('POST', '/account/application-passwords', { name: 'x' }, { 'idempotency-key': 'k1' })
  expect([await count('sessions'), await count('tokens'), await count('idempotency_keys')]).toEqual([1, 1, 1])
  expect(await count('events')).toBeGreaterThan(0)

  await world.app.maintenance.run()
  expect([await count('sessions'), await count('tokens'), await count('idempotency_keys')]).toEqual([1, 1, 1])
  world.clock.advance(3600)
  await world.app.maintenance.run()
  expect([await count('sessions'), await count('tokens'), await count('idempotency_keys')]).toEqual([1, 0, 1])
  world.clock.advance(DAY)
  await world.app.maintenance.run()
  expect([await count('sessions'), await count('idempotency_keys')]).toEqual([1, 0])
  expect(await count('events')).toBeGreaterThan(0)
  world.clock.advance(30 * DAY)
  await signIn(world, ana.username, PASSWORD)
  await world.app.maintenance.run()
  expect([await count('sessions'), await count('events')]).toEqual([1, 0])
})

test('a failing task does not prevent the others', async () => {
  const done: string[] = []
  const task = (name: string, run: () => Promise<number>) => ({ name, run })
  const failing = task('failing', () => Promise.reject(new Error('no')))
  const later = task('later', async () => done.push('later'))
  const { run } = createTaskRunner(world.app.services, world.app.write, [failing, later])
  await expect(run()).rejects.toThrow('1 recurring tasks failed')
  expect(done).toEqual(['later'])
})

test('thousands of rows', async () => {
  const { database, clock } = world.app.services
  const created_at = '2020-01-01 00:00:00'
  await database.write(async (db) => {
    for (let i = 0; i < 1300; i++)
      await db.insertInto('events').values({ name: 'user.active', actor_id: null, payload: '{}', created_at }).execute()
  })
  expect(await count('events')).toBe(1300)
  expect(clock.now().getUTCFullYear()).toBe(2026)
  await world.app.maintenance.run()
  expect(await count('events')).toBe(0)
})

test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('finds what it removes by index', async () => {
  const writer = await world.app.services.database.write(async (db) => db)
  const plans = await plansOf(writer, () => world.app.maintenance.run())
  const tables = plans.flatMap(({ sql }) => /^delete from (\w+)/.exec(sql)?.[1] ?? [])
  expect(tables).toEqual(expect.arrayContaining(['sessions', 'tokens', 'idempotency_keys', 'sign_in_failures', 'events', 'notifications']))
  // Of that index there are a few marks.
  const isScan = (step: string) => step.startsWith('SCAN') && !step.endsWith('INDEX feed_index_changelog_checkpoints')
  for (const { steps } of plans) expect(steps.filter(isScan)).toEqual([])
})
