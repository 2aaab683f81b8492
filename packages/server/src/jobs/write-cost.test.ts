import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { statementOne } from '../db/index.ts'

const MEMBERS = 8
const PER_MEMBER = 8
const COMMENTS = MEMBERS * PER_MEMBER
const MAX_ROWS = 14
const MAX_STATEMENTS = 14
const MAX_ROUND_TRIPS = 6

let world: World
let members: readonly Member[]
let feeds: readonly number[]
beforeAll(async () => {
  world = await createWorld()
  members = await Promise.all(Array.from({ length: MEMBERS }, () => world.member()))
  const { id: space_id } = await makeSpace(world, { members })
  feeds = await Promise.all(members.map(async ({ api }) => (await api.feeds.create({ message: 'What do you think?', space_id })).data.id))
  await world.settle()
})
afterAll(() => world.close())

/** Members comment on each other's feeds at the same time, then all that follows runs. */
const comment = async () => {
  await Promise.all(
    members.map(async ({ api }, i) => {
      for (let n = 1; n <= PER_MEMBER; n++)
        await api.comments.create({ feed_id: feeds[(i + n) % MEMBERS] as number, comment: `Number ${n}` })
    }),
  )
  await world.settle()
}

const changedRows = statementOne<{ n: number }>('select total_changes() as n')

test('a comment and all that follows from it change few rows and take few statements', async () => {
  const { database } = world.app.services
  await comment()
  const roundTrip = vi.spyOn(pg.Client.prototype, 'query')
  const statement = vi.spyOn(pg.Query.prototype, 'submit')
  const rows = () => database.write(async (db) => (database.dialect === 'sqlite' ? ((await changedRows(db))?.n ?? 0) : 0))
  const before = await rows()
  for (const spy of [roundTrip, statement]) spy.mockClear()
  await comment()
  const each = (spy: { mock: { calls: readonly unknown[] } }) => spy.mock.calls.length / COMMENTS
  const cost = { rows: ((await rows()) - before) / COMMENTS, statements: each(statement), roundTrips: each(roundTrip) }
  for (const spy of [roundTrip, statement]) spy.mockRestore()
  const [changed, sent, trips] = [cost.rows, cost.statements, cost.roundTrips].map((n) => n.toFixed(1))
  console.log(`cost ${world.dialect}: a comment changes ${changed} rows and takes ${sent} statements in ${trips} round trips`)
  expect(cost.rows).toBeLessThanOrEqual(MAX_ROWS)
  expect(cost.roundTrips).toBeLessThanOrEqual(MAX_ROUND_TRIPS)
  expect(cost.statements).toBeLessThanOrEqual(MAX_STATEMENTS)
  expect(database.dialect === 'sqlite' ? cost.rows : cost.statements).toBeGreaterThan(4)
})
