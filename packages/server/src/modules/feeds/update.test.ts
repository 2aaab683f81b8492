import type { Permission } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { createWorld, type Member, type RawAnswer, refused, type World } from '#test/world.ts'

const ROLES = [
  'author',
  'member',
  'outsider',
  'spaceModerator',
  'spaceAdmin',
  'moderator',
  'manager',
  'here',
  'elsewhere',
  'features',
  'pins',
  'resolves',
  'admin',
] as const
type Role = (typeof ROLES)[number]

let world: World
let people: Record<Role, Member>

beforeAll(async () => {
  world = await createWorld()
  const staff = () => world.member({ role: 'manager' })
  people = {
    author: await world.member(),
    member: await world.member({ username: 'mia' }),
    outsider: await world.member(),
    spaceModerator: await world.member(),
    spaceAdmin: await world.member(),
    moderator: await world.member({ role: 'moderator' }),
    manager: await staff(),
    here: await staff(),
    elsewhere: await staff(),
    features: await staff(),
    pins: await staff(),
    resolves: await staff(),
    admin: await world.member({ role: 'admin' }),
  }
  const everything: Permission[] = ['manage_feeds', 'pin_feeds', 'feature_content', 'resolve_reports', 'moderate_spaces', 'manage_spaces']
  await grant(world, people.elsewhere, everything, [await makeSpace(world)])
  await grant(world, people.features, ['feature_content'])
  await grant(world, people.pins, ['pin_feeds'])
  await grant(world, people.resolves, ['resolve_reports'])
  await grant(world, people.here, ['manage_feeds'], [])
})
afterAll(async () => {
  await world.runPendingJobs()
  await expectSound(world)
  await world.close()
})

const spaceOf = async (options: Parameters<typeof makeSpace>[1] = {}): Promise<Space> => {
  const { author, member, spaceModerator, spaceAdmin, here } = people
  const space = await makeSpace(world, { members: [author, member], moderators: [spaceModerator], admins: [spaceAdmin], ...options })
  await world.app.write(null, ({ db }) => db.insertInto('manager_spaces').values({ user_id: here.id, space_id: space.id }).execute())
  return space
}

const post = async (who: Member, body: object = {}): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'A feed', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
/** The reason matters only for edits of another member's feed. */
const send = (who: Member, id: number, body: object): Promise<RawAnswer> =>
  who.raw('POST', `/feeds/${id}`, { reason: 'House rules', ...body })
const read = async (id: number, who = people.admin) => (await who.api.feeds.byId({ feed_id: id })).data
const stored = (id: number) =>
  world.app.services.database.read.selectFrom('feeds').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const listed = async (space: Space, who = people.admin) => {
  const { feeds, sticky } = await who.api.feeds.list({ space: space.slug, per_page: 100 })
  expect(feeds.total).toBe(feeds.data.length)
  return [...(sticky ? [sticky] : []), ...feeds.data].map(({ id }) => id)
}
const tells = async (id: number) => (await eventsWith(world, { feed_id: id })).at(-1)

const EDITORS: readonly Role[] = ['author', 'spaceModerator', 'spaceAdmin', 'manager', 'here', 'admin']
const DECIDERS: readonly Role[] = ['spaceModerator', 'spaceAdmin', 'moderator', 'manager', 'here', 'resolves', 'admin']
const PINNERS: readonly Role[] = ['spaceModerator', 'spaceAdmin', 'manager', 'pins', 'admin']

