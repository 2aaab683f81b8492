import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createFairTurns } from './fair-turns.ts'

test('each owner does one step per turn, in order', async () => {
  const inTurn = createFairTurns<string>()
  const steps: string[] = []
  for (const n of [1, 2, 3]) inTurn('many', () => steps.push(`many ${n}`))
  inTurn('one', () => steps.push('one'))
  expect(steps).toEqual([])
  await vi.waitFor(() => expect(steps).toEqual(['many 1', 'one', 'many 2', 'many 3']))
})

test('the steps of one owner are at least a millisecond apart, also when one requests the next', async () => {
  const inTurn = createFairTurns<number>()
  const times: number[] = []
  const step = () => {
    times.push(performance.now())
    if (times.length < 20) inTurn(1, step)
  }
  inTurn(1, step)
  await vi.waitFor(() => expect(times).toHaveLength(20))
  expect(times[19]! - times[0]!).toBeGreaterThan(15)
})

test('after a pause, a step waits only for the event loop', async () => {
  const inTurn = createFairTurns<number>()
  await new Promise<void>((done) => inTurn(1, done))
  await pause(5)
  const order: string[] = []
  inTurn(1, () => order.push('step'))
  setImmediate(() => order.push('immediate'))
  await vi.waitFor(() => expect(order).toHaveLength(2))
  expect(order).toEqual(['step', 'immediate'])
})
