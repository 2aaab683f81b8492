import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { runEventsInOrder } from '#test/jobs/pending-events.ts'
import { pointsOf } from '#test/points.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { LEDGER, POINTS_AGGREGATES } from '../../cli/doctor/checks.ts'
import { offenders } from '../../cli/doctor/run-checks.ts'
import type { TransactionalJob } from '../../jobs/registry.ts'
import { updatePeriods } from './index.ts'
import { leaderboardListeners } from './listeners.ts'

let world: World
let admin: Member
let ana: Member
let others: readonly Member[]
let space: Space
beforeAll(async () => {
  world = await createWorld({ manyConnections: true })
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  others = await Promise.all(Array.from({ length: 20 }, () => world.member()))
  space = await makeSpace(world, { members: [ana, ...others] })
})
afterAll(() => world.close())

const rows = () =>
  world.app.services.database.read.selectFrom('points_ledger').select(['kind', 'event_key']).where('user_id', '=', ana.id).execute()
const sound = async () => {
  for (const check of [...POINTS_AGGREGATES, ...LEDGER])
    expect([check.name, await offenders(world.app.services.database.read, check, '')]).toEqual([check.name, []])
}

test('fifty copies of an event earn points once', async () => {
  const { data } = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  await world.runPendingJobs()
  const before = await pointsOf(world, ana)
  const ids = { feed_id: data.id }
  const was = { user_id: ana.id, seen_at: '2026-03-10 12:00:00' }
  await Promise.all(
    Array.from({ length: 50 }, () =>
      world.app.write(null, async (ctx) => {
        await ctx.emit('feed.published', ids)
        await ctx.emit('space.member_joined', { space_id: space.id, user_id: ana.id })
        await ctx.emit('user.active', was)
      }),
    ),
  )
  await Promise.all(Array.from({ length: 4 }, () => world.runPendingJobs()))
  expect((await pointsOf(world, ana)) - before).toBe(15)
  expect((await rows()).map(({ kind }) => kind).sort()).toEqual(['daily_login', 'first_post', 'post_created', 'space_joined'])
  await sound()
})

test('concurrent reactions are all counted, even while periods are being filled', async () => {
  const { data } = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  await world.runPendingJobs()
  const before = await pointsOf(world, ana)
  const react = () => Promise.all(others.map((one) => one.raw('POST', `/feeds/${data.id}/react`, { type: 'like' })))
  for (let round = 0; round < 3; round++) {
    await react()
    await Promise.all([world.runPendingJobs(), updatePeriods(world.app.services), world.runPendingJobs()])
    world.clock.advance(24 * 3600)
  }
  await world.runPendingJobs()
  expect((await pointsOf(world, ana)) - before).toBe(5 * others.length)
  await sound()
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'postgres')(
  'content deleted while points are being awarded leaves no points',
  () => {
    /** Runs the listener of an event in a transaction that ends only when `act` and its jobs are done or waiting for it. */
    const whileGiven = async (event: 'reaction.added' | 'comment.published', ids: object, act: () => Promise<unknown>) => {
      const run = leaderboardListeners.find((listener) => listener.event === event)?.job.run as TransactionalJob<object>
      const [given, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const giving = world.app.write(null, async (ctx) => {
        await run(ctx, [ids], new Map())
        given.resolve()
        await end.promise
      })
      await given.promise
      let isDone = false
      const acting = act()
        .then(() => world.runPendingJobs())
        .finally(() => {
          isDone = true
        })
      const waits = async () =>
        (await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read))
          .rows.length > 0
      const { database } = world.app.services
      while (!isDone && !(await waits())) await nextTurn()
      end.resolve()
      await Promise.all([giving, acting])
      await world.runPendingJobs()
      await sound()
    }
    const scene = async () => {
      const { data } = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
      await world.runPendingJobs()
      return data.id
    }
    const [ben, cleo] = [() => others[0] as Member, () => others[1] as Member]

    test('a reaction', async () => {
      const feed_id = await scene()
      const before = await pointsOf(world, ana)
      const react = () => ben().raw('POST', `/feeds/${feed_id}/react`, { type: 'like' })
      const { body } = await react()
      await whileGiven('reaction.added', { reaction_id: body.data.reaction.id, user_id: ben().id, feed_id }, react)
      expect(await pointsOf(world, ana)).toBe(before)
    })

    test.each([
      ['deleted', (feed: number, id: number) => cleo().raw('DELETE', `/feeds/${feed}/comments/${id}`)],
      ['hidden', (feed: number, id: number) => admin.raw('POST', `/feeds/${feed}/comments/${id}`, { status: 'spam' })],
      ['deleted with its feed', (feed: number) => ana.raw('DELETE', `/feeds/${feed}`)],
    ])('a comment that is %s', async (_name, act) => {
      const feed_id = await scene()
      const { data } = await cleo().api.comments.create({ feed_id, comment: 'Indeed' })
      await whileGiven('comment.published', { comment_id: data.id, feed_id }, () => act(feed_id, data.id))
      expect(await pointsOf(world, cleo())).toBe(0)
    })

    test('a comment whose feed moves to another space', async () => {
      const feed_id = await scene()
      const other = await makeSpace(world, { members: [ana, ...others] })
      const { data } = await cleo().api.comments.create({ feed_id, comment: 'Indeed' })
      const move = () => admin.raw('POST', `/feeds/${feed_id}`, { space_id: other.id })
      await whileGiven('comment.published', { comment_id: data.id, feed_id }, move)
      const { read } = world.app.services.database
      const spacesOf = (table: 'points_ledger' | 'activities') =>
        read.selectFrom(table).select('space_id').where('comment_id', '=', data.id).execute()
      expect(await spacesOf('points_ledger')).toContainEqual({ space_id: other.id })
      expect(await spacesOf('activities')).toEqual([{ space_id: other.id }])
    })
  },
)

test('events processed out of order lead to the current state', async () => {
  const { data } = await ana.api.feeds.create({ message: 'Hello', space_id: space.id })
  const [ben] = others as [Member]
  await ben.raw('POST', `/feeds/${data.id}/react`, { type: 'like' })
  await ben.api.comments.create({ feed_id: data.id, comment: 'Indeed' })
  await ana.raw('DELETE', `/feeds/${data.id}`)
  const before = await pointsOf(world, ana)
  await runEventsInOrder(world.app, (ids) => {
    expect(ids.length).toBeGreaterThan(3)
    return ids.toReversed()
  })
  await world.runPendingJobs()
  expect(await pointsOf(world, ana)).toBe(before)
  await sound()
})