/** Request bodies and the roles that may send them. */
const ACTIONS: Readonly<Record<string, readonly [body: object | null, allowed: readonly Role[]]>> = {
  nothing: [{}, EDITORS],
  message: [{ message: 'Other' }, EDITORS],
  title: [{ title: 'Other' }, EDITORS],
  type: [{ type: 'question' }, [...EDITORS, 'pins']],
  meta: [{ meta: { a: 1 } }, EDITORS],
  expiry: [{ expired_at: '2026-05-01 00:00:00' }, EDITORS],
  draft: [{ status: 'draft' }, EDITORS],
  pending: [{ status: 'pending' }, DECIDERS],
  spam: [{ status: 'spam' }, DECIDERS],
  pin: [{ is_sticky: true }, PINNERS],
  announce: [{ type: 'announcement' }, PINNERS],
  priority: [{ priority: 5 }, [...PINNERS, 'features']],
  picture: [{ featured_image: 'https://example.org/a.png' }, [...EDITORS, 'features']],
  'priority and picture': [
    { priority: 5, featured_image: 'https://example.org/a.png' },
    ['spaceModerator', 'spaceAdmin', 'manager', 'features', 'admin'],
  ],
  'pin and words': [{ is_sticky: true, message: 'Other' }, ['spaceModerator', 'spaceAdmin', 'manager', 'admin']],
  'spam and words': [{ status: 'spam', message: 'Other' }, ['spaceModerator', 'spaceAdmin', 'manager', 'here', 'admin']],
  privacy: [{ privacy: 'private' }, ['author']],
  'out of the space': [{ space_id: null }, ['author', 'manager', 'admin']],
  remove: [null, EDITORS],
}

describe.each(['public', 'secret'] as const)('in a %s space', (privacy) => {
  // Pin or feature permission alone gives no extra visibility.
  const blind: readonly Role[] = privacy === 'public' ? [] : ['outsider', 'elsewhere', 'features', 'pins']

  it.each(Object.keys(ACTIONS))('%s', async (name) => {
    const [body, allowed] = ACTIONS[name] as (typeof ACTIONS)[string]
    const space = await spaceOf({ privacy })
    const ask = (who: Member, id: number) => (body ? send(who, id, body) : who.raw('DELETE', `/feeds/${id}`))
    let id = await post(people.author, { space_id: space.id })
    for (const role of ROLES) {
      const before = await stored(id)
      const answer = await ask(people[role], id)
      const expected = blind.includes(role) ? 404 : allowed.includes(role) ? 200 : 403
      expect({ role, status: answer.status }).toEqual({ role, status: expected })
      if (expected === 200) {
        id = await post(people.author, { space_id: space.id })
        continue
      }
      expect(await stored(id)).toEqual(before)
      const missing = await ask(people[role], 987_654_321)
      if (expected === 404) expect([answer.status, answer.text]).toEqual([missing.status, missing.text])
      else expect(answer.body.code).toBe('rest_forbidden')
      expect([missing.status, missing.body.code]).toEqual([404, 'feed_not_found'])
    }
  })
})

it('outside of spaces, only permissions not limited to spaces count', async () => {
  const allowed: readonly Role[] = ['author', 'manager', 'admin']
  for (const role of ROLES) {
    const id = await post(people.author)
    expect({ role, status: (await send(people[role], id, { message: 'y' })).status }).toEqual({
      role,
      status: allowed.includes(role) ? 200 : 403,
    })
  }
})

it('requires authentication', async () => {
  const id = await post(people.author)
  await refused(world.anonymous.feeds.update({ feed_id: id, message: 'x' }), 401, 'rest_forbidden')
  await refused(world.anonymous.feeds.remove({ feed_id: id }), 401, 'rest_forbidden')
})

