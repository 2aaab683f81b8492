import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@lyceum/sdk'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumProcess, type Outcome, type Running, readyEnv, startServer } from '#test/command.ts'
import { asFile, picture } from '#test/media.ts'

const PASSWORD = 'Quiet-river-7431'
const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'

/** Processes of their own take their time to start where much else runs. */
const LONG = { timeout: 60_000 }

/** What concerns processes and not the database is shown beside one of them. */
const testOnSqlite = test.runIf(onSqlite)

testOnSqlite('a pipe gets the whole of a long answer', LONG, async () => {
  const { code, out } = await lyceumProcess({}, ['openapi'])
  expect([code, Object.keys(JSON.parse(out))]).toEqual([0, expect.arrayContaining(['openapi', 'paths'])])
})

/** Only the server's own end tells that it is over; each step waits for it. */
describe('beside a running server', LONG, () => {
  let env: Env
  let server: Running

  beforeAll(async () => {
    env = onSqlite ? await freshEnv() : await readyEnv()
    mkdirSync(env['LYCEUM_DATA_DIR'] ?? '')
    server = await startServer(onSqlite ? { ...env, NODE_COMPILE_CACHE: '' } : env)
  })
  afterAll(() => server.end('SIGTERM'))

  testOnSqlite('what Node compiled lies beside its data', () => {
    expect(readdirSync(join(env['LYCEUM_DATA_DIR'] ?? '', 'compiled'))).toHaveLength(1)
  })

  /** What this process does is beside the server's own as well. */
  testOnSqlite('commands work, in processes of their own', async () => {
    const made = await lyceumProcess(
      env,
      ['user', 'create', '--username', 'boss', '--email', 'b@example.org', '--role', 'admin', '--json'],
      `${PASSWORD}\n`,
    )
    expect(made).toEqual({ code: 0, out: expect.stringMatching(/^\{"id":1,"username":"boss","role":"admin"\}\n$/), err: '' })
    const { out: password } = await lyceum(env, ['user', 'app-password', 'boss', '--name', 'tests'])
    const answer = await fetch(`${server.base}/feeds`, {
      headers: { authorization: `Basic ${Buffer.from(`boss:${password.trim()}`).toString('base64')}` },
    })
    expect(answer.status).toBe(200)
    expect(await lyceum(env, ['doctor', '--json'])).toMatchObject({ code: 0, err: '' })
    expect(await lyceum(env, ['nonsense'])).toMatchObject({ code: 2, out: '' })
    expect(await lyceumProcess(env, ['user', 'role', 'boss', 'member'])).toEqual({
      code: 1,
      out: '',
      err: 'lyceum: The community needs at least one administrator.\n',
    })
  })

  test('a backup is taken, a restore is refused', async () => {
    const file = join(env['LYCEUM_DATA_DIR'] ?? '', '..', 'live.backup')
    expect(await lyceum(env, ['backup', file])).toMatchObject({ code: 0, err: '' })
    const refused = await lyceum(env, ['restore', file])
    expect(refused).toEqual({ code: 1, out: '', err: expect.stringMatching(/^lyceum: a server.* holds .*\n$/) })
  })

  if (onSqlite) {
    test('a second server on the same file is refused, also after the first was killed and its successor started', async () => {
      const error = /a server \(process \d+, since .* UTC\) holds .*lyceum\.db/
      await expect(startServer(env)).rejects.toThrow(error)
      await server.end('SIGKILL')
      server = await startServer(env)
      await expect(startServer(env)).rejects.toThrow(error)
    })

    test('pictures have the address of the next server', async () => {
      const account = ['--username', 'ana', '--email', 'ana@example.org', '--role', 'member']
      await lyceum(env, ['user', 'create', ...account], `${PASSWORD}\n`)
      const password = (await lyceum(env, ['user', 'app-password', 'ana', '--name', 'tests'])).out.trim()
      const client = () => createClient({ baseUrl: server.base, username: 'ana', password })
      const { data } = await client().media.upload({ file: asFile(await picture(), 'ana.png') })
      await client().profiles.update({ username: 'ana', avatar: data.file_url })
      const before = server.base
      await server.end('SIGTERM')
      server = await startServer(env)
      const { avatar } = (await client().profiles.get({ username: 'ana' })).profile
      expect([before === server.base, new URL(avatar).origin]).toEqual([false, new URL(server.base).origin])
    })

    test('its files are readable by their owner only', () => {
      expect(statSync(join(env['LYCEUM_DATA_DIR'] ?? '', 'lyceum.db')).mode & 0o077).toBe(0)
    })
  } else {
    test('a second server shares the database, and a restore waits until both have gone', async () => {
      const elsewhere = (await freshEnv('sqlite'))['LYCEUM_DATA_DIR'] ?? ''
      await expect(startServer({ ...env, LYCEUM_DATA_DIR: elsewhere })).rejects.toThrow(/has another secret/)
      const secret = readFileSync(join(env['LYCEUM_DATA_DIR'] ?? '', 'secret'), 'utf8').trim()
      const second = await startServer({ ...env, LYCEUM_DATA_DIR: `${elsewhere}-2`, LYCEUM_SECRET: secret })
      await server.end('SIGKILL')
      const file = join(env['LYCEUM_DATA_DIR'] ?? '', '..', 'live.backup')
      expect((await lyceum(env, ['restore', file])).err).toMatch(/^lyceum: a server, .* holds this database\n$/)
      server = second
    })
  }
})

if (onSqlite) {
  describe.concurrent('without a sound database of its own, it refuses, says why and changes nothing', LONG, () => {
    const databaseOf = async (ready: Promise<Env>) => {
      const env = await ready
      const dataDir = env['LYCEUM_DATA_DIR'] ?? ''
      mkdirSync(dataDir, { recursive: true })
      return { env, file: join(dataDir, 'lyceum.db') }
    }
    const refused = async (run: () => Promise<Outcome>, file: string, why: RegExp) => {
      const before = readFileSync(file)
      const { code, out, err } = await run()
      expect([code, out, err]).toEqual([1, '', expect.stringMatching(why)])
      expect(readFileSync(file).equals(before)).toBe(true)
    }

    test('a command on the file of another program', async () => {
      const { env, file } = await databaseOf(freshEnv())
      const other = new Sqlite(file)
      other.exec('create table songs (title); insert into songs values (1)')
      other.close()
      await refused(
        () => lyceum(env, ['migrate']),
        file,
        /^lyceum: .*lyceum\.db cannot be opened as a database: it holds the tables of another program\n$/,
      )
    })

    test('a server on a damaged page', async () => {
      const { env, file } = await databaseOf(readyEnv())
      const bytes = readFileSync(file)
      bytes.fill(0xa5, 4096 * 3, 4096 * 4)
      writeFileSync(file, bytes)
      await refused(
        () => lyceumProcess(env, ['serve']),
        file,
        /^lyceum: .*lyceum\.db cannot be opened as a database: .*(damaged|malformed)/,
      )
    })
  })
}
