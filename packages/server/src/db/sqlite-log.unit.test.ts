import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followLog } from './sqlite-log.ts'

const LARGE = 20

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the log is taken into the file while somebody writes on, and begins anew', async () => {
  const file = join(folder, 'notes.db')
  const writer = new Sqlite(file)
  writer.pragma('journal_mode = WAL')
  writer.pragma('synchronous = NORMAL')
  writer.exec('create table notes (text text not null)')
  const log = followLog(file, writer, LARGE)
  const pages = writer.prepare<[], { log: number }>('pragma wal_checkpoint(noop)')
  const add = writer.prepare('insert into notes values (?)')
  let waits = Promise.resolve()
  const between = (work: () => Promise<void>) => {
    waits = work()
    return waits
  }
  let commits = 0
  let restarts = 0
  // The thread takes its time to start; the test ends when the log has begun anew twice.
  for (let before = 0; restarts < 2; commits++) {
    await waits
    add.run('x'.repeat(2000))
    log.committed(between)
    await log.sync()
    const now = pages.get()?.log ?? 0
    if (now < before) restarts += 1
    before = now
  }
  await log.close()
  writer.close()
  expect(statSync(file).size).toBeGreaterThan(commits * 2000)
  const again = new Sqlite(file, { readonly: true })
  expect(again.prepare('select count(*) from notes').pluck().get()).toBe(commits)
  again.close()
})
