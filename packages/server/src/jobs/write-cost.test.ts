import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { statementOne } from '../db/index.ts'

const MEMBERS = 8
const PER_MEMBER = 8
const COMMENTS = MEMBERS * PER_MEMBER
const NEWCOMERS = 64

let world: World
let members: readonly Member[]
let feeds: readonly number[]
beforeAll(async () => {
  world = await createWorld()
  members = await Promise.all(Array.from({ length: MEMBERS }, () => world.member()))
  const { id: space_id } = await makeSpace(world, { members })
  feeds = await Promise.all(members.map(async ({ api }) => (await api.feeds.create({ message: 'What do you think?', space_id })).data.id))
  await world.runPendingJobs()
})
afterAll(() => world.close())

const changedRows = statementOne<{ n: number }>('select total_changes() as n')

/** Rows changed (on SQLite), statements and round trips (on PostgreSQL) of an action and all that follows, divided by `count`. */
const costOf = async (what: string, count: number, act: () => Promise<unknown>) => {
  const { database } = world.app.services
  const rows = () => database.write(async (db) => (database.dialect === 'sqlite' ? ((await changedRows(db))?.n ?? 0) : 0))
  const [roundTrip, statement] = [vi.spyOn(pg.Client.prototype, 'query'), vi.spyOn(pg.Query.prototype, 'submit')]
  const before = await rows()
  for (const spy of [roundTrip, statement]) spy.mockClear()
  await act()
  await world.runPendingJobs()
  const each = (spy: { mock: { calls: readonly unknown[] } }) => spy.mock.calls.length / count
  const cost = { statements: each(statement), roundTrips: each(roundTrip), rows: ((await rows()) - before) / count }
  for (const spy of [roundTrip, statement]) spy.mockRestore()
  const [changed, sent, trips] = [cost.rows, cost.statements, cost.roundTrips].map((n) => n.toFixed(1))
  console.log(`cost ${world.dialect}: ${what} changes ${changed} rows and takes ${sent} statements in ${trips} round trips`)
  return cost
}

/** Members comment on each other's feeds at the same time. */
const comment = () =>
  Promise.all(
    members.map(async ({ api }, i) => {
      for (let n = 1; n <= PER_MEMBER; n++)
        await api.comments.create({ feed_id: feeds[(i + n) % MEMBERS] as number, comment: `Number ${n}` })
    }),
  )

test('a comment and all that follows from it change few rows and take few statements', async () => {
  await comment()
  await world.runPendingJobs()
  const cost = await costOf('a comment', COMMENTS, comment)
  expect(cost.rows).toBeLessThanOrEqual(14)
  expect(cost.roundTrips).toBeLessThanOrEqual(6)
  expect(cost.statements).toBeLessThanOrEqual(14)
  expect(world.dialect === 'sqlite' ? cost.rows : cost.statements).toBeGreaterThan(4)
})

test('adding many members and all that follows from it change few rows and take few statements', async () => {
  const admin = await world.member({ role: 'admin' })
  const { slug: space_slug } = await makeSpace(world, { admins: [admin] })
  const newcomers = await Promise.all(Array.from({ length: NEWCOMERS }, () => world.member()))
  await world.runPendingJobs()
  const user_ids = newcomers.map(({ id }) => id)
  const cost = await costOf('a new member of a space', NEWCOMERS, () => admin.api.spaceMembers.bulkAdd({ space_slug, user_ids }))
  expect(cost.rows).toBeLessThanOrEqual(26)
  expect(cost.statements).toBeLessThanOrEqual(3)
  expect(world.dialect === 'sqlite' ? cost.rows : cost.statements).toBeGreaterThan(0.2)
})
