import { afterEach, beforeEach, expect, test } from 'vitest'
import { readyEnv } from '#test/command.ts'
import { pendingEvents } from '#test/jobs/pending-events.ts'
import { effectsOf, jobsLeft, openTrial, type Trial, tracingListener } from '#test/jobs/trial.ts'
import type { AttributedEvent } from '../core/context.ts'
import { createRegistry } from './index.ts'

let trial: Trial
const registry = createRegistry(['one', 'two'].map(tracingListener), [])

beforeEach(async () => {
  trial = await openTrial(await readyEnv(), registry)
})
afterEach(() => trial.close())

/** More than PostgreSQL has room for parameters. */
const MANY = 33_000

const caused = (count: number): AttributedEvent<'user.active'>[] =>
  Array.from({ length: count }, (_, i) => ({ actorId: i === 0 ? null : i, payload: { user_id: i + 1, seen_at: `2030-01-01 ${i % 24}'"` } }))

const stored = () => trial.read.selectFrom('events').select(['id', 'name', 'actor_id', 'payload', 'created_at']).orderBy('id').execute()

test('a batch of events equals single ones, with their jobs', async () => {
  const many = caused(5)
  await trial.write(null, async (ctx) => {
    await ctx.emitEach('user.active', many)
    await ctx.emitEach('user.active', [])
  })
  const events = await stored()
  const found = events.map(({ name, actor_id, payload }) => ({ name, actorId: actor_id, payload: JSON.parse(payload) }))
  const byUser = found.sort((a, b) => a.payload.user_id - b.payload.user_id)
  expect(byUser).toEqual(many.map((one) => ({ name: 'user.active', ...one })))
  expect([await jobsLeft(trial.read), await pendingEvents(trial.read)]).toEqual([[], events.map(({ id }) => id).sort((x, y) => x - y)])
  await trial.worker.runPending()
  for (const name of ['one', 'two']) expect(await effectsOf(trial.read, name)).toEqual(new Map([1, 2, 3, 4, 5].map((id) => [id, 1])))
})

test('a batch can have any size, and a failure leaves none', async () => {
  await trial.write(null, (ctx) => ctx.emitEach('user.active', caused(MANY)))
  expect(await stored()).toHaveLength(MANY)
  const failing = trial.write(null, async (ctx) => {
    await ctx.emitEach('user.active', caused(3))
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  await expect(trial.write(null, (ctx) => ctx.emitEach('nothing.known' as 'user.active', caused(1)))).rejects.toThrow('nothing.known')
  expect([await stored(), await pendingEvents(trial.read)].map((rows) => rows.length)).toEqual([MANY, MANY])
})
