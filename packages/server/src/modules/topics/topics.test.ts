import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, makeSpace } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'

let world: World
let admin: Member
let ana: Member

beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

const onSqlite = process.env.LYCEUM_TEST_DATABASE === 'sqlite'

let made = 0
/** Creates a topic with a unique title. */
const make = (fields: Partial<Parameters<Member['api']['adminTopics']['create']>[0]> = {}) => {
  made += 1
  return admin.api.adminTopics.create({ title: `Topic number ${made}`, ...fields })
}
const list = (query: Parameters<Member['api']['adminTopics']['list']>[0] = {}) => admin.api.adminTopics.list({ per_page: 100, ...query })
const clear = () => world.app.write(null, ({ db }) => db.deleteFrom('topics').execute())

describe('a topic', () => {
  it('has the fields sent, and defaults for the rest', async () => {
    const { status, body } = await admin.api.adminTopics.create.answer({ title: '  Seeds   and bulbs ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      title: 'Seeds and bulbs',
      slug: 'seeds-and-bulbs',
      description: '',
      color: '',
      icon: '',
      parent_id: null,
      posts_count: 0,
      status: 'active',
      serial: expect.any(Number),
      admin_only: 'no',
      everywhere: true,
      space_ids: [],
      created_at: '2026-03-10 12:00:00',
      updated_at: '2026-03-10 12:00:00',
      message: 'The topic was created.',
    })
    const more = await make({
      slug: 'Own_Slug-1',
      description: 'About it',
      color: '#AaBbCc',
      icon: 'bi bi-tree',
      status: 'inactive',
      admin_only: 'yes',
      parent_id: body.id,
    })
    expect(more).toMatchObject({
      slug: 'own_slug-1',
      description: 'About it',
      color: '#aabbcc',
      icon: 'bi bi-tree',
      status: 'inactive',
      admin_only: 'yes',
      parent_id: body.id,
    })
  })

  it('changes only the fields sent', async () => {
    const { message: _, ...topic } = await make({ description: 'Before', color: '#112233' })
    world.clock.advance(60)
    const { message, ...changed } = await admin.api.adminTopics.update({ topic_id: topic.id, description: 'After', admin_only: true })
    expect(message).toBe('The topic was updated.')
    expect(changed).toEqual({ ...topic, description: 'After', admin_only: 'yes', updated_at: changed.updated_at })
    expect(changed.updated_at > topic.updated_at).toBe(true)
    const same = await admin.api.adminTopics.update({ topic_id: topic.id, slug: topic.slug, title: 'Renamed', color: null })
    expect(same).toMatchObject({ slug: topic.slug, title: 'Renamed', color: '' })
  })

  it('is deleted with a response, and its children become top-level', async () => {
    const parent = await make()
    const child = await make({ parent_id: parent.id })
    expect(await admin.api.adminTopics.remove({ topic_id: parent.id })).toEqual({ message: 'The topic was deleted.' })
    expect((await list()).topics.find(({ id }) => id === child.id)?.parent_id).toBeNull()
    await refused(admin.api.adminTopics.remove({ topic_id: parent.id }), 404, 'not_found')
    await refused(admin.api.adminTopics.update({ topic_id: parent.id, title: 'x' }), 404, 'not_found')
  })

  it.each([
    [{ title: '' }, 'title'],
    [{ title: '   ' }, 'title'],
    [{ color: 'red' }, 'color'],
    [{ color: '#12345' }, 'color'],
    [{ color: '#123456;x' }, 'color'],
    [{ slug: 'with space' }, 'slug'],
    [{ status: 'gone' }, 'status'],
    [{ admin_only: 'perhaps' }, 'admin_only'],
    [{ parent_id: 987654 }, 'parent_id'],
    [{ space_ids: [987654] }, 'space_ids'],
  ] as const)('cannot be %j', async (fields, field) => {
    const before = await list()
    const { id } = await make()
    for (const [method, path] of [
      ['POST', '/admin/topics'],
      ['PUT', `/admin/topics/${id}`],
    ] as const) {
      const { status, body } = await admin.raw(method, path, { title: 'Fine', ...fields })
      expect([status, body.code, Object.keys(body.data.errors)]).toEqual([400, 'invalid_data', [field]])
    }
    await admin.api.adminTopics.remove({ topic_id: id })
    expect(await list()).toEqual(before)
  })

  it('has limits for description bytes and title characters', async () => {
    await refused(make({ description: '漢'.repeat(1667) }), 400, 'invalid_data')
    await refused(make({ title: 'x'.repeat(101) }), 400, 'invalid_data')
    expect((await make({ description: 'x'.repeat(5000), title: '漢'.repeat(100) })).description).toHaveLength(5000)
  })

  it('is updated, not created, by a POST with its id', async () => {
    const { id, slug } = await make({ title: 'First words' })
    const count = (await list()).pagination.total
    for (const named of [id, String(id)]) {
      const { status, body } = await admin.raw('POST', '/admin/topics', { id: named, title: 'Second words' })
      expect([status, body.id, body.title, body.slug]).toEqual([200, id, 'Second words', slug])
    }
    const { body } = await admin.raw('POST', '/admin/topics', { id, title: 'Third words', color: '#123456' })
    expect(body).toMatchObject({ id, slug, color: '#123456' })
    expect((await list()).pagination.total).toBe(count)
    expect((await admin.raw('POST', '/admin/topics', { id: 987654321, title: 'x' })).body.code).toBe('not_found')
    for (const none of [null, '', 0])
      expect((await admin.raw('POST', '/admin/topics', { id: none, title: `New ${none}` })).status).toBe(201)
    expect((await list()).pagination.total).toBe(count + 3)
  })

  it('needs a title and a safe icon', async () => {
    const { status, body } = await admin.raw('POST', '/admin/topics', { color: '#123456' })
    expect([status, body.code, body.data.field]).toEqual([400, 'missing_required_field', 'title'])
    for (const icon of ['javascript:alert(1)', ' JavaScript:x', 'data:image/svg+xml,x', '"><img']) {
      await refused(make({ icon }), 400, 'invalid_url')
    }
    for (const icon of ['https://example.org/i.png', '🌱', 'fa-solid fa-leaf', '']) expect((await make({ icon })).icon).toBe(icon)
  })

  it('allows at most two levels', async () => {
    const top = await make()
    const child = await make({ parent_id: top.id })
    const other = await make()
    await refused(make({ parent_id: child.id }), 400, 'invalid_data')
    await refused(admin.api.adminTopics.update({ topic_id: top.id, parent_id: top.id }), 400, 'invalid_data')
    await refused(admin.api.adminTopics.update({ topic_id: top.id, parent_id: child.id }), 400, 'invalid_data')
    await refused(admin.api.adminTopics.update({ topic_id: top.id, parent_id: other.id }), 400, 'invalid_data')
    await refused(admin.api.adminTopics.update({ topic_id: other.id, parent_id: child.id }), 400, 'invalid_data')
    expect((await admin.api.adminTopics.update({ topic_id: child.id, parent_id: 0 })).parent_id).toBeNull()
  })
})

