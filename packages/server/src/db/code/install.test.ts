import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { type Database, migrate, openDatabase, runText } from '../index.ts'
import { trigger } from './code-object.ts'
import { CODE, type Code } from './index.ts'
import { codeState, installCode } from './install.ts'

const NOW = '2026-03-10 12:00:00'
const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const open: Database[] = []
afterAll(() => Promise.all(open.map((database) => database.close())))

/** Several connections to one new database. */
const instances = async (count: number): Promise<Database[]> => {
  const { LYCEUM_DATABASE_URL: url = '' } = await freshEnv()
  const dataDir = mkdtempSync(join(inject('scratch'), 'code-'))
  const made = Array.from({ length: count }, () => openDatabase({ url, dataDir, poolSize: 3 }))
  open.push(...made)
  return made
}

/** The code of this version (1) or of a later one, and a trigger that writes `words` into the location of each new user. */
const codeOf = (version: number, words: string): Code => ({
  version: CODE.version - 1 + version,
  objects: (dialect) => [
    ...CODE.objects(dialect),
    trigger(dialect, {
      name: 'located',
      table: 'users',
      moment: 'after insert',
      when: null,
      statements: [`update users set location = '${words}' where id = new.id`],
    }),
  ],
})

let made = 0
const located = async (database: Database): Promise<string> => {
  made += 1
  const text = `insert into users (username, email, display_name, created_at, updated_at) values ($1, $1, 'x', '${NOW}', '${NOW}')`
  await database.write((db) => runText(db, text, [`user${made}`]))
  const [row] = await runText<{ location: string }>(database.read, 'select location from users where username = $1', [`user${made}`])
  return row?.location ?? ''
}

test('differing objects are installed, once', async () => {
  const [database] = (await instances(1)) as [Database]
  await migrate(database, NOW)
  expect(await installCode(database)).toEqual([])
  expect(await located(database)).toBe('')
  expect(await installCode(database, codeOf(1, 'here'))).toEqual(['located'])
  expect(await installCode(database, codeOf(1, 'here'))).toEqual([])
  expect(await located(database)).toBe('here')
  expect(await installCode(database, codeOf(1, 'there'))).toEqual(['located'])
  expect(await located(database)).toBe('there')
})

test('objects that a version no longer defines are removed', async () => {
  const [database] = (await instances(1)) as [Database]
  await migrate(database, NOW)
  await installCode(database, codeOf(1, 'here'))
  expect(await installCode(database, { ...CODE, version: CODE.version + 1 })).toEqual(['located'])
  expect(await located(database)).toBe('')
})

test('an older version that starts later leaves the definitions of a newer one alone', async () => {
  const [newer, older] = (await instances(2)) as [Database, Database]
  await migrate(older, NOW)
  expect(await installCode(newer, codeOf(2, 'newer'))).toEqual(['located'])
  expect(await installCode(older, codeOf(1, 'older'))).toEqual([])
  expect(await migrate(older, NOW)).toEqual({ migrations: [], code: [] })
  expect(await codeState(older.read)).toMatchObject({ newer: CODE.version + 1 })
  expect(await located(older)).toBe('newer')
})

test('a newer version with the same definitions keeps them as its own', async () => {
  const [database] = (await instances(1)) as [Database]
  await migrate(database, NOW)
  await installCode(database, codeOf(1, 'same'))
  expect(await installCode(database, codeOf(3, 'same'))).toEqual([])
  expect(await installCode(database, codeOf(2, 'other'))).toEqual([])
  expect(await located(database)).toBe('same')
})

// Connections of one process to a file would wait for each other for ever; there processes start at once in test/operations.
test.runIf(onPostgres)('several servers that start concurrently, while another writes, install once, and no write fails', async () => {
  const all = await instances(5)
  const [first, ...others] = all as [Database, ...Database[]]
  await migrate(first, NOW)
  let over = false
  const writing = (async () => {
    let count = 0
    while (!over) {
      await located(first)
      count += 1
    }
    return count
  })()
  const everything: Code = {
    version: CODE.version + 1,
    objects: (dialect) =>
      codeOf(2, 'all')
        .objects(dialect)
        .map((one) => ({ ...one, statements: one.statements.map((text) => text.replace('for each ', 'for each  ')) })),
  }
  const installed = await Promise.all(others.map((database) => installCode(database, everything)))
  over = true
  expect(await writing).toBeGreaterThan(0)
  const expected = everything.objects(first.dialect).map(({ name }) => name)
  expect(installed.flat().sort()).toEqual(expected.toSorted())
  expect(await codeState(first.read, everything)).toEqual({ newer: null, missing: [], different: [], leftover: [] })
})
