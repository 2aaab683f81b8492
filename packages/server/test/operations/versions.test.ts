import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { appliedMigrations, holdData, knownMigrations } from '../../src/db/index.ts'
import { type Env, freshEnv, lyceum, lyceumJson, lyceumProcess, readyEnv } from '../command.ts'
import { makePeople } from '../crash/stage.ts'
import { SOAK, tell } from '../soak.ts'
import { withDatabase } from './hash.ts'
import { openLine } from './line.ts'
import { endAll, type Serving, serving, spawnLyceum, startServing } from './process.ts'
import { bringFuture, everythingIn, makeOld, schemaOf, statementsFrom } from './schema.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const DIALECT = onPostgres ? 'postgres' : 'sqlite'
const KILLS = SOAK === 1 ? 1 : 3 * SOAK
const TWINS = SOAK
const PATIENCE_MS = 120_000 + KILLS * 9_000 + TWINS * 10_000
const ALL = knownMigrations()
const KILLED = fileURLToPath(new URL('./killed-migration.ts', import.meta.url))
const OLD = fileURLToPath(new URL('./old-version.ts', import.meta.url))

/** Nothing yet, in a place that is there. */
const emptyPlace = async (): Promise<Env> => {
  const env = await freshEnv()
  mkdirSync(env['LYCEUM_DATA_DIR'] ?? '', { recursive: true, mode: 0o700 })
  return env
}
const placeOf = (env: Env) => {
  const { databaseUrl: url, dataDir } = readConfig(env)
  return { url, dataDir }
}
const names = async (env: Env) =>
  (await withDatabase(env, ({ read }) => read.selectFrom('users').select('username').orderBy('id').execute())).map(
    ({ username }) => username,
  )
const applied = (env: Env) => withDatabase(env, ({ read }) => appliedMigrations(read))

let fresh: string[]
afterAll(endAll)
beforeAll(async () => {
  fresh = await schemaOf(await readyEnv())
})

test(
  'tables of each earlier version become those of a new community, and keep what is in them',
  async () => {
    const from = ALL.map((_, i) => i + 1).filter((n) => n < ALL.length && (SOAK > 1 || n === 4))
    for (const n of from) {
      const env = await emptyPlace()
      await makeOld(env, n)
      expect(await lyceumJson(env, 'migrate')).toEqual({ applied: ALL.slice(n) })
      expect(await schemaOf(env)).toEqual(fresh)
      expect(await names(env)).toEqual(['old'])
      expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true })
    }
    tell({ 'earlier versions': from.length })
  },
  PATIENCE_MS,
)

/** Of every way to end one: what ends there, and how. */
const ENDS = [
  { command: 'migrate', signal: 'SIGKILL', how: [null, 'SIGKILL'] },
  { command: 'migrate', signal: 'SIGTERM', how: [null, 'SIGTERM'] },
  { command: 'serve', signal: 'SIGTERM', how: [0, null] },
] as const

test(
  `a migration that is killed or told to stop at one of its statements, ${KILLS} times each, is done or has changed nothing, and the next start does it`,
  async () => {
    const undone = { SIGKILL: 0, SIGTERM: 0 }
    for (let i = 0; i < KILLS * ENDS.length; i++) {
      const { command, signal, how } = ENDS[i % ENDS.length] as (typeof ENDS)[number]
      const version = 1 + ((i * 7) % (ALL.length - 1))
      const statements = statementsFrom(DIALECT, version)
      if (statements === 0) continue
      const env = await emptyPlace()
      await makeOld(env, version)
      const before = await everythingIn(env)
      const at = Math.floor((statements * i) / (KILLS * ENDS.length))
      const { ended, said } = spawnLyceum(env, [String(at), signal, command], KILLED)
      expect([await ended, said()]).toEqual([how, ''])
      // A server hears of it between two statements, or when all are done.
      const isDone = command === 'serve' && (await applied(env)).length === ALL.length
      if (!isDone) {
        undone[signal] += 1
        expect(await everythingIn(env)).toEqual(before)
      }
      expect(await lyceumJson(env, 'migrate')).toEqual({ applied: isDone ? [] : ALL.slice(version) })
      expect(await schemaOf(env)).toEqual(fresh)
      expect(await names(env)).toEqual(['old'])
    }
    expect(Math.min(undone.SIGKILL, undone.SIGTERM)).toBeGreaterThan(0)
    tell({ 'migrations killed': undone.SIGKILL, 'told to stop': undone.SIGTERM })
  },
  PATIENCE_MS,
)