describe('slugs', () => {
  it('must be free if requested', async () => {
    const topic = await make({ slug: 'taken' })
    const other = await make()
    await refused(make({ slug: 'taken' }), 400, 'duplicate_slug')
    await refused(make({ slug: 'TAKEN' }), 400, 'duplicate_slug')
    await refused(make({ slug: 'config' }), 400, 'duplicate_slug')
    await refused(admin.api.adminTopics.update({ topic_id: other.id, slug: 'taken' }), 400, 'duplicate_slug')
    await admin.api.adminTopics.remove({ topic_id: topic.id })
    expect((await make({ slug: 'taken' })).slug).toBe('taken')
  })

  it('are made unique if derived from the title', async () => {
    await clear()
    expect((await make({ title: 'Ännchen & Co' })).slug).toBe('annchen-co')
    expect((await make({ title: 'Ännchen & Co' })).slug).toMatch(/^annchen-co-[a-z2-7]{6}$/)
    expect((await make({ title: '漢字' })).slug).toBe('topic')
    expect((await make({ title: 'Config' })).slug).toMatch(/^config-[a-z2-7]{6}$/)
  })

  it('go to one of many concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.raw('POST', '/admin/topics', { title: 'Race', slug: 'race' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    expect(answers.filter(({ status }) => status === 400).map(({ body }) => body.code)).toEqual(Array(7).fill('duplicate_slug'))
    const unnamed = await Promise.all(Array.from({ length: 8 }, () => make({ title: 'Same title' })))
    expect(new Set(unnamed.map(({ slug }) => slug)).size).toBe(8)
  })
})

