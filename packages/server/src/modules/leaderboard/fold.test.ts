import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { LEDGER, POINTS_AGGREGATES } from '../../cli/doctor/checks.ts'
import { offenders } from '../../cli/doctor/run-checks.ts'
import { addEntries, countsOf, type Entry } from './ledger.ts'
import { COMMENTS_MILESTONE } from './point-rules.ts'

let world: World
let ana: Member
let space: Space
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  ana = await world.member()
  space = await makeSpace(world, { members: [ana] })
  await world.runPendingJobs()
})
afterAll(() => world.close())

const { stringify } = JSON
let added = 0
const entry = (points: number, over: Partial<Entry> = {}): Entry => {
  added += 1
  const key = `${over.kind ?? 'helpful_vote'}:test:${added}`
  const place = { user_id: ana.id, space_id: space.id, feed_id: null, comment_id: null, day: '2026-03-10' }
  return { ...place, kind: 'helpful_vote', dedup_key: key, event_key: key, points, reverses: null, ...over }
}
const add = (...entries: readonly Entry[]) => world.app.write(null, async (ctx) => void (await addEntries(ctx, entries)))
const read = () => world.app.services.database.read
const aggregates = async () =>
  stringify([
    await read().selectFrom('users').select(['id', 'total_points']).orderBy('id').execute(),
    await read().selectFrom('daily_scores').selectAll().orderBy('user_id').orderBy('space_id').orderBy('day').execute(),
    await read().selectFrom('period_scores').selectAll().orderBy('user_id').orderBy('period_id').orderBy('space_id').execute(),
    await read().selectFrom('contribution_counts').selectAll().orderBy('user_id').execute(),
  ])
const total = async () =>
  (await read().selectFrom('users').select('total_points').where('id', '=', ana.id).executeTakeFirstOrThrow()).total_points
const levels = async () =>
  (await read().selectFrom('achievements').select('code').where('user_id', '=', ana.id).where('code', 'like', 'level:%').execute()).length
const sound = async () => {
  for (const check of [...POINTS_AGGREGATES, ...LEDGER]) expect([check.name, await offenders(read(), check, '')]).toEqual([check.name, []])
}

test('ledger rows change no aggregate until they are folded; the checks hold before and after', async () => {
  const before = [await aggregates(), await total()] as const
  for (let i = 0; i < 5; i++) await add(entry(7), entry(1, { space_id: null }))
  expect(await aggregates()).toBe(before[0])
  await sound()
  await Promise.all([world.app.services.points.fold(), world.app.services.points.fold()])
  expect(await total()).toBe(before[1] + 40)
  expect(await read().selectFrom('points_unfolded').selectAll().execute()).toEqual([])
  await sound()
})

test('a level reached between two folds is kept, although the points are gone when they are folded', async () => {
  const before = [await levels(), await total()] as const
  const high = entry(700)
  await add(high)
  const [{ id } = { id: 0 }] = await read().selectFrom('points_ledger').select('id').where('event_key', '=', high.event_key).execute()
  await add({ ...high, points: -700, event_key: `rev:${high.event_key}`, reverses: id })
  await world.app.services.points.fold()
  expect(await total()).toBe(before[1])
  expect(await levels()).toBe(before[0] + 2)
  await sound()
})

test('counts and daily limits include rows that are not folded', async () => {
  const half = Array.from({ length: COMMENTS_MILESTONE / 2 }, () => entry(10, { kind: 'comment_made', day: '2026-02-01' }))
  await add(...half)
  await world.app.services.points.fold()
  await add(...half.map((one) => ({ ...one, dedup_key: `${one.dedup_key}b`, event_key: `${one.event_key}b` })))
  expect((await countsOf(read(), [ana.id])).get(ana.id)?.comments).toBe(COMMENTS_MILESTONE)

  const admin = await world.member({ role: 'admin' })
  await admin.api.settings.save({ limits: { comment_points_per_day: 200 } } as never)
  const { data } = await ana.api.feeds.create({ message: 'Many comments', space_id: space.id })
  await world.runPendingJobs()
  const folded = await total()
  await add(...Array.from({ length: 19 }, () => entry(10, { kind: 'comment_made' })))
  for (const comment of ['One', 'Two']) await ana.api.comments.create({ feed_id: data.id, comment })
  await world.runPendingJobs()
  const limits = await read()
    .selectFrom('points_ledger')
    .select('points')
    .where('feed_id', '=', data.id)
    .where('kind', '=', 'comment_made')
    .execute()
  expect([limits.map(({ points }) => points).sort((a, b) => a - b), (await total()) - folded]).toEqual([[0, 10], 200 + 100])
  await sound()
})
