import { afterEach, beforeEach, expect, test } from 'vitest'
import { readyEnv } from '#test/command.ts'
import { jobsLeft, openTrial, type Trial } from '#test/jobs/trial.ts'
import { nowOf, systemClock } from '../core/clock.ts'
import { createRegistry, createWorker, job, on, outgoing, type Registry } from './index.ts'

const DELIVERIES = 100

let trial: Trial
let open: () => void
let started: number
let registry: Registry
let done: Map<string, PromiseWithResolvers<void>>

const entry = (name: string): PromiseWithResolvers<void> => {
  const known = done.get(name) ?? Promise.withResolvers<void>()
  done.set(name, known)
  return known
}
/** Resolves once the job of that name has run. */
const ran = (name: string): Promise<void> => entry(name).promise
const run = async (name: string) => entry(name).resolve()

beforeEach(async () => {
  const gate = Promise.withResolvers<void>()
  open = gate.resolve
  started = 0
  done = new Map()
  registry = createRegistry(
    [on('user.active', 'trial.listen', () => run('listen'))],
    [
      outgoing('trial.slow', async () => {
        started += 1
        await run('slow')
        await gate.promise
      }),
      job('trial.quick', () => run('quick')),
    ],
  )
  trial = await openTrial(await readyEnv(), registry)
})
afterEach(async () => {
  open()
  await trial.close()
})

test('hanging receivers delay nothing else, and only a limited number are contacted concurrently', async () => {
  await trial.write(null, async (ctx) => {
    for (let n = 0; n < DELIVERIES; n++) await ctx.enqueue('trial.slow', { n })
  })
  trial.worker.start()
  await ran('slow')
  await trial.write(null, (ctx) => ctx.emit('user.active', { user_id: 1 }))
  await ran('listen')
  await trial.write(null, (ctx) => ctx.enqueue('trial.quick', {}))
  await ran('quick')
  expect(started).toBeGreaterThan(0)
  expect(started).toBeLessThan(DELIVERIES)
  open()
  await trial.worker.runPending()
  expect([started, await jobsLeft(trial.read)]).toEqual([DELIVERIES, []])
})

test('a job kind with its own concurrency limit leaves capacity for others, however many are due', async () => {
  const maxConcurrent = 3
  const limited = createRegistry(
    [],
    [...registry.jobs.values()].map((each) => (each.name === 'trial.slow' ? { ...each, maxConcurrent } : each)),
  )
  const quick = outgoing('trial.mail', () => run('mail'))
  const own = await openTrial(await readyEnv(), createRegistry([], [...limited.jobs.values(), quick]))
  try {
    await own.write(null, async (ctx) => {
      for (let n = 0; n < DELIVERIES; n++) await ctx.enqueue('trial.slow', { n })
    })
    await own.write(null, (ctx) => ctx.enqueue('trial.mail', {}))
    own.worker.start()
    await ran('mail')
    await own.write(null, (ctx) => ctx.enqueue('trial.quick', {}))
    await ran('quick')
    expect(started).toBe(maxConcurrent)
    open()
    await own.worker.runPending()
    expect([started, await jobsLeft(own.read)]).toEqual([DELIVERIES, []])
  } finally {
    open()
    await own.close()
  }
})

test('a stopping worker waits for a pending delivery, with a time limit', async () => {
  await trial.write(null, (ctx) => ctx.enqueue('trial.slow', {}))
  const worker = createWorker(trial.core.services, registry, { shutdownTimeoutMs: 20 })
  worker.start()
  await ran('slow')
  await worker.stop()
  // It is leased to nobody else before its time, and will be tried again after it.
  const [left] = await jobsLeft(trial.read)
  expect([left?.status, left?.attempts, (left?.run_at ?? '') > nowOf(systemClock)]).toEqual(['ready', 0, true])

  trial.worker.start()
  open()
  await trial.worker.stop()
  await worker.runPending()
  expect(await jobsLeft(trial.read)).toEqual([])
})
