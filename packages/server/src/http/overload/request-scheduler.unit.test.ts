import { expect, test } from 'vitest'
import { createRequestScheduler } from './request-scheduler.ts'

/** A scheduler with requests that take `ms` each, partly after an await. */
const arrange = (most: number, ms: number, elsewhere = () => 0) => {
  let time = 1
  const done: number[] = []
  const turns = createRequestScheduler({ most, elsewhere, now: () => time })
  const work = async (n: number) => {
    time += ms / 2
    await null
    time += ms / 2
    done.push(n)
  }
  const ask = (n: number) => turns.admit(() => void work(n))
  const spend = (more: number) => {
    time += more
  }
  return { turns, done, ask, spend }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i)

test('a request starts immediately while the thread keeps up', async () => {
  const { turns, done, ask } = arrange(10, 1)
  for (const n of upTo(8)) {
    expect(ask(n)).toBe(true)
    await null
  }
  expect([turns.waiting(), done.length]).toEqual([0, 8])
})

test('after a long iteration, requests wait for the next ones in order, with equal time slices', async () => {
  const { turns, done, ask } = arrange(100, 4)
  for (const n of upTo(12)) {
    expect(ask(n)).toBe(true)
    await null
  }
  expect([done, turns.waiting()]).toEqual([upTo(3), 9])
  await turn()
  expect([done.length, turns.waiting()]).toEqual([6, 6])
  while (turns.waiting() > 0) await turn()
  await turn()
  expect(done).toEqual(upTo(12))
})

test('a new request does not overtake waiting ones', async () => {
  const { done, ask, turns } = arrange(100, 12)
  for (const n of upTo(3)) ask(n)
  await turn()
  ask(3)
  while (turns.waiting() > 0) await turn()
  await turn()
  expect(done).toEqual(upTo(4))
})

test('beyond the queue limit, requests are rejected, and accepted again once there is room', async () => {
  let away = 2
  const { turns, done, ask } = arrange(5, 20, () => away)
  expect(upTo(8).map(ask)).toEqual([true, true, true, true, false, false, false, false])
  away = 3
  expect(ask(8)).toBe(false)
  await turn()
  await turn()
  expect(ask(9)).toBe(true)
  away = 0
  while (turns.waiting() > 0) await turn()
  await turn()
  expect(done).toEqual([0, 1, 2, 3, 9])
  away = 5
  expect(ask(10)).toBe(false)
})

test('queued requests get as much time as new arrivals, so that rejecting many does not stop all work', async () => {
  const { turns, done, ask, spend } = arrange(20, 5)
  for (const n of upTo(20)) ask(n)
  await turn()
  const before = done.length
  spend(40)
  await turn()
  expect(done.length - before).toBe(8)
  while (turns.waiting() > 0) await turn()
})

test('an endless queue is processed in order', async () => {
  const { turns, done, ask } = arrange(3, 12)
  let n = 0
  for (let i = 0; i < 50; i++) {
    while (ask(n)) n += 1
    await turn()
  }
  while (turns.waiting() > 0) await turn()
  await turn()
  expect(n).toBeGreaterThan(50)
  expect(done).toEqual(upTo(n))
})
