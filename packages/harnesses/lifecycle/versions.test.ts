import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson, lyceumProcess, readyEnv } from '#test/command.ts'
import { withDatabase } from '#test/hash.ts'
import { LATEST_RECORDED, recordedEnv } from '#test/recorded-schemas/load.ts'
import { report, SOAK } from '#test/scale.ts'
import { everythingIn, linesOf, markAsNewer, schemaOf, statementsToRun } from '#test/schema.ts'
import { readConfig } from '../../server/src/config.ts'
import { knownMigrations, lockData } from '../../server/src/db/index.ts'
import { makePeople } from '../kit/people.ts'
import { openLine } from './line.ts'
import { becomeNext } from './next-version.ts'
import { endAll, type Serving, serving, spawnLyceum, startServing } from './process.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const DIALECT = onPostgres ? 'postgres' : 'sqlite'
const KILLS = SOAK === 1 ? 1 : 3 * SOAK
const TWINS = SOAK
const TIMEOUT_MS = 120_000 + KILLS * 9_000 + TWINS * 10_000
const ALL = knownMigrations()
const KILLED = fileURLToPath(new URL('./killed-migration.ts', import.meta.url))
const NEXT = fileURLToPath(new URL('./next-version.ts', import.meta.url))

interface Report {
  readonly applied: readonly string[]
}

/** An empty but valid location. */
const emptyPlace = async (): Promise<Env> => {
  const env = await freshEnv()
  mkdirSync(env['LYCEUM_DATA_DIR'] ?? '', { recursive: true, mode: 0o700 })
  return env
}
const placeOf = (env: Env) => {
  const { databaseUrl: url, dataDir } = readConfig(env)
  return { url, dataDir }
}
const names = (env: Env) => linesOf(env, 'select username as line from users order by id')
const applied = (env: Env) => linesOf(env, 'select name as line from migrations order by name')

/** Runs a command of the next version in this process, which starts quicker than one from the sources. */
const next = async <T>(env: Env, ...args: string[]): Promise<T> => {
  const back = becomeNext()
  try {
    return await lyceumJson<T>(env, ...args)
  } finally {
    back()
  }
}
/** The same in a process of its own. */
const migrateNext = async (env: Env): Promise<Report> => {
  const { ended, output } = spawnLyceum(env, ['migrate', '--json'], NEXT)
  const [code] = await ended
  if (code !== 0) throw new Error(`lyceum migrate of the next version ended with ${code}: ${output()}`)
  return JSON.parse(output()) as Report
}
const startNext = (env: Env): Promise<Serving> => serving(spawnLyceum(env, 'serve', NEXT))

/** All migrations that the next version runs on a recorded community. */
const RUN_BY_NEXT = [...ALL.filter((name) => name > LATEST_RECORDED), '9000-next']

let fresh: string[]
let members: string[]
afterAll(endAll)
beforeAll(async () => {
  const env = await emptyPlace()
  await next(env, 'migrate')
  fresh = await schemaOf(env)
  members = await names(await recordedEnv())
}, TIMEOUT_MS)

/** Each way to end a process: the command, the signal and the exit status. In a short run, sigterm.test.ts alone stops a server that starts. */
const ENDS = (
  [
    { command: 'migrate', signal: 'SIGKILL', how: [null, 'SIGKILL'] },
    { command: 'migrate', signal: 'SIGTERM', how: [null, 'SIGTERM'] },
    { command: 'serve', signal: 'SIGTERM', how: [0, null] },
  ] as const
).filter(({ command }) => SOAK > 1 || command === 'migrate')

test(
  `a migration killed or stopped at any of its statements, ${KILLS} times each, is complete or has changed nothing, and the next start completes it`,
  async () => {
    const undone = { SIGKILL: 0, SIGTERM: 0 }
    for (let i = 0; i < KILLS * ENDS.length; i++) {
      const { command, signal, how } = ENDS[i % ENDS.length] as (typeof ENDS)[number]
      const env = await recordedEnv()
      const before = await everythingIn(env)
      const at = Math.floor((statementsToRun(DIALECT) * (i + 0.5)) / (KILLS * ENDS.length))
      const { ended, output } = spawnLyceum(env, [String(at), signal, command], KILLED)
      expect([await ended, output()]).toEqual([how, ''])
      // A server handles the signal between two statements, or after the last one.
      const isDone = command === 'serve' && (await applied(env)).includes('9000-next')
      if (!isDone) {
        undone[signal] += 1
        expect(await everythingIn(env)).toEqual(before)
      }
      expect(await next(env, 'migrate')).toMatchObject({ applied: isDone ? [] : RUN_BY_NEXT })
      expect(await schemaOf(env)).toEqual(fresh)
      expect(await names(env)).toEqual(members)
    }
    expect(Math.min(undone.SIGKILL, undone.SIGTERM)).toBeGreaterThan(0)
    report({ 'migrations killed': undone.SIGKILL, 'told to stop': undone.SIGTERM })
  },
  TIMEOUT_MS,
)

