import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { runChecks } from '../../cli/doctor/run-checks.ts'
import { nowOf } from '../../core/clock.ts'

type Topic = Awaited<ReturnType<Member['api']['adminTopics']['create']>>

let world: World
let admin: Member
let ana: Member
let ben: Member
let moderator: Member
let space: Space
let other: Space

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
  moderator = await world.member()
  space = await makeSpace(world, { members: [ana], moderators: [moderator] })
  other = await makeSpace(world, { members: [ana, moderator] })
})
beforeEach(async () => {
  await admin.api.adminTopics.saveConfig({
    enabled: true,
    required_for_posts: false,
    allow_multiple: true,
    max_topics_per_post: 5,
    display_style: 'badge',
  })
})
afterAll(async () => {
  await world.runPendingJobs()
  const { violations } = await runChecks(world.app.services.database, { now: nowOf(world.clock), sample: 100 })
  expect(violations).toEqual([])
  await world.close()
})

let made = 0
const makeTopic = (fields: object = {}): Promise<Topic> => {
  made += 1
  return admin.api.adminTopics.create({ title: `Topic ${made}`, ...fields })
}
const post = async (fields: object = {}, who = ana): Promise<number> =>
  (await who.api.feeds.create({ message: 'Hello', ...fields })).data.id
const read = async (feed_id: number, who = ana) => (await who.api.feeds.byId({ feed_id })).data
const termsOf = async (feed_id: number, who = ana) => (await read(feed_id, who)).terms.map(({ id }) => id)
const postsOf = async ({ id, title }: Topic) =>
  (await admin.api.adminTopics.list({ search: title, per_page: 100 })).topics.find((topic) => topic.id === id)?.posts_count