describe('an update', () => {
  it('changes only the fields sent', async () => {
    const space = await spaceOf()
    const all = {
      title: 'T',
      message: 'M',
      content_type: 'markdown',
      type: 'question',
      space_id: space.id,
      featured_image: 'https://a.example/i.png',
    }
    const id = await post(people.author, { ...all, expired_at: '2026-05-01 00:00:00', meta: { a: 1 } })
    let before = await read(id)
    const changes = [
      { title: 'Other' },
      { title: null },
      { message: 'Other' },
      { content_type: 'text' },
      { type: 'feed' },
      { featured_image: null },
      { expired_at: null },
      { privacy: 'private' },
      { meta: { b: 2 } },
    ]
    for (const change of changes) {
      world.clock.advance(1)
      const { status, body } = await send(people.author, id, change)
      const after = await read(id)
      expect([status, body]).toEqual([
        200,
        { message: 'The feed was updated.', data: { id, title: after.title, updated_at: after.updated_at } },
      ])
      const expected = {
        ...change,
        ...('meta' in change && { meta: { a: 1, b: 2 } }),
        ...('title' in change && { title: change.title ?? '' }),
      }
      const edits = ['title', 'message', 'content_type', 'meta'].some((field) => field in change)
      const edited_at = edits ? after.updated_at : before.edited_at
      expect(after).toEqual({ ...before, ...expected, edited_at, updated_at: after.updated_at, message_rendered: after.message_rendered })
      expect(after.updated_at > before.updated_at).toBe(true)
      before = after
    }
    expect(await read(id)).toMatchObject({ slug: 't', created_at: before.created_at })
  })

  it('renders and indexes the new text', async () => {
    const id = await post(people.author, { message: 'the oldwordish one' })
    await send(people.author, id, { message: 'so *newwordish*, @mia' })
    const { message_rendered } = await read(id)
    expect(message_rendered).toContain('<em>newwordish</em>')
    expect(message_rendered).toContain('href="/u/mia"')
    const found = async (search: string) => (await people.member.api.feeds.list({ search })).feeds.data.map((feed) => feed.id)
    expect([await found('oldwordish'), await found('newwordish')]).toEqual([[], [id]])
  })

  it('refuses what creation refuses', async () => {
    const id = await post(people.author, { title: 'Stays' })
    const before = await stored(id)
    const bad = [
      [{ message: '' }, 'invalid_content'],
      [{ message: ' \n' }, 'invalid_content'],
      [{ message: 5 }, 'invalid_content'],
      [{ message: `${'é'.repeat(32_000)}a` }, 'invalid_content'],
      [{ title: '漢'.repeat(193) }, 'invalid_content'],
      [{ type: 'course_lesson' }, 'invalid_data'],
      [{ type: 'x' }, 'invalid_data'],
      [{ featured_image: 'javascript:alert(1)' }, 'invalid_url'],
      [{ expired_at: '2026-02-30 00:00:00' }, 'invalid_data'],
      [{ status: 'scheduled' }, 'invalid_scheduled_time'],
      [{ status: 'scheduled', scheduled_at: '2026-01-01 00:00:00' }, 'invalid_scheduled_time'],
      [{ status: 'gone' }, 'invalid_data'],
    ] as const
    for (const [body, code] of bad) {
      const answer = await send(people.author, id, body)
      expect({ body, status: answer.status, code: answer.body.code }).toEqual({ body, status: 400, code })
    }
    expect(await stored(id)).toEqual(before)
  })

  it('replays a request with the same idempotency key and body', async () => {
    const id = await post(people.author)
    const repeat = () => people.author.raw('POST', `/feeds/${id}`, { message: 'Once' }, { 'idempotency-key': 'update-1' })
    const [first, second] = [await repeat(), await repeat()]
    expect([first.status, second.text]).toEqual([200, first.text])
    expect((await eventsWith(world, { feed_id: id })).filter((name) => name === 'feed.updated')).toHaveLength(1)
  })

  it('does not lose a concurrent update', async () => {
    const source = '<p>so *much* of <b>it</b></p>'
    for (let i = 0; i < 8; i++) {
      const id = await post(people.author)
      const bodies = [
        { title: 'T' },
        { message: source },
        { content_type: 'html' },
        { meta: { a: 1 } },
        { meta: { b: 2 } },
        { priority: 3 },
      ]
      await Promise.all(bodies.map((body) => send(people.admin, id, body)))
      const feed = await read(id)
      expect(feed).toMatchObject({ title: 'T', message: source, content_type: 'html', meta: { a: 1, b: 2 }, priority: 3 })
      expect(feed.message_rendered).toBe('<p>so *much* of <b>it</b></p>')
    }
  })

  it('neither waits for nor blocks changes to other feeds of the space', async () => {
    const space = await spaceOf()
    const ids = await Promise.all(Array.from({ length: 10 }, () => post(people.author, { space_id: space.id })))
    const answers = await Promise.all(
      ids.flatMap((id) => [send(people.author, id, { title: 'x' }), send(people.spaceAdmin, id, { status: 'draft' })]),
    )
    for (const { status } of answers) expect([200, 404]).toContain(status)
    expect(await listed(space)).toEqual([])
  })
})

