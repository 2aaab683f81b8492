import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Env, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { effectsOf, jobsLeft, leaveEffect, openTrial, type Trial, tracingListener } from '#test/jobs/trial.ts'
import type { Clock } from '../core/clock.ts'
import { backoff, createRegistry, job, on, outgoing } from './index.ts'

const ATTEMPTS = 12

let env: Env
let trial: Trial
let now: number
let broken: boolean
let tries: number
/** How many jobs each call of the listener of many was given. */
let calls: number[]
const POISONED = 7
const clock: Clock = { now: () => new Date(now) }
const pass = (seconds: number) => {
  now += seconds * 1000
}

const fail = () => {
  tries += 1
  if (broken) throw new Error(`no luck ${'x'.repeat(1000)}`)
}

const registry = createRegistry(
  [
    tracingListener('sound'),
    on('user.active', 'trial.broken', async ({ db }, users) => {
      for (const { user_id } of users) await leaveEffect(db, 'broken', user_id)
      fail()
    }),
    on('user.status_changed', 'trial.many', async ({ db }, users) => {
      calls.push(users.length)
      for (const { user_id } of users) {
        await leaveEffect(db, 'many', user_id)
        if (user_id === POISONED && broken) throw new Error('not this one')
      }
    }),
    on('user.status_changed', 'trial.more', async ({ db }, users) => {
      for (const { user_id } of users) await leaveEffect(db, 'more', user_id)
    }),
  ],
  [
    outgoing<{ n: number }>('trial.deliver', async () => fail(), 3),
    job<{ n: number }>('trial.chain', async (ctx, { n }) => {
      await leaveEffect(ctx.db, 'chain', n)
      if (n > 1) await ctx.enqueue('trial.chain', { n: n - 1 })
      if (n === 3) await ctx.emit('user.active', { user_id: 3 })
    }),
  ],
)

beforeEach(async () => {
  env = await readyEnv()
  now = Date.UTC(2030, 0, 1)
  broken = true
  tries = 0
  calls = []
  trial = await openTrial(env, registry, clock)
})
afterEach(() => trial.close())

const left = async () => (await jobsLeft(trial.read)).map(({ name, attempts, status }) => ({ name, attempts, status }))

interface Listing {
  readonly parked: readonly { id: number; name: string; attempts: number; last_error: string }[]
  readonly waiting: readonly { name: string }[]
}

describe('a listener that throws', () => {
  const name = 'trial.broken:user.active'

  test('leaves nothing behind, and does not affect other listeners', async () => {
    await trial.write(null, (ctx) => ctx.emit('user.active', { user_id: 1 }))
    await trial.worker.runPending()
    expect(await left()).toEqual([{ name, attempts: 1, status: 'ready' }])
    expect((await effectsOf(trial.read, 'sound')).get(1)).toBe(1)
    expect((await effectsOf(trial.read, 'broken')).size).toBe(0)
  })

  test('is retried with growing delays, and dead-lettered after the last attempt', async () => {
    await trial.write(null, (ctx) => ctx.emit('user.active', { user_id: 1 }))
    const waits: number[] = []
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      await trial.worker.runPending()
      expect(tries).toBe(attempt)
      if (attempt === ATTEMPTS) break
      const wait = backoff(attempt - 1)
      waits.push(wait)
      pass(wait - 1)
      await trial.worker.runPending()
      expect(tries).toBe(attempt)
      pass(1)
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048])
    expect(await left()).toEqual([{ name, attempts: ATTEMPTS, status: 'parked' }])
    pass(1_000_000)
    await trial.worker.runPending()
    expect(tries).toBe(ATTEMPTS)
  })

  test('is listed by the command line once dead-lettered, and takes effect once when retried', async () => {
    await trial.write(null, (ctx) => ctx.emit('user.active', { user_id: 1 }))
    for (let attempt = 0; attempt < ATTEMPTS; attempt++, pass(1_000_000)) await trial.worker.runPending()
    const { parked, waiting } = await lyceumJson<Listing>(env, 'jobs')
    expect([parked, waiting]).toEqual([[expect.objectContaining({ name, attempts: ATTEMPTS, status: 'parked' })], []])
    expect(parked[0]?.last_error).toMatch(/^no luck x{492}$/)
    expect((await lyceum(env, ['jobs'])).out).toMatch(/parked +trial\.broken:user\.active/)

    broken = false
    expect(await lyceumJson(env, 'jobs', 'retry', String(parked[0]?.id))).toEqual({ retried: [parked[0]?.id] })
    await trial.worker.runPending()
    expect([await left(), (await effectsOf(trial.read, 'broken')).get(1)]).toEqual([[], 1])
  })
})

