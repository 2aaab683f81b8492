import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseUrl } from '../../test/world.ts'
import { type Database, type Db, migrate, openDatabase, withoutTriggers } from './index.ts'

const NOW = '2026-03-10 12:00:00'
const shared = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

describe.runIf(shared)('a commit tells what it touched', () => {
  let database: Database
  let told: (string[] | 'everything')[] = []
  let user: number
  let feed: number

  const write = async (work: (db: Db) => Promise<unknown>) => {
    told = []
    await database.write(work)
    return told
  }
  const insertUser = (db: Db, username: string) =>
    db
      .insertInto('users')
      .values({
        username,
        email: `${username}@example.org`,
        password_hash: null,
        display_name: username,
        created_at: NOW,
        updated_at: NOW,
        last_activity: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  const feedRow = () => ({
    user_id: user,
    slug: `s${Math.random()}`,
    message: 'x',
    message_rendered: 'x',
    created_at: NOW,
    updated_at: NOW,
    published_at: NOW,
    active_at: NOW,
  })
  const change = (values: object) => write((db) => db.updateTable('feeds').set(values).where('id', '=', feed).execute())

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(inject('scratch'), 'follow-'))
    database = openDatabase({ url: await databaseUrl(), dataDir, poolSize: 4 })
    await migrate(database, NOW)
    database.onCommit((touched) => told.push(touched === 'everything' ? touched : [...touched]))
    user = (await database.write((db) => insertUser(db, 'ana'))).id
    feed = (await database.write((db) => db.insertInto('feeds').values(feedRow()).returning('id').executeTakeFirstOrThrow())).id
  })
  afterAll(() => database.close())

  test('each subject once, after the commit and before the write is answered', async () => {
    const order: string[] = []
    const written = database
      .write(async (db) => {
        await db.updateTable('feeds').set({ title: 'a' }).where('id', '=', feed).execute()
        await db.updateTable('feeds').set({ title: 'b' }).where('id', '=', feed).execute()
        await db.updateTable('users').set({ display_name: 'Ana' }).where('id', '=', user).execute()
        order.push(`${told.length} told in it`)
      })
      .then(() => order.push(`${told.length} told after it`))
    told = []
    await written
    expect([order, told]).toEqual([['0 told in it', '1 told after it'], [[`feed:${feed}`, `user:${user}`]]])
  })

  test('by columns that really changed, and nothing where nothing is followed', async () => {
    expect(await change({ comments_count: 1 })).toEqual([[`feed:${feed}`]])
    expect(await change({ privacy: 'public', listed: 1 })).toEqual([[`feed:${feed}`, 'lists']].map((list) => expect.arrayContaining(list)))
    expect(await change({ privacy: 'public', listed: 1 })).toEqual([[`feed:${feed}`]])
    const seen = (last_activity: string) => write((db) => db.updateTable('users').set({ last_activity }).where('id', '=', user).execute())
    expect(await seen('2026-03-11 12:00:00')).toEqual([])
    const rename = (display_name: string) => write((db) => db.updateTable('users').set({ display_name }).where('id', '=', user).execute())
    expect([await rename('Ana B'), await rename('Ana B')]).toEqual([[[`user:${user}`]], []])
  })

  test('what is inserted, and what a deletion takes along', async () => {
    const made = await database.write((db) => db.insertInto('feeds').values(feedRow()).returning('id').executeTakeFirstOrThrow())
    const row = { post_id: made.id, user_id: user, message: 'x', message_rendered: 'x', created_at: NOW, updated_at: NOW }
    told = []
    const comment = await database.write((db) => db.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow())
    expect(told).toEqual([[`feed:${made.id}`, `comment:${comment.id}`]])
    const gone = await write((db) => db.deleteFrom('feeds').where('id', '=', made.id).execute())
    expect(gone.flat().toSorted()).toEqual([`comment:${comment.id}`, `feed:${made.id}`, 'lists'])
  })

  test('nothing of what is undone, and nothing of the transaction before', async () => {
    told = []
    const undone = database.write(async (db) => {
      await db.updateTable('feeds').set({ title: 'never' }).where('id', '=', feed).execute()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    for (let n = 0; n < 8; n++) await database.write((db) => sql`select 1`.execute(db))
    expect(told).toEqual([])
    await write(async (db) => {
      await sql`savepoint one`.execute(db)
      await db.updateTable('users').set({ display_name: 'never' }).where('id', '=', user).execute()
      await sql`rollback to savepoint one`.execute(db)
      await db.updateTable('feeds').set({ title: 'c' }).where('id', '=', feed).execute()
    })
    expect(told).toEqual([[`feed:${feed}`]])
  })

  test('everything, where it is too much to name, where rows are loaded, and where nobody knows', async () => {
    const rows = Array.from({ length: 600 }, () => ({
      post_id: feed,
      user_id: user,
      message: 'x',
      message_rendered: 'x',
      created_at: NOW,
      updated_at: NOW,
    }))
    expect(await write((db) => db.insertInto('comments').values(rows).execute())).toEqual(['everything'])
    expect(
      await write((db) => withoutTriggers(db, () => db.updateTable('feeds').set({ title: 'd' }).where('id', '=', feed).execute())),
    ).toEqual(['everything'])
    told = []
    const broken = database.write(async (db) => {
      await db.updateTable('feeds').set({ title: 'e' }).where('id', '=', feed).execute()
      // It ends before the commit reaches it.
      const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await sql`select pg_terminate_backend(${own[0]?.pid}::int)`.execute(database.read)
    })
    await expect(broken).rejects.toThrow('unavailable')
    expect(told).toEqual(['everything'])
  })
})
