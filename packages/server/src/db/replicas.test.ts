import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createDatabase } from '#test/services/database.ts'
import { PRIMARY_SETTINGS, type Replica, startPostgres, startReplica } from '#test/services/postgres.ts'
import { type Service, scratchFolder } from '#test/services/private-server.ts'
import { findPostgres } from '#test/services/programs.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
/** Between two requests of a client while the replica restarts. */
const PAUSE_MS = 10

/** A replica starts in some seconds; without PostgreSQL's programs on this machine none can. */
describe.skipIf(!onPostgres || !findPostgres())('reads from a replica', () => {
  let primary: Service
  let replica: Replica
  let world: World
  let ana: Member
  let ben: Member

  const onReplica = async (text: string) => {
    const client = new pg.Client(replica.url)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const readings = () => world.app.services.database.poolStats()?.reads ?? { primary: 0, replica: 0 }
  /** Waits until the replica answers reads. */
  const isUsed = () =>
    vi.waitFor(
      async () => {
        const before = readings().replica
        await ben.api.feeds.list({})
        expect(readings().replica).toBeGreaterThan(before)
      },
      { timeout: 10_000, interval: 20 },
    )
  const pause = () => onReplica('select pg_wal_replay_pause()')
  const goOn = () => onReplica('select pg_wal_replay_resume()')

  beforeAll(async () => {
    primary = await startPostgres(scratchFolder('postgres'), PRIMARY_SETTINGS)
    const url = new URL(await createDatabase(primary.url))
    replica = await startReplica(primary.url)
    const replicaUrl = new URL(replica.url)
    replicaUrl.pathname = url.pathname
    world = await createWorld({ env: { LYCEUM_DATABASE_URL: String(url), LYCEUM_DATABASE_REPLICA_URLS: String(replicaUrl) } })
    ana = await world.member({ role: 'admin' })
    ben = await world.member()
  }, 60_000)
  afterAll(async () => {
    await world?.close()
    await replica?.stop()
    await primary?.stop()
  })
  beforeEach(isUsed)
  afterEach(() => goOn().catch(() => {}))

  test('a write is visible immediately, to its author and to others', async () => {
    for (let i = 0; i < 15 * SOAK; i++) {
      const { data } = await ana.api.feeds.create({ message: `Number ${i}` })
      expect((await ana.api.feeds.byId({ feed_id: data.id })).data.message).toBe(`Number ${i}`)
      expect((await ben.api.feeds.list({ per_page: 1 })).feeds.data[0]?.id).toBe(data.id)
      await ben.api.comments.create({ feed_id: data.id, comment: 'Seen' })
      expect((await ana.api.comments.list({ feed_id: data.id })).comments).toHaveLength(1)
    }
    expect(readings().replica).toBeGreaterThan(0)
  })

  test('a paused replica serves no stale data, and is used again when it resumes', async () => {
    await pause()
    const { data } = await ana.api.feeds.create({ message: 'While it stood still' })
    const before = readings()
    expect((await ana.api.feeds.byId({ feed_id: data.id })).data.id).toBe(data.id)
    expect((await ben.api.feeds.list({ per_page: 1 })).feeds.data[0]?.id).toBe(data.id)
    expect(readings()).toEqual({ primary: before.primary + 2, replica: before.replica })
    await goOn()
    await isUsed()
    expect((await ben.api.feeds.list({ per_page: 1 })).feeds.data[0]?.id).toBe(data.id)
  })

  test('a removed member loses access immediately', async () => {
    const space = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
    const { data: feed } = await ana.api.feeds.create({ message: 'For members', space_id: space.id })
    await isUsed()
    const before = readings().replica
    expect((await ben.api.feeds.byId({ feed_id: feed.id })).data.id).toBe(feed.id)
    expect(readings().replica).toBe(before + 1)

    await pause()
    await ana.api.spaceMembers.remove({ space_slug: space.slug, user_id: ben.id })
    await refused(ben.api.feeds.byId({ feed_id: feed.id }), 404, 'feed_not_found')
    expect((await ben.api.feeds.list({})).feeds.data.map(({ id }) => id)).not.toContain(feed.id)
    await goOn()

    for (let i = 0; i < 8 * SOAK; i++) {
      await ana.api.spaceMembers.bulkAdd({ space_slug: space.slug, user_ids: [ben.id] })
      expect((await ben.api.feeds.byId({ feed_id: feed.id })).data.id).toBe(feed.id)
      await ana.api.spaceMembers.remove({ space_slug: space.slug, user_id: ben.id })
      await refused(ben.api.feeds.byId({ feed_id: feed.id }), 404, 'feed_not_found')
    }
  })

  test('a changed name is shown everywhere, also from caches', async () => {
    const { data } = await ben.api.feeds.create({ message: 'By ben' })
    for (let i = 0; i < 8 * SOAK; i++) {
      const reading = [ana, ben, ana].map((who) => who.api.feeds.list({ per_page: 3 }))
      await ben.api.profiles.update({ username: ben.username, display_name: `Ben ${i}` })
      const { data: feed } = await ana.api.feeds.byId({ feed_id: data.id })
      expect(feed.xprofile.display_name).toBe(`Ben ${i}`)
      await Promise.all(reading)
    }
  })

  test('a killed replica fails no request, and is used again when it is back', async () => {
    const statuses: number[] = []
    let going = true
    const lane = async () => {
      while (going) {
        statuses.push((await ben.raw('GET', '/feeds?per_page=5')).status)
        await wait(PAUSE_MS)
      }
    }
    const lanes = [lane(), lane(), lane(), lane()]
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(20))
    await replica.crash()
    const then = statuses.length
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(then + 20), { timeout: 10_000 })
    await replica.start()
    await isUsed()
    going = false
    await Promise.all(lanes)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('a promoted replica is no longer read from', async () => {
    await onReplica('select pg_promote()')
    const { data } = await ana.api.feeds.create({ message: 'After it' })
    const before = readings().replica
    for (let i = 0; i < 5; i++) expect((await ben.api.feeds.list({ per_page: 1 })).feeds.data[0]?.id).toBe(data.id)
    expect(readings().replica).toBe(before)
  })
})