describe('listeners of many events', () => {
  const numbers = Array.from({ length: 20 }, (_, i) => i + 1)
  const emitAll = () =>
    trial.write(null, async (ctx) => {
      for (const user_id of numbers) await ctx.emit('user.status_changed', { user_id })
    })
  const once = async (job: string) => [...(await effectsOf(trial.read, job))].sort(([a], [b]) => a - b)

  test('are called once for all due events, and each has its effect once', async () => {
    broken = false
    await emitAll()
    await trial.worker.runPending()
    expect(calls).toEqual([numbers.length])
    expect([await once('many'), await once('more')]).toEqual([numbers.map((n) => [n, 1]), numbers.map((n) => [n, 1])])
    expect(await left()).toEqual([])
  })

  test('are delayed by a failing event no more than a single listener', async () => {
    await emitAll()
    await trial.worker.runPending()
    const others = numbers.filter((n) => n !== POISONED).map((n) => [n, 1])
    expect([await once('many'), await once('more')]).toEqual([others, numbers.map((n) => [n, 1])])
    expect(await left()).toEqual([{ name: 'trial.many:user.status_changed', attempts: 1, status: 'ready' }])
    broken = false
    pass(backoff(1))
    await trial.worker.runPending()
    expect([await once('many'), await left()]).toEqual([numbers.map((n) => [n, 1]), []])
  })
})

test('a delivery is retried in the same way, up to its maximum attempts', async () => {
  await trial.write(null, (ctx) => ctx.enqueue('trial.deliver', { n: 1 }))
  for (let attempt = 1; attempt <= 3; attempt++, pass(backoff(attempt))) {
    await trial.worker.runPending()
    expect(tries).toBe(attempt)
  }
  expect(await left()).toEqual([{ name: 'trial.deliver', attempts: 3, status: 'parked' }])
})

test('a successful delivery is deleted', async () => {
  broken = false
  await trial.write(null, (ctx) => ctx.enqueue('trial.deliver', { n: 1 }))
  await trial.worker.runPending()
  expect([tries, await left()]).toEqual([1, []])
})

test('jobs create further jobs and events, and a failed write creates none', async () => {
  broken = false
  await trial.write(null, (ctx) => ctx.enqueue('trial.chain', { n: 5 }))
  const failed = trial.write(null, async (ctx) => {
    await ctx.enqueue('trial.chain', { n: 50 })
    await ctx.emit('user.active', { user_id: 50 })
    throw new Error('changed my mind')
  })
  await expect(failed).rejects.toThrow('changed my mind')
  await trial.worker.runPending()
  expect([...(await effectsOf(trial.read, 'chain'))].sort()).toEqual([1, 2, 3, 4, 5].map((n) => [n, 1]))
  expect([...(await effectsOf(trial.read, 'sound'))]).toEqual([[3, 1]])
  expect(await left()).toEqual([])
})

test('a job waits for its time', async () => {
  await trial.write(null, (ctx) => ctx.enqueue('trial.chain', { n: 1 }, { runAt: '2030-01-01 00:01:00' }))
  pass(59)
  await trial.worker.runPending()
  expect((await effectsOf(trial.read, 'chain')).size).toBe(0)
  pass(1)
  await trial.worker.runPending()
  expect((await effectsOf(trial.read, 'chain')).get(1)).toBe(1)
})

test('a job without a handler is dead-lettered like one that fails', async () => {
  await trial.core.services.database.write((db) =>
    db
      .insertInto('jobs')
      .values({
        event_id: null,
        name: 'gone.away',
        payload: '{}',
        run_at: '2030-01-01 00:00:00',
        last_error: null,
        created_at: '2030-01-01 00:00:00',
      })
      .execute(),
  )
  for (let attempt = 0; attempt < ATTEMPTS; attempt++, pass(1_000_000)) await trial.worker.runPending()
  expect(await left()).toEqual([{ name: 'gone.away', attempts: ATTEMPTS, status: 'parked' }])
  expect((await lyceumJson<Listing>(env, 'jobs')).parked[0]?.last_error).toBe('no job is called gone.away')
})
