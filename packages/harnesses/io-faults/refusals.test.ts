import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumProcess, type Outcome, readyEnv } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { ordinaryUser } from '#test/services/postgres.ts'
import { type Answer, connect } from '../kit/connection.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { startVictim } from '../kit/server-process.ts'
import { onSqlite } from './stage.ts'

const LONG = { timeout: 60_000 }

const serve = (env: Env) => lyceumProcess(env, ['serve'])
/** Opens the database in the same way without another process, for variants of what a server has refused. */
const migrate = (env: Env) => (SOAK > 1 ? serve(env) : lyceum(env, ['migrate']))

const FUTURE = `insert into migrations (name, applied_at) values ('9999-future', '2030-01-01 00:00:00')`
/** A table of the same name as other frameworks create it. */
const THEIR_MIGRATIONS = 'create table migrations (id integer primary key, migration text, batch integer)'

const dataOf = async (ready: Promise<Env>) => {
  const env = await ready
  const dataDir = env['LYCEUM_DATA_DIR'] ?? ''
  mkdirSync(dataDir, { recursive: true })
  return { env, dataDir, file: join(dataDir, 'lyceum.db') }
}

/** The database with its modification time, and its log. SQLite may create an empty log when it reads a database. */
const snapshot = (file: string) => {
  const log = `${file}-wal`
  return [statSync(file).mtimeMs, readFileSync(file, 'base64'), existsSync(log) ? readFileSync(log, 'base64') : '']
}

/** Starts a server that must refuse to start and must not change the data. */
const refused = async (env: Env, file: string, why: RegExp, run: (env: Env) => Promise<Outcome> = serve) => {
  const before = snapshot(file)
  const { code, out, err } = await run(env)
  expect([code, out, err]).toEqual([1, '', expect.stringMatching(why)])
  expect(err).not.toMatch(/\n.*\n/)
  expect(snapshot(file)).toEqual(before)
}

