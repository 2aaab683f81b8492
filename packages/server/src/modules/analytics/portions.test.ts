import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'
import { insertRows, runText } from '../../db/index.ts'
import { notifyChanged } from './rollup-state.ts'

const RANGE = { date_from: '2026-02-10', date_to: '2026-04-10' }
/** The ids span more than one batch of users. */
const IDS = [4100, 8300, 8301, 12_500]

let world: World
let admin: Member

const post = (userId: number, n: number, day: string): (string | number)[] => {
  const at = `${day} 10:00:00`
  return [userId, at, at, at, at, `post-${userId}-${n}`, 'x', 'x']
}

beforeAll(async () => {
  world = await createWorld({ start: '2026-04-10T12:00:00Z' })
  admin = await world.member({ role: 'admin' })
  await world.app.write(null, async ({ db }) => {
    const at = '2026-02-20 00:00:00'
    const people = IDS.map((id) => [id, `p${id}`, `p${id}@x.example`, `P ${id}`, id === 8301 ? 'banned' : 'active', at, at])
    await insertRows(db, 'users', ['id', 'username', 'email', 'display_name', 'status', 'created_at', 'updated_at'], people)
    const days = ['2026-02-25', '2026-03-03', '2026-03-20', '2026-04-09']
    const posts = IDS.flatMap((id, i) => days.slice(0, i + 1).map((day, n) => post(id, n, day)))
    const columns = ['user_id', 'published_at', 'active_at', 'created_at', 'updated_at', 'slug', 'message', 'message_rendered']
    await insertRows(db, 'feeds', columns, posts)
  })
})
afterAll(() => world.close())

it('batches of users add up to the whole', async () => {
  const { analytics } = admin.api
  const { members } = await analytics.topMembers(RANGE)
  expect(members.map(({ id, posts_count }) => [id, posts_count])).toEqual([
    [12_500, 4],
    [8300, 2],
    [4100, 1],
  ])
  const { active_members, top_contributor } = await analytics.membersWidget(RANGE)
  expect([active_members, top_contributor?.id]).toEqual([3, 12_500])
  const { data } = await analytics.membersActivity({ ...RANGE, interval: 'month' })
  expect(data.map(({ date, active_members: n, returning_members: m }) => [date, n, m])).toEqual([
    ['2026-02-01', 3, 0],
    ['2026-03-01', 2, 2],
    ['2026-04-01', 1, 1],
  ])
})

it('an expensive metric is refreshed after a minute, while the old value is returned once more', async () => {
  const { analytics } = admin.api
  await world.app.write(null, async ({ db }) => {
    await runText(db, 'update analytics_hourly_rollups set reactions = 30000', [])
    await notifyChanged(db)
  })
  const active = async () => (await analytics.membersWidget(RANGE)).active_members
  expect(await active()).toBe(3)
  await admin.api.feeds.create({ message: 'One more' })
  world.clock.advance(59)
  expect(await active()).toBe(3)
  world.clock.advance(2)
  expect(await active()).toBe(3)
  await expect.poll(active).toBe(4)
  world.clock.advance(301)
  await admin.api.feeds.create({ message: 'Another' })
  expect(await active()).toBe(4)
})
