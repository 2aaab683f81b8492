import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson, lyceumProcess, processEnv, readyEnv, startServer } from '#test/command.ts'
import { describeConfig, readConfig } from '../config.ts'

const onSqlite = process.env['LYCEUM_TEST_DATABASE'] === 'sqlite'
const LONG = { timeout: 60_000 }
const scratch = () => mkdtempSync(join(inject('scratch'), 'mistakes-'))
const refusal = async (env: Env, ...args: string[]) => {
  const { code, out, err } = await lyceum(env, args)
  expect([code, out]).toEqual([1, ''])
  return err
}

describe('variables that cannot work are refused by name', () => {
  test.each([
    [{ LYCEUM_REDIS_URL: 'http://127.0.0.1:6379' }, 'LYCEUM_REDIS_URL must be redis://'],
    [{ LYCEUM_SMTP_URL: 'mail.example:25' }, 'LYCEUM_SMTP_URL must be smtp://'],
    [{ LYCEUM_DATABASE_DIRECT_URL: 'mysql://db/x' }, 'LYCEUM_DATABASE_DIRECT_URL must be postgres://'],
    [{ LYCEUM_DATABASE_REPLICA_URLS: 'postgres://a/x,b' }, 'LYCEUM_DATABASE_REPLICA_URLS must be postgres://'],
    [{ LYCEUM_DATABASE_URL: 'postgres:/db/x' }, 'LYCEUM_DATABASE_URL must be postgres://'],
    [{ LYCEUM_DATABASE_REPLICA_URLS: 'postgres://a/x' }, 'LYCEUM_DATABASE_REPLICA_URLS needs a postgres://… in LYCEUM_DATABASE_URL'],
    [{ LYCEUM_BACKUP_S3_URL: 'https://s3.example/bucket' }, 'LYCEUM_BACKUP_S3_URL needs LYCEUM_BACKUP_S3_ACCESS_KEY and'],
    [{ LYCEUM_BACKUP_DIR: '/b', LYCEUM_BACKUP_S3_URL: 'https://s3.example/b' }, 'LYCEUM_BACKUP_DIR and LYCEUM_BACKUP_S3_URL are both set'],
    [{ LYCEUM_GIF_API_URL: 'gifs' }, 'LYCEUM_GIF_API_URL must be an http(s) address'],
    [{ LYCEUM_SECRET: 'short' }, 'LYCEUM_SECRET must have at least 32 characters'],
    [{ LYCEUM_S3_URL: 'https://s3.example/bucket' }, 'LYCEUM_S3_URL needs LYCEUM_S3_ACCESS_KEY and LYCEUM_S3_SECRET_KEY'],
  ] as [Env, string][])('%j', (env, why) => {
    expect(() => readConfig(env)).toThrow(why)
  })

  test.each([
    ['postgres://x@127.0.0.1:1/x', 'connect ECONNREFUSED 127.0.0.1:1'],
    ['postgres://x@nowhere.invalid/x', expect.stringMatching(/^getaddrinfo /)],
  ])('a PostgreSQL that cannot be reached: %s', async (url, why) => {
    const env = { LYCEUM_DATA_DIR: join(scratch(), 'data'), LYCEUM_DATABASE_URL: url, LYCEUM_PORT: '0' }
    for (const command of ['serve', 'doctor']) {
      const err = await refusal(env, command)
      expect([command, err.split('LYCEUM_DATABASE_URL cannot be used: ')]).toEqual([command, ['lyceum: ', expect.any(String)]])
      expect(err.slice(0, -1).split(' used: ')[1]).toEqual(why)
    }
  })

  test('a missing file of a secret', async () => {
    const err = (await lyceum({ LYCEUM_SECRET_FILE: '/nonexistent/secret' }, ['config'])).err
    expect(err).toBe('lyceum: LYCEUM_SECRET_FILE names /nonexistent/secret, which cannot be read (ENOENT)\n')
  })
})

describe('no command but those that are for it creates a community', () => {
  test.each([
    'doctor',
    'user list',
    'user create --username x --email x@example.org --password Quiet-river-7431',
    'backup x',
    'jobs',
    'move --to x.db',
  ])('%s', async (line) => {
    const env = await freshEnv()
    expect(await refusal(env, ...line.split(' '))).toMatch(/^lyceum: there is no community in .*; "lyceum serve" creates one\n$/)
    expect(existsSync(env['LYCEUM_DATA_DIR'] ?? '')).toBe(false)
  })

  test.skipIf(onSqlite)('nor a second secret beside the database of a community', async () => {
    const env = await readyEnv()
    await lyceumJson(env, 'user', 'create', '--username', 'boss', '--email', 'b@example.org', '--password', 'Quiet-river-7431')
    const elsewhere = join(scratch(), 'data')
    expect(await refusal({ ...env, LYCEUM_DATA_DIR: elsewhere }, 'user', 'list')).toMatch(/^lyceum: the secret of the community is not in /)
    expect(existsSync(elsewhere)).toBe(false)
  })
})

