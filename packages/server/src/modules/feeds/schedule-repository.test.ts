import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { createCore } from '../../app.ts'

let world: World
let ana: Member
let ben: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
  ben = await world.member()
  admin = await world.member({ role: 'admin' })
})
afterAll(async () => {
  await expectSound(world)
  await world.close()
})

/** The time that many seconds from now, in the format of requests. */
const at = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19)
const plain = (moment: string) => moment.replace('T', ' ')
const post = async (body: object, who = ana): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'x', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
/** On SQLite a second writer in the same process would wait for a lock that the first cannot release meanwhile. */
const onPostgres = it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')
const change = async (id: number, body: object, who = ana) => {
  const answer = await who.raw('POST', `/feeds/${id}`, body)
  expect(answer.status, answer.text).toBe(200)
}
const read = async (feed_id: number, who = ana) => (await who.api.feeds.byId({ feed_id })).data
const stored = (id: number) =>
  world.app.services.database.read.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const published = async (feed_id: number) => (await eventsWith(world, { feed_id })).filter((name) => name === 'feed.published').length
const inList = async (id: number, space?: Space, who = ben) => {
  const { feeds } = await who.api.feeds.list({ space: space?.slug, per_page: 100 })
  return feeds.data.some((feed) => feed.id === id)
}
const pass = async (seconds: number) => {
  world.clock.advance(seconds)
  await world.runPendingJobs()
}

describe('a scheduled feed', () => {
  it('is published at its time, as a new feed', async () => {
    const due = at(3600)
    const id = await post({ status: 'scheduled', scheduled_at: due })
    await pass(3599)
    expect([(await read(id)).status, await inList(id), (await ben.raw('GET', `/feeds/${id}/by-id`)).status]).toEqual([
      'scheduled',
      false,
      404,
    ])
    const newer = await post({})
    await pass(1)
    const feed = await read(id, ben)
    expect(feed).toMatchObject({ status: 'published', scheduled_at: plain(due), updated_at: plain(due) })
    expect((await stored(id)).published_at).toBe(plain(due))
    const { data } = (await ben.api.feeds.list({ per_page: 100 })).feeds
    expect(data.findIndex((item) => item.id === id)).toBeLessThan(data.findIndex((item) => item.id === newer))
    await pass(3600)
    expect(await published(id)).toBe(1)
  })

  onPostgres('is published exactly once by workers that know nothing of each other', async () => {
    const others = Array.from({ length: 3 }, () => createCore({ config: world.app.services.config, clock: world.clock, passwordCost: 4 }))
    const ids = await Promise.all(Array.from({ length: 40 }, () => post({ status: 'scheduled', scheduled_at: at(60) })))
    world.clock.advance(60)
    await Promise.all([world.runPendingJobs(), ...others.map((core) => core.worker.runPending())])
    await Promise.all(others.map((core) => core.close()))
    for (const id of ids) expect([(await stored(id)).status, await published(id)]).toEqual(['published', 1])
  })

  it('survives a restart', async () => {
    const id = await post({ status: 'scheduled', scheduled_at: at(60) })
    world.clock.advance(86_400)
    const later = createCore({ config: world.app.services.config, clock: world.clock, passwordCost: 4 })
    await later.worker.runPending()
    await later.close()
    expect([(await stored(id)).status, await published(id)]).toEqual(['published', 1])
  })

  it('uses the latest schedule', async () => {
    const id = await post({ status: 'scheduled', scheduled_at: at(60) })
    await change(id, { scheduled_at: at(120) })
    await pass(60)
    expect((await read(id)).status).toBe('scheduled')
    await change(id, { scheduled_at: at(30), title: 'Sooner' })
    await pass(30)
    expect((await read(id)).status).toBe('published')
    await pass(600)
    expect(await published(id)).toBe(1)
  })

  it('keeps its schedule if only its text changes', async () => {
    const due = at(60)
    const id = await post({ status: 'scheduled', scheduled_at: due })
    await change(id, { message: 'Other words' })
    await change(id, { status: 'scheduled' })
    await change(id, { status: 'scheduled', scheduled_at: null })
    expect(await read(id)).toMatchObject({ status: 'scheduled', scheduled_at: plain(due) })
    await pass(60)
    expect([(await read(id, ben)).message, await published(id)]).toEqual(['Other words', 1])
  })

  it('is unscheduled by saving it as a draft, and can be scheduled again', async () => {
    const due = at(60)
    const id = await post({ status: 'scheduled', scheduled_at: due })
    await change(id, { status: 'draft' })
    expect((await read(id)).scheduled_at).toBeNull()
    await change(id, { status: 'scheduled', scheduled_at: due })
    await change(id, { status: 'draft' })
    await pass(60)
    expect([(await read(id)).status, await published(id)]).toEqual(['draft', 0])
    await change(id, { status: 'scheduled', scheduled_at: at(10) })
    await change(id, { status: 'draft' })
    await change(id, { status: 'scheduled', scheduled_at: at(10) })
    await pass(10)
    expect([(await read(id)).status, await published(id)]).toEqual(['published', 1])
  })

  it('can be published early, and only once', async () => {
    const id = await post({ status: 'scheduled', scheduled_at: at(60) })
    await change(id, { status: 'published' })
    expect((await read(id)).scheduled_at).toBeNull()
    await change(id, { status: 'draft' })
    await pass(60)
    expect([(await read(id)).status, await published(id)]).toEqual(['draft', 1])
  })

  it('is not published after deletion', async () => {
    const id = await post({ status: 'scheduled', scheduled_at: at(60) })
    await ana.api.feeds.remove({ feed_id: id })
    await pass(60)
    expect(await published(id)).toBe(0)
    const jobs = await world.app.services.database.read.selectFrom('jobs').selectAll().execute()
    expect(jobs).toEqual([])
  })

  it('is visible to its author and to those who edit feeds of others', async () => {
    const space = await makeSpace(world, { members: [ana, ben], moderators: [await world.member()] })
    const id = await post({ status: 'scheduled', scheduled_at: at(60), space_id: space.id })
    const moderator = await world.member({ role: 'moderator' })
    const statuses = await Promise.all([ana, admin, ben, moderator].map(async (who) => (await who.raw('GET', `/feeds/${id}/by-id`)).status))
    expect(statuses).toEqual([200, 200, 404, 404])
  })
})

