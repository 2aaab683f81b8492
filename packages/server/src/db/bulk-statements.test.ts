import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { readConfig } from '../config.ts'
import {
  type Database,
  insertRows,
  listTables,
  migrate,
  openDatabase,
  readRows,
  readSequences,
  reserveRange,
  runText,
  updateRows,
  type Value,
  writeSequences,
} from './index.ts'

const NOW = '2026-03-10 12:00:00'

let database: Database

beforeAll(async () => {
  const { databaseUrl, dataDir } = readConfig(await freshEnv())
  database = openDatabase({ url: databaseUrl, dataDir, poolSize: 4 })
  await migrate(database, NOW)
})
afterAll(() => database.close())

const userRow = (id: number): Value[] => [id, `user${id}`, `user${id}@example.org`, `Name ${id}`, NOW, NOW]
const USER = ['id', 'username', 'email', 'display_name', 'created_at', 'updated_at']
const tableNamed = async (name: string) => (await listTables(database.read)).find((table) => table.name === name)!

describe('tables', () => {
  test('are sorted by their references, with their keys; full-text and migration tables are left out', async () => {
    const tables = await listTables(database.read)
    const names = tables.map((table) => table.name)
    expect(names).toEqual(expect.arrayContaining(['users', 'feeds', 'comments', 'survey_votes', 'jobs', 'settings']))
    expect(names.filter((name) => /search|migrations|sqlite/.test(name))).toEqual([])
    for (const [i, table] of tables.entries()) {
      expect(table.key.length).toBeGreaterThan(0)
      for (const target of table.references) expect(names.indexOf(target)).toBeLessThan(i)
    }
    expect((await tableNamed('survey_votes')).key).toEqual(['feed_id', 'user_id', 'slot'])
    expect((await tableNamed('comments')).references).toEqual(expect.arrayContaining(['users', 'feeds']))
  })
})

describe('many rows', () => {
  test.each([0, 1, 2, 3, 511, 512, 513, 1500])('%i are inserted and read back in order', async (count) => {
    await database.write((db) => runText(db, 'delete from users', []))
    const wanted = Array.from({ length: count }, (_, i) => userRow(i + 1))
    await database.write((db) => insertRows(db, 'users', USER, wanted))
    const found: Value[][] = []
    for await (const page of readRows(database.read, { ...(await tableNamed('users')), columns: USER }, 100)) found.push(...page)
    expect(found).toEqual(wanted)
  })

  test('are updated with the given values', async () => {
    await database.write((db) =>
      updateRows(
        db,
        'users',
        { id: 'bigint', n: 'bigint', name: 'text' },
        'total_points = total_points + d.n, display_name = d.name',
        'users.id = d.id',
        Array.from({ length: 700 }, (_, i) => [i + 1, i, `New ${i}`]),
      ),
    )
    const rows = await runText<{ id: number; total_points: number; display_name: string }>(
      database.read,
      'select id, total_points, display_name from users where id in (1, 2, 700, 701) order by id',
      [],
    )
    expect(rows).toEqual([
      { id: 1, total_points: 0, display_name: 'New 0' },
      { id: 2, total_points: 1, display_name: 'New 1' },
      { id: 700, total_points: 699, display_name: 'New 699' },
      { id: 701, total_points: 0, display_name: 'Name 701' },
    ])
  })

  test('of a table with a key of several columns are read page by page', async () => {
    const rows = Array.from({ length: 25 }, (_, i): Value[] => [`scope${i % 3}`, `key${i}`, 'h', 200, '', NOW])
    await database.write((db) => insertRows(db, 'idempotency_keys', ['scope', 'key', 'request_hash', 'status', 'body', 'created_at'], rows))
    const keys: string[] = []
    for await (const page of readRows(database.read, { ...(await tableNamed('idempotency_keys')), columns: ['scope', 'key'] }, 4)) {
      expect(page.length).toBeLessThanOrEqual(4)
      keys.push(...page.map((row) => row.join('/')))
    }
    expect(keys).toEqual([...keys].sort())
    expect(new Set(keys).size).toBe(25)
  })
})

describe('ids', () => {
  test('that were reserved are given to nobody else', async () => {
    const reserve = async () => {
      const first = await database.write((db) => reserveRange(db, 'space_groups', 5))
      return [0, 1, 2, 3, 4].map((i) => first + i)
    }
    const insert = async () => {
      const text = `insert into space_groups (title, slug, position, settings, created_at, updated_at) values ('g', $1, 1, '{}', '${NOW}', '${NOW}') returning id`
      return (await database.write((db) => runText<{ id: number }>(db, text, [crypto.randomUUID()]))).map((row) => row.id)
    }
    const given = (await Promise.all([reserve(), insert(), reserve(), insert(), reserve()])).flat()
    expect(new Set(given).size).toBe(17)
    const [own] = await insert()
    expect(own).toBeGreaterThan(Math.max(...given))
  })

  test('continue after those of another database', async () => {
    await database.write((db) => writeSequences(db, { spaces: 41, feeds: 0 }))
    expect((await readSequences(database.read)).spaces).toBe(41)
    expect(await database.write((db) => reserveRange(db, 'spaces', 2))).toBe(42)
    expect(await database.write((db) => reserveRange(db, 'spaces', 1))).toBe(44)
    expect(await database.write((db) => reserveRange(db, 'feeds', 1))).toBe(1)
  })
})