if (onSqlite) {
  test('a data directory that cannot be made is refused at once', LONG, async () => {
    const env = { LYCEUM_DATA_DIR: '/proc/x', LYCEUM_PORT: '0' }
    for (const run of [lyceumProcess(env, ['serve']), lyceum(env, ['migrate']), lyceum(env, ['demo'])]) {
      const { code, err } = await run
      expect([code, err]).toEqual([1, expect.stringMatching(/^lyceum: LYCEUM_DATA_DIR \/proc\/x cannot be used: .*\n$/)])
    }
  })

  test('a data directory that is a file is refused', async () => {
    const file = join(scratch(), 'data')
    writeFileSync(file, '')
    expect(await refusal({ LYCEUM_DATA_DIR: file }, 'serve')).toBe(`lyceum: LYCEUM_DATA_DIR ${file} cannot be used: it is no directory\n`)
  })

  test('a server whose backups cannot be written does not start', LONG, async () => {
    const file = join(scratch(), 'backups')
    writeFileSync(file, '')
    const env = await freshEnv()
    for (const [place, why] of [
      [file, 'it is no directory'],
      [join(file, 'daily'), `the directory ${join(file, 'daily')} cannot be created (ENOTDIR)`],
    ] as const)
      expect(await refusal({ ...env, LYCEUM_BACKUP_DIR: place }, 'serve')).toBe(
        `lyceum: LYCEUM_BACKUP_DIR ${place} cannot be used: ${why}\n`,
      )
  })

  test('a port in use is refused before anything is changed', LONG, async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const port = String((other.address() as { port: number }).port)
    const env = await freshEnv()
    const { code, err } = await lyceumProcess({ ...env, LYCEUM_PORT: port }, ['serve'])
    expect([code, err]).toEqual([1, `lyceum: LYCEUM_PORT ${port} is in use on 127.0.0.1, by another server or program\n`])
    expect(readdirSync(env['LYCEUM_DATA_DIR'] ?? '')).toEqual([])
    other.close()
  })

  test('commands make links with the address of the last server', LONG, async () => {
    const env = await readyEnv()
    const server = await startServer({ ...env, LYCEUM_URL: 'https://river.example' })
    await server.end('SIGTERM')
    await lyceumJson(env, 'user', 'create', '--username', 'ana', '--email', 'ana@example.org', '--password', 'Quiet-river-7431')
    expect(await lyceumJson(env, 'user', 'reset-password', 'ana')).toMatchObject({
      url: expect.stringMatching(/^https:\/\/river\.example\/reset-password\?token=/),
    })
  })

  test('variables come from .env in the working directory, unless the environment has them', LONG, async () => {
    const folder = scratch()
    writeFileSync(join(folder, '.env'), 'LYCEUM_PORT=8080\nLYCEUM_HOST="0.0.0.0" # all\nOTHER=1\n')
    const { out } = await lyceumProcess({ LYCEUM_PORT: '9090' }, ['config', '--json'], '', folder)
    const shown = (JSON.parse(out) as { name: string; value: string }[]).filter(({ name }) => /_(HOST|PORT)$/.test(name))
    expect(shown.map(({ value }) => value)).toEqual(['0.0.0.0', '9090'])
  })

  test('.env in the working directory does not choose the program that runs', LONG, async () => {
    const folder = scratch()
    writeFileSync(join(folder, '.env'), 'LYCEUM_TEST_PROGRAM="data:text/javascript,process.exit(9)"\n')
    const program = fileURLToPath(new URL('../../bin/lyceum.mjs', import.meta.url))
    const { LYCEUM_TEST_PROGRAM: _, ...env } = processEnv({})
    const child = spawnSync(process.execPath, [program, 'version'], { cwd: folder, env, encoding: 'utf8' })
    expect(child).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  })

  test.runIf(process.getuid?.() === 0)('what root writes belongs to the owner of the data directory', async () => {
    const env = await readyEnv()
    const dataDir = env['LYCEUM_DATA_DIR'] ?? ''
    for (const path of [dataDir, join(dataDir, 'lyceum.db')]) chownSync(path, 1234, 1234)
    await lyceum(env, ['mail', 'test', 'ana@example.org'])
    const paths = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    expect(paths).toEqual(expect.arrayContaining(['outbox', 'secret']))
    expect(paths.filter((path) => statSync(join(dataDir, path)).uid !== 1234)).toEqual([])
  })
}

describe('mistakes get plain sentences', () => {
  test('move to another kind of database, or below a missing directory', async () => {
    const env = await readyEnv()
    expect(await refusal(env, 'move', '--to', 'mysql://x')).toBe('lyceum: --to must be postgres://… or a path of a file\n')
    expect(await refusal(env, 'move', '--to', '/nonexistent/x.db')).toBe(
      'lyceum: there is no directory /nonexistent for the target database\n',
    )
    expect(existsSync('/nonexistent')).toBe(false)
  })

  test('restore of a directory, export of an account below a missing one', async () => {
    const env = await readyEnv()
    const folder = scratch()
    expect(await refusal(env, 'restore', folder)).toMatch(/is a directory; use the path of a backup file/)
    await lyceumJson(env, 'user', 'create', '--username', 'ana', '--email', 'ana@example.org', '--password', 'Quiet-river-7431')
    expect(await refusal(env, 'user', 'export', 'ana', '/nonexistent/x.zip')).toBe('lyceum: there is no directory /nonexistent\n')
  })

  test('version', async () => {
    expect(await lyceum({}, ['version'])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) })
  })
})

test('init writes every variable, commented out, and overwrites nothing', async () => {
  const file = join(scratch(), '.env')
  expect(await lyceumJson({}, 'init', file)).toEqual({ file })
  const text = readFileSync(file, 'utf8')
  expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  for (const { name, meaning } of describeConfig({})) expect(text).toContain(`# ${meaning}\n# ${name}=`)
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(await refusal({}, 'init', file)).toBe(`lyceum: ${file} exists; remove it first\n`)
  mkdirSync(`${file}-folder`)
  expect(await refusal({}, 'init', join(`${file}-folder`, 'none', '.env'))).toMatch(/does not exist\n$/)
})
