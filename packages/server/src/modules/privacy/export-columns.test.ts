import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'
import { runText } from '../../db/index.ts'
import { NOT_EXPORTED, SECTIONS } from './export-sections.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** Columns that the export names differently. */
const EXPORTED_AS: Readonly<Record<string, string>> = { post_id: 'feed_id' }

test.each(['feeds', 'comments'] as const)('every column of %s is exported, or the export says why not', async (table) => {
  const ana = await world.member()
  const { data } = await ana.api.feeds.create({ message: 'Hello' })
  await ana.api.comments.create({ feed_id: data.id, comment: 'Hello again' })
  const { read: db } = world.app.services.database
  const [stored = {}] = await runText<Record<string, unknown>>(db, `select * from ${table} where user_id = $1`, [ana.id])
  const section = SECTIONS.find(({ file }) => file === table)
  const [exported = {}] = (await section?.rows(db, { userId: ana.id, actor: null, origin: '' }, 0, 1)) ?? []
  const left = Object.keys(stored).filter((column) => !((EXPORTED_AS[column] ?? column) in exported))
  expect(left.length).toBeGreaterThan(0)
  expect(left.sort()).toEqual(Object.keys(NOT_EXPORTED[table]).sort())
})