describe('held for moderation', () => {
  it.each(['pending', 'spam'] as const)('%s: the author can edit it, but not publish it', async (status) => {
    const space = await spaceOf()
    const id = await post(people.author, { space_id: space.id })
    expect((await send(people.resolves, id, { status })).status).toBe(200)
    expect(await tells(id)).toBe('feed.hidden')
    expect(await listed(space)).toEqual([])
    for (const to of ['published', 'draft', status === 'spam' ? 'pending' : 'spam']) {
      expect((await send(people.author, id, { status: to })).status).toBe(403)
    }
    expect((await send(people.author, id, { status: 'scheduled', scheduled_at: '2027-01-01 00:00:00' })).status).toBe(403)
    expect((await send(people.author, id, { message: 'Better', status })).status).toBe(200)
    for (const role of ROLES) {
      const sees = role === 'author' || DECIDERS.includes(role)
      expect({ role, status: (await people[role].raw('GET', `/feeds/${id}/by-id`)).status }).toEqual({ role, status: sees ? 200 : 404 })
    }
  })

  it('a moderator can publish it, as a new feed', async () => {
    for (const role of DECIDERS) {
      const space = await spaceOf({ settings: { require_approval: true } })
      const id = await post(people.author, { space_id: space.id })
      expect([(await stored(id)).status, await eventsWith(world, { feed_id: id })]).toEqual(['pending', []])
      world.clock.advance(60)
      const { status, body } = await send(people[role], id, { status: 'published' })
      expect([status, body.message]).toEqual([200, 'The feed was updated.'])
      const { published_at, updated_at } = await stored(id)
      expect(published_at).toBe(updated_at)
      expect(await eventsWith(world, { feed_id: id })).toEqual(['feed.published'])
      expect(await listed(space)).toEqual([id])
      await send(people[role], id, { status: 'published' })
      expect(await tells(id)).toBe('feed.updated')
    }
  })
})

describe('status changes', () => {
  it('an unpublished draft is hidden from others, and can be published again', async () => {
    const space = await spaceOf()
    const id = await post(people.author, { space_id: space.id })
    await people.member.api.comments.create({ feed_id: id, comment: 'x' })
    await send(people.author, id, { status: 'draft' })
    expect(await tells(id)).toBe('feed.hidden')
    expect([await listed(space), await listed(space, people.author)]).toEqual([[], []])
    for (const role of ROLES) {
      expect((await people[role].raw('GET', `/feeds/${id}/by-id`)).status).toBe(role === 'author' ? 200 : 404)
    }
    await refused(people.member.api.comments.create({ feed_id: id, comment: 'x' }), 404, 'feed_not_found')
    world.clock.advance(1)
    await send(people.author, id, { status: 'published' })
    expect(await tells(id)).toBe('feed.published')
    expect(await listed(space)).toEqual([id])
    expect((await read(id)).comments_count).toBe(1)
  })

  it('publishing follows the current rules of the space', async () => {
    const set = (space: Space, change: object) =>
      world.app.write(null, ({ db }) => db.updateTable('spaces').set(change).where('id', '=', space.id).execute())
    const draftIn = async (options: Parameters<typeof makeSpace>[1] = {}) => {
      const space = await spaceOf(options)
      return { space, id: await post(people.author, { space_id: space.id, status: 'draft' }) }
    }
    const archived = await draftIn()
    await set(archived.space, { status: 'archived' })
    expect((await send(people.author, archived.id, { status: 'published' })).status).toBe(403)
    expect((await send(people.author, archived.id, { message: 'still mine' })).status).toBe(200)

    const closed = await draftIn()
    await set(closed.space, { settings: JSON.stringify({ restricted_post_only: 'yes' }) })
    expect((await send(people.author, closed.id, { status: 'published' })).status).toBe(403)

    const left = await draftIn({ privacy: 'private' })
    await leaveSpace(world, left.space, people.author)
    expect((await send(people.author, left.id, { status: 'published' })).status).toBe(404)

    const public_ = await draftIn()
    await leaveSpace(world, public_.space, people.author)
    expect((await send(people.author, public_.id, { status: 'published' })).status).toBe(403)

    const approved = await draftIn()
    await set(approved.space, { settings: JSON.stringify({ require_approval: true }) })
    const { status, body } = await send(people.author, approved.id, { status: 'published' })
    expect([status, body.message, (await stored(approved.id)).status]).toEqual([200, 'The feed is waiting for approval.', 'pending'])
    expect(await eventsWith(world, { feed_id: approved.id })).toEqual([])
  })
})

