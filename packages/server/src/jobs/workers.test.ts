import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Env, readyEnv } from '#test/command.ts'
import { pendingEvents } from '#test/jobs/pending-events.ts'
import { effectsOf, jobsLeft, judge, leaveEffect, openTrial, type Trial, tracingRegistry } from '#test/jobs/trial.ts'
import { SOAK } from '#test/scale.ts'
import { statement } from '../db/index.ts'
import { createWorker, type Worker } from './index.ts'

const JOBS = 1000 * SOAK
const DELIVERIES = 300 * SOAK
const WORKERS = 4
/** A few seconds, unless the machine has much else to do. */
const TIMEOUT_MS = 120_000

let env: Env
let trials: Trial[]
let deliveries: string
beforeAll(async () => {
  env = await readyEnv()
  deliveries = join(inject('scratch'), `shared-${process.env['LYCEUM_TEST_DATABASE']}`)
  writeFileSync(deliveries, '')
  const open = () => openTrial(env, tracingRegistry(deliveries))
  trials = [await open()]
  // As many servers on PostgreSQL; SQLite has one, in which they share the connection.
  if (process.env['LYCEUM_TEST_DATABASE'] === 'postgres') for (let i = 1; i < WORKERS; i++) trials.push(await open())
})
afterAll(() => Promise.all(trials.map((trial) => trial.close())))

const first = () => trials[0] as Trial

const workers = (): Worker[] =>
  trials.length === WORKERS
    ? trials.map(({ worker }) => worker)
    : Array.from({ length: WORKERS }, () => createWorker(first().core.services, tracingRegistry(deliveries)))

/** Adds what `each` records for every number, some hundred to a transaction. */
const fill = async (each: 'events' | 'deliveries', from: number, count: number) => {
  for (let start = from; start < from + count; start += 500) {
    await first().write(null, async (ctx) => {
      for (let n = start; n < Math.min(start + 500, from + count); n++) {
        await leaveEffect(ctx.db, 'written', n)
        if (each === 'events') await ctx.emit('user.active', { user_id: n })
        else await ctx.enqueue('trial.deliver', { n })
      }
    })
  }
}

const reconcileAll = async (): Promise<number> => {
  const started = performance.now()
  await Promise.all(workers().map((worker) => worker.runPending()))
  return (performance.now() - started) / 1000
}

test(
  `${JOBS} jobs of ${WORKERS} workers: each has its effect once`,
  async () => {
    await fill('events', 1, JOBS / 2)
    const seconds = await reconcileAll()
    const [one, two] = [await effectsOf(first().read, 'first'), await effectsOf(first().read, 'second')]
    const doubled = [...one.values(), ...two.values()].filter((times) => times !== 1).length
    const { dialect } = first().core.services.database
    console.log(
      `jobs ${dialect}: ${JOBS} jobs, ${WORKERS} workers: lost=${JOBS - one.size - two.size} doubled=${doubled}, ${Math.round(JOBS / seconds)} a second`,
    )
    expect([one.size, two.size, doubled]).toEqual([JOBS / 2, JOBS / 2, 0])
    expect([await jobsLeft(first().read), await pendingEvents(first().read)]).toEqual([[], []])
  },
  TIMEOUT_MS,
)

test(
  'successful deliveries are sent once, by any worker',
  async () => {
    await fill('deliveries', 100_001, DELIVERIES)
    const seconds = await reconcileAll()
    const { redelivered, lost } = await judge(first().read, new Set(), deliveries)
    const missing = lost.filter((n) => n > 100_000)
    console.log(
      `jobs ${first().core.services.database.dialect}: ${DELIVERIES} deliveries, redelivered=${redelivered}, ${Math.round(DELIVERIES / seconds)} a second`,
    )
    // Its judge misses the listeners' rows, which these numbers do not have; the deliveries are all there.
    expect([redelivered, missing.length, await jobsLeft(first().read)]).toEqual([0, DELIVERIES, []])
  },
  TIMEOUT_MS,
)

const dueIds = statement<{ id: number; payload: string }>(
  'select e.id, e.payload from pending_events p join events e on e.id = p.event_id order by e.id limit 64',
)
const removeEvent = statement('delete from pending_events where event_id = $1')

/** What a worker must not be: it looks, runs and forgets, and never claims. */
const runCarelessly = async ({ read, core }: Trial) => {
  for (let due = await dueIds(read); due.length > 0; due = await dueIds(read)) {
    for (const { id, payload } of due) {
      await core.services.database.write(async (db) => {
        await leaveEffect(db, 'careless', (JSON.parse(payload) as { user_id: number }).user_id)
        await removeEvent(db, [id])
      })
    }
  }
}

test('control: workers that do not claim jobs are detected', async () => {
  await fill('events', 200_001, 300)
  await Promise.all(Array.from({ length: WORKERS }, (_, i) => runCarelessly(trials[i] ?? first())))
  const times = await effectsOf(first().read, 'careless')
  expect(times.size).toBe(300)
  expect([...times.values()].filter((count) => count > 1).length).toBeGreaterThan(100)
})
