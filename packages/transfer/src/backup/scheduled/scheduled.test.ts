import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson, readyEnv, startServer } from '#test/command.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { runText } from '../../../../server/src/db/index.ts'
import { startS3 } from '../../../test-support/s3-server.ts'

const NAME = /^lyceum-[0-9a-f]{8}-\d{8}T\d{6}Z\.backup(\.age)?$/

let world: World
let ana: Member
let env: Env
let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(inject('scratch'), 'scheduled-'))
  world = await createWorld({ env: { LYCEUM_BACKUP_DIR: directory } })
  ana = await world.member({ username: 'ana', role: 'admin' })
  await ana.api.feeds.create({ message: 'Something to keep' })
  await world.runPendingJobs()
  env = { ...envOf(world), LYCEUM_BACKUP_DIR: directory }
})
afterAll(() => world.close())

const sql = (text: string, values: readonly (string | number | null)[] = []) =>
  world.app.services.database.write((db) => runText(db, text, values))
/** Makes the next backup due, as if the time of its interval had passed. */
const wait = () => sql(`update backups set created_at = '2020-01-01 00:00:00' where kind = 'scheduled'`)
const forget = () => sql('delete from backups')
const run = async (more: Env = {}) => lyceum({ ...env, LYCEUM_BACKUP_PROVE: 'always', ...more }, ['backup', '--scheduled', '--json'])
const files = (folder = directory) => readdirSync(folder).sort()
const markOf = () => /^lyceum-([0-9a-f]{8})/.exec(files().find((name) => NAME.test(name)) ?? '')?.[1] ?? ''
const metrics = async (origin: string) => {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Object.fromEntries([...text.matchAll(/^(lyceum_backup_\w+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]))
}

test('a backup is made and proven once it is due', async () => {
  const before = Math.floor(Date.now() / 1000)
  const made = await run()
  expect(made).toMatchObject({ code: 0, err: '' })
  const { name, size, proven_at } = JSON.parse(made.out)
  expect([name, files(), proven_at]).toEqual([expect.stringMatching(NAME), [name], expect.any(String)])
  expect(JSON.parse((await run()).out)).toBe(null)

  expect((await ana.api.backups.list({})).backups).toEqual([
    { name, kind: 'scheduled', status: 'complete', size, created_at: expect.any(String), encrypted: false, proven_at, error: null },
  ])
  const ben = await world.member()
  await refused(ben.api.backups.list({}), 403, 'rest_forbidden')
  const figures = await metrics(world.origin)
  expect(figures).toMatchObject({ lyceum_backup_size_bytes: size, lyceum_backup_failures_total: 0 })
  expect(figures['lyceum_backup_proven_timestamp_seconds']).toBeGreaterThanOrEqual(before)
  expect(figures['lyceum_backup_timestamp_seconds']).toBeGreaterThanOrEqual(before)

  const there = await freshEnv()
  await lyceumJson({ ...there, LYCEUM_BACKUP_DIR: directory }, 'restore', name)
  expect(await lyceumJson(there, 'user', 'list')).toContainEqual(expect.objectContaining({ username: 'ana' }))
})

test('a backup of inconsistent data is kept, but not proven', async () => {
  await wait()
  await sql('update feeds set comments_count = comments_count + 7')
  const { code, err } = await run()
  await sql('update feeds set comments_count = comments_count - 7')
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/was made, but its test restore failed: .*lyceum doctor found: feed_comments_count/),
  ])
  const { backups } = await ana.api.backups.list({})
  expect(backups.filter(({ status }) => status === 'complete')).toHaveLength(files().length)
  expect(backups.find(({ error }) => error?.includes('feed_comments_count'))).toMatchObject({ status: 'complete', proven_at: null })
  expect((await metrics(world.origin))['lyceum_backup_failures_total']).toBe(1)
})

test('retention deletes own files only, and never the newest proven one', async () => {
  await forget()
  const mark = markOf()
  const foreign = ['notes.txt', 'lyceum-ffffffff-20200101T000000Z.backup', `lyceum-${mark}-20200101T000000Z.backup.bak`]
  for (const name of foreign) writeFileSync(join(directory, name), 'x')
  const old = [1, 2, 3, 4].map((day) => `lyceum-${mark}-2020010${day}T000000Z.backup`)
  for (const name of old) writeFileSync(join(directory, name), 'x')
  await sql(
    `insert into backups (name, kind, status, size, encrypted, created_at, alive_at, proven_at, failures)
     values ($1, 'scheduled', 'complete', 1, 0, '2020-01-02 00:00:00', '2020-01-02 00:00:00', '2020-01-02 00:01:00', 0)`,
    [old[1] ?? ''],
  )
  const { out } = await run({ LYCEUM_BACKUP_KEEP: '1', LYCEUM_BACKUP_PROVE: 'off' })
  const left = files()
  expect(left).toEqual([...foreign, old[1], JSON.parse(out).name].sort())
})

