import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const GROUPS = 12
const SPACES = 12
const ROUNDS = 8

let world: World
let boss: Member
beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  boss = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const rows = (table: 'space_groups' | 'spaces') =>
  world.app.services.database.read.selectFrom(table).select(['id', 'position']).orderBy('position').execute()
const rotated = <T>(list: readonly T[], by: number): T[] => [...list.slice(by), ...list.slice(0, by)]
const statuses = async (answers: readonly Promise<{ status: number }>[]) => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
]

test('concurrent reorderings of groups end in one of the requested orders', async () => {
  const ids: number[] = []
  for (let i = 0; i < GROUPS; i++) ids.push((await boss.api.spaceGroups.create({ title: `Group ${i}` })).space_group.id)
  const orders = Array.from({ length: GROUPS * 2 }, (_, i) => (i % 2 === 0 ? rotated(ids, i >> 1) : rotated(ids, i >> 1).reverse()))
  const answers = orders.map((group_ids) => boss.raw('PATCH', '/spaces/space_groups/re-index', { group_ids }))
  expect(await statuses(answers)).toEqual([200])
  const found = await rows('space_groups')
  expect(found.map(({ position }) => position)).toEqual(ids.map((_, i) => i + 1))
  expect(orders).toContainEqual(found.map(({ id }) => id))
})

test('concurrent moves and reorderings lose no space', async () => {
  const spaces: Space[] = []
  for (let i = 0; i < SPACES; i++) spaces.push(await makeSpace(world))
  const ids = spaces.map(({ id }) => id)
  const groups = (await rows('space_groups')).slice(0, 2).map(({ id }) => id)
  const answers: Promise<{ status: number }>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? rotated(ids, round) : rotated(ids, round).reverse()
    answers.push(boss.raw('PATCH', '/spaces/space_groups/re-index-spaces', { space_ids: order, group_id: groups[round % 2] }))
    for (const space_id of [order[0], order[5], order[9]])
      answers.push(boss.raw('PATCH', '/spaces/space_groups/move-space', { space_id, group_id: groups[(round + 1) % 2], serial: 1 }))
  }
  expect(await statuses(answers)).toEqual([200])
  expect((await rows('spaces')).length).toBe(SPACES)
})
