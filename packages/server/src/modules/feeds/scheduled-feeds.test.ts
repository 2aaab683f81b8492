import { FEED_ORDERS } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { type Plan, plansOf } from '#test/plans.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** Full scans that are expected: an index in list order, the few rows of counts, a caller's spaces, pins, and search results. */
const IN_ORDER = /^SCAN f USING (COVERING )?INDEX feeds_(?!space_all|own)/
const SMALL = /^SCAN (c|o|p\d+|h|\(subquery-\d+\)|CONSTANT ROW|\d+ CONSTANT ROWS)$/
const SEARCHED = /^SCAN feed_search VIRTUAL TABLE INDEX 0:M1(><)?$/
/** Every space once, to find what the caller may see in each. */
const PLACES = /^SCAN (s USING COVERING INDEX spaces_creator|k)$/
/** Search results by id. */
const BY_IDS = /^SCAN h VIRTUAL TABLE INDEX 1:$/
const BY_NATURE = [IN_ORDER, SMALL, SEARCHED, PLACES, BY_IDS]

let world: World
let space: Space
let people: Record<'member' | 'scoped' | 'admin', Member>

const onSqlite = process.env.LYCEUM_TEST_DATABASE === 'sqlite'

beforeAll(async () => {
  world = await createWorld()
  people = { member: await world.member(), scoped: await world.member({ role: 'manager' }), admin: await world.member({ role: 'admin' }) }
  space = await makeSpace(world, { members: [people.member], moderators: [people.admin] })
  await grant(world, people.scoped, ['manage_feeds'], [space])
  for (const place of [null, space.id, space.id]) {
    const { data } = await people.member.api.feeds.create({ message: 'hello', space_id: place })
    await people.member.api.comments.create({ feed_id: data.id, comment: 'x' })
  }
  await people.admin.api.feeds.create({ message: 'x', space_id: space.id, is_sticky: true })
})
afterAll(() => world.close())

const isFaulty = (step: string, mayTemporarilySort: boolean): boolean => {
  if (step.includes('TEMP B-TREE')) return !mayTemporarilySort
  return step.startsWith('SCAN') && !BY_NATURE.some((nature) => nature.test(step))
}

/** Queries for the caller's few private feeds and for recent changes; they sort only few rows. */
const isOfFew = (sql: string) => sql.includes('feed_index_changelog') || sql.includes('union select f.id, f.space_id from followers')

let drops = 0

const expectGood = async (label: string, work: () => Promise<unknown>, sorts = false) => {
  drops += 1
  // Cached responses would hide the statements.
  await world.app.write(null, ({ db }) =>
    db
      .updateTable('spaces')
      .set({ title: `Space ${drops}` })
      .execute(),
  )
  const plans: Plan[] = await plansOf(world.app.services.database.read, work)
  expect(plans.length).toBeGreaterThan(0)
  const faulty = plans.flatMap(({ sql, steps }) =>
    steps.filter((step) => isFaulty(step, sorts || isOfFew(sql))).map((step) => ({ label, step, sql })),
  )
  expect(faulty).toEqual([])
}

type Query = Parameters<Member['api']['feeds']['list']>[0]

