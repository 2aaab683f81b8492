import { afterEach, expect, it } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type Database, runText } from '../../../db/index.ts'
import { createSearchWarmup, feedIndexOf } from './feed-index.ts'

const community = async () => {
  const made = await createWorld({ start: '2026-04-01T12:00:00Z' })
  worlds.push(made)
  const ana = await made.member()
  await ana.api.feeds.create({ message: 'an amber lamp' })
  return { world: made, ana, database: made.app.services.database }
}
const worlds: World[] = []
afterEach(async () => {
  for (const made of worlds.splice(0)) await made.close()
})

interface Query {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Calls `seen` before each statement that loads a batch of listed feeds. */
const watch = ({ read }: Database, seen: (query: Query) => void): void => {
  const send = read.executeQuery.bind(read)
  const watching = (query: Query, ...rest: []) => {
    if (/f\.listed = 1.* \(f\.published_at, f\.id\) > /s.test(query.sql)) seen(query)
    return send(query as never, ...rest)
  }
  Object.defineProperty(read, 'executeQuery', { value: watching, configurable: true })
}

/** Counts how often loading started. */
const beginnings = (database: Database): { readonly count: number } => {
  const tally = { count: 0 }
  watch(database, ({ sql, parameters }) => {
    if (sql.includes('f.published_at, f.space_id, f.privacy') && parameters[0] === '') tally.count += 1
  })
  return tally
}

/** Adds more feeds than one batch holds, directly in the database. */
const addMany = ({ app }: World, count: number) =>
  app.services.database.write(async (db) => {
    const [{ id, user_id } = { id: 0, user_id: 0 }] = await runText<{ id: number; user_id: number }>(
      db,
      'select id, user_id from feeds',
      [],
    )
    await runText(
      db,
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
       insert into feeds (user_id, title, slug, message, message_rendered, content_type, type, privacy, status, created_at, updated_at, published_at, active_at, listed)
       select ${user_id}, '', 'many-' || i, 'm', 'm', 'text', 'text', 'public', 'published', f.created_at, f.created_at, f.created_at, f.created_at, 1
       from n cross join feeds f where f.id = ${id}`,
      [],
    )
  })

const searchOf = (ana: Member) => async () => (await ana.api.feeds.list({ search: 'amber' })).feeds.total

it('the first search does not load the index again after a warm-up', async () => {
  const { world, ana, database } = await community()
  const begun = beginnings(database)
  await feedIndexOf(world.app.services).preload(database.read, 0)
  expect(begun.count).toBe(1)
  expect(await searchOf(ana)()).toBe(1)
  await ana.api.feeds.create({ message: 'another amber lamp' })
  expect(await searchOf(ana)()).toBe(2)
  expect(begun.count).toBe(1)
})

it('a search during the warm-up waits for it', async () => {
  const { world, ana, database } = await community()
  await addMany(world, 2500)
  let portions = 0
  let search: Promise<number> | null = null
  watch(database, () => {
    portions += 1
    search ??= searchOf(ana)()
  })
  const begun = beginnings(database)
  await feedIndexOf(world.app.services).preload(database.read, 0)
  expect(await search).toBe(1)
  expect(portions).toBeGreaterThan(3)
  expect(begun.count).toBe(1)
})

it('starts on its own soon after startup', async () => {
  const { world, database } = await community()
  const ahead = createSearchWarmup(world.app.services, { afterMs: 0, few: 0 })
  await new Promise<void>((resolve) => {
    watch(database, () => resolve())
    ahead.start()
  })
  await ahead.stop()
})

it('skips a small community', async () => {
  const { world, database } = await community()
  const begun = beginnings(database)
  await feedIndexOf(world.app.services).preload(database.read, 20_000)
  expect(begun.count).toBe(0)
})

it('stops in the middle when the server stops', async () => {
  const { world, database } = await community()
  await addMany(world, 2500)
  const ahead = createSearchWarmup(world.app.services, { afterMs: 0, few: 0 })
  let portions = 0
  const stopped = new Promise<void>((resolve) => {
    watch(database, () => {
      portions += 1
      resolve(ahead.stop())
    })
  })
  ahead.start()
  await stopped
  expect(portions).toBe(1)
})
