import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import type { Db } from './index.ts'

/** Writers of one file of SQLite take turns. */
describe.skipIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('a transaction whose row references a deleted one', () => {
  let world: World
  let ana: Member
  beforeAll(async () => {
    world = await createWorld()
    ana = await world.member()
  })
  afterAll(() => world.close())

  const look = (db: Db, id: number) => db.selectFrom('spaces').select('id').where('id', '=', id).executeTakeFirst()
  const join = (db: Db, id: number) =>
    db
      .insertInto('space_members')
      .values({
        space_id: id,
        user_id: ana.id,
        role: 'member',
        status: 'active',
        joined_at: '2026-01-01 00:00:00',
        updated_at: '2026-01-01 00:00:00',
      })
      .execute()

  test('runs again and sees the deletion', async () => {
    const { database } = world.app.services
    const { id } = await makeSpace(world)
    let runs = 0
    const found = await database.write(async (db) => {
      runs += 1
      if (!(await look(db, id))) return 'gone'
      await database.write((other) => other.deleteFrom('spaces').where('id', '=', id).execute())
      await join(db, id)
      return 'there'
    })
    expect([found, runs]).toEqual(['gone', 2])
  })

  test('fails with the database error if the row never existed', async () => {
    await expect(world.app.services.database.write((db) => join(db, 999_999))).rejects.toMatchObject({ code: '23503' })
  })
})
