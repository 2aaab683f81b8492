import { MEMBER_ORDERS } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { FAR } from '../../../core/pagination.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
})
afterAll(() => world.close())

const PER_PAGE = 20
const FAR_PAGE = FAR / PER_PAGE + 1

test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('near and far pages are read from an index in order', async () => {
  const plans = await plansOf(world.app.services.database.read, async () => {
    for (const orderby of MEMBER_ORDERS) {
      for (const order of ['asc', 'desc'] as const) {
        for (const page of [1, FAR_PAGE]) {
          await ana.api.members.list({ orderby, order, page, per_page: PER_PAGE })
          await ana.api.members.list({ orderby, order, page, per_page: PER_PAGE, role: 'member' })
        }
      }
    }
  })
  const lists = plans.filter(({ sql }) => sql.includes('order by'))
  expect(lists.length).toBeGreaterThan(0)
  for (const { sql, steps } of lists) {
    expect({ sql, first: steps[0] }).toEqual({
      sql,
      first: expect.stringMatching(/^SCAN u USING (COVERING )?INDEX users_(newest|name|last_activity|changed)$/),
    })
    expect({ sql, sorts: steps.filter((step) => step.includes('TEMP B-TREE')) }).toEqual({ sql, sorts: [] })
  }
})

test.runIf(process.env.LYCEUM_TEST_DATABASE === 'sqlite')('a far page skips rows within the index', async () => {
  for (const orderby of MEMBER_ORDERS) {
    const plans = await plansOf(world.app.services.database.read, () =>
      ana.api.members.list({ orderby, page: FAR_PAGE, per_page: PER_PAGE }),
    )
    const far = plans.filter(({ sql }) => sql.startsWith('select u.id from users u'))
    expect(far.flatMap(({ steps }) => steps)).toEqual([expect.stringContaining('USING COVERING INDEX')])
  }
})

test('the pages of a list contain every member once, from either end', async () => {
  await world.app.write(null, async ({ db, now }) => {
    const people = Array.from({ length: 2 * FAR }, (_, i) => ({
      username: `crowd${i}`,
      email: `crowd${i}@example.org`,
      display_name: `Crowd ${i % 7}`,
      created_at: `2020-01-01 00:00:0${i % 3}`,
      updated_at: now,
    }))
    for (let i = 0; i < people.length; i += 100)
      await db
        .insertInto('users')
        .values(people.slice(i, i + 100))
        .execute()
  })
  const total = 2 * FAR + 1
  for (const orderby of MEMBER_ORDERS) {
    for (const order of ['asc', 'desc'] as const) {
      const ids: number[] = []
      for (let page = 1; page <= Math.ceil(total / 100) + 1; page++) {
        const { members } = await ana.api.members.list({ orderby, order, page, per_page: 100 })
        expect(members.total).toBe(total)
        ids.push(...members.data.map(({ user_id }) => user_id))
      }
      const all = await world.app.services.database.read
        .selectFrom('users')
        .select(['id', 'display_name', 'created_at', 'updated_at', 'last_activity'])
        .execute()
      const by = { created_at: 'created_at', display_name: 'display_name', last_seen: 'last_activity', updated_at: 'updated_at' } as const
      const keyOf = (row: (typeof all)[number]) => row[by[orderby]] ?? ''
      const sorted = all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id)).map(({ id }) => id)
      expect(ids).toEqual(order === 'asc' ? sorted : sorted.reverse())
    }
  }
})
