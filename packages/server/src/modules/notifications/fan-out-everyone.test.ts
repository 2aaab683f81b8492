import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { insertRows } from '../../db/index.ts'

/** 10,000 for the full test. */
const CROWD = Number(process.env['LYCEUM_TEST_CROWD'] ?? 250)
const QUIET_POSTS = 60
const CALLS = 3
const TIMEOUT_MS = 30_000 + CROWD * 50

let world: World
let ana: Member
let ben: Member
let cleo: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana', displayName: 'Ana' })
  ben = await world.member({ username: 'ben', displayName: 'Ben' })
  cleo = await world.member({ username: 'cleo', displayName: 'Cleo' })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

const post = async (who: Member, message: string, body: object = {}): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const toldOf = async (feed: number) => {
  await world.runPendingJobs()
  const rows = world.app.services.database.read.selectFrom('notifications').select('user_id').where('feed_id', '=', feed)
  return (await rows.orderBy('user_id').execute()).map(({ user_id }) => user_id)
}

describe('@everyone', () => {
  it('notifies each active member of a space once', async () => {
    const space = await makeSpace(world, { members: [ana, ben], moderators: [cleo] })
    const feed = await post(cleo, 'Dear @everyone, and dear @ben', { space_id: space.id })
    expect(await toldOf(feed)).toEqual([ana.id, ben.id])
    const [told] = (await ana.api.notifications.list({})).notifications.data
    expect(told).toMatchObject({ type: 'mention', object_id: feed, actor_id: cleo.id })
    expect(told?.title).toBe('Cleo mentioned everyone in the post “Dear @everyone, and dear @ben”')
  })

  it('is for moderators of the space, and outside of spaces for administrators', async () => {
    const space = await makeSpace(world, { members: [ana, ben], admins: [cleo] })
    expect(await toldOf(await post(ana, 'Dear @everyone', { space_id: space.id }))).toEqual([])
    expect(await toldOf(await post(cleo, 'Dear @Everyone!', { space_id: space.id }))).toEqual([ana.id, ben.id])
    const moderator = await world.member({ role: 'manager' })
    await grant(world, moderator, ['moderate_spaces'], [space])
    expect(await toldOf(await post(moderator, '@everyone', { space_id: space.id }))).toEqual([ana.id, ben.id, cleo.id])
    expect(await toldOf(await post(moderator, '@everyone'))).toEqual([])
    expect(await toldOf(await post(ana, '@everyone'))).toEqual([])
    expect(await toldOf(await post(admin, '@everyone'))).toEqual([ana.id, ben.id, cleo.id, moderator.id])
    expect(await toldOf(await post(admin, '@everyone', { privacy: 'private' }))).toEqual([])
    for (const message of ['`@everyone`', 'me@everyone', '@everyones', 'https://example.org/@everyone'])
      expect(await toldOf(await post(cleo, message, { space_id: space.id }))).toEqual([])
  })

  it('omits suspended, pending and banned members, and those who cannot see a draft space', async () => {
    const late = await world.member()
    const space = await makeSpace(world, { members: [ana, ben, late], admins: [cleo] })
    await world.app.write(null, async ({ db }) => {
      const place = db.updateTable('space_members').where('space_id', '=', space.id)
      await place.set({ status: 'pending' }).where('user_id', '=', ana.id).execute()
      await place.set({ status: 'banned' }).where('user_id', '=', ben.id).execute()
      await db.updateTable('users').set({ status: 'suspended' }).where('id', '=', late.id).execute()
    })
    expect(await toldOf(await post(cleo, '@everyone', { space_id: space.id }))).toEqual([])
    const draft = await makeSpace(world, { status: 'draft', members: [ana], moderators: [ben], admins: [cleo] })
    const feed = await post(admin, 'Later', { space_id: draft.id, status: 'draft' }).catch(() => 0)
    if (feed === 0) return
    await world.app.write(null, async (ctx) => {
      await ctx.db.updateTable('feeds').set({ message: '@everyone', status: 'published' }).where('id', '=', feed).execute()
      await ctx.emit('feed.published', { feed_id: feed })
    })
    expect(await toldOf(feed)).toEqual([ben.id, cleo.id])
  })

  it('may be added by an edit, once, but not after the feed was unpublished', async () => {
    const space = await makeSpace(world, { members: [ana, ben], admins: [cleo] })
    const feed = await post(cleo, 'Hello', { space_id: space.id })
    expect(await toldOf(feed)).toEqual([])
    await cleo.raw('POST', `/feeds/${feed}`, { message: 'Hello @everyone' })
    expect(await toldOf(feed)).toEqual([ana.id, ben.id])
    await cleo.raw('POST', `/feeds/${feed}`, { message: 'Hello again @everyone' })
    expect(await toldOf(feed)).toEqual([ana.id, ben.id])
    const other = await post(cleo, 'Dear @everyone', { space_id: space.id })
    await cleo.raw('POST', `/feeds/${other}`, { status: 'draft' })
    expect(await toldOf(other)).toEqual([])
    const gone = await post(cleo, 'Dear @everyone', { space_id: space.id })
    await cleo.api.feeds.remove({ feed_id: gone })
    expect(await toldOf(gone)).toEqual([])
  })
})

