import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { waitForEvents } from '#test/wait-for-events.ts'
import { readConfig } from '../../config.ts'
import {
  type Database,
  type Db,
  type EventPosition,
  eventsAfter,
  insertRows,
  isLater,
  latestPosition,
  listTables,
  migrate,
  openDatabase,
  runText,
} from '../index.ts'

const NOW = '2026-03-10 12:00:00'

let database: Database
beforeAll(async () => {
  const { databaseUrl, dataDir } = readConfig(await freshEnv())
  database = openDatabase({ url: databaseUrl, dataDir, poolSize: 6 })
  await migrate(database, NOW)
})
afterAll(() => database.close())

const insert = (db: Db, name: string) =>
  db.insertInto('events').values({ name, actor_id: null, payload: '{}', created_at: NOW }).returning('id').executeTakeFirstOrThrow()

/** Names of what comes after a place, page by page. */
const namesAfter = async (from: EventPosition, limit = 2) => {
  const names: string[] = []
  let place = from
  await waitForEvents(database)
  for (let more = true; more; ) {
    const page = await eventsAfter(database.read, place, limit)
    names.push(...page.events.map(({ name }) => name))
    expect(isLater(place, page.next)).toBe(false)
    ;({ more, next: place } = page)
  }
  return { names, place }
}

test('events are read in pages, each exactly once', async () => {
  const start = await waitForEvents(database)
  for (const name of ['a', 'b', 'c']) await database.write((db) => insert(db, name))
  await database.write(async (db) => {
    await insert(db, 'd')
    await insert(db, 'e')
  })
  const { names, place } = await namesAfter(start)
  expect(names).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect((await namesAfter(place)).names).toEqual([])
  await database.write((db) => insert(db, 'f'))
  expect((await namesAfter(place)).names).toEqual(['f'])
})

test('rolled-back events are never read, and removed ones are skipped', async () => {
  const start = await waitForEvents(database)
  await expect(
    database.write(async (db) => {
      await insert(db, 'lost')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  const { id } = await database.write((db) => insert(db, 'swept'))
  await database.write((db) => insert(db, 'kept'))
  await database.write((db) => db.deleteFrom('events').where('id', '=', id).execute())
  expect((await namesAfter(start)).names).toEqual(['kept'])
  await database.write((db) => db.deleteFrom('events').execute())
  expect(isLater(start, await latestPosition(database.read))).toBe(false)
})

test('an event that is committed late is not skipped', async () => {
  if (database.concurrentWrites === 64) return
  const start = await waitForEvents(database)
  const [inserted, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = database.write(async (db) => {
    await insert(db, 'first')
    inserted.resolve()
    await commit.promise
  })
  await inserted.promise
  await database.write((db) => insert(db, 'second'))
  const early = await eventsAfter(database.read, start, 10)
  expect([early.events, early.held]).toEqual([[], true])
  commit.resolve()
  await slow
  expect((await namesAfter(early.next)).names).toEqual(['first', 'second'])
})

test('restored rows are events like others', async () => {
  const events = (await listTables(database.read)).find(({ name }) => name === 'events')
  expect(events?.columns).toEqual(['id', 'name', 'actor_id', 'payload', 'created_at'])
  const start = await waitForEvents(database)
  await database.write((db) => insertRows(db, 'events', events?.columns ?? [], [[1_000_000, 'restored', null, '{}', NOW]]))
  expect((await namesAfter(start)).names).toEqual(['restored'])
})

test('new events are read through an index', async () => {
  const plan = async (text: string) => JSON.stringify(await runText(database.read, text, []))
  if (database.concurrentWrites === 64)
    expect(await plan('explain query plan select * from events where id > 5 order by id limit 10')).toContain('USING INTEGER PRIMARY KEY')
  else {
    await database.write((db) =>
      insertRows(
        db,
        'events',
        ['id', 'name', 'actor_id', 'payload', 'created_at'],
        Array.from({ length: 2000 }, (_, n) => [2_000_000 + n, 'x', null, '{}', NOW]),
      ),
    )
    await runText(database.read, 'analyze events', [])
    const text = `explain select e.id from (select pg_snapshot_xmin(pg_current_snapshot()) as xmin) x left join lateral (select * from events
      where (xid, id) > ('900000'::xid8, 5::bigint) and xid < x.xmin order by xid, id limit 10) e on true`
    expect(await plan(text)).toMatch(/Index (Only )?Scan using events_commit_order/)
  }
})