test(
  'two that begin at once migrate once',
  async () => {
    for (let i = 0; i < TWINS; i++) {
      const env = await emptyPlace()
      await makeOld(env, ALL.length - 2)
      const both = await Promise.all([lyceumProcess(env, ['migrate', '--json']), lyceumProcess(env, ['migrate', '--json'])])
      expect(both.map(({ code, err }) => [code, err])).toEqual([
        [0, ''],
        [0, ''],
      ])
      const ran = both.map(({ out }) => (JSON.parse(out) as { applied: string[] }).applied)
      expect(ran.sort((a, b) => a.length - b.length)).toEqual([[], ALL.slice(-2)])

      const place = await emptyPlace()
      await makeOld(place, ALL.length - 1)
      const servers = await Promise.allSettled([startServing(place), startServing(place)])
      const started = servers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(started).toHaveLength(onPostgres ? 2 : 1)
      for (const server of started) server.signal('SIGTERM')
      for (const server of started) expect(await server.ended).toBe(0)
      expect(await applied(place)).toEqual(ALL)
      expect(await schemaOf(place)).toEqual(fresh)
    }
    tell({ 'begun at once': 2 * TWINS })
  },
  PATIENCE_MS,
)

const startOld = (env: Env): Promise<Serving> => serving(spawnLyceum(env, 'serve', OLD))

test(
  'while a server of the old version writes, nothing of the new one touches its tables; after it, all is there',
  async () => {
    const env = { ...(await emptyPlace()), LYCEUM_RATE_LIMIT: 'off' }
    await makeOld(env, ALL.length - 1)
    const old = await startOld(env)
    const held = holdData(placeOf(env), 'restore').then(
      () => 'free',
      () => 'held',
    )
    expect(await held).toBe('held')
    const made = await lyceum(
      env,
      ['user', 'create', '--username', 'ana', '--email', 'a@example.org', '--role', 'admin'],
      'Quiet-river-7431\n',
    )
    expect(made).toMatchObject({ code: 1, err: expect.stringMatching(/those of an older version, and a server runs on them/) })
    expect(await lyceum(env, ['migrate'])).toMatchObject({ code: 1, err: expect.stringMatching(/a server runs on them: stop it first/) })
    expect(await lyceumJson(env, 'migrate', '--dry-run')).toEqual({ pending: ALL.slice(-1) })
    await expect(startServing(env)).rejects.toThrow(onPostgres ? /a server of another version/ : /a server \(process \d+/)
    expect(await applied(env)).toEqual(ALL.slice(0, -1))

    const account = { username: 'ben', email: 'ben@example.org', password: 'Quiet-river-7431' }
    const line = openLine(old.base, '')
    expect(await line.send('POST', '/auth/register', { body: JSON.stringify(account) })).toMatchObject({ status: 201 })
    line.close()
    old.signal('SIGTERM')
    expect(await old.ended).toBe(0)
    const server = await startServing(env)
    expect(await applied(env)).toEqual(ALL)
    expect(await names(env)).toEqual(['old', 'ben'])
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    await expect(startOld(env)).rejects.toThrow(/newer Lyceum/)
  },
  PATIENCE_MS,
)

test(
  'what a later version has written is refused by every command, and stays as it is',
  async () => {
    const env = await readyEnv()
    await makePeople(env, 1)
    const file = `${env['LYCEUM_DATA_DIR']}.lyceum`
    await lyceumJson(env, 'backup', file)
    await bringFuture(env)
    const before = await everythingIn(env)
    const commands = [['serve'], ['migrate'], ['doctor'], ['user', 'list'], ['jobs'], ['restore', file], ['points', 'rebuild']]
    for (const args of commands) {
      const { code, out, err } = args[0] === 'serve' ? await lyceumProcess(env, args) : await lyceum(env, args)
      expect([args[0], code, out]).toEqual([args[0], 1, ''])
      expect(err).toMatch(args[0] === 'restore' ? /newer Lyceum|holds a community/ : /newer Lyceum/)
    }
    expect(await everythingIn(env)).toEqual(before)
  },
  PATIENCE_MS,
)

describe('found out would be', () => {
  test('a table that differs, and a row', async () => {
    const env = await readyEnv()
    await makePeople(env, 1)
    const before = await everythingIn(env)
    await withDatabase(env, ({ write }) => write((db) => db.updateTable('users').set({ display_name: 'Other' }).execute()))
    expect(await everythingIn(env)).not.toEqual(before)
    await withDatabase(env, ({ write }) => write((db) => db.schema.createIndex('stray').on('users').column('display_name').execute()))
    expect(await schemaOf(env)).not.toEqual(fresh)
  })
})
