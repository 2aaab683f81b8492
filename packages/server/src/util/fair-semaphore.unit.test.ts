import { expect, test } from 'vitest'
import { BusyError } from '../secrets/semaphore.ts'
import { createFairSemaphore } from './fair-semaphore.ts'

const OPTIONS = { concurrent: 2, perOwner: 1, waitingPerOwner: 3 }

/** A gate whose tasks note that they have started, and end when the test says so. */
const setUp = (options = OPTIONS) => {
  const gate = createFairSemaphore<string>(options)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (owner: string, name: string) =>
    gate.run(owner, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { gate, started, run, end }
}

test('many tasks of one owner leave a slot for another', async () => {
  const { started, run } = setUp()
  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  void run('b', 'b1')
  expect(started).toEqual(['a1', 'b1'])
})

test('free slots go to the owners in turn', async () => {
  const { gate, started, run, end } = setUp({ ...OPTIONS, concurrent: 1 })
  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  for (const name of ['b1', 'b2']) void run('b', name)
  void run('c', 'c1')
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  await end('a3')
  expect([gate.running(), gate.waiting()]).toEqual([0, 0])
})

test('tasks of an owner beyond the queue limit are rejected, those of others are not', async () => {
  const { run, started } = setUp()
  for (const name of ['a1', 'a2', 'a3', 'a4']) void run('a', name)
  await expect(run('a', 'a5')).rejects.toBeInstanceOf(BusyError)
  void run('b', 'b1')
  expect(started).toContain('b1')
})

test('a failed task releases its slot', async () => {
  const { gate } = setUp({ ...OPTIONS, concurrent: 1 })
  await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await gate.run('b', async () => 'ran')).toBe('ran')
})