describe('a due feed is checked against the current permissions', () => {
  const scheduled = async (space: Space) => post({ status: 'scheduled', scheduled_at: at(60), space_id: space.id })
  const makeOne = (options: Parameters<typeof makeSpace>[1] = {}) => makeSpace(world, { members: [ana, ben], ...options })
  const set = (space: Space, values: object) =>
    world.app.write(null, ({ db }) => db.updateTable('spaces').set(values).where('id', '=', space.id).execute())

  it.each([
    ['has left', (space: Space) => leaveSpace(world, space, ana)],
    [
      'is banned there',
      (space: Space) =>
        world.app.write(null, async ({ db }) => {
          await db
            .updateTable('space_members')
            .set({ status: 'banned' })
            .where('space_id', '=', space.id)
            .where('user_id', '=', ana.id)
            .execute()
          await db.updateTable('spaces').set({ members_count: 1 }).where('id', '=', space.id).execute()
        }),
    ],
    ['may no longer post', (space: Space) => set(space, { settings: JSON.stringify({ restricted_post_only: 'yes' }) })],
    ['finds it archived', (space: Space) => set(space, { status: 'archived' })],
  ] as const)('whose author %s: a draft again', async (_what, happen) => {
    const space = await makeOne()
    const id = await scheduled(space)
    await happen(space)
    world.clock.advance(60)
    const now = plain(at(0))
    await world.runPendingJobs()
    expect(await stored(id)).toMatchObject({ status: 'draft', scheduled_at: null, listed: 0, updated_at: now })
    expect([await published(id), await inList(id, space)]).toEqual([0, false])
  })

  it.each(['suspended', 'banned'] as const)('becomes a draft again if its author is %s', async (status) => {
    const author = await world.member()
    const id = await post({ status: 'scheduled', scheduled_at: at(60) }, author)
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ status }).where('id', '=', author.id).execute())
    await pass(60)
    expect([(await stored(id)).status, await published(id)]).toEqual(['draft', 0])
  })

  it('waits for a moderator where posts need approval', async () => {
    const space = await makeOne({ settings: { require_approval: true } })
    const id = await scheduled(space)
    await pass(60)
    expect([(await stored(id)).status, await published(id), await inList(id, space)]).toEqual(['pending', 0, false])
    await change(id, { status: 'published' }, admin)
    expect([await published(id), await inList(id, space)]).toEqual([1, true])
  })

  it('is published without the pin by a moderator who may not pin, if its author may no longer pin', async () => {
    const pinned = async () => {
      const space = await makeSpace(world, { moderators: [ana] })
      const id = await post({ status: 'scheduled', scheduled_at: at(60), space_id: space.id, is_sticky: true, type: 'announcement' })
      await world.app.write(null, ({ db }) =>
        db.updateTable('space_members').set({ role: 'member' }).where('space_id', '=', space.id).where('user_id', '=', ana.id).execute(),
      )
      await pass(60)
      expect((await stored(id)).status).toBe('pending')
      return id
    }
    const [one, other] = [await pinned(), await pinned()]
    await change(one, { status: 'published' }, await world.member({ role: 'moderator' }))
    await change(other, { status: 'published' }, admin)
    expect(await stored(one)).toMatchObject({ status: 'published', is_sticky: 0, type: 'feed' })
    expect(await stored(other)).toMatchObject({ status: 'published', is_sticky: 1, type: 'announcement' })
  })

  it('is deleted with its space', async () => {
    const space = await makeOne()
    const id = await scheduled(space)
    await admin.api.spaces.removeById({ space_id: space.id })
    await pass(60)
    expect(await published(id)).toBe(0)
  })
})

