import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWalSync } from './wal-sync.ts'

const LARGE = 20

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Writes again and again, with a log that is looked after, until `enough` says so of how many pages the log has, and how many were taken in. */
const writeUntil = async (file: string, large: number, enough: (pages: number, taken: number) => boolean): Promise<number> => {
  const writer = new Sqlite(file)
  writer.pragma('journal_mode = WAL')
  writer.pragma('synchronous = NORMAL')
  writer.exec('create table if not exists notes (text text not null)')
  const log = createWalSync(file, writer, large)
  const pages = writer.prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')
  const add = writer.prepare('insert into notes values (?)')
  let waits = Promise.resolve()
  const between = (work: () => Promise<void>) => {
    waits = work()
    return waits
  }
  let commits = 0
  for (let done = false; !done; commits++) {
    await waits
    add.run('x'.repeat(2000))
    log.committed(between)
    await log.sync()
    const { log: now = 0, checkpointed = 0 } = pages.get() ?? {}
    done = enough(now, checkpointed)
  }
  await log.close()
  writer.close()
  return commits
}

test('the WAL is checkpointed during writes, and restarts', async () => {
  const file = join(folder, 'notes.db')
  let restarts = 0
  let before = 0
  // The thread takes its time to start; the test ends when the log has begun anew twice.
  const commits = await writeUntil(file, LARGE, (pages) => {
    if (pages < before) restarts += 1
    before = pages
    return restarts === 2
  })
  expect(statSync(file).size).toBeGreaterThan(commits * 2000)
  const again = new Sqlite(file, { readonly: true })
  expect(again.prepare('select count(*) from notes').pluck().get()).toBe(commits)
  again.close()
})

test('a checkpoint blocked by a reader is retried soon, not when the WAL has doubled', async () => {
  const file = join(folder, 'notes.db')
  const [large, held] = [400, 200]
  await writeUntil(file, large, (pages) => pages > 5)
  const reader = new Sqlite(file, { readonly: true })
  let before = 0
  let leftAt = 0
  await writeUntil(file, large, (pages, taken) => {
    if (before < held && pages >= held) reader.exec('begin; select count(*) from notes')
    if (reader.inTransaction && taken > 0) {
      reader.exec('commit')
      leftAt = pages
    }
    const anew = pages < before
    before = Math.max(before, pages)
    return anew
  })
  reader.close()
  expect(leftAt).toBeGreaterThanOrEqual(large)
  expect(before - leftAt).toBeLessThan(large / 2)
})
