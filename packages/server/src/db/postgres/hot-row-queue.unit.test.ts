import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyedQueue } from './hot-row-queue.ts'

const LONG_MS = 60_000

/** Work that goes on until it is told to end. */
const openWork = (begun: string[], name: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const work = async () => {
    begun.push(name)
    await promise
    return name
  }
  return { work, end: resolve }
}
const turn = () => pause(0)

test('two concurrent writes per key, the others in order', async () => {
  const crowds = createKeyedQueue(LONG_MS)
  const begun: string[] = []
  const works = ['a', 'b', 'c', 'd'].map((name) => openWork(begun, name))
  const other = openWork(begun, 'elsewhere')
  const results = [...works.map(({ work }) => crowds.within('here', work)), crowds.within('there', other.work)]
  await turn()
  expect([begun, crowds.waiting()]).toEqual([['a', 'b', 'elsewhere'], 2])
  works[1]?.end()
  await turn()
  expect([begun, crowds.waiting()]).toEqual([['a', 'b', 'elsewhere', 'c'], 1])
  for (const { end } of [...works, other]) end()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'elsewhere'])
  expect([begun.at(-1), crowds.waiting()]).toEqual(['d', 0])
})

test('a failed write starts the next one, and one that waits too long is rejected', async () => {
  const crowds = createKeyedQueue(20)
  const begun: string[] = []
  const [first, second, late] = ['first', 'second', 'late'].map((name) => openWork(begun, name))
  if (!first || !second || !late) throw new Error('there are three')
  const failing = crowds.within('here', async () => {
    await first.work()
    throw new Error('it failed')
  })
  const going = crowds.within('here', second.work)
  await expect(crowds.within('here', late.work)).rejects.toMatchObject({ name: 'DatabaseUnavailable' })
  const next = crowds.within('here', late.work)
  first.end()
  await expect(failing).rejects.toThrow('it failed')
  second.end()
  late.end()
  expect([await going, await next, crowds.waiting()]).toEqual(['second', 'late', 0])
})