describe('the list', () => {
  beforeEach(clear)

  it('is ordered by serial and paginated', async () => {
    const [one, two, three] = [await make({ title: 'One' }), await make({ title: 'Two' }), await make({ title: 'Three' })]
    const titles = async () => (await list()).topics.map(({ title }) => title)
    expect(await titles()).toEqual(['One', 'Two', 'Three'])
    expect((await admin.api.adminTopics.update({ topic_id: three.id, serial: one.serial })).serial).toBe(one.serial)
    expect(await titles()).toEqual(['Three', 'One', 'Two'])
    await admin.api.adminTopics.update({ topic_id: three.id, serial: 1000 })
    expect(await titles()).toEqual(['One', 'Two', 'Three'])
    const place = (await list()).topics.find(({ id }) => id === two.id)?.serial
    await make({ title: 'Between', serial: place })
    expect(await titles()).toEqual(['One', 'Between', 'Two', 'Three'])

    const { topics, pagination } = await list({ per_page: 3, page: 2 })
    expect(topics.map(({ title }) => title)).toEqual(['Three'])
    expect(pagination).toEqual({ total: 4, per_page: 3, current_page: 2, total_pages: 2 })
    expect((await admin.api.adminTopics.list()).pagination.per_page).toBe(50)
    expect((await list({ page: 9 })).topics).toEqual([])
  })

  it('can be filtered by status, parent, space and search', async () => {
    const space = await makeSpace(world)
    const parent = await make({ title: 'Parent of 100%' })
    await make({ title: 'Child_one', parent_id: parent.id, description: 'Has a Backslash\\here' })
    await make({ title: 'Elsewhere', space_ids: [(await makeSpace(world)).id] })
    await make({ title: 'Here', space_ids: [space.id], status: 'inactive' })
    const titles = async (query: Parameters<typeof list>[0]) => (await list(query)).topics.map(({ title }) => title)
    expect(await titles({ status: 'inactive' })).toEqual(['Here'])
    expect(await titles({ parent_id: parent.id })).toEqual(['Child_one'])
    expect(await titles({ parent_id: 0 })).toEqual(['Parent of 100%', 'Elsewhere', 'Here'])
    expect(await titles({ space_id: space.id })).toEqual(['Parent of 100%', 'Child_one', 'Here'])
    expect(await titles({ search: 'CHILD' })).toEqual(['Child_one'])
    expect(await titles({ search: '0%' })).toEqual(['Parent of 100%'])
    expect(await titles({ search: '%' })).toEqual(['Parent of 100%'])
    expect(await titles({ search: '_' })).toEqual(['Child_one'])
    expect(await titles({ search: 'backslash\\' })).toEqual(['Child_one'])
    expect(await titles({ search: 'nothing' })).toEqual([])
  })
})

describe.runIf(onSqlite)('plans on SQLite', () => {
  it('the usual queries use indexes', async () => {
    const space = await makeSpace(world, { members: [ana] })
    await make({ space_ids: [space.id] })
    const plans = await plansOf(world.app.services.database.read, async () => {
      await ana.api.spaces.byId({ space_id: space.id })
      await admin.api.adminTopics.list({ parent_id: 1 })
    })
    const steps = plans.filter(({ sql }) => sql.includes('topics t')).flatMap(({ steps }) => steps)
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.filter((step) => step.startsWith('SCAN'))).toEqual([])
    const [page] = await plansOf(world.app.services.database.read, () => admin.api.adminTopics.list()).then((all) =>
      all.filter(({ sql }) => sql.includes('order by t.position')),
    )
    expect(page?.steps).toEqual(['SCAN t USING INDEX topics_order'])
  })
})