describe('many members', () => {
  let crowd: Space
  const ids = new Set<number>()

  beforeAll(async () => {
    crowd = await makeSpace(world, { members: [ben], admins: [cleo] })
    await world.app.write(null, async ({ db, now }) => {
      const people = Array.from({ length: CROWD }, (_, i) => [`crowd${i}`, `crowd${i}@example.org`, `Crowd ${i}`, now, now])
      await insertRows(db, 'users', ['username', 'email', 'display_name', 'created_at', 'updated_at'], people)
      for (const { id } of await db.selectFrom('users').select('id').where('username', 'like', 'crowd%').execute()) ids.add(id)
      const places = [...ids].map((id) => [crowd.id, id, now, now])
      await insertRows(db, 'space_members', ['space_id', 'user_id', 'joined_at', 'updated_at'], places)
    })
    ids.add(ben.id)
  }, TIMEOUT_MS)

  const timed = async (message: string) => {
    const begun = performance.now()
    const id = await post(cleo, message, { space_id: crowd.id })
    return { id, took: performance.now() - begun }
  }

  it(
    'are notified once each, without slowing down the post',
    async () => {
      for (let i = 0; i < 10; i++) await timed('Warm')
      const quiet: number[] = []
      for (let i = 0; i < QUIET_POSTS; i++) quiet.push((await timed('Quiet words')).took)
      await world.runPendingJobs()
      const p99 = quiet.toSorted((a, b) => a - b)[Math.floor(QUIET_POSTS * 0.99)] as number
      const calls: number[] = []
      for (let i = 0; i < CALLS; i++) {
        world.app.worker.start()
        const { id, took } = await timed('Dear @everyone')
        calls.push(took)
        await world.app.worker.stop()
        const told = await toldOf(id)
        expect(told.length).toBe(ids.size)
        expect(new Set(told)).toEqual(ids)
      }
      const median = calls.toSorted((a, b) => a - b)[Math.floor(CALLS / 2)] as number
      console.log(`fan-out ${world.dialect}: people=${ids.size} quiet_p99=${p99.toFixed(1)}ms call_median=${median.toFixed(1)}ms`)
      // On a fast machine the noise is larger than the quiet time itself.
      expect(median).toBeLessThan(Math.max(2 * p99, 5))
    },
    TIMEOUT_MS,
  )

  it('do not delay other notifications, which are sent in between', async () => {
    const feed = await post(ana, 'A post of mine')
    await world.runPendingJobs()
    const call = await post(cleo, 'Dear @everyone', { space_id: crowd.id })
    await ben.api.reactions.toFeed({ feed_id: feed, type: 'like' })
    await world.runPendingJobs()
    const db = world.app.services.database.read
    const [mine] = await db.selectFrom('notifications').select('id').where('feed_id', '=', feed).execute()
    const others = await db.selectFrom('notifications').select('id').where('feed_id', '=', call).orderBy('id').execute()
    expect(others.length).toBe(ids.size)
    expect(mine?.id).toBeLessThan(others.at(-1)?.id as number)
  })
})
