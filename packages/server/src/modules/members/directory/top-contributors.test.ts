import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSpace } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let [ana, bea, cyd, admin]: Member[] = []
beforeAll(async () => {
  world = await createWorld()
  ;[ana, bea, cyd] = [await world.member(), await world.member(), await world.member()]
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())

type Query = Parameters<Member['api']['members']['topContributors']>[0]
/** Members with posts, comments and reactions. */
const top = async (who: Member, query: Query = {}) =>
  (await who.api.members.topContributors(query)).data.map(({ id, rank, stats }) => [
    rank,
    id,
    [stats.posts_count, stats.comments_count, stats.reactions_received],
  ])
const later = () => world.clock.advance(61)

test('counts public content, and gives everyone the same result', async () => {
  const people = [ana, bea, cyd, admin] as Member[]
  const [open, secret] = [await makeSpace(world, { members: people }), await makeSpace(world, { privacy: 'secret', members: people })]
  const closed = await makeSpace(world, { privacy: 'private', members: people })
  const draft = await makeSpace(world, { members: people })
  const post = async (who: Member, more: object) => (await who.api.feeds.create({ message: 'Hello', ...more })).data.id
  const one = await post(ana as Member, { space_id: open.id })
  await post(ana as Member, {})
  await post(bea as Member, {})
  for (const space of [secret, closed, draft]) {
    const hidden = await post(cyd as Member, { space_id: space.id })
    await (cyd as Member).api.comments.create({ feed_id: hidden, comment: 'Hidden' })
    await (ana as Member).api.reactions.toFeed({ feed_id: hidden, type: 'like' })
  }
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('spaces').set({ status: 'draft' }).where('id', '=', draft.id).execute()
  })
  await post(cyd as Member, { status: 'draft' })
  await post(cyd as Member, { privacy: 'private' })
  const { data: comment } = await (cyd as Member).api.comments.create({ feed_id: one, comment: 'Seen' })
  const { data: spam } = await (cyd as Member).api.comments.create({ feed_id: one, comment: 'Spam' })
  await (admin as Member).api.comments.update({ feed_id: one, comment_id: spam.id, status: 'spam' })
  for (const who of [bea, cyd] as Member[]) await who.api.reactions.toFeed({ feed_id: one, type: 'like' })
  await (ana as Member).api.reactions.toComment({ feed_id: one, comment_id: comment.id, type: 'wow' })

  const [a, b, c] = [ana?.id, bea?.id, cyd?.id]
  for (const who of [ana, admin] as Member[]) {
    expect(await top(who)).toEqual([
      [1, a, [2, 0, 2]],
      [2, b, [1, 0, 0]],
    ])
    expect(await top(who, { metric: 'comments' })).toEqual([[1, c, [0, 1, 1]]])
    expect(await top(who, { metric: 'reactions' })).toEqual([
      [1, a, [2, 0, 2]],
      [2, c, [0, 1, 1]],
    ])
  }
  expect(await top(ana as Member, { per_page: 1 })).toHaveLength(1)

  // A count is cached for a minute.
  await post(bea as Member, {})
  await post(bea as Member, {})
  expect((await top(ana as Member))[0]?.[1]).toBe(a)
  later()
  expect((await top(ana as Member))[0]).toEqual([1, b, [3, 0, 0]])
})

test('within the period', async () => {
  world.clock.advance(8 * 24 * 3600)
  expect(await top(ana as Member, { period: 'week' })).toEqual([])
  expect(await top(ana as Member, { period: 'month' })).toHaveLength(2)
  world.clock.advance(40 * 24 * 3600)
  expect(await top(ana as Member, { period: 'month' })).toEqual([])
  expect(await top(ana as Member, { period: 'year' })).toHaveLength(2)
  world.clock.advance(400 * 24 * 3600)
  expect(await top(ana as Member, { period: 'year' })).toEqual([])
  expect(await top(ana as Member, { period: 'all' })).toHaveLength(2)
})

test('suspended members are removed immediately', async () => {
  const [first] = await top(ana as Member, { period: 'all' })
  await (admin as Member).api.members.update({ user_id: bea?.id as number, status: 'suspended' })
  const rest = await top(ana as Member, { period: 'all' })
  expect([first?.[1], rest.map(([rank, id]) => [rank, id])]).toEqual([bea?.id, [[1, ana?.id]]])
})

test('unknown values are refused with the list of valid ones', async () => {
  for (const [query, allowed] of [
    ['period=decade', ['week', 'month', 'year', 'all']],
    ['metric=points', ['posts', 'comments', 'reactions']],
  ] as const) {
    const { status, body } = await (ana as Member).raw('GET', `/members/top-contributors?${query}`)
    expect([status, body.code, body.data.allowed_values]).toEqual([400, 'invalid_filter', allowed])
  }
})

test('every list of members finds its rows using an index', async () => {
  if (world.dialect !== 'sqlite') return
  const { api } = ana as Member
  const space = await makeSpace(world, { members: [ana as Member] })
  // The whole directory is read in order, up to the end of the page.
  const plans = await plansOf(world.app.services.database.read, async () => {
    for (const orderby of ['created_at', 'display_name', 'last_seen'] as const) {
      for (const order of ['asc', 'desc'] as const) await api.members.list({ orderby, order, per_page: 2, page: 2 })
    }
    await api.members.list({ role: 'member' })
    await api.members.list({ mention: '@' })
    await api.members.active()
    await api.members.newest()
  })
  const odd = (step: string) =>
    step.includes('TEMP B-TREE') ||
    (step.startsWith('SCAN') &&
      !/^SCAN u USING INDEX users_(newest|name|last_activity)$|^SCAN users USING COVERING INDEX|^SCAN g$|^SCAN CONSTANT ROW$/.test(step))
  expect(plans.flatMap(({ sql, steps }) => steps.filter(odd).map((step) => ({ sql, step })))).toEqual([])
  const searches = await plansOf(world.app.services.database.read, async () => {
    await api.members.list({ search: 'ana lind' })
    await api.members.list({ mention: 'ana', space_id: space.id })
    await api.members.list({ mention: 'a' })
    await api.members.list({ space_id: space.id, search: 'ana' })
    await api.members.list({ space_id: space.id })
    for (const status of ['suspended', 'banned'] as const) await (admin as Member).api.members.list({ status })
  })
  // Full scans are expected only for search pages and the few inactive accounts.
  const walked = (step: string) =>
    step.startsWith('SCAN') && !/^SCAN (h|\(subquery-\d+\)|CONSTANT ROW|u USING COVERING INDEX users_inactive)$/.test(step)
  expect(searches.flatMap(({ sql, steps }) => steps.filter(walked).map((step) => ({ sql, step })))).toEqual([])
  later()
  const counts = await plansOf(world.app.services.database.read, () => api.members.topContributors({ period: 'all' }))
  const steps = counts.flatMap((plan) => plan.steps)
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  expect(steps.some((step) => step.startsWith('SEARCH f USING INDEX feeds_published'))).toBe(true)
  expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual(['SCAN spaces'])
})
