import { beforeAll, expect, test } from 'vitest'
import { type Env, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { withDatabase } from '#test/hash.ts'
import { schemaOf } from '#test/schema.ts'
import { runText } from '../../db/index.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

interface Report {
  readonly violations: readonly { readonly check: string; readonly count: number; readonly examples: readonly string[] }[]
  readonly warnings: readonly string[]
}

let env: Env
let whole: string[]
beforeAll(async () => {
  env = await readyEnv()
  whole = await schemaOf(env)
})

const run = (...texts: string[]) =>
  withDatabase(env, ({ write }) =>
    write(async (db) => {
      for (const text of texts) await runText(db, text, [])
    }),
  )
const report = async (): Promise<Report> => JSON.parse((await lyceum(env, ['doctor', '--json'])).out) as Report
const found = async () => (await report()).violations.map(({ check, examples }) => [check, ...examples.toSorted()])

const DROP = onPostgres ? 'drop trigger analytics_feed_added on feeds' : 'drop trigger analytics_feed_added'
const REPLACE = onPostgres
  ? ['create or replace function feed_index_added() returns trigger language plpgsql as $b$ begin return null; end $b$']
  : ['drop trigger feed_index_added', 'create trigger feed_index_added after insert on feeds begin select 1; end']
const LEFTOVER = onPostgres
  ? 'create trigger follow_old after insert on users for each row execute function feed_index_added()'
  : 'create trigger follow_old after insert on users begin select 1; end'

test('missing, changed and leftover triggers are reported, and reinstalled by --repair', async () => {
  expect(await found()).toEqual([])
  await run(DROP, ...REPLACE, LEFTOVER, ...(onPostgres ? ['alter table users disable trigger invalidate_users_update'] : []))
  const expected = [
    'analytics_feed_added is missing',
    'feed_index_added differs',
    'follow_old is obsolete',
    ...(onPostgres ? ['invalidate_users_update differs'] : []),
  ]
  expect(await found()).toEqual([['triggers', ...expected]])
  const { repaired } = await lyceumJson<{ repaired: { check: string; ids: string[] }[] }>(env, 'doctor', '--repair')
  expect(repaired.map(({ check, ids }) => [check, ids.length])).toEqual([['triggers', expected.length]])
  expect(await found()).toEqual([])
  expect(await schemaOf(env)).toEqual(whole)
})

test('missing tables, columns and indexes are reported; unknown ones are a warning', async () => {
  await run(
    'drop index bookmarks_user',
    'alter table users drop column location',
    'create table strange (id integer)',
    'alter table topics add column strange text',
  )
  expect(await found()).toEqual([['tables', 'index bookmarks_user is missing', 'users.location is missing']])
  expect((await report()).warnings).toContain('unknown to this version: strange, strange.id, topics.strange')
})
