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

test('who comes while the thread keeps up has his turn at once', async () => {
  const { turns, done, ask } = arrange(10, 1)
  for (const n of upTo(8)) {
    expect(ask(n)).toBe(true)
    await null
  }
  expect([turns.waiting(), done.length]).toEqual([0, 8])
})

test('after a long turn requests wait for the next ones, in their order, each turn as long as the others', async () => {
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

test('who comes while others wait does not overtake them', async () => {
  const { done, ask, turns } = arrange(100, 12)
  for (const n of upTo(3)) ask(n)
  await turn()
  ask(3)
  while (turns.waiting() > 0) await turn()
  await turn()
  expect(done).toEqual(upTo(4))
})

test('beyond what may wait, here and elsewhere, requests are refused, and taken again once there is room', async () => {
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

test('who waits gets as much time as is spent on those who come, so that refusing many does not end all work', async () => {
  const { turns, done, ask, spend } = arrange(20, 5)
  for (const n of upTo(20)) ask(n)
  await turn()
  const before = done.length
  spend(40)
  await turn()
  expect(done.length - before).toBe(8)
  while (turns.waiting() > 0) await turn()
})

test('a long row that never ends is taken from in order', async () => {
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