test(
  'two servers starting concurrently migrate once',
  async () => {
    for (let i = 0; i < TWINS; i++) {
      // Servers migrate in the same way as the command.
      if (SOAK > 1) {
        const env = await recordedEnv()
        const both = await Promise.all([migrateNext(env), migrateNext(env)])
        expect(both.map((one) => one.applied).sort((a, b) => a.length - b.length)).toEqual([[], RUN_BY_NEXT])
      }
      const place = await recordedEnv()
      const servers = await Promise.allSettled([startNext(place), startNext(place)])
      const started = servers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(started).toHaveLength(onPostgres ? 2 : 1)
      for (const server of started) server.signal('SIGTERM')
      for (const server of started) expect(await server.ended).toBe(0)
      expect(await applied(place)).toEqual([...ALL, '9000-next'])
      expect(await schemaOf(place)).toEqual(fresh)
    }
    report({ 'begun at once': SOAK > 1 ? 2 * TWINS : TWINS })
  },
  TIMEOUT_MS,
)

test(
  'while a server of the old version writes, the new one waits; after that, all data is there',
  async () => {
    const env = { ...(await recordedEnv()), LYCEUM_RATE_LIMIT: 'off' }
    const old = await startServing(env)
    const held = lockData(placeOf(env), 'restore').then(
      () => 'free',
      () => 'held',
    )
    expect(await held).toBe('held')
    await expect(next(env, 'doctor')).rejects.toThrow(/a server is running on tables of an older version/)
    await expect(next(env, 'migrate')).rejects.toThrow(/a server is running on tables of an older version/)
    expect(await next(env, 'migrate', '--dry-run')).toMatchObject({ pending: ['9000-next'] })
    await expect(startNext(env)).rejects.toThrow(onPostgres ? /a server of another version/ : /a server \(process \d+/)
    expect(await applied(env)).toEqual(ALL)

    const account = { username: 'newcomer', email: 'newcomer@example.org', password: 'Quiet-river-7431' }
    const line = openLine(old.base, '')
    expect(await line.send('POST', '/auth/register', { body: JSON.stringify(account) })).toMatchObject({ status: 201 })
    line.close()
    old.signal('SIGTERM')
    expect(await old.ended).toBe(0)
    const server = await startNext(env)
    expect(await applied(env)).toEqual([...ALL, '9000-next'])
    expect(await names(env)).toEqual([...members, 'newcomer'])
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
  },
  TIMEOUT_MS,
)

test(
  'data of a later version is refused by every command and not changed',
  async () => {
    const env = await readyEnv()
    await makePeople(env, 1)
    const file = `${env['LYCEUM_DATA_DIR']}.lyceum`
    await lyceumJson(env, 'backup', file)
    await markAsNewer(env)
    const before = await everythingIn(env)
    const commands = [['serve'], ['migrate'], ['doctor'], ['user', 'list'], ['jobs'], ['restore', file], ['points', 'rebuild']]
    for (const args of commands) {
      const { code, out, err } = args[0] === 'serve' ? await lyceumProcess(env, args) : await lyceum(env, args)
      expect([args[0], code, out]).toEqual([args[0], 1, ''])
      expect(err).toMatch(args[0] === 'restore' ? /newer Lyceum|contains a community/ : /newer Lyceum/)
    }
    expect(await everythingIn(env)).toEqual(before)
  },
  TIMEOUT_MS,
)

describe('controls: the comparison detects', () => {
  test('a different table or row', async () => {
    const env = await readyEnv()
    await makePeople(env, 1)
    const [today, before] = [await schemaOf(env), await everythingIn(env)]
    await withDatabase(env, ({ write }) => write((db) => db.updateTable('users').set({ display_name: 'Other' }).execute()))
    expect(await everythingIn(env)).not.toEqual(before)
    await withDatabase(env, ({ write }) => write((db) => db.schema.createIndex('stray').on('users').column('display_name').execute()))
    expect(await schemaOf(env)).not.toEqual(today)
  })
})
