import { expect, test } from 'vitest'
import { BusyError, createSemaphore } from './semaphore.ts'

test('never runs more tasks than allowed, in order, and releases slots after failures', async () => {
  const gate = createSemaphore({ concurrent: 2, waiting: 10 }).run
  const started: number[] = []
  let running = 0
  let most = 0
  const task = (id: number) => async () => {
    started.push(id)
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    if (id % 3 === 0) throw new Error(`task ${id}`)
    return id
  }
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, id) => gate(task(id))))
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(results.map(({ status }) => status === 'rejected')).toEqual(started.map((id) => id % 3 === 0))
  expect(await gate(task(10))).toBe(10)
})

test('a task that finds the queue full is rejected and never starts', async () => {
  const gate = createSemaphore({ concurrent: 1, waiting: 1 }).run
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = 0
  const task = async () => {
    started += 1
    await promise
  }
  const two = [gate(task), gate(task)]
  await expect(gate(task)).rejects.toBeInstanceOf(BusyError)
  resolve()
  await Promise.all(two)
  expect(started).toBe(2)
})

test('deferrable tasks wait for all others, in a queue of their own', async () => {
  const gate = createSemaphore({ concurrent: 1, waiting: 3, waitingDeferrable: 2 }).run
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = (name: string) => async () => {
    started.push(name)
    await promise
  }
  const work = [gate(task('first'))]
  for (const name of ['registration 1', 'registration 2']) work.push(gate(task(name), { deferrable: true }))
  await expect(gate(task('registration 3'), { deferrable: true })).rejects.toBeInstanceOf(BusyError)
  for (const name of ['sign-in 1', 'sign-in 2']) work.push(gate(task(name)))
  resolve()
  await Promise.all(work)
  expect(started).toEqual(['first', 'sign-in 1', 'sign-in 2', 'registration 1', 'registration 2'])
})

test('deferrable tasks leave a slot free, so that others start immediately', async () => {
  const { run, places } = createSemaphore({ concurrent: 2, waiting: 3 })
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = (name: string) => async () => {
    started.push(name)
    await promise
  }
  const work = ['registration 1', 'registration 2'].map((name) => run(task(name), { deferrable: true }))
  work.push(run(task('sign-in')))
  expect(started).toEqual(['registration 1', 'sign-in'])
  expect(places()).toEqual({ used: 2, waiting: 1 })
  resolve()
  await Promise.all(work)
  expect(started).toContain('registration 2')
  expect(places()).toEqual({ used: 0, waiting: 0 })
})