describe('moving', () => {
  it('leaves one list and its counts, and enters another', async () => {
    const [from, to] = [await spaceOf(), await spaceOf()]
    const id = await post(people.author, { space_id: from.id })
    await send(people.author, id, { space_id: to.id })
    expect([await listed(from), await listed(to)]).toEqual([[], [id]])
    expect((await read(id)).permalink).toBe(`${world.origin}/spaces/${to.slug}/feeds/${(await read(id)).slug}`)
    await send(people.author, id, { space_id: null })
    expect([await listed(from), await listed(to)]).toEqual([[], []])
    expect(await read(id)).toMatchObject({ space_id: null, space: null })
    await send(people.author, id, { space_id: from.id, privacy: 'private' })
    expect([await listed(from), await listed(from, people.outsider)]).toEqual([[id], []])
    await expectSound(world)
  })

  it('needs permission to post there', async () => {
    const from = await spaceOf()
    const id = await post(people.author, { space_id: from.id })
    const where = (options: Parameters<typeof makeSpace>[1]) => makeSpace(world, { members: [people.member], ...options })
    expect((await send(people.author, id, { space_id: (await where({})).id })).status).toBe(403)
    expect((await send(people.author, id, { space_id: (await where({ privacy: 'private' })).id })).status).toBe(403)
    const hidden = await send(people.author, id, { space_id: (await where({ privacy: 'secret' })).id })
    const missing = await send(people.author, id, { space_id: 987_654_321 })
    expect([hidden.status, hidden.body.code, hidden.text]).toEqual([404, 'space_not_found', missing.text])
    const archived = await where({ status: 'archived', members: [people.author] })
    expect((await send(people.author, id, { space_id: archived.id })).status).toBe(403)
    expect((await send(people.spaceModerator, id, { space_id: (await where({})).id })).status).toBe(403)
    expect((await stored(id)).space_id).toBe(from.id)
  })

  it('does not bypass approval in the target space', async () => {
    const [from, to] = [await spaceOf(), await spaceOf({ settings: { require_approval: true } })]
    const id = await post(people.author, { space_id: from.id })
    const { body } = await send(people.author, id, { space_id: to.id })
    expect([body.message, (await stored(id)).status, await tells(id)]).toEqual([
      'The feed is waiting for approval.',
      'pending',
      'feed.hidden',
    ])
    expect([await listed(from), await listed(to)]).toEqual([[], []])
    const held = await post(people.author, { space_id: to.id })
    expect((await send(people.author, held, { space_id: from.id, status: 'published' })).status).toBe(403)
    expect((await send(people.author, held, { space_id: from.id })).status).toBe(200)
    expect((await stored(held)).status).toBe('pending')
    const trusted = await post(people.spaceModerator, { space_id: from.id })
    await send(people.spaceModerator, trusted, { space_id: to.id })
    expect(await listed(to)).toEqual([trusted])
  })

  it('gives no permissions that the mover lacks there', async () => {
    const from = await spaceOf()
    const to = await makeSpace(world, { members: [people.spaceModerator, people.author], moderators: [people.member] })
    const pinned = await post(people.member, { space_id: to.id, is_sticky: true })
    const own = () => post(people.spaceModerator, { space_id: from.id })
    for (const mark of [{ is_sticky: true }, { priority: 5 }, { type: 'announcement' }]) {
      expect({ mark, status: (await send(people.spaceModerator, await own(), { space_id: to.id, ...mark })).status }).toEqual({
        mark,
        status: 403,
      })
    }
    const announcement = await post(people.spaceModerator, { space_id: from.id, type: 'announcement' })
    expect((await send(people.spaceModerator, announcement, { space_id: to.id })).status).toBe(403)
    const marked = await post(people.spaceModerator, { space_id: from.id, is_sticky: true, priority: 5 })
    expect((await send(people.spaceModerator, marked, { space_id: to.id })).status).toBe(200)
    expect(await read(marked)).toMatchObject({ is_sticky: false, priority: 0, space_id: to.id })
    expect((await read(pinned)).is_sticky).toBe(true)
  })

  it('keeps pin and priority where the mover may set them', async () => {
    const [from, to] = [await spaceOf(), await spaceOf()]
    const there = await post(people.spaceAdmin, { space_id: to.id, is_sticky: true })
    const id = await post(people.spaceAdmin, { space_id: from.id, is_sticky: true, priority: 5, type: 'announcement' })
    await send(people.spaceAdmin, id, { space_id: to.id })
    expect(await read(id)).toMatchObject({ is_sticky: true, priority: 5, type: 'announcement' })
    expect([(await read(there)).is_sticky, await tells(there)]).toEqual([false, 'feed.unpinned'])
    expect((await people.member.api.feeds.list({ space: to.slug })).sticky?.id).toBe(id)
  })

  it('an ordinary author may move their post that others pinned', async () => {
    const [from, to] = [await spaceOf(), await spaceOf()]
    const id = await post(people.author, { space_id: from.id })
    await send(people.spaceModerator, id, { is_sticky: true, priority: 5 })
    expect((await send(people.author, id, { space_id: to.id })).status).toBe(200)
    expect(await read(id)).toMatchObject({ is_sticky: false, priority: 0 })
  })
})

