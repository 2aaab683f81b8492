import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshEnv, lyceum, lyceumJson, readyEnv } from '#test/command.ts'
import { readConfig } from '../config.ts'
import { openDatabase, runText } from '../db/index.ts'

const openAt = (env: Record<string, string>) => {
  const { databaseUrl, dataDir } = readConfig(env)
  return openDatabase({ url: databaseUrl, dataDir, poolSize: 2 })
}

describe('the command line', () => {
  test('lists its commands', async () => {
    const { code, out } = await lyceum({}, ['--help'])
    expect(code).toBe(0)
    for (const name of ['serve', 'migrate', 'user', 'demo', 'backup', 'restore', 'doctor', 'config', 'openapi', 'jobs', 'mail']) {
      expect(out).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
    }
  })

  test.each([[[]], [['nonsense']], [['backup']], [['jobs', 'retry']], [['user']]])('%j is a usage error: exit code 2', async (args) => {
    expect(await lyceum({}, args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/\S/) })
  })

  test('warns of variables that look misspelled, and continues', async () => {
    const { code, err } = await lyceum({ LYCEUM_PROT: '80' }, ['config', '--json'])
    expect([code, err]).toEqual([0, 'lyceum: LYCEUM_PROT is not a known variable; "lyceum config" lists all of them\n'])
  })

  test('accepts the deprecated name of a variable with one warning, and refuses two different values', async () => {
    const shownValue = (out: string, name: string) =>
      (JSON.parse(out) as { name: string; value: string }[]).find((variable) => variable.name === name)?.value
    const former = await lyceum({ LYCEUM_MOST_WAITING: '77' }, ['config', '--json'])
    expect([former.code, former.err]).toEqual([0, 'lyceum: LYCEUM_MOST_WAITING is deprecated; use LYCEUM_MAX_QUEUED_REQUESTS\n'])
    expect(shownValue(former.out, 'LYCEUM_MAX_QUEUED_REQUESTS')).toBe('77')
    expect(readConfig({ LYCEUM_MOST_WAITING: '77', LYCEUM_UNSENT_MB: '9' })).toMatchObject({
      maxQueuedRequests: 77,
      responseBufferMegabytes: 9,
    })
    expect(readConfig({ LYCEUM_MOST_WAITING: '77', LYCEUM_MAX_QUEUED_REQUESTS: '77' }).maxQueuedRequests).toBe(77)
    const both = await lyceum({ LYCEUM_UNSENT_MB: '9', LYCEUM_RESPONSE_BUFFER_MB: '10' }, ['config'])
    expect(both.code).toBe(1)
    expect(both.err).toContain('LYCEUM_RESPONSE_BUFFER_MB and its deprecated name LYCEUM_UNSENT_MB have different values')
  })

  test('reports every invalid variable', async () => {
    const { code, out, err } = await lyceum({ LYCEUM_PORT: 'x', LYCEUM_RATE_LIMIT: 'perhaps' }, ['config'])
    expect(code).toBe(1)
    expect(out).toContain('LYCEUM_DATA_DIR')
    expect(err).toMatch(/^lyceum: LYCEUM_PORT must be .*\nlyceum: LYCEUM_RATE_LIMIT must be one of on, off\n$/)
  })

  test.each(['postgress://db/x', 'mysql://db/x', 'Postgres://db/x'])('%s is not a file name', async (url) => {
    const { code, err } = await lyceum({ LYCEUM_DATABASE_URL: url }, ['config'])
    expect([code, err]).toEqual([1, expect.stringMatching(/^lyceum: LYCEUM_DATABASE_URL must be postgres/)])
  })

  test.each(['intranet', '10.0.0.0/33', '10.0.0.0/8 127.0.0.1', '::1/129', '10.0.0.1/'])('%s is not an address range', async (range) => {
    for (const name of ['LYCEUM_OUTBOUND_ALLOW', 'LYCEUM_TRUST_PROXY']) {
      const { code, err } = await lyceum({ [name]: `127.0.0.1,${range}` }, ['config'])
      expect([code, err]).toEqual([1, `lyceum: ${name} cannot be read: ${range} is no address range such as 10.0.0.0/8\n`])
    }
  })

  test('accepts IPv4 and IPv6 addresses and ranges', async () => {
    const ranges = '10.0.0.0/8, 127.0.0.1, fd00::/8, ::1, 0.0.0.0/0'
    expect(await lyceum({ LYCEUM_OUTBOUND_ALLOW: ranges, LYCEUM_TRUST_PROXY: `${ranges},loopback` }, ['config'])).toMatchObject({
      code: 0,
      err: '',
    })
  })

  test.each(['1', '1.5h', '4s', '90 s', '-1d', '1w', '400d'])('rejects the duration %s', async (value) => {
    const { code, err } = await lyceum({ LYCEUM_BACKUP_EVERY: value }, ['config'])
    const expected = 'must be a number with s, m, h or d such as 90s or 1d, from 5s to 366d'
    expect([code, err]).toEqual([1, `lyceum: LYCEUM_BACKUP_EVERY ${expected}\n`])
  })

  test('reads durations in seconds', () => {
    const secondsOf = (value: string) => readConfig({ LYCEUM_BACKUP_EVERY: value }).backupEvery
    expect(['5s', '90s', '3m', '6h', '1d'].map(secondsOf)).toEqual([5, 90, 180, 21_600, 86_400])
  })

  test('prints a stack trace only on request', async () => {
    const env = await freshEnv('sqlite')
    const { dataDir } = readConfig(env)
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'lyceum.db'), 'not a database, but longer than its header is, which has one hundred bytes '.repeat(20))
    const quiet = await lyceum(env, ['user', 'list'])
    expect(quiet).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^lyceum: .*lyceum\.db cannot be opened as a database: file is not a database\n$/),
    })
    const loud = await lyceum({ ...env, LYCEUM_LOG_LEVEL: 'debug' }, ['user', 'list'])
    expect(loud.err).toMatch(/\n\s+at /)
  })
})