if (onSqlite) {
  describe.concurrent('a server refuses to start, prints the reason, and writes nothing', LONG, () => {
    test('on a text file', async () => {
      const { env, file } = await dataOf(freshEnv())
      writeFileSync(file, 'Notes of Tuesday\n')
      await refused(env, file, /^lyceum: .*lyceum\.db cannot be opened as a database: file is not a database\n$/)
    })

    test('on a truncated file', async () => {
      const { env, file } = await dataOf(readyEnv())
      truncateSync(file, Math.floor(statSync(file).size / 2))
      await refused(env, file, /^lyceum: .*lyceum\.db cannot be opened as a database: .*(damaged|malformed)/, migrate)
    })

    test('on a file truncated within its first page', async () => {
      const { env, file } = await dataOf(readyEnv())
      truncateSync(file, 1000)
      await refused(env, file, /^lyceum: .*lyceum\.db cannot be opened as a database: .*(damaged|malformed|not a database)/, migrate)
    })

    test.each(['delete', 'wal'])('on the database of another program that has migrations (journal_mode = %s)', async (mode) => {
      const { env, file } = await dataOf(freshEnv())
      const other = new Sqlite(file)
      other.pragma(`journal_mode = ${mode}`)
      other.exec(`create table users (id integer); ${THEIR_MIGRATIONS}; insert into migrations values (1, '2014_create_users', 1)`)
      other.close()
      const run = mode === 'wal' ? serve : migrate
      await refused(env, file, /^lyceum: .*lyceum\.db cannot be opened as a database: it holds the tables of another program\n$/, run)
    })

    test('on tables of a newer version, even if its last changes are still in the log', async () => {
      const { env, file } = await dataOf(readyEnv())
      const newer = new Sqlite(file)
      newer.pragma('journal_mode = WAL')
      newer.exec(FUTURE)
      const copy = join(dirname(file), 'copy')
      mkdirSync(copy)
      for (const name of ['lyceum.db', 'lyceum.db-wal']) writeFileSync(join(copy, name), readFileSync(join(dirname(file), name)))
      newer.close()
      await refused(
        { ...env, LYCEUM_DATA_DIR: copy },
        join(copy, 'lyceum.db'),
        /^lyceum: the database was written by a newer Lyceum .*9999-future/,
      )
    })

    test('on a read-only file', async () => {
      const { env, dataDir, file } = await dataOf(readyEnv())
      // A superuser can write everywhere.
      const user = ordinaryUser()
      if (user) for (const path of [dirname(dataDir), dataDir, file]) chownSync(path, user.uid, user.gid)
      chmodSync(file, 0o400)
      chmodSync(dataDir, 0o500)
      const compiled = { NODE_COMPILE_CACHE: '' }
      await refused(env, file, /^lyceum: .*(read-?only|EACCES|permission denied|unable to open)/i, async (): Promise<Outcome> => {
        const failure = await startVictim({ ...env, ...compiled }, user ? { uid: user.uid } : {}).catch((error) => error)
        return { code: failure.code, out: '', err: String(failure.message) }
      })
      chmodSync(dataDir, 0o700)
    })
  })

  test('a page damaged while the server runs only loses its own rows, and the doctor reports it', LONG, async () => {
    const { env, file } = await dataOf(readyEnv())
    const people = await makePeople(env, 1)
    const authorization = (people[0] as Person).authorization
    const first = await startVictim(env)
    const { send, close } = connect(first.base, authorization)
    const ids: number[] = []
    for (let i = 0; i < 60; i++) ids.push((await send('POST', '/feeds', { message: `Canary${i} ${'x'.repeat(2000)}` }))?.body.data.id)
    close()
    expect(await first.end('SIGTERM')).toBe(0)

    const victim = await startVictim({ ...env, LYCEUM_LOG_LEVEL: 'fatal' })
    const bytes = readFileSync(file)
    const at = bytes.indexOf('Canary20 ')
    bytes.fill(0xa5, Math.floor(at / 4096) * 4096, (Math.floor(at / 4096) + 1) * 4096)
    writeFileSync(file, bytes)
    const again = connect(victim.base, authorization)
    const answers: (Answer | null)[] = []
    for (const id of ids) answers.push(await again.send('GET', `/feeds/${id}/by-id`))
    const failed = answers.filter((answer) => answer?.status !== 200)
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.length).toBeLessThan(10)
    for (const answer of failed) {
      expect([answer?.status, answer?.body]).toEqual([
        503,
        { code: 'service_unavailable', message: expect.any(String), data: { status: 503 } },
      ])
      expect(JSON.stringify(answer?.body)).not.toMatch(/sqlite|malformed|disk image|lyceum\.db/i)
    }
    expect((await again.send('POST', '/feeds', { message: 'Others go on' }))?.status).toBe(201)
    again.close()
    expect(victim.running).toBe(true)
    const told = await lyceum(env, ['doctor'])
    expect([told.code, told.out + told.err]).toEqual([1, expect.stringMatching(/damaged|malformed/)])
    await victim.end('SIGKILL')
    expect(readdirSync(dirname(file))).toContain('lyceum.db')
  })
} else {
  describe.concurrent('a server refuses to start, prints the reason, and creates nothing', LONG, () => {
    const prepared = async (statements: readonly string[], ready: Promise<Env>) => {
      const env = await ready
      const client = new pg.Client({ connectionString: env['LYCEUM_DATABASE_URL'] })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      const tables = async () => {
        const names = `select relname, relkind, pg_relation_size(oid) as size from pg_class where relnamespace = 'public'::regnamespace order by 1`
        return (await client.query(names)).rows
      }
      return { env, tables, end: () => client.end() }
    }

    test.each<[string, string[], typeof serve]>([
      ['another program', ['create table songs (title text)', `insert into songs values ('a')`], migrate],
      ['another program with migrations of its own', [THEIR_MIGRATIONS], serve],
      [
        'another program whose migrations have names',
        ['create table migrations (name text)', `insert into migrations values ('0001_init')`],
        migrate,
      ],
    ])('on the tables of %s', async (_name, statements, run) => {
      const { env, tables, end } = await prepared(statements, freshEnv())
      const before = await tables()
      const { code, out, err } = await run(env)
      expect([code, out, err]).toEqual([1, '', 'lyceum: the database cannot be used: it holds the tables of another program\n'])
      expect(await tables()).toEqual(before)
      await end()
    })

    test('on tables of a newer version', async () => {
      const { env, tables, end } = await prepared([FUTURE], readyEnv())
      const before = await tables()
      const { code, out, err } = await lyceumProcess(env, ['serve'])
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^lyceum: the database was written by a newer Lyceum .*9999-future/)])
      expect(await tables()).toEqual(before)
      await end()
    })
  })
}
