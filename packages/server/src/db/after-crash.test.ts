import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshEnv } from '#test/command.ts'
import { createDatabase } from '#test/services/database.ts'
import { type Killable, startKillablePostgres } from '#test/services/postgres.ts'
import { findPostgres } from '#test/services/programs.ts'
import { readConfig } from '../config.ts'
import { feedChangesAfter, feedChangesNow } from './changes/feed-index-changelog.ts'
import { type Database, type Db, eventsAfter, latestPosition, migrate, openDatabase, runText } from './index.ts'

/*
 * A transaction that leaves nothing behind writes nothing to the log. After a crash the server gives its number to another one: whoever had
 * read up to that number must not miss what comes under it.
 */

const NOW = '2026-03-10 12:00:00'
const TRACELESS = 40

let cluster: Killable | null = null
let database: Database

beforeAll(async () => {
  if (process.env['LYCEUM_TEST_DATABASE'] === 'postgres' && findPostgres()) cluster = await startKillablePostgres()
  const { databaseUrl, dataDir } = readConfig(await freshEnv(cluster ? 'sqlite' : undefined))
  database = openDatabase({ url: cluster ? await createDatabase(cluster.url) : databaseUrl, dataDir, poolSize: 4 })
  await migrate(database, NOW)
})
afterAll(async () => {
  await database.close()
  await cluster?.stop()
})

const insertEvent = (name: string) =>
  database.write((db) => db.insertInto('events').values({ name, actor_id: null, payload: '{}', created_at: NOW }).execute())
const noteFeed = (id: number) => database.write((db) => runText(db, `insert into feed_index_changelog (feed_id) values (${id})`, []))

/** Takes numbers for transactions of which nothing remains. */
const leaveNoTrace = async () => {
  if (database.dialect === 'sqlite') return
  for (let i = 0; i < TRACELESS; i++) {
    const undone = database.write(async (db: Db) => {
      await runText(db, 'select pg_current_xact_id()', [])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
  }
}

test('a reader that was up to date reads what is written after a crash', async () => {
  await insertEvent('before')
  await noteFeed(1)
  await leaveNoTrace()
  const begun = await latestPosition(database.read)
  const { next } = await eventsAfter(database.read, begun, 10)
  const noted = await feedChangesAfter(database.read, await feedChangesNow(database.read))
  await cluster?.kill()
  await cluster?.start()
  for (let tries = 0; tries < 4; tries++) await runText(database.read, 'select 1', []).catch(() => {})
  await insertEvent('after')
  await noteFeed(2)
  const namesAfter = async (from: typeof next) => (await eventsAfter(database.read, from, 10)).events.map(({ name }) => name)
  expect([await namesAfter(begun), await namesAfter(next)]).toEqual([['after'], ['after']])
  expect((await feedChangesAfter(database.read, noted.next)).feeds).toEqual([2])
})
