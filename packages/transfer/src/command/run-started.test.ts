import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeArchive } from '@lyceum/importers/archive'
import { type Client, createClient } from '@lyceum/sdk'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type Env, envOf, lyceum, lyceumJson, processEnv, readyEnv, startServer } from '#test/command.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { comment, community, post } from '../../test-support/bring.ts'
import { garden, gardenFiles } from '../../test-support/garden.ts'
import { memorySource, type Records } from '../../test-support/memory-source.ts'

const PROGRAM = fileURLToPath(new URL('../../../server/bin/lyceum.mjs', import.meta.url))
/** So many that the first are there long before the last. */
const MANY = 600
const ITEMS = ['people', 'spaces', 'posts', 'comments', 'reactions', 'media', 'courses'] as const

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld({ start: new Date().toISOString() })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

/** Uploads an archive with these records. */
const stage = async (api: Client, records: Records, files: Readonly<Record<string, Buffer>> = {}) => {
  const archive = join(mkdtempSync(join(inject('scratch'), 'staged-')), 'archive.tar.gz')
  await writeArchive(memorySource(records, { files }), archive, { now: '2026-01-01 00:00:00' })
  await api.migrations.addFile({ source: 'lyceum', file: new Blob([readFileSync(archive)]), filename: 'archive.tar.gz' })
}
const start = async (more: object = {}) => (await admin.api.migrations.start({ source: 'lyceum', items: [...ITEMS], ...more })).migration.id
const run = (id: number) => lyceum(envOf(world), ['import', '--run', String(id)])
const status = (source: 'lyceum' | 'fluentcommunity' = 'lyceum') => admin.api.migrations.status({ source })
const countOf = async (table: 'users' | 'feeds' | 'comments') => {
  const { count } = await world.app.services.database.read
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('a server runs an import that an administrator starts, in a process of its own', async () => {
  const env: Env = await readyEnv()
  const account = ['--username', 'boss', '--email', 'boss@example.org', '--password', 'Quiet-river-7431', '--role', 'admin']
  expect((await lyceum(env, ['user', 'create', ...account])).code).toBe(0)
  const { password } = await lyceumJson<{ password: string }>(env, 'user', 'app-password', 'boss', '--name', 'tests')
  const server = await startServer(env)
  try {
    const api = createClient({ baseUrl: server.base, username: 'boss', password })
    await stage(api, garden(), await gardenFiles())
    await api.migrations.start({ source: 'lyceum', items: [...ITEMS] })
    const ended = await vi.waitFor(
      async () => {
        const found = await api.migrations.status({ source: 'lyceum' })
        expect(found.status).not.toBe('in_progress')
        return found
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(ended).toMatchObject({ status: 'completed', migration: { results: { people: { failed: 0 }, posts: { failed: 0 } } } })
    expect((await api.members.list({ search: 'Ada' })).members.data.map(({ username }) => username)).toEqual(['ada'])
    // What was uploaded contains other people's data.
    expect((await api.migrations.config({ source: 'lyceum' })).config.files).toEqual([])
  } finally {
    await server.end('SIGTERM')
  }
})

test('a dry run writes nothing and keeps the files; its report and who would see what can be read', async () => {
  const lost = post('lost', { author: '1', space: 'nowhere' })
  await stage(admin.api, { ...garden(), posts: [...(garden().posts ?? []), lost] }, await gardenFiles())
  const before = await countOf('users')
  await run(await start({ dry_run: true }))
  const { migration } = await status()
  expect(migration).toMatchObject({ status: 'completed', dry_run: true })
  expect(migration?.audiences).toContainEqual({
    ...{ id: expect.any(String), space: 'Peas', members: 1, posts: 1 },
    ...{ privacy: 'secret', source_privacy: 'secret' },
  })
  const report = await admin.api.migrations.report({ source: 'lyceum' })
  expect(report.data).toEqual([{ item: 'posts', id: 'lost', outcome: 'skipped', reason: 'its space was not imported' }])
  expect(await countOf('users')).toBe(before)
  expect((await admin.api.migrations.config({ source: 'lyceum' })).config.files).toHaveLength(1)
})

test('the mapping and the options of a start hold', async () => {
  const options = { migrate_avatars: false }
  await run(await start({ options, map: { spaces: { peas: null }, privacy: { beans: 'secret' } } }))
  expect((await status()).status).toBe('completed')
  const spaces = await world.app.services.database.read.selectFrom('spaces').select(['slug', 'privacy']).orderBy('slug').execute()
  expect(spaces.filter(({ slug }) => slug === 'peas' || slug === 'beans')).toEqual([{ slug: 'beans', privacy: 'secret' }])
  const ada = await world.app.services.database.read.selectFrom('users').select('avatar').where('username', '=', 'ada').executeTakeFirst()
  expect(ada?.avatar).toBe('')
})

test('an import whose process is killed ends as interrupted, and a further start completes it', async () => {
  const texts = Array.from({ length: MANY }, (_, i) => `Text ${i}`)
  const replies = Array.from({ length: MANY }, (_, i) => comment(`many-c${i}`, { post: `many-p${i}` }))
  const posts = texts.map((message, i) => post(`many-p${i}`, { message }))
  await stage(admin.api, community([], { comments: replies, posts }))
  const [feeds, comments] = [await countOf('feeds'), await countOf('comments')]
  const child = spawn(process.execPath, [PROGRAM, 'import', '--run', String(await start())], {
    env: processEnv(envOf(world)),
    stdio: 'ignore',
  })
  const closed = once(child, 'close')
  await vi.waitFor(async () => expect(await countOf('feeds')).toBeGreaterThan(feeds), { timeout: 60_000, interval: 20 })
  child.kill('SIGKILL')
  expect(await closed).toEqual([null, 'SIGKILL'])
  expect(await countOf('comments')).toBeLessThan(comments + MANY)
  expect((await status()).status).toBe('in_progress')
  world.clock.advance(300_000)
  const again = await start()
  expect((await run(again)).code).toBe(0)
  expect(await status()).toMatchObject({
    status: 'completed',
    migration: { id: again, results: { posts: { total: MANY, migrated: MANY } } },
  })
  expect([(await countOf('feeds')) - feeds, (await countOf('comments')) - comments]).toEqual([MANY, MANY])
  expect((await lyceum(envOf(world), ['doctor'])).code).toBe(0)
})

test('a run that has ended is not run again', async () => {
  const { migration } = await status()
  const before = await countOf('users')
  expect((await run(migration?.id ?? 0)).code).toBe(0)
  expect(await countOf('users')).toBe(before)
})

test('a site is read only at public addresses', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    await admin.api.migrations.saveConfig({
      source: 'fluentcommunity',
      url: 'https://93.184.215.14',
      username: 'boss',
      application_password: 'abcd',
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await world.app.services.database.write((db) => db.updateTable('import_sites').set({ url }).execute())
    const { migration } = await admin.api.migrations.start({ source: 'fluentcommunity', items: ['people'] })
    expect((await run(migration.id)).code).toBe(1)
    expect((await status('fluentcommunity')).status).toBe('failed')
    expect(requests).toBe(0)
  } finally {
    server.close()
  }
})
