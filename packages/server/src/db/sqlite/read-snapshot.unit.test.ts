import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IndexWatch, watchIndex } from './change-detection.ts'
import { createReadSnapshots } from './database.ts'

let folder: string
let writer: Sqlite.Database
let foreign: Sqlite.Database
let reader: Sqlite.Database
let told: number
let index: IndexWatch
let reading: ReturnType<typeof createReadSnapshots>

const open = (readonly = false) => new Sqlite(join(folder, 'test.db'), { readonly })
const put = (connection: Sqlite.Database, n: number) => connection.prepare('insert into things (n) values (?)').run(n)
const count = () => reader.prepare('select count(*) from things').pluck().get()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-reading-'))
  writer = open()
  writer.exec('pragma journal_mode = WAL; create table things (n integer)')
  foreign = open()
  reader = open(true)
  told = 0
  const version = writer.prepare('pragma data_version').pluck()
  let known = version.get()
  index = watchIndex(join(folder, 'test.db'))
  reading = createReadSnapshots(reader, index, () => {
    const now = version.get()
    if (now !== known) told += 1
    known = now
  })
  reading.look()
})
afterEach(() => {
  reading.end()
  for (const one of [reader, foreign, writer]) one.close()
  index.close()
  rmSync(folder, { recursive: true })
})

test('a poll reports a commit of another process once, before it can be read', () => {
  reading.look()
  expect(told).toBe(0)
  put(foreign, 1)
  reading.look()
  expect([told, count()]).toEqual([1, 1])
  reading.look()
  expect(told).toBe(1)
})

test('an own commit is visible after the next poll, and is not reported', () => {
  reading.end()
  put(writer, 1)
  reading.look()
  expect([told, count()]).toEqual([0, 1])
})

test('reads of one snapshot see the same data, and later commits are reported by the next poll', () => {
  reading.look()
  expect(count()).toBe(0)
  put(foreign, 1)
  reading.start()
  expect(count()).toBe(0)
  reading.look()
  expect([told, count()]).toEqual([1, 1])
})

test('a commit of another process during a poll is reported as well', () => {
  reading.end()
  put(writer, 1)
  let late = 1
  const slow = createReadSnapshots(reader, index, () => {
    if (late-- > 0) put(foreign, 2)
    told += 1
  })
  slow.look()
  // Once for what the look found, once for what came while it was told.
  expect([told, count()]).toEqual([2, 2])
  slow.end()
})

test('a poll without new commits takes no lock', async () => {
  reading.look()
  await nextTurn()
  await nextTurn()
  reading.look()
  expect(reader.inTransaction).toBe(false)
  put(foreign, 1)
  reading.look()
  expect([reader.inTransaction, told, count()]).toEqual([true, 1, 1])
})

test('a commit between a poll and the first statement is reported before it is read', async () => {
  reading.look()
  await nextTurn()
  await nextTurn()
  reading.look()
  put(foreign, 1)
  reading.start()
  expect([told, count()]).toEqual([1, 1])
})

test.each(['taken into the file', 'begun anew'])('a commit to a log that was %s is seen', (how) => {
  reading.end()
  put(writer, 1)
  reading.look()
  reading.end()
  writer.pragma('wal_checkpoint(TRUNCATE)')
  if (how === 'begun anew') put(writer, 2)
  reading.look()
  reading.end()
  put(foreign, 3)
  reading.look()
  expect(told).toBe(1)
})

test('a snapshot ends with its event loop iteration', async () => {
  reading.start()
  expect(count()).toBe(0)
  put(foreign, 1)
  await nextTurn()
  await nextTurn()
  expect(reader.inTransaction).toBe(false)
  expect(count()).toBe(1)
})