describe('spaces of a topic', () => {
  it('are replaced as a whole, and none means everywhere', async () => {
    const [one, two] = [await makeSpace(world), await makeSpace(world)]
    const topic = await make({ space_ids: [two.id, one.id, one.id] })
    expect(topic).toMatchObject({ everywhere: false, space_ids: [one.id, two.id] })
    expect(await admin.api.adminTopics.update({ topic_id: topic.id, space_ids: [two.id] })).toMatchObject({ space_ids: [two.id] })
    expect(await admin.api.adminTopics.update({ topic_id: topic.id, title: 'Stays' })).toMatchObject({ space_ids: [two.id] })
    expect(await admin.api.adminTopics.update({ topic_id: topic.id, space_ids: [] })).toMatchObject({ space_ids: [], everywhere: true })
    expect((await list()).topics.find(({ id }) => id === topic.id)).toMatchObject({ space_ids: [], everywhere: true })
  })

  it('when deleted, leave the topic offered nowhere rather than everywhere', async () => {
    const { data: space } = await admin.api.spaces.create({ title: 'To go', privacy: 'secret' })
    const topic = await make({ title: 'Of the secret space', space_ids: [space.id] })
    await admin.api.spaces.removeById({ space_id: space.id })
    expect((await list()).topics.find(({ id }) => id === topic.id)).toMatchObject({ space_ids: [], everywhere: false })
    expect((await ana.api.topics.list({ search: 'secret space' })).topics).toEqual([])
  })

  it('have a maximum number of topics', async () => {
    const space = await makeSpace(world)
    await admin.api.adminTopics.saveConfig({ max_topics_per_space: 2 })
    await make({ space_ids: [space.id] })
    await make({ space_ids: [space.id] })
    const { data } = await refused(make({ space_ids: [space.id] }), 400, 'invalid_data')
    expect(Object.keys(data['errors'] as object)).toEqual(['space_ids'])
    await admin.api.adminTopics.saveConfig({ max_topics_per_space: 20 })
  })
})

describe('the configuration', () => {
  const DEFAULTS = {
    enabled: true,
    required_for_posts: false,
    allow_multiple: true,
    max_topics_per_post: 5,
    max_topics_per_space: 20,
    user_can_create: false,
    display_on_feed: true,
    display_style: 'badge',
  }

  it('has defaults and is merged', async () => {
    expect(await admin.api.adminTopics.config()).toEqual(DEFAULTS)
    const { status, body } = await admin.api.adminTopics.saveConfig.answer({ max_topics_per_post: 3, display_style: 'tag' })
    expect([status, body]).toEqual([
      200,
      { ...DEFAULTS, max_topics_per_post: 3, display_style: 'tag', message: 'The settings were saved.' },
    ])
    await admin.api.adminTopics.saveConfig({ max_topics_per_post: 5, display_style: 'badge', user_can_create: 1 })
    expect(await admin.api.adminTopics.config()).toEqual({ ...DEFAULTS, user_can_create: true })
    await admin.api.adminTopics.saveConfig({ user_can_create: false })
  })

  it.each([
    { max_topics_per_post: 0 },
    { max_topics_per_post: 51 },
    { max_topics_per_post: '51' },
    { display_style: 'loud' },
    { enabled: 'yes' },
    { nonsense: true },
  ])('cannot be %j', async (config) => {
    const { status, body } = await admin.raw('POST', '/admin/topics/config', config)
    expect([status, body.code, Object.keys(body.data.errors)]).toEqual([400, 'invalid_data', Object.keys(config)])
    expect(await admin.api.adminTopics.config()).toEqual(DEFAULTS)
  })
})

describe('members who are not administrators', () => {
  it('can neither read nor change topics there', async () => {
    const topic = await make()
    const manager = await world.member({ role: 'manager' })
    await grant(world, manager, ['manage_settings', 'manage_spaces', 'manage_feeds'])
    const people = [ana, manager, await world.member({ role: 'moderator' })]
    const calls = [
      ['GET', '/admin/topics', undefined],
      ['POST', '/admin/topics', { title: 'Mine' }],
      ['PUT', `/admin/topics/${topic.id}`, { title: 'Mine' }],
      ['DELETE', `/admin/topics/${topic.id}`, undefined],
      ['PUT', '/admin/topics/987654', { title: 'Mine' }],
      ['GET', '/admin/topics/config', undefined],
      ['POST', '/admin/topics/config', { enabled: false }],
    ] as const
    const before = await list()
    for (const [method, path, body] of calls) {
      for (const who of people) {
        const answer = await who.raw(method, path, body)
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'rest_forbidden'])
      }
      expect((await world.request(method, path, body)).status).toBe(401)
    }
    expect(await list()).toEqual(before)
  })
})

