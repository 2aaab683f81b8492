import { expect, test } from 'vitest'
import { createPushBackoff } from './push-backoff.ts'

const setUp = () => {
  const clock = { now: 0 }
  const backoff = createPushBackoff(() => clock.now)
  const takes = (userId: number, ms: number, fails = false) =>
    backoff.track(userId, async () => {
      clock.now += ms
      if (fails) throw new Error('timeout')
    })
  return { clock, backoff, takes }
}

test('a member with a slow device gets no messages for a while, others do', async () => {
  const { clock, backoff, takes } = setUp()
  await takes(1, 6000)
  await expect(takes(2, 15_000, true)).rejects.toThrow('timeout')
  await takes(3, 400)
  expect([1, 2, 3].map(backoff.isPaused)).toEqual([true, true, false])
  clock.now += 300_000
  expect([1, 2].map(backoff.isPaused)).toEqual([false, false])
})
