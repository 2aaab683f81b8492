import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Env, envOf, freshEnv, lyceum, lyceumJson } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type World } from '#test/world.ts'
import { dataLocationOf } from '../../../server/src/cli/bootstrap.ts'
import { readConfig } from '../../../server/src/config.ts'
import { listTables, lockData, openDatabase, readRows, readSequences } from '../../../server/src/db/index.ts'

interface Moved {
  readonly rows: number
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[]
}

let world: World
let env: Env

beforeAll(async () => {
  world = await createWorld()
  env = envOf(world)
  const ana = await world.member({ username: 'ana', role: 'admin' })
  const bob = await world.member({ username: 'bob' })
  const { data: feed } = await ana.api.feeds.create({ message: 'Grüße, 世界! @bob \u{1F389} \\ and\ttabs', title: 'Ünïcode' })
  await bob.api.comments.create({ feed_id: feed.id, comment: 'A comment with *markdown*' })
  await bob.raw('POST', `/feeds/${feed.id}/react`, { type: 'like' })
  const { data: gone } = await ana.api.feeds.create({ message: 'This goes again' })
  await ana.api.feeds.remove({ feed_id: gone.id })
  await world.runPendingJobs()
  await world.app.presence.stop()
})
afterAll(() => world.close())

/** Where a move may go to: a new database of that kind, and how a server is told of it. */
const somewhere = async (dialect: 'sqlite' | 'postgres') => {
  const there = await freshEnv(dialect)
  const url = there['LYCEUM_DATABASE_URL'] ?? `${there['LYCEUM_DATA_DIR']}.moved.db`
  return { url, env: { ...there, LYCEUM_DATA_DIR: readConfig(env).dataDir, LYCEUM_DATABASE_URL: url } }
}

/** A hash of all rows, by a way of its own. */
const hashOf = async (of: Env): Promise<string> => {
  const database = openDatabase({ ...dataLocationOf(readConfig(of)), poolSize: 2 })
  try {
    const sum = createHash('sha256')
    for (const table of (await listTables(database.read)).sort((a, b) => (a.name < b.name ? -1 : 1)))
      for await (const page of readRows(database.read, table, 100)) sum.update(table.name).update(JSON.stringify(page))
    return sum.update(JSON.stringify(Object.entries(await readSequences(database.read)).sort())).digest('hex')
  } finally {
    await database.close()
  }
}

/** To the same kind of database is a case of its own below. */
const kinds = inject('postgresUrl') && SOAK > 1 ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

test.each(kinds)('a community moves to %s and back with every row', async (dialect) => {
  const before = await hashOf(env)
  const there = await somewhere(dialect)
  const moved = await lyceumJson<Moved>(env, 'move', '--to', there.url)
  expect(moved.tables.find(({ name }) => name === 'feeds')?.rows).toBe(1)
  expect(moved.rows).toBe(moved.tables.reduce((sum, { rows }) => sum + rows, 0))
  expect(await hashOf(there.env)).toBe(before)
  expect(await lyceumJson(there.env, 'doctor')).toMatchObject({ ok: true })

  const back = await somewhere(process.env['LYCEUM_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite')
  const returned = await lyceumJson<Moved>(there.env, 'move', '--to', back.url)
  expect(returned.tables.map(({ sha256 }) => sha256).sort()).toEqual(moved.tables.map(({ sha256 }) => sha256).sort())
  expect(await hashOf(back.env)).toBe(before)
  expect(await hashOf(env)).toBe(before)
})

test('a moved community can be served and searched, and its ids continue', async () => {
  const there = await somewhere(process.env['LYCEUM_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite')
  const { code, out } = await lyceum(env, ['move', '--to', there.url])
  expect(code).toBe(0)
  expect(out).toMatch(/LYCEUM_DATABASE_URL/)
  expect(out).not.toMatch(/:\/\/[^:/@\s]*:(?!\*\*\*)[^@\s]*@/)
  expect(await hashOf(there.env)).toBe(await hashOf(env))
  const database = openDatabase({ ...dataLocationOf(readConfig(there.env)), poolSize: 2 })
  try {
    const ids = await database.write((db) =>
      db
        .insertInto('events')
        .values({ name: 'user.active', payload: '{}', created_at: '2026-03-10 12:00:00' } as never)
        .returning('id')
        .execute(),
    )
    const last = (await readSequences(world.app.services.database.read))['events'] ?? 0
    expect(ids[0]?.id).toBeGreaterThan(last)
  } finally {
    await database.close()
  }
})

test('it refuses a target that contains a community, or is being served', async () => {
  const there = await somewhere('sqlite')
  await lyceumJson(env, 'move', '--to', there.url)
  const twice = await lyceum(env, ['move', '--to', there.url])
  expect(twice).toMatchObject({ code: 1, err: expect.stringContaining('already contains a community') })

  const other = await somewhere('sqlite')
  const server = await lockData(dataLocationOf(readConfig(env)), 'server')
  const refused = await lyceum(env, ['move', '--to', other.url])
  await server.release()
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('server') })
  expect(existsSync(other.url)).toBe(false)

  const itself = readConfig(env).databaseUrl || `${readConfig(env).dataDir}/lyceum.db`
  expect((await lyceum(env, ['move', '--to', itself])).code).toBe(1)
  expect((await lyceum(await freshEnv(), ['move', '--to', other.url])).code).toBe(1)
  expect((await lyceum(env, ['move'])).code).toBe(2)
})
