import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { databaseUrl } from '#test/world.ts'
import { type ChangeSubscription, type Database, type Db, migrate, openDatabase, withoutTriggers } from '../index.ts'

const NOW = '2026-03-10 12:00:00'
const shared = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

describe.runIf(shared)('a poll reports committed changes', () => {
  let database: Database
  let databaseAt: string
  let told: (string[] | 'everything')[] = []
  /** Tags of tables that the last poll reported. */
  let tables: string[] = []
  let following: ChangeSubscription
  let user: number
  let feed: number

  /** What is told by a look at this moment. */
  const looked = async () => {
    told = []
    expect(await following.poll()).toBe(true)
    return told
  }
  const write = async (work: (db: Db) => Promise<unknown>) => {
    await looked()
    await database.write(work)
    return (await looked()).map((subjects) => (subjects === 'everything' ? subjects : subjects.toSorted()))
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
    databaseAt = await databaseUrl()
    const dataDir = mkdtempSync(join(inject('scratch'), 'follow-'))
    database = openDatabase({ url: databaseAt, dataDir, poolSize: 4 })
    await migrate(database, NOW)
    following = database.subscribeToChanges((touched) => {
      const tags = touched === 'everything' ? [] : [...touched]
      const rows = tags.filter((tag) => !tag.startsWith('table:'))
      tables = tags.filter((tag) => tag.startsWith('table:'))
      if (touched === 'everything') told.push(touched)
      else if (rows.length > 0) told.push(rows)
    }) as ChangeSubscription
    user = (await database.write((db) => insertUser(db, 'ana'))).id
    feed = (await database.write((db) => db.insertInto('feeds').values(feedRow()).returning('id').executeTakeFirstOrThrow())).id
  })
  afterAll(() => database.close())

  test('each tag once, after the commit and not before', async () => {
    await looked()
    await database.write(async (db) => {
      await db.updateTable('feeds').set({ title: 'a' }).where('id', '=', feed).execute()
      await db.updateTable('feeds').set({ title: 'b' }).where('id', '=', feed).execute()
      await db.updateTable('users').set({ display_name: 'Ana' }).where('id', '=', user).execute()
      expect(await looked()).toEqual([])
    })
    const [subjects] = await looked()
    expect([...(subjects ?? [])].sort()).toEqual([`feed:${feed}`, `profile:${user}`, 'titles', `user:${user}`, `words:${feed}`])
    expect(await looked()).toEqual([])
  })

  test('by columns that changed, and nothing for untracked ones', async () => {
    expect(await change({ message_rendered: 'y' })).toEqual([[`feed:${feed}`, `words:${feed}`]])
    expect(await change({ privacy: 'public', listed: 1 })).toEqual([expect.arrayContaining([`feed:${feed}`, 'lists', 'visibility'])])
    expect(await change({ privacy: 'public', listed: 1 })).toEqual([[`feed:${feed}`]])
    const rename = (display_name: string) => write((db) => db.updateTable('users').set({ display_name }).where('id', '=', user).execute())
    expect([await rename('Ana B'), await rename('Ana B')]).toEqual([[[`profile:${user}`, `user:${user}`]], [[`profile:${user}`]]])
    const row = { user_id: user, name: 'x', hash: 'x', created_at: NOW }
    expect(await write((db) => db.insertInto('application_passwords').values(row).execute())).toEqual([])
  })

  test('inserts, and cascading deletes', async () => {
    const made = await database.write((db) => db.insertInto('feeds').values(feedRow()).returning('id').executeTakeFirstOrThrow())
    const row = { post_id: made.id, user_id: user, message: 'x', message_rendered: 'x', created_at: NOW, updated_at: NOW }
    await looked()
    const comment = await database.write((db) => db.insertInto('comments').values(row).returning('id').executeTakeFirstOrThrow())
    expect((await looked())[0]).toEqual(expect.arrayContaining([`feed:${made.id}`, `comment:${comment.id}`, `writer:${user}`]))
    const gone = await write((db) => db.deleteFrom('feeds').where('id', '=', made.id).execute())
    expect(gone[0]).toEqual(expect.arrayContaining([`comment:${comment.id}`, `feed:${made.id}`, 'lists', 'visibility']))
  })

  test('each table once', async () => {
    const row = { user_id: user, name: 'y', hash: 'y', created_at: NOW }
    await write((db) => db.insertInto('application_passwords').values(row).execute())
    expect(tables).toEqual(['table:application_passwords'])
    await write(async (db) => {
      for (const title of ['x', 'y']) await db.updateTable('feeds').set({ title }).where('id', '=', feed).execute()
      await db.deleteFrom('topics').execute()
    })
    expect(tables.filter((tag) => ['table:feeds', 'table:topics'].includes(tag)).toSorted()).toEqual(['table:feeds', 'table:topics'])
  })

  test('nothing of a rollback, and nothing of the previous transaction', async () => {
    await looked()
    const undone = database.write(async (db) => {
      await db.updateTable('feeds').set({ title: 'never' }).where('id', '=', feed).execute()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    for (let n = 0; n < 8; n++) await database.write((db) => sql`select 1`.execute(db))
    expect(await looked()).toEqual([])
    const told = await write(async (db) => {
      await sql`savepoint one`.execute(db)
      await db.updateTable('users').set({ display_name: 'never' }).where('id', '=', user).execute()
      await sql`rollback to savepoint one`.execute(db)
      await db.updateTable('feeds').set({ message_rendered: 'c' }).where('id', '=', feed).execute()
    })
    expect(told).toEqual([[`feed:${feed}`, `words:${feed}`]])
  })

  test('everything, for too many tags and for bulk loads', async () => {
    const row = { post_id: feed, user_id: user, message: 'x', message_rendered: 'x', created_at: NOW, updated_at: NOW }
    const many = (n: number) => write((db) => db.insertInto('comments').values(Array(n).fill(row)).execute())
    expect((await many(600))[0]).toHaveLength(602)
    expect(await many(2500)).toEqual(['everything'])
    expect(
      await write((db) => withoutTriggers(db, () => db.updateTable('feeds').set({ title: 'd' }).where('id', '=', feed).execute())),
    ).toEqual(['everything'])
  })

  test('manual changes, and those of long transactions', async () => {
    const other = openDatabase({ url: databaseAt, dataDir: mkdtempSync(join(inject('scratch'), 'other-')), poolSize: 2 })
    await looked()
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>()
    const slow = other.write(async (db) => {
      await db.updateTable('feeds').set({ message_rendered: 'slow' }).where('id', '=', feed).execute()
      begun()
      await mayEnd
    })
    await hasBegun
    await sql`update users set display_name = 'By hand' where id = ${user}`.execute(database.read)
    expect(await looked()).toEqual([[`user:${user}`, `profile:${user}`]])
    expect(await looked()).toEqual([])
    end()
    await slow
    expect(await looked()).toEqual([[`feed:${feed}`, `words:${feed}`]])
    await other.close()
  })

  test('everything, once entries since the last poll were pruned; entries of another cluster are ignored', async () => {
    await looked()
    await sql`insert into cache_invalidations (xid, tags) values ('9000000000', 'user:1')`.execute(database.read)
    await database.write((db) => db.updateTable('feeds').set({ title: 'e' }).where('id', '=', feed).execute())
    await sql`update cache_invalidation_watermark set watermark = pg_snapshot_xmax(pg_current_snapshot())`.execute(database.read)
    expect(await looked()).toEqual(['everything'])
    const fresh = openDatabase({ url: databaseAt, dataDir: mkdtempSync(join(inject('scratch'), 'fresh-')), poolSize: 2 })
    const heard: unknown[] = []
    const first = fresh.subscribeToChanges((touched) => heard.push(touched))
    expect(await first?.poll()).toBe(true)
    expect(heard).toEqual(['everything'])
    await fresh.close()
    expect(await sql`select 1 from cache_invalidations where xid = '9000000000'`.execute(database.read)).toMatchObject({ rows: [] })
  })

  test('everything after a crash, which empties the log, and later writes', async () => {
    await looked()
    await change({ message_rendered: 'before' })
    await database.write((db) => db.updateTable('feeds').set({ message_rendered: 'unreported' }).where('id', '=', feed).execute())
    await sql`truncate cache_invalidations, cache_invalidation_watermark`.execute(database.read)
    expect(await looked()).toEqual(['everything'])
    expect(await change({ message_rendered: 'after' })).toEqual([[`feed:${feed}`, `words:${feed}`]])
  })

  test('with one statement for concurrent polls', async () => {
    const { rows: before } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity`.execute(database.read)
    await database.write((db) => db.updateTable('feeds').set({ message_rendered: 'f' }).where('id', '=', feed).execute())
    told = []
    expect(await Promise.all(Array.from({ length: 200 }, () => following.poll()))).toEqual(Array(200).fill(true))
    expect(told).toEqual([[`feed:${feed}`, `words:${feed}`]])
    const { rows: after } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity`.execute(database.read)
    expect(after[0]?.n).toBeLessThanOrEqual((before[0]?.n ?? 0) + 1)
  })
})