describe('members', () => {
  beforeEach(clear)

  it('see the active topics offered in spaces they can see', async () => {
    const [open, secret] = [await makeSpace(world, { members: [ana] }), await makeSpace(world, { privacy: 'secret' })]
    const everywhere = await make({ title: 'Everywhere', color: '#123456', icon: '🌱' })
    const here = await make({ title: 'Here', space_ids: [open.id, secret.id], admin_only: 1 })
    await make({ title: 'Hidden', space_ids: [secret.id] })
    await make({ title: 'Off', status: 'inactive' })
    const { topics, pagination, config } = await ana.api.topics.list()
    expect(topics).toEqual([
      {
        id: everywhere.id,
        title: 'Everywhere',
        slug: 'everywhere',
        description: '',
        color: '#123456',
        icon: '🌱',
        parent_id: null,
        serial: everywhere.serial,
        admin_only: 'no',
        space_ids: [],
        created_at: everywhere.created_at,
        updated_at: everywhere.updated_at,
      },
      expect.objectContaining({ id: here.id, admin_only: 'yes', space_ids: [open.id] }),
    ])
    expect([pagination.total, config.max_topics_per_post]).toEqual([2, 5])
    const titles = async (who: Member, query: Parameters<Member['api']['topics']['list']>[0]) =>
      (await who.api.topics.list(query)).topics.map(({ title }) => title)
    expect(await titles(admin, {})).toEqual(['Everywhere', 'Here', 'Hidden'])
    expect(await titles(admin, { space: secret.slug })).toEqual(['Everywhere', 'Here', 'Hidden'])
    expect(await titles(ana, { space: open.slug })).toEqual(['Everywhere', 'Here'])
    expect(await titles(ana, { search: 'HER' })).toEqual(['Everywhere', 'Here'])
    await refused(ana.api.topics.list({ space: secret.slug }), 404, 'space_not_found')
    await refused(ana.api.topics.list({ space: 'no-such-space' }), 404, 'space_not_found')
    expect((await world.request('GET', '/topics')).status).toBe(401)
  })

  it('can add topics if the configuration allows it', async () => {
    await refused(ana.api.topics.create({ title: 'Mine' }), 403, 'rest_forbidden')
    await admin.api.adminTopics.saveConfig({ user_can_create: true })
    const { status, body } = await ana.api.topics.create.answer({ title: 'Mine', color: '#123456' })
    expect([status, body.topic.slug, body.topic.admin_only]).toEqual([201, 'mine', 'no'])
    const { body: other } = await ana.raw('POST', '/topics', { title: 'Sly', slug: 'x', admin_only: true, serial: 0, status: 'inactive' })
    expect(other.topic).toMatchObject({ slug: 'sly', admin_only: 'no' })
    expect((await ana.api.topics.list()).topics.map(({ title }) => title)).toEqual(['Mine', 'Sly'])
    await admin.api.adminTopics.saveConfig({ user_can_create: false })
  })
})

describe('while topics are disabled', () => {
  it('no endpoint reaches them', async () => {
    const topic = await make()
    const features = (on: boolean) =>
      world.app.write(null, ({ db, now }) =>
        db
          .insertInto('settings')
          .values({ key: 'features', value: JSON.stringify({ topics: on }), updated_at: now })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify({ topics: on }) }))
          .execute(),
      )
    await features(false)
    await refused(admin.api.adminTopics.list(), 403, 'pro_feature_required')
    await refused(admin.api.adminTopics.create({ title: 'x' }), 403, 'pro_feature_required')
    await refused(admin.api.adminTopics.update({ topic_id: topic.id, title: 'x' }), 403, 'pro_feature_required')
    await refused(admin.api.adminTopics.remove({ topic_id: topic.id }), 403, 'pro_feature_required')
    await refused(admin.api.adminTopics.config(), 403, 'pro_feature_required')
    await refused(admin.api.adminTopics.saveConfig({}), 403, 'pro_feature_required')
    await refused(ana.api.topics.list(), 403, 'pro_feature_required')
    await refused(ana.api.topics.create({ title: 'x' }), 403, 'pro_feature_required')
    await refused(ana.api.adminTopics.list(), 403, 'rest_forbidden')
    await features(true)
    expect((await list({ search: topic.title })).topics.map(({ id }) => id)).toEqual([topic.id])
  })
})