describe('config', () => {
  test('prints every variable with default, meaning and value, and no secret', async () => {
    const env = {
      LYCEUM_SECRET: 'a-very-secret-value-of-some-length',
      LYCEUM_PORT: '8080',
      LYCEUM_DATABASE_URL: 'postgres://me:hidden@db/x',
    }
    const { out } = await lyceum(env, ['config'])
    expect(out).toMatch(/^LYCEUM_PORT +8080 +3000 +Port to listen on/m)
    const list = await lyceumJson<{ name: string; value: string; default: string; meaning: string }[]>(env, 'config')
    expect(list.find((variable) => variable.name === 'LYCEUM_SECRET')?.value).toBe('********')
    for (const text of [out, JSON.stringify(list)]) expect(text).not.toMatch(/very-secret|hidden/)
    expect(list.every((variable) => variable.meaning.length > 5)).toBe(true)
  })

  test('reads a value from the file that a variable with _FILE names', async () => {
    const { LYCEUM_DATA_DIR: dataDir = '' } = await freshEnv()
    mkdirSync(dataDir, { recursive: true })
    const file = join(dataDir, 'port')
    writeFileSync(file, 'x\n')
    expect(await lyceum({ LYCEUM_PORT_FILE: file }, ['config'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/LYCEUM_PORT must be a whole number/),
    })
    expect(await lyceum({ LYCEUM_PORT_FILE: `${file}-gone` }, ['config'])).toMatchObject({
      code: 1,
      err: `lyceum: LYCEUM_PORT_FILE names ${file}-gone, which cannot be read (ENOENT)\n`,
    })
  })
})

test('openapi prints the document', async () => {
  const document = await lyceumJson<{ openapi: string; paths: object }>({}, 'openapi')
  expect(document.openapi).toMatch(/^3\.1/)
  const part = await lyceumJson<{ paths: object }>({}, 'openapi', '--tags', 'bookmarks')
  expect(Object.keys(part.paths)).toEqual(Object.keys(document.paths).filter((path) => path.includes('bookmarks')))
  expect(Object.keys(document.paths).length).toBeGreaterThan(10)
})

describe('migrate', () => {
  test('prints the pending migrations, and runs them once', async () => {
    const env = await freshEnv()
    const { pending, outdated } = await lyceumJson<{ pending: string[]; outdated: string[] }>(env, 'migrate', '--dry-run')
    expect(pending[0]).toBe('0001-platform')
    expect(await lyceumJson(env, 'migrate', '--dry-run')).toEqual({ pending, outdated })
    expect(await lyceumJson(env, 'migrate')).toEqual({ applied: pending, installed: outdated })
    expect(await lyceumJson(env, 'migrate')).toEqual({ applied: [], installed: [] })
    expect((await lyceum(env, ['migrate'])).out).toBe('The tables are up to date.\n')
  })

  test('refuses the data of a newer version', async () => {
    const env = await freshEnv()
    await lyceumJson(env, 'migrate')
    const database = openAt(env)
    await database.write((db) => runText(db, `insert into migrations (name, applied_at) values ('9999-future', '2030-01-01 00:00:00')`, []))
    await database.close()
    for (const args of [['migrate'], ['user', 'list'], ['doctor']]) {
      expect(await lyceum(env, args)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^lyceum: the database was written by a newer Lyceum .*9999-future/),
      })
    }
  })
})

describe('jobs', () => {
  test('lists dead-lettered and pending jobs, and retries them', async () => {
    const env = await readyEnv()
    expect((await lyceum(env, ['jobs'])).out).toBe('No job is parked or waiting.\n')
    const database = openAt(env)
    for (const [name, status] of [
      ['a.one', 'parked'],
      ['a.two', 'parked'],
      ['a.three', 'ready'],
    ]) {
      const text = `insert into jobs (name, payload, run_at, created_at, status, attempts, last_error)
        values ('${name}', '{"n":1}', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '${status}', 12, 'no luck')`
      await database.write((db) => runText(db, text, []))
    }
    await database.close()
    interface Listing {
      readonly parked: { id: number; name: string; payload: object }[]
      readonly waiting: { id: number; name: string; attempts: number }[]
    }
    const listed = await lyceumJson<Listing>(env, 'jobs')
    expect([listed.parked.map((job) => job.name), listed.waiting.map((job) => job.name)]).toEqual([['a.one', 'a.two'], ['a.three']])
    expect(listed.parked[0]?.payload).toEqual({ n: 1 })
    expect((await lyceum(env, ['jobs', 'list'])).out).toMatch(/^\d+ +parked +a\.one +2026-01-01 00:00:00 +12 +no luck$/m)

    const id = listed.parked[0]!.id
    expect(await lyceumJson(env, 'jobs', 'retry', String(id))).toEqual({ retried: [id] })
    expect(await lyceum(env, ['jobs', 'retry', String(id)])).toMatchObject({ code: 1, err: `lyceum: no parked job has the id ${id}\n` })
    expect(await lyceum(env, ['jobs', 'retry', 'x'])).toMatchObject({ code: 1 })
    expect((await lyceumJson<Listing>(env, 'jobs')).waiting.find((job) => job.id === id)?.attempts).toBe(0)
    expect((await lyceum(env, ['jobs', 'retry', '--all'])).out).toBe('Jobs to retry: 1\n')
    expect((await lyceumJson<Listing>(env, 'jobs')).parked).toEqual([])
  })
})
