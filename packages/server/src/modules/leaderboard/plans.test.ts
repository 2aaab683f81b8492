import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { expectNotWhole } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { insertRows } from '../../db/index.ts'
import { updatePeriods } from './index.ts'

const PEOPLE = 4000

let world: World
let ana: Member
let space: Space
beforeAll(async () => {
  world = await createWorld({ start: '2026-04-15T12:00:00Z' })
  ana = await world.member()
  space = await makeSpace(world, { members: [ana] })
  if (world.dialect !== 'postgres') return
  const at = '2026-01-01 00:00:00'
  const numbers = Array.from({ length: PEOPLE }, (_, i) => i + 1000)
  await world.app.write(null, async ({ db }) => {
    const columns = ['id', 'username', 'email', 'display_name', 'status', 'total_points', 'created_at', 'updated_at']
    const people = numbers.map((n) => [n, `p${n}`, `p${n}@x.example`, `P ${n}`, n % 50 === 0 ? 'banned' : 'active', n, at, at])
    await insertRows(db, 'users', columns, people)
    const days = [...numbers, ana.id].flatMap((n) => [0, space.id].map((where) => [n, where, '2026-04-15', n, n]))
    await insertRows(db, 'daily_scores', ['user_id', 'space_id', 'day', 'points', 'posts'], days)
    const sums = days.map(([user, where, , points, posts]) => [user ?? 0, 1, where ?? 0, points ?? 0, posts ?? 0])
    await insertRows(db, 'period_scores', ['user_id', 'period_id', 'space_id', 'points', 'posts'], sums)
    await insertRows(
      db,
      'contribution_counts',
      ['user_id', 'posts', 'comments', 'reactions', 'courses'],
      numbers.map((n) => [n, 1, 1, 1, 1]),
    )
  })
  await updatePeriods(world.app.services)
  await world.app.write(null, ({ db }) => sql`analyze`.execute(db))
})
afterAll(() => world.close())

test.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')('no statement scans a whole table on PostgreSQL', async () => {
  const figures = ['period_scores', 'daily_scores', 'contribution_counts', 'points_ledger']
  const tables = ['users', ...figures]
  // Up to 2,000 members above the caller are counted; in a small community that reads all of them.
  for (const where of [undefined, space.id])
    await expectNotWhole(world, figures, () => ana.api.leaderboard.list({ period: 'this_month', ...(where && { space_id: where }) }))
  await expectNotWhole(world, tables, () => ana.api.leaderboard.list({ limit: 100, include_current_user: false }))
})