const setFeature = (on: boolean) =>
  world.app.write(null, async ({ db, now }) => {
    const value = JSON.stringify({ topics: on })
    await db
      .insertInto('settings')
      .values({ key: 'features', value, updated_at: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute()
  })

describe('a feed', () => {
  it('keeps its topics in the order sent, in either format', async () => {
    const [one, two] = [await makeTopic(), await makeTopic()]
    const terms = [two, one].map(({ id, title, slug }) => ({ id, title, slug }))
    const ids = [two.id, one.id]
    for (const body of [{ topics: ids }, { topic_ids: ids }, { meta: { topic_ids: [...ids, two.id], note: 1 } }]) {
      const feed = await read(await post(body))
      expect(feed.terms).toEqual(terms)
      expect(feed.meta['topic_ids']).toEqual(ids)
    }
    expect((await read(await post())).meta).toEqual({})
    expect([await postsOf(one), await postsOf(two)]).toEqual([3, 3])
  })

  it('replaces them if sent, and keeps them otherwise', async () => {
    const [one, two, three] = [await makeTopic(), await makeTopic(), await makeTopic()]
    const id = await post({ topics: [one.id, two.id] })
    await ana.api.feeds.update({ feed_id: id, message: 'Changed', meta: { note: 1 } })
    expect(await termsOf(id)).toEqual([one.id, two.id])
    await ana.api.feeds.update({ feed_id: id, topics: [three.id, one.id] })
    expect(await termsOf(id)).toEqual([three.id, one.id])
    expect(await Promise.all([one, two, three].map(postsOf))).toEqual([1, 0, 1])
    await ana.api.feeds.update({ feed_id: id, meta: { topic_ids: null } })
    expect([await termsOf(id), (await read(id)).meta]).toEqual([[], { note: 1 }])
    expect(await Promise.all([one, two, three].map(postsOf))).toEqual([0, 0, 0])
  })

  it('refuses unknown, disabled, foreign and too many topics', async () => {
    const active = await makeTopic()
    const inactive = await makeTopic({ status: 'inactive' })
    const here = await makeTopic({ space_ids: [space.id] })
    const elsewhere = await makeTopic({ space_ids: [other.id] })
    const all = [987654, inactive.id, elsewhere.id, here.id, active.id]
    expect(await termsOf(await post({ topics: all }))).toEqual([active.id])
    expect(await termsOf(await post({ topics: all, space_id: space.id }))).toEqual([here.id, active.id])
    await admin.api.adminTopics.saveConfig({ max_topics_per_post: 1 })
    expect(await termsOf(await post({ topics: all, space_id: space.id }))).toEqual([here.id])
    await admin.api.adminTopics.saveConfig({ max_topics_per_post: 5, allow_multiple: false })
    expect(await termsOf(await post({ topics: all, space_id: space.id }))).toEqual([here.id])
  })

  it('gets moderator topics only from moderators of its space', async () => {
    const topic = await makeTopic({ admin_only: 'yes' })
    const manager = await world.member({ role: 'manager' })
    await grant(world, manager, ['manage_feeds'], [space])
    expect(await termsOf(await post({ topics: [topic.id] }))).toEqual([])
    expect(await termsOf(await post({ topics: [topic.id], space_id: space.id }, moderator))).toEqual([topic.id])
    expect(await termsOf(await post({ topics: [topic.id], space_id: other.id }, moderator))).toEqual([])
    expect(await termsOf(await post({ topics: [topic.id], space_id: space.id }, manager))).toEqual([topic.id])
    expect(await termsOf(await post({ topics: [topic.id] }, admin))).toEqual([topic.id])
    const id = await post({ space_id: space.id })
    await refused(ben.api.feeds.update({ feed_id: id, topics: [topic.id] }), 403, 'rest_forbidden')
    await moderator.api.feeds.update({ feed_id: id, topics: [topic.id] })
    // The author may keep a topic that a moderator set, but not set it.
    await ana.api.feeds.update({ feed_id: id, message: 'Again', topics: [topic.id] })
    expect(await termsOf(id)).toEqual([topic.id])
  })

  it('is checked again when it moves', async () => {
    const [everywhere, here, there] = [
      await makeTopic(),
      await makeTopic({ space_ids: [space.id] }),
      await makeTopic({ space_ids: [other.id] }),
    ]
    const id = await post({ space_id: space.id, topics: [here.id, everywhere.id, there.id] })
    expect(await termsOf(id)).toEqual([here.id, everywhere.id])
    await ana.api.feeds.update({ feed_id: id, space_id: other.id })
    expect(await termsOf(id)).toEqual([everywhere.id])
    await ana.api.feeds.update({ feed_id: id, space_id: null, topics: [there.id] })
    expect(await termsOf(id)).toEqual([])
    expect(await Promise.all([everywhere, here, there].map(postsOf))).toEqual([0, 0, 0])
  })

  it('shows the current names of its topics in every list', async () => {
    const topic = await makeTopic()
    const id = await post({ topics: [topic.id] })
    const shown = async () => {
      const { feeds } = await ana.api.feeds.list({ user_id: ana.id })
      const terms = feeds.data.find((feed) => feed.id === id)?.terms
      expect((await read(id)).terms).toEqual(terms)
      return terms
    }
    expect(await shown()).toEqual([{ id: topic.id, title: topic.title, slug: topic.slug }])
    await admin.api.adminTopics.update({ topic_id: topic.id, title: 'Renamed', slug: 'renamed-now' })
    expect(await shown()).toEqual([{ id: topic.id, title: 'Renamed', slug: 'renamed-now' }])
    await admin.api.adminTopics.update({ topic_id: topic.id, status: 'inactive' })
    expect(await shown()).toEqual([])
    await ana.api.feeds.update({ feed_id: id, topics: [] })
    await admin.api.adminTopics.update({ topic_id: topic.id, status: 'active' })
    expect(await shown()).toEqual([{ id: topic.id, title: 'Renamed', slug: 'renamed-now' }])
    await setFeature(false)
    expect(await shown()).toEqual([])
    await setFeature(true)
    await admin.api.adminTopics.saveConfig({ enabled: false })
    expect(await shown()).toEqual([])
    await admin.api.adminTopics.saveConfig({ enabled: true })
    expect(await shown()).toHaveLength(1)
    await admin.api.adminTopics.remove({ topic_id: topic.id })
    expect(await shown()).toEqual([])
  })
})

describe('where a topic is required', () => {
  it('the space refuses posts without one', async () => {
    const strict = await makeSpace(world, { members: [ana], admins: [moderator], settings: { topic_required: 'yes' } })
    const topic = await makeTopic({ space_ids: [strict.id] })
    const elsewhere = await makeTopic({ space_ids: [other.id] })
    await refused(post({ space_id: strict.id }), 400, 'topic_required')
    await refused(post({ space_id: strict.id, topics: [987654, elsewhere.id] }), 400, 'topic_required')
    await refused(post({ space_id: strict.id, status: 'scheduled', scheduled_at: '2031-01-01 00:00:00' }), 400, 'topic_required')
    const id = await post({ space_id: strict.id, topics: [topic.id] })
    await refused(ana.api.feeds.update({ feed_id: id, topics: [] }), 400, 'topic_required')
    await refused(ana.api.feeds.update({ feed_id: id, topics: [elsewhere.id] }), 400, 'topic_required')
    await ana.api.feeds.update({ feed_id: id, message: 'Changed' })
    const loose = await post()
    await refused(ana.api.feeds.update({ feed_id: loose, space_id: strict.id }), 400, 'topic_required')
    await ana.api.feeds.update({ feed_id: loose, space_id: strict.id, topics: [topic.id] })
    expect(await termsOf(loose)).toEqual([topic.id])
  })

  it('a draft needs it only when it is published', async () => {
    const strict = await makeSpace(world, { members: [ana], settings: { topic_required: 'yes' } })
    const topic = await makeTopic({ space_ids: [strict.id] })
    const id = await post({ space_id: strict.id, status: 'draft' })
    await ana.api.feeds.update({ feed_id: id, topics: [] })
    await refused(ana.api.feeds.update({ feed_id: id, status: 'published' }), 400, 'topic_required')
    await refused(ana.api.feeds.update({ feed_id: id, status: 'scheduled', scheduled_at: '2031-01-01 00:00:00' }), 400, 'topic_required')
    expect(await postsOf(topic)).toBe(0)
    await ana.api.feeds.update({ feed_id: id, topics: [topic.id] })
    expect(await postsOf(topic)).toBe(0)
    await ana.api.feeds.update({ feed_id: id, status: 'published' })
    expect([await termsOf(id), await postsOf(topic)]).toEqual([[topic.id], 1])
  })

  it('the community refuses new posts without one, but existing ones stay', async () => {
    const topic = await makeTopic()
    const before = await post()
    await admin.api.adminTopics.saveConfig({ required_for_posts: true })
    await refused(post(), 400, 'topic_required')
    await refused(post({}, admin), 400, 'topic_required')
    await post({ topics: [topic.id] })
    await ana.api.feeds.update({ feed_id: before, message: 'Changed' })
    await setFeature(false)
    expect(await termsOf(await post({ topics: [topic.id] }))).toEqual([])
    await setFeature(true)
    await refused(post(), 400, 'topic_required')
  })

  it('members who cannot choose any are exempt', async () => {
    const strict = await makeSpace(world, { members: [ana], moderators: [moderator], settings: { topic_required: 'yes' } })
    const everywhere = (await admin.api.adminTopics.list({ space_id: strict.id, per_page: 100 })).topics
    for (const { id } of everywhere) await admin.api.adminTopics.update({ topic_id: id, status: 'inactive' })
    await post({ space_id: strict.id })
    await makeTopic({ space_ids: [strict.id], admin_only: true })
    await post({ space_id: strict.id })
    await refused(post({ space_id: strict.id }, moderator), 400, 'topic_required')
    for (const { id, status } of everywhere) await admin.api.adminTopics.update({ topic_id: id, status })
  })
})

describe('the feed count of a topic', () => {
  it('includes listed feeds', async () => {
    const topic = await makeTopic()
    const id = await post({ topics: [topic.id], space_id: space.id, expired_at: '2026-03-20 00:00:00' })
    const later = await post({ topics: [topic.id], status: 'scheduled', scheduled_at: '2026-03-15 00:00:00' })
    expect(await postsOf(topic)).toBe(1)
    await moderator.api.feeds.update({ feed_id: id, status: 'spam' })
    expect(await postsOf(topic)).toBe(0)
    world.clock.advance(1)
    await moderator.api.feeds.update({ feed_id: id, status: 'published' })
    expect(await postsOf(topic)).toBe(1)
    world.clock.advance(6 * 86_400)
    await world.runPendingJobs()
    expect([await postsOf(topic), (await read(later)).status]).toEqual([2, 'published'])
    world.clock.advance(6 * 86_400)
    await world.runPendingJobs()
    expect(await postsOf(topic)).toBe(1)
    await ana.api.feeds.remove({ feed_id: later })
    expect(await postsOf(topic)).toBe(0)
  })

  it('excludes those of a deleted space', async () => {
    const topic = await makeTopic()
    const { data } = await admin.api.spaces.create({ title: 'Short-lived' })
    await post({ topics: [topic.id], space_id: data.id }, admin)
    await post({ topics: [topic.id], space_id: data.id, status: 'draft' }, admin)
    await post({ topics: [topic.id] })
    expect(await postsOf(topic)).toBe(2)
    await admin.api.spaces.removeById({ space_id: data.id })
    expect(await postsOf(topic)).toBe(1)
  })

  it('is correct after concurrent writes', async () => {
    const topics = [await makeTopic(), await makeTopic(), await makeTopic()]
    const [a, b, c] = topics.map(({ id }) => id) as [number, number, number]
    const ids = await Promise.all(
      [
        [a, b, c],
        [c, b, a],
        [b, c],
        [c, a],
        [b, a],
        [a, c, b],
      ].map((list, i) => post({ topics: list, space_id: i % 2 ? space.id : other.id })),
    )
    await Promise.all(ids.map((id, i) => ana.api.feeds.update({ feed_id: id, topics: i % 2 ? [b] : [c, a] })))
    expect(await Promise.all(topics.map(postsOf))).toEqual([3, 3, 3])
  })

  it('leaves nothing behind if the topic is deleted while members post', async () => {
    for (let round = 0; round < 4; round++) {
      const topics = [await makeTopic(), await makeTopic()]
      const [gone, stays] = topics as [Topic, Topic]
      const ids = topics.map(({ id }) => id)
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => ana.raw('POST', '/feeds', { message: 'x', topics: ids })),
        admin.raw('DELETE', `/admin/topics/${gone.id}`),
        ...Array.from({ length: 4 }, () => ben.raw('POST', '/feeds', { message: 'x', topics: ids.toReversed() })),
      ])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200, 201, 201, 201, 201])
      expect(await postsOf(stays)).toBe(8)
      for (const { body } of answers) if (body.data?.id) expect(await termsOf(body.data.id)).toEqual([stays.id])
    }
  })
})

