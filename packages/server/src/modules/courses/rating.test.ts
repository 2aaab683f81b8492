import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

test('without ratings, the order by rating is the order of creation, in both directions and across pages', async () => {
  const made: number[] = []
  for (let i = 0; i < 7; i++) {
    // Some are created in the same second.
    world.clock.advance(i % 3)
    made.push((await admin.api.courses.create({ title: `Course ${7 - i}`, description: 'x', status: 'published' })).data.id)
  }
  const page = async (order: 'asc' | 'desc' | undefined, number: number) =>
    (await ana.api.courses.list({ orderby: 'rating', ...(order && { order }), per_page: 3, page: number })).courses.data
  const all = async (order?: 'asc' | 'desc') => (await Promise.all([1, 2, 3, 4].map((number) => page(order, number)))).flat()
  expect((await all('asc')).map(({ id }) => id)).toEqual(made)
  expect((await all('desc')).map(({ id }) => id)).toEqual(made.toReversed())
  expect((await all()).map(({ id }) => id)).toEqual(made.toReversed())
  expect(new Set((await all()).map(({ rating, reviews_count }) => `${rating} ${reviews_count}`))).toEqual(new Set(['0 0']))
})
