import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeFailures } from '#test/failures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { runText } from '../db/index.ts'
import { updatePeriods } from '../modules/leaderboard/index.ts'

let world: World
let ana: Member
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const rows = async (table: string) =>
  (await runText<{ n: number }>(world.app.services.database.read, `select count(*) as n from ${table}`, []))[0]?.n

test('an operation that reads cannot write', async () => {
  const { services } = world.app
  const { readWithReplica } = services.database
  services.database.readWithReplica = async (work) => {
    await services.database.write((db) => runText(db, 'select 1', []))
    return readWithReplica(work)
  }
  try {
    await refused(ana.api.feeds.list({}), 500, 'internal_error')
    expect(takeFailures().join()).toMatch(/feeds\.list only reads, and began a write/)
  } finally {
    services.database.readWithReplica = readWithReplica
  }
  await ana.api.feeds.list({})
})

test('the leaderboard is read without a write, also the first time and on the next day', async () => {
  await ana.api.feeds.create({ message: 'Hello' })
  await world.runPendingJobs()
  const before = [await rows('score_periods'), await rows('period_scores')]
  expect(before[0]).toBeGreaterThan(1)
  await ana.api.leaderboard.list()
  expect([await rows('score_periods'), await rows('period_scores')]).toEqual(before)
  // The hourly task of the evening opens what the next day needs.
  world.clock.advance(10 * 3600)
  await updatePeriods(world.app.services)
  const evening = [await rows('score_periods'), await rows('period_scores')]
  world.clock.advance(3 * 3600)
  const { leaderboard } = await ana.api.leaderboard.list()
  expect(leaderboard.map(({ items }) => items.length)).toEqual([1, 1, 1])
  expect([await rows('score_periods'), await rows('period_scores')]).toEqual(evening)
})

test('another time zone opens the score periods of its day', async () => {
  world.clock.advance(12 * 3600)
  await updatePeriods(world.app.services)
  const tomorrow = () => rows(`score_periods where name = 'today:2026-03-12'`)
  expect(await tomorrow()).toBe(0)
  await admin.api.settings.save({ timezone: 'Pacific/Kiritimati' })
  await world.runPendingJobs()
  expect(await tomorrow()).toBe(1)
})