test('a passphrase and recipients encrypt scheduled backups, which are proven', async () => {
  const recipient = await identityToRecipient(await generateX25519Identity())
  const ways: readonly Env[] = [{ LYCEUM_BACKUP_PASSPHRASE: 'correct horse battery staple' }, { LYCEUM_BACKUP_AGE_RECIPIENTS: recipient }]
  for (const keys of ways) {
    await forget()
    const made = await run(keys)
    expect(made).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(made.out)).toMatchObject({ name: expect.stringMatching(/\.backup\.age$/), proven_at: expect.any(String) })
  }
})

test('frequent backups are proven once a day', async () => {
  const proof = async () =>
    JSON.parse((await run({ LYCEUM_BACKUP_PROVE: 'on', LYCEUM_BACKUP_EVERY: '10m', LYCEUM_BACKUP_KEEP: '50' })).out).proven_at
  await forget()
  expect(await proof()).not.toBe(null)
  await wait()
  expect(await proof()).toBe(null)
  await wait()
  await sql(`update backups set proven_at = '2020-01-01 00:00:00' where proven_at is not null`)
  expect(await proof()).not.toBe(null)
})

test('a place that cannot be written is reported', async () => {
  await wait()
  const blocked = join(directory, 'notes.txt', 'folder')
  const { code, err } = await run({ LYCEUM_BACKUP_DIR: blocked })
  expect([code, err]).toEqual([1, expect.stringMatching(/is no directory/)])
  expect((await ana.api.backups.list({})).backups[0]).toMatchObject({ status: 'failed', error: expect.stringMatching(/ENOTDIR/) })
  expect(JSON.parse((await run()).out)).toBe(null)
})

describe('a server', () => {
  const serving = async (more: Env) => {
    const there = { ...(await readyEnv()), LYCEUM_BACKUP_EVERY: '5s', ...more }
    await lyceumJson(
      there,
      'user',
      'create',
      '--username',
      'mia',
      '--email',
      'mia@example.org',
      '--role',
      'admin',
      '--password',
      'Tr0ub4dor-and-three',
    )
    return startServer(there)
  }
  const originOf = (base: string) => new URL(base).origin

  test('makes and proves backups in S3 in processes of its own', async () => {
    const s3 = await startS3('backups')
    const place = { LYCEUM_BACKUP_S3_URL: `${s3.url('backups')}/folder`, ...s3.keys }
    const server = await serving(place)
    await vi.waitFor(
      async () => expect((await metrics(originOf(server.base)))['lyceum_backup_proven_timestamp_seconds']).toBeGreaterThan(0),
      { timeout: 60_000, interval: 500 },
    )
    await server.end('SIGTERM')
    const [object = ''] = s3.objects('backups')
    expect(object).toMatch(/^folder\/lyceum-/)
    const restored = { ...(await freshEnv()), ...place }
    await lyceumJson(restored, 'restore', object.slice('folder/'.length))
    expect(await lyceumJson(restored, 'user', 'list')).toMatchObject([{ username: 'mia' }])
    await s3.close()
  }, 120_000)
})

test('what a killed process left does not count as a backup, and the next one removes it', async () => {
  await forget()
  const mark = markOf()
  const draft = join(directory, `lyceum-${mark}-20200101T000000Z.backup.1-00000000.part`)
  writeFileSync(draft, 'half of it')
  await sql(
    `insert into backups (name, kind, status, size, encrypted, created_at, alive_at, failures)
     values ('killed', 'scheduled', 'running', 0, 0, $1, $1, 0)`,
    ['2020-01-01 00:00:00'],
  )
  expect(await run()).toMatchObject({ code: 0 })
  expect(existsSync(draft)).toBe(false)
  expect((await ana.api.backups.list({})).backups.find(({ name }) => name === 'killed')).toMatchObject({
    status: 'failed',
    error: 'interrupted',
  })
})