describe('deleting', () => {
  it('deletes everything that belongs to it', async () => {
    const space = await spaceOf()
    const survey = {
      question: 'Q',
      options: [
        { slug: 'a', label: 'A' },
        { slug: 'b', label: 'B' },
      ],
    }
    const id = await post(people.author, { space_id: space.id, meta: { survey } })
    const { data } = await people.member.api.comments.create({ feed_id: id, comment: 'x' })
    await people.member.api.reactions.toFeed({ feed_id: id, type: 'like' })
    await people.member.api.surveys.vote({ feed_id: id, option_slug: 'a' })
    await people.member.api.reactions.toFeed({ feed_id: id, react_type: 'bookmark' })
    await world.runPendingJobs()
    expect(await people.author.api.feeds.remove({ feed_id: id })).toEqual({ message: 'The feed was deleted.' })
    expect(await tells(id)).toBe('feed.deleted')
    await world.runPendingJobs()
    await refused(people.author.api.feeds.byId({ feed_id: id }), 404, 'feed_not_found')
    await refused(people.author.api.feeds.update({ feed_id: id, message: 'x' }), 404, 'feed_not_found')
    await refused(people.author.api.feeds.remove({ feed_id: id }), 404, 'feed_not_found')
    await refused(people.member.api.comments.byId({ comment_id: data.id }), 404, 'comment_not_found')
    const db = world.app.services.database.read
    expect(await db.selectFrom('survey_votes').selectAll().where('feed_id', '=', id).execute()).toEqual([])
    expect(await db.selectFrom('activities').selectAll().where('feed_id', '=', id).execute()).toEqual([])
    expect(await listed(space)).toEqual([])
    await expectSound(world)
  })
})
