import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPeriodic } from './periodic.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('runs after the first delay and then at the interval, also after an error, until it is stopped', async () => {
  const errors: unknown[] = []
  let runs = 0
  const run = async () => {
    runs += 1
    if (runs === 2) throw new Error('second')
  }
  const loop = createPeriodic({ everyMs: 100, firstAfterMs: 10, run, onError: (error) => errors.push(error) })
  loop.start()
  loop.start()
  await vi.advanceTimersByTimeAsync(10)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(250)
  expect([runs, errors]).toEqual([3, [new Error('second')]])
  await loop.stop()
  await vi.advanceTimersByTimeAsync(1000)
  loop.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(runs).toBe(3)
})

test('runs never overlap, and stopping ends the run in progress and waits for it', async () => {
  let runs = 0
  const continued: boolean[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const loop = createPeriodic({
    everyMs: 10,
    run: async (shouldContinue) => {
      runs += 1
      await promise
      continued.push(shouldContinue())
    },
    onError: () => {},
  })
  loop.start()
  await vi.advanceTimersByTimeAsync(50)
  void loop.runNow()
  expect(runs).toBe(1)
  let stopped = false
  const stopping = loop.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(50)
  expect(stopped).toBe(false)
  resolve()
  await stopping
  await loop.runNow()
  expect([runs, continued]).toEqual([2, [false, true]])
})
