import { expect, test } from 'vitest'
import { BusyError, createSemaphore } from './semaphore.ts'

test('never runs more tasks than allowed, in order, and releases slots after failures', async () => {
  const gate = createSemaphore({ concurrent: 2, waitingPerKey: 10 })
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
  const results = await Promise.allSettled(Array.from({ length: 10 }, (_, id) => gate.run(undefined, task(id))))
  expect(most).toBe(2)
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(results.map(({ status }) => status === 'rejected')).toEqual(started.map((id) => id % 3 === 0))
  expect(await gate.run(undefined, task(10))).toBe(10)
})

test('a task that finds the queue full is rejected and never starts', async () => {
  const gate = createSemaphore({ concurrent: 1, waitingPerKey: 1 })
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = 0
  const task = async () => {
    started += 1
    await promise
  }
  const two = [gate.run(undefined, task), gate.run(undefined, task)]
  await expect(gate.run(undefined, task)).rejects.toBeInstanceOf(BusyError)
  resolve()
  await Promise.all(two)
  expect(started).toBe(2)
})

test('deferrable tasks wait for all others, in a queue of their own', async () => {
  const deferrable = { key: 'registration', perKey: 1, waitingPerKey: 2 }
  const { run } = createSemaphore<string>({ concurrent: 1, waitingPerKey: 3, deferrable })
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = (name: string) => async () => {
    started.push(name)
    await promise
  }
  const work = [run('sign-in', task('first'))]
  for (const name of ['registration 1', 'registration 2']) work.push(run('registration', task(name)))
  await expect(run('registration', task('registration 3'))).rejects.toBeInstanceOf(BusyError)
  for (const name of ['sign-in 1', 'sign-in 2']) work.push(run('sign-in', task(name)))
  resolve()
  await Promise.all(work)
  expect(started).toEqual(['first', 'sign-in 1', 'sign-in 2', 'registration 1', 'registration 2'])
})

test('deferrable tasks with a lower limit leave a slot free, so that others start immediately', async () => {
  const deferrable = { key: 'registration', perKey: 1 }
  const { run, running, waiting } = createSemaphore<string>({ concurrent: 2, waitingPerKey: 3, deferrable })
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = (name: string) => async () => {
    started.push(name)
    await promise
  }
  const work = ['registration 1', 'registration 2'].map((name) => run('registration', task(name)))
  work.push(run('sign-in', task('sign-in')))
  expect(started).toEqual(['registration 1', 'sign-in'])
  expect([running(), waiting()]).toEqual([2, 1])
  resolve()
  await Promise.all(work)
  expect(started).toContain('registration 2')
  expect([running(), waiting()]).toEqual([0, 0])
})

const OPTIONS = { concurrent: 2, perKey: 1, waitingPerKey: 3 }

/** A gate whose tasks note that they have started, and end when the test says so. */
const setUp = (options = OPTIONS) => {
  const gate = createSemaphore<string>(options)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    gate.run(key, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { gate, started, run, end }
}

test('many tasks of one key leave a slot for another', async () => {
  const { started, run } = setUp()
  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  void run('b', 'b1')
  expect(started).toEqual(['a1', 'b1'])
})

test('free slots go to the keys in turn', async () => {
  const { gate, started, run, end } = setUp({ ...OPTIONS, concurrent: 1 })
  for (const name of ['a1', 'a2', 'a3']) void run('a', name)
  for (const name of ['b1', 'b2']) void run('b', name)
  void run('c', 'c1')
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name)
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  await end('a3')
  expect([gate.running(), gate.waiting()]).toEqual([0, 0])
})

test('tasks of a key beyond the queue limit are rejected, those of others are not', async () => {
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

test('a wait that is too long or aborted is rejected, and the next one gets the slot', async () => {
  const { acquire, running, waiting } = createSemaphore<string>({ perKey: 1, maxWaitMs: 20 })
  const leave = await acquire('here')
  await expect(acquire('here')).rejects.toBeInstanceOf(BusyError)
  const aborting = new AbortController()
  const aborted = acquire('here', aborting.signal)
  const next = acquire('here')
  aborting.abort(new Error('gone'))
  await expect(aborted).rejects.toThrow('gone')
  await expect(acquire('here', aborting.signal)).rejects.toThrow('gone')
  expect(waiting()).toBe(1)
  leave()
  ;(await next)()
  expect([running(), waiting()]).toEqual([0, 0])
})

test('without a total limit, each key has its own slots', async () => {
  const { run, running, waiting } = createSemaphore<string>({ perKey: 2 })
  const started: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const task = (name: string) => async () => {
    started.push(name)
    await promise
  }
  const work = ['a', 'b', 'c', 'd'].map((name) => run('here', task(name)))
  work.push(run('there', task('elsewhere')))
  expect([started, running(), waiting()]).toEqual([['a', 'b', 'elsewhere'], 3, 2])
  resolve()
  await Promise.all(work)
  expect([started.slice(3), running(), waiting()]).toEqual([['c', 'd'], 0, 0])
})
