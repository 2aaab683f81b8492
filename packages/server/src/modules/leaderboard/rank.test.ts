import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { insertRows, runText } from '../../db/index.ts'
import type { Leaderboard } from './queries.ts'
import { rankOf } from './rank.ts'

const PEOPLE = 5000
const NOW = '2026-04-15 12:00:00'
const FIRST = 1000

let world: World
let space: Space
let last: Member
let boards: Leaderboard[]

let state = 4711
const pick = (below: number): number => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
/** Many members have equal points, most of them few. */
const pointsOf = () => [5, 5, 5, 10, 20, pick(300), 0][pick(7)] ?? 0

beforeAll(async () => {
  world = await createWorld({ start: '2026-04-15T12:00:00Z' })
  last = await world.member()
  space = await makeSpace(world, { members: [last] })
  await world.app.write(null, async ({ db }) => {
    const numbers = Array.from({ length: PEOPLE }, (_, i) => i + FIRST)
    const columns = ['id', 'username', 'email', 'display_name', 'status', 'created_at', 'updated_at']
    const people = numbers.map((n) => [n, `p${n}`, `p${n}@x.example`, `P ${n}`, pick(9) ? 'active' : 'banned', NOW, NOW])
    await insertRows(db, 'users', columns, people)
    const sums = [...numbers, last.id].flatMap((n) => [0, space.id].map((where) => [n, 1, where, n === last.id ? 1 : pointsOf()]))
    await insertRows(db, 'period_scores', ['user_id', 'period_id', 'space_id', 'points'], sums)
  })
  boards = [0, space.id].map((spaceId) => ({ periodId: 1, spaceId }))
})
afterAll(() => world.close())

const database = () => world.app.services.database
const context = () => {
  const { services } = world.app
  return { db: services.database.read, services, snapshot: services.caches.unpolled() }
}

const listed = (board: Leaderboard) =>
  runText<{ user_id: number; points: number }>(
    database().read,
    `select s.user_id, s.points from period_scores s join users u on u.id = s.user_id where s.period_id = $1 and s.space_id = $2 and s.points > 0
     and u.status = 'active' order by s.points desc, s.user_id`,
    [board.periodId, board.spaceId],
  )

describe('the rank on a board', () => {
  it('equals that of a recount', async () => {
    for (const board of boards) {
      const whole = await listed(board)
      expect(whole.length).toBeGreaterThan(3000)
      for (let i = 0; i < whole.length; i += 1 + pick(30)) {
        const score = whole[i]
        if (score) expect({ score, found: await rankOf(context(), board, score) }).toEqual({ score, found: i + 1 })
      }
    }
  })

  it('is returned to its owner', async () => {
    for (const board of boards) {
      const where = board.spaceId === 0 ? {} : { space_id: board.spaceId }
      const { current_user } = await last.api.leaderboard.list(where)
      expect(current_user?.rank).toBe((await listed(board)).findIndex(({ user_id }) => user_id === last.id) + 1)
    }
  })

  it('is exact near the top and at most a minute old further down', async () => {
    const [board] = boards as [Leaderboard]
    const before = await last.api.leaderboard.list({})
    await world.app.write(null, ({ db }) => runText(db, 'update period_scores set points = 1000 where user_id = $1', [FIRST + 7]))
    await world.app.write(null, ({ db }) => runText(db, `update users set status = 'active' where id = $1`, [FIRST + 7]))
    const [best] = await listed(board)
    expect(best?.user_id).toBe(FIRST + 7)
    if (best) expect(await rankOf(context(), board, best)).toBe(1)
    world.clock.advance(61)
    await last.api.leaderboard.list({})
    const whole = await listed(board)
    await expect
      .poll(async () => (await last.api.leaderboard.list({})).current_user?.rank)
      .toBe(whole.findIndex(({ user_id }) => user_id === last.id) + 1)
    expect(before.current_user?.rank).toBeGreaterThan(2000)
  })

  it('uses only indexes', async () => {
    if (world.dialect !== 'sqlite') return
    const { read } = database()
    const [board] = boards as [Leaderboard]
    const whole = await listed(board)
    const work = async () => {
      world.clock.advance(3600)
      for (const score of [whole[10], whole[2500], whole.at(-1)]) if (score) await rankOf(context(), board, score)
    }
    for (const { sql, steps } of await plansOf(read, work)) {
      const faulty = steps.filter((step) => /^SCAN (?!p1$|CONSTANT|u USING COVERING INDEX users_inactive)/.test(step))
      expect({ sql, faulty }).toEqual({ sql, faulty: [] })
    }
  })
})

describe('a period that is being filled', () => {
  it('keeps the previous 7-day and 30-day boards if it takes long', async () => {
    const ana = await world.member()
    await ana.api.feeds.create({ message: 'x' })
    await world.runPendingJobs()
    const before = await ana.api.leaderboard.list({})
    const group = (answer: typeof before, key: string) =>
      answer.leaderboard.find((one) => one.key === key)?.items.map(({ user_id }) => user_id)
    expect(group(before, '7_days')).toContain(ana.id)
    world.clock.advance(20 * 24 * 3600)
    const after = await ana.api.leaderboard.list({})
    expect([group(after, '7_days'), group(after, '30_days')?.includes(ana.id)]).toEqual([[], true])
  })
})
