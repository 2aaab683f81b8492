import { afterEach, beforeEach, expect, test } from 'vitest'
import { readyEnv } from '#test/command.ts'
import { pendingEvents } from '#test/jobs/pending-events.ts'
import { effectsOf, jobsLeft, leaveEffect, openTrial, type Trial } from '#test/jobs/trial.ts'
import type { Clock } from '../core/clock.ts'
import { createRegistry, on } from './index.ts'

let trial: Trial
let order: string[]
let broken: string
const clock: Clock = { now: () => new Date(Date.UTC(2030, 0, 1)) }

const listener = (name: string) =>
  on('user.active', `trial.${name}`, async ({ db }, users) => {
    order.push(name)
    for (const { user_id } of users) await leaveEffect(db, name, user_id)
    if (broken === name) throw new Error(`${name} is broken`)
  })
const registry = createRegistry(['one', 'two', 'three'].map(listener), [])

beforeEach(async () => {
  order = []
  broken = ''
  trial = await openTrial(await readyEnv(), registry, clock)
  await trial.write(null, (ctx) => ctx.emit('user.active', { user_id: 7 }))
})
afterEach(() => trial.close())

const names = async () => (await jobsLeft(trial.read)).map(({ name, attempts }) => [name, attempts])
const effects = async () => Promise.all(['one', 'two', 'three'].map(async (name) => (await effectsOf(trial.read, name)).get(7)))

test('the listeners of an event run together, in order and without a job', async () => {
  expect([(await pendingEvents(trial.read)).length, await names()]).toEqual([1, []])
  await trial.worker.runPending()
  expect([order, await effects(), await names()]).toEqual([['one', 'two', 'three'], [1, 1, 1], []])
  expect(await pendingEvents(trial.read)).toEqual([])
})

test('one that throws does not undo the others, and gets its own job', async () => {
  broken = 'two'
  await trial.worker.runPending()
  expect(await effects()).toEqual([1, undefined, 1])
  expect(await names()).toEqual([['trial.two:user.active', 1]])
})

test('a job of a single listener still runs', async () => {
  await trial.write(null, async ({ db, now }) => {
    const row = { name: 'trial.two:user.active', payload: '{"user_id":7}', run_at: now, created_at: now, event_id: null, last_error: null }
    await db.insertInto('jobs').values(row).execute()
    await db.deleteFrom('pending_events').execute()
  })
  await trial.worker.runPending()
  expect([await effects(), await names()]).toEqual([[undefined, 1, undefined], []])
})
