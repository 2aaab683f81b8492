import { expect, test } from 'vitest'
import { createPatience } from './push-backoff.ts'

const setUp = () => {
  const clock = { now: 0 }
  const patience = createPatience(() => clock.now)
  const takes = (userId: number, ms: number, fails = false) =>
    patience.during(userId, async () => {
      clock.now += ms
      if (fails) throw new Error('timeout')
    })
  return { clock, patience, takes }
}

test('a member whose device was slow gets no messages for a while, others do', async () => {
  const { clock, patience, takes } = setUp()
  await takes(1, 6000)
  await expect(takes(2, 15_000, true)).rejects.toThrow('timeout')
  await takes(3, 400)
  expect([1, 2, 3].map(patience.isOver)).toEqual([true, true, false])
  clock.now += 300_000
  expect([1, 2].map(patience.isOver)).toEqual([false, false])
})
