import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
})
afterAll(() => world.close())

test('an intact database passes, also after a search and many writes', async () => {
  const { database } = world.app.services
  const write = async (from: number, to: number) => {
    for (let i = from; i < to; i++) await ana.api.feeds.create({ message: `word${i} and others` })
  }
  await write(0, 10)
  expect((await ana.api.feeds.list({ search: 'word1' })).feeds.total).toBe(1)
  await write(10, 200)
  expect(await database.integrity()).toEqual([])
})