describe('a space', () => {
  it('shows its topics', async () => {
    const home = await makeSpace(world, { members: [ana], admins: [moderator] })
    const before = (await ana.api.spaces.byId({ space_id: home.id })).data.topics.map(({ id }) => id)
    const topic = await makeTopic({ space_ids: [home.id], color: '#123456', icon: '🌱', admin_only: 'yes' })
    await makeTopic({ space_ids: [other.id] })
    await makeTopic({ space_ids: [home.id], status: 'inactive' })
    const { topics } = (await ana.api.spaces.byId({ space_id: home.id })).data
    expect(topics.map(({ id }) => id)).toEqual([...before, topic.id])
    expect(topics.at(-1)).toEqual({
      id: topic.id,
      title: topic.title,
      slug: topic.slug,
      color: '#123456',
      icon: '🌱',
      admin_only: 'yes',
    })
    await setFeature(false)
    expect((await ana.api.spaces.byId({ space_id: home.id })).data.topics).toEqual([])
    await setFeature(true)
  })

  it('gets topics from its staff, out of those they see', async () => {
    const secret = await makeSpace(world, { privacy: 'secret' })
    const home = await makeSpace(world, { members: [ana], admins: [moderator] })
    const everywhere = await makeTopic()
    const [known, kept, hidden] = [
      await makeTopic({ space_ids: [other.id] }),
      await makeTopic({ space_ids: [home.id] }),
      await makeTopic({ space_ids: [secret.id] }),
    ]
    const spacesOf = async ({ title }: Topic) => {
      const { topics } = await admin.api.adminTopics.list({ search: title })
      return topics.find((topic) => topic.title === title)
    }
    const topic_ids = [everywhere.id, known.id, kept.id, hidden.id, 987654]
    await refused(ana.api.spaces.updateById({ space_id: home.id, topic_ids }), 403, 'rest_forbidden')
    await moderator.api.spaces.updateById({ space_id: home.id, topic_ids })
    expect(await spacesOf(everywhere)).toMatchObject({ everywhere: true, space_ids: [] })
    expect(await spacesOf(known)).toMatchObject({ space_ids: [other.id, home.id] })
    expect(await spacesOf(kept)).toMatchObject({ space_ids: [home.id] })
    expect(await spacesOf(hidden)).toMatchObject({ space_ids: [secret.id] })
    await admin.api.spaces.updateBySlug({ space_slug: home.slug, topic_ids: [hidden.id] })
    expect(await spacesOf(known)).toMatchObject({ space_ids: [other.id] })
    expect(await spacesOf(kept)).toMatchObject({ everywhere: false, space_ids: [] })
    expect(await spacesOf(hidden)).toMatchObject({ space_ids: [secret.id, home.id] })
    const { data } = await admin.api.spaces.create({ title: 'Born with topics', topic_ids: [known.id] })
    expect(await spacesOf(known)).toMatchObject({ space_ids: [other.id, data.id] })
    await admin.api.adminTopics.saveConfig({ max_topics_per_space: 1 })
    const many = admin.api.spaces.updateById({ space_id: home.id, topic_ids: [known.id, hidden.id] })
    const refusal = await refused(many, 400, 'invalid_data')
    expect(Object.keys(refusal.data['errors'] as object)).toEqual(['topic_ids'])
    await admin.api.adminTopics.saveConfig({ max_topics_per_space: 20 })
  })

  it('can require a topic only if it offers one', async () => {
    const { topics } = await admin.api.adminTopics.list({ per_page: 100, status: 'active' })
    for (const { id } of topics) await admin.api.adminTopics.update({ topic_id: id, status: 'inactive' })
    const home = await makeSpace(world, { admins: [moderator] })
    const require = (more: object = {}) =>
      moderator.api.spaces.updateById({ space_id: home.id, settings: { topic_required: 'yes' }, ...more })
    const refusal = await refused(require(), 400, 'invalid_data')
    expect(Object.keys(refusal.data['errors'] as object)).toEqual(['settings.topic_required'])
    await refused(admin.api.spaces.create({ title: 'x', settings: { topic_required: 'yes' } }), 400, 'invalid_data')
    const topic = await makeTopic({ space_ids: [other.id] })
    await require({ topic_ids: [topic.id] })
    await moderator.api.spaces.updateById({ space_id: home.id, topic_ids: [] })
    await require()
    for (const { id } of topics) await admin.api.adminTopics.update({ topic_id: id, status: 'active' })
  })
})