describe('a feed that expires', () => {
  it('leaves the lists and stays readable by its link', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    const id = await post({ space_id: space.id, expired_at: at(60), message: 'expiringword' })
    await pass(59)
    expect(await inList(id, space)).toBe(true)
    await pass(1)
    const { feeds } = await ben.api.feeds.list({ space: space.slug })
    expect([feeds.data, feeds.total]).toEqual([[], 0])
    expect((await ben.api.feeds.list({ search: 'expiringword' })).feeds.total).toBe(0)
    const feed = await read(id, ben)
    expect([feed.status, (await ben.api.feeds.bySlug({ feed_slug: feed.slug })).data.id]).toEqual(['published', id])
    await ben.api.comments.create({ feed_id: id, comment: 'still open' })
    await expectSound(world)
  })

  it('never enters the lists if it has expired already', async () => {
    const id = await post({ expired_at: at(-1) })
    expect([await inList(id), (await read(id, ben)).status]).toEqual([false, 'published'])
  })

  it('uses the latest expiry', async () => {
    const id = await post({ expired_at: at(60) })
    await change(id, { expired_at: at(120) })
    await pass(60)
    expect(await inList(id)).toBe(true)
    await pass(60)
    expect(await inList(id)).toBe(false)
    await change(id, { expired_at: at(60) })
    expect(await inList(id)).toBe(true)
    await change(id, { expired_at: null })
    await pass(600)
    expect(await inList(id)).toBe(true)
    await change(id, { expired_at: at(-5) })
    expect(await inList(id)).toBe(false)
    await change(id, { title: 'Still gone' })
    expect(await inList(id)).toBe(false)
  })

  it('may expire before it is published', async () => {
    const id = await post({ status: 'scheduled', scheduled_at: at(120), expired_at: at(60) })
    await pass(120)
    expect([(await stored(id)).status, await inList(id)]).toEqual(['published', false])
  })

  onPostgres('is taken out once by several workers', async () => {
    const other = createCore({ config: world.app.services.config, clock: world.clock, passwordCost: 4 })
    const ids = await Promise.all(Array.from({ length: 20 }, () => post({ expired_at: at(60) })))
    world.clock.advance(60)
    await Promise.all([world.runPendingJobs(), other.worker.runPending()])
    await other.close()
    for (const id of ids) expect((await stored(id)).listed).toBe(0)
    await expectSound(world)
  })
})