describe.runIf(onSqlite)('on SQLite', () => {
  const BY_TIME = new Set(['latest', 'recent', 'published', 'oldest', 'unanswered'])

  it.each(['member', 'scoped', 'admin'] as const)('every list reads an index in order, for a %s', async (who) => {
    const { api } = people[who]
    const places: Query[] = [{}, { space: space.slug }, { disable_sticky: 'yes' }]
    const some: Query[] = [{ user_id: people.member.id }, { type: 'question' }, { type: 'feed' }, { type: 'text', space: space.slug }]
    for (const order_by_type of FEED_ORDERS) {
      for (const query of places)
        await expectGood(JSON.stringify([query, order_by_type]), () => api.feeds.list({ ...query, order_by_type }))
      // Lists of one author or one type have time indexes; in other orders few rows are sorted.
      const mayBeSorted = !BY_TIME.has(order_by_type)
      for (const query of some)
        await expectGood(JSON.stringify([query, order_by_type]), () => api.feeds.list({ ...query, order_by_type }), mayBeSorted)
    }
  })

  it.each(FEED_ORDERS)('the page after a cursor starts at the cursor: %s', async (order_by_type) => {
    for (const query of [{ disable_sticky: 'yes' }, { disable_sticky: 'yes', space: space.slug }]) {
      const { feeds } = await people.member.api.feeds.list({ ...query, order_by_type, per_page: 1 })
      const cursor = feeds.next_cursor
      if (!cursor) continue
      const plans = await plansOf(world.app.services.database.read, () => people.member.api.feeds.list({ ...query, order_by_type, cursor }))
      const page = plans.find(({ sql }) => sql.includes('limit'))
      expect(
        page?.steps.filter((step) => /^SEARCH f USING (COVERING )?INDEX feeds_/.test(step)),
        page?.steps.join('\n'),
      ).toHaveLength(1)
      expect(page?.steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
  })

  it('private content is found by index too', async () => {
    const { member, admin } = people
    for (const status of ['draft', 'scheduled', 'pending', 'spam'] as const) {
      await expectGood(status, () => member.api.feeds.list({ status, user_id: member.id }))
    }
    for (const status of ['pending', 'spam'] as const) {
      await expectGood(status, () => admin.api.feeds.list({ status }))
      await expectGood(status, () => admin.api.feeds.list({ status, space: space.slug }), true)
    }
  })

  it('single feeds, voters, searches and the activity list use indexes', async () => {
    const { member } = people
    const survey = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
    const { data } = await member.api.feeds.create({ message: 'hello', meta: { survey } })
    await expectGood('by id', () => member.api.feeds.byId({ feed_id: data.id }))
    await expectGood('by slug', () => member.api.feeds.bySlug({ feed_slug: data.slug }))
    await expectGood('voters', () => member.api.surveys.voters({ feed_id: data.id, option_slug: 'a' }))
    await expectGood('search', () => member.api.feeds.list({ search: 'hello', type: 'feed' }), true)
    const plans = await plansOf(world.app.services.database.read, () => member.api.activities.ticker())
    const steps = plans.flatMap((plan) => plan.steps).filter((step) => /^SCAN|TEMP B-TREE/.test(step))
    // Only to find the start of the recent entries; the scan is limited.
    expect(steps).toEqual(['SCAN e USING COVERING INDEX activities_newest'])
  })

  it('writes find their rows by index', async () => {
    const { member, admin } = people
    const writer = await world.app.services.database.write(async (db) => db)
    const survey = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
    const id = async () => (await member.api.feeds.create({ message: 'hello', space_id: space.id, meta: { survey } })).data.id
    const [one, two] = [await id(), await id()]
    const writes = [
      () => id(),
      () => member.api.feeds.update({ feed_id: one, message: 'Other', space_id: null }),
      () => admin.api.feeds.update({ feed_id: two, is_sticky: true }),
      () => member.api.surveys.vote({ feed_id: two, option_slug: 'a' }),
      () => member.api.feeds.remove({ feed_id: one }),
      () => world.runPendingJobs(),
    ]
    for (const write of writes) {
      for (const { sql, steps } of await plansOf(writer, write)) {
        // Points are folded from subqueries with the unfolded rows of some members.
        const isFold = sql.includes('points_unfolded w cross join')
        const scans = steps.filter(
          (step) =>
            step.startsWith('SCAN') &&
            !(isFold && /^SCAN (d|r|s|\(subquery-\d+\))$/.test(step)) &&
            !/^SCAN (feed_search VIRTUAL TABLE INDEX 0:=|e VIRTUAL TABLE|points_config|points_unfolded|CONSTANT ROW|p$)/.test(step),
        )
        expect({ sql, scans }).toEqual({ sql, scans: [] })
      }
    }
  })
})
