import { expect, test } from 'vitest'
import { forEachAtOnce } from './at-once.ts'

test('does all items, never more than so many at the same time, each with a turn of its own', async () => {
  const done: number[] = []
  const turns = new Set<number>()
  let most = 0
  await forEachAtOnce(3, [1, 2, 3, 4, 5, 6, 7], async (item, turn) => {
    expect(turns.has(turn)).toBe(false)
    turns.add(turn)
    most = Math.max(most, turns.size)
    await Promise.resolve()
    done.push(item)
    turns.delete(turn)
  })
  expect([most, done.sort()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]])
})

test('after a failure, it starts nothing, and rejects once the others have ended', async () => {
  const begun: number[] = []
  let release = () => {}
  const other = new Promise<void>((resolve) => {
    release = resolve
  })
  let isOver = false
  const running = forEachAtOnce(2, [1, 2, 3, 4], async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('the first one failed')
    await other
  }).finally(() => {
    isOver = true
  })
  running.catch(() => {})
  await new Promise(setImmediate)
  expect([isOver, begun]).toEqual([false, [1, 2]])
  release()
  await expect(running).rejects.toThrow('the first one failed')
  expect(begun).toEqual([1, 2])
})
