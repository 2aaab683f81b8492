import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

let world: World
let ana: Member
let ben: Member
let outsider: Member
let moderator: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana', displayName: 'Ana <b>' })
  ben = await world.member({ username: 'ben', displayName: 'Ben' })
  outsider = await world.member()
  moderator = await world.member({ role: 'moderator' })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.runPendingJobs()
  await world.app.write(null, ({ db }) => db.deleteFrom('activities').execute())
})

type Query = NonNullable<Parameters<Member['api']['activities']['list']>[0]>

const list = async (who: Member, query: Query = {}) => {
  await world.runPendingJobs()
  return (await who.api.activities.list(query)).activities
}
const types = async (who: Member, query: Query = {}) => (await list(who, query)).data.map(({ action_type }) => action_type)
const of = (who: Member): Query => ({ 'context[user_id]': who.id })
const inside = (space: Space): Query => ({ 'context[type]': 'space', 'context[space_id]': space.id })
const post = async (body: object = {}, who = ana): Promise<{ id: number; slug: string }> => {
  const answer = await who.raw('POST', '/feeds', { message: 'x', ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const setUser = (who: Member, values: object) =>
  world.app.write(null, ({ db }) => db.updateTable('users').set(values).where('id', '=', who.id).execute())
const startFollowing = (follower: Member, following: Member, status: 'active' | 'pending' = 'active') =>
  world.app.write(follower.id, async ({ db, now, emit }) => {
    const row = { follower_id: follower.id, following_id: following.id, status, created_at: now, updated_at: now }
    const { id } = await db.insertInto('followers').values(row).returning('id').executeTakeFirstOrThrow()
    const ids = { follow_id: id, follower_id: follower.id, following_id: following.id }
    await emit(status === 'active' ? 'follow.started' : 'follow.requested', ids)
  })
const stopFollowing = (follower: Member, following: Member) =>
  world.app.write(follower.id, async ({ db, emit }) => {
    await db.deleteFrom('followers').where('follower_id', '=', follower.id).where('following_id', '=', following.id).execute()
    await emit('follow.ended', { follower_id: follower.id, following_id: following.id })
  })
const updateProfile = (who: Member) => world.app.write(who.id, ({ emit }) => emit('user.profile_updated', { user_id: who.id }))

describe('an activity', () => {
  it('contains who did what, and a link', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    const { id, slug } = await post({ title: 'Seeds & <i>more</i>', space_id: space.id })
    world.clock.advance(1)
    await world.runPendingJobs()
    const { data: comment } = await ben.api.comments.create({ feed_id: id, comment: 'x' })
    const { data, total, per_page, current_page } = await list(ben)
    expect([total, per_page, current_page]).toEqual([2, 20, 1])
    const person = '<a href="'.concat(world.origin, '/u/')
    const url = `${world.origin}/spaces/${space.slug}/feeds/${slug}`
    const title = 'Seeds &amp; &lt;i&gt;more&lt;/i&gt;'
    expect(data.map(({ message }) => message)).toEqual([
      `${person}ben">Ben</a> commented on <a href="${url}?comment_id=${comment.id}">${title}</a>`,
      `${person}ana">Ana &lt;b&gt;</a> published <a href="${url}">${title}</a>`,
    ])
    expect(data[0]).toMatchObject({
      user_id: ben.id,
      action_type: 'comment_added',
      object_id: comment.id,
      object_type: 'comment',
      space_id: space.id,
      meta: {},
      xprofile: { user_id: ben.id, username: 'ben' },
      route: { name: 'space_feed', params: { space: space.slug, feed_slug: slug }, query: { comment_id: comment.id } },
    })
    expect(data[0]?.xprofile).toHaveProperty('last_activity')
    expect(data[0]?.updated_at).toBe(data[0]?.created_at)
    expect(data[1]?.route).toEqual({ name: 'space_feed', params: { space: space.slug, feed_slug: slug } })
  })

  it('links to feeds outside of spaces, to spaces and to members', async () => {
    const { slug } = await post()
    const { data: space } = await admin.api.spaces.create({ title: 'Orchard', privacy: 'public' })
    await startFollowing(ana, ben)
    await updateProfile(ben)
    const found = Object.fromEntries((await list(admin)).data.map(({ action_type, route, message }) => [action_type, { route, message }]))
    expect(found).toEqual({
      post_created: {
        route: { name: 'single_feed', params: { feed_slug: slug } },
        message: expect.stringMatching(/published <a .*>x<\/a>$/),
      },
      space_created: {
        route: { name: 'space', params: { space: space.slug } },
        message: expect.stringMatching(/created the space <a href=".*\/spaces\/orchard">Orchard<\/a>$/),
      },
      follow_user: {
        route: { name: 'user_profile', params: { username: 'ben' } },
        message: expect.stringMatching(/>Ana &lt;b&gt;<\/a> follows <a href=".*\/u\/ben">Ben<\/a>$/),
      },
      profile_updated: {
        route: { name: 'user_profile', params: { username: 'ben' } },
        message: expect.stringMatching(/>Ben<\/a> updated their profile$/),
      },
    })
    const ticker = await ben.api.activities.ticker()
    const followed = ticker.activities.find(({ type }) => type === 'follow_user')
    expect(followed).toMatchObject({ action: 'follows', target: { type: 'user', id: ben.id, title: 'Ben' } })
    await stopFollowing(ana, ben)
  })

  it('of a profile updated twice within an hour is recorded once', async () => {
    const times = async () => (await list(ana, of(ana))).data.map(({ updated_at }) => updated_at.slice(11))
    for (let i = 0; i < 3; i++) {
      await updateProfile(ana)
      await world.runPendingJobs()
      world.clock.advance(600)
    }
    expect(await times()).toHaveLength(1)
    const [last] = await times()
    await updateProfile(ana)
    expect((await times())[0]).not.toBe(last)
    world.clock.advance(3601)
    await updateProfile(ana)
    expect(await times()).toHaveLength(2)
    expect(await types(ana, of(ben))).toEqual([])
  })

  it('of a follow is added and removed with it', async () => {
    await startFollowing(ana, ben, 'pending')
    expect(await types(ana, of(ana))).toEqual([])
    await stopFollowing(ana, ben)
    await startFollowing(ana, ben)
    expect(await types(ana, of(ana))).toEqual(['follow_user'])
    await stopFollowing(ana, ben)
    await startFollowing(ana, ben)
    await stopFollowing(ana, ben)
    expect(await types(ana, of(ana))).toEqual([])
    await startFollowing(ana, ben)
    await stopFollowing(ana, ben)
    await startFollowing(ana, ben)
    expect(await types(ana, of(ana))).toEqual(['follow_user'])
    await stopFollowing(ana, ben)
    await world.runPendingJobs()
  })
})

describe('a list', () => {
  it('can be of one member, of one space, or of both', async () => {
    const [one, two] = [await makeSpace(world, { members: [ana, ben] }), await makeSpace(world, { members: [ana, ben] })]
    const first = await post({ space_id: one.id })
    await post({ space_id: two.id }, ben)
    await post({ space_id: one.id }, ben)
    await post()
    const people = async (query: Query) => (await list(ben, query)).data.map(({ user_id, space_id }) => [user_id, space_id])
    expect((await people({})).length).toBe(4)
    expect((await people(of(ana))).sort()).toEqual(
      [
        [ana.id, null],
        [ana.id, one.id],
      ].sort(),
    )
    expect((await people(inside(one))).sort()).toEqual(
      [
        [ana.id, one.id],
        [ben.id, one.id],
      ].sort(),
    )
    expect(await people({ ...inside(one), ...of(ben), 'context[type]': 'whatever' })).toEqual([[ben.id, one.id]])
    const { total, data } = await list(ben, { ...of(ben), per_page: 1, page: 2 })
    expect([total, data.length]).toEqual([2, 1])
    await ana.api.feeds.update({ feed_id: first.id, space_id: two.id })
    expect([await people(inside(one)), (await people(inside(two))).length]).toEqual([[[ben.id, one.id]], 2])
  })

  it('moves with a feed and everything below it', async () => {
    const [one, two] = [await makeSpace(world, { members: [ana, ben] }), await makeSpace(world, { members: [ana] })]
    const { id } = await post({ space_id: one.id })
    for (let i = 0; i < 250; i++) {
      await world.app.write(null, async ({ db, now }) => {
        const row = { user_id: ben.id, action_type: 'reaction_added', object_type: 'feed', object_id: id, space_id: one.id, feed_id: id }
        await db
          .insertInto('activities')
          .values({ ...row, comment_id: null, created_at: now })
          .execute()
      })
    }
    await world.runPendingJobs()
    await ana.api.feeds.update({ feed_id: id, space_id: two.id })
    // Hidden in the old space even before the rows are moved.
    expect((await ana.api.activities.list(inside(one))).activities.total).toBe(0)
    expect((await list(ana, inside(two))).total).toBe(251)
    await ana.api.feeds.update({ feed_id: id, space_id: null })
    expect([(await list(ana, inside(two))).total, (await list(ana)).total]).toEqual([0, 251])
    await ana.api.feeds.update({ feed_id: id, space_id: one.id })
    expect((await list(ben, inside(one))).total).toBe(251)
  })

  it('has pages without overlap, and the correct total', async () => {
    for (let i = 0; i < 7; i++) await post()
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(ben, { page, per_page: 3 })))
    expect(pages.map(({ data, total }) => [data.length, total])).toEqual([
      [3, 7],
      [3, 7],
      [1, 7],
      [0, 7],
    ])
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(7)
    expect((await list(ben, { per_page: 5000 })).per_page).toBe(100)
  })

  it('filters by days in the community’s time zone', async () => {
    const noon = world.clock.now().toISOString().slice(0, 10)
    const shift = (days: number) => new Date(Date.parse(noon) + days * 86_400_000).toISOString().slice(0, 10)
    await post()
    const found = async (query: Query) => (await list(ben, query)).total
    expect(await found({ date_from: noon, date_to: noon })).toBe(1)
    expect([
      await found({ date_to: shift(-1) }),
      await found({ date_from: shift(1) }),
      await found({ date_from: shift(1), date_to: noon }),
    ]).toEqual([0, 0, 0])
    await world.app.write(null, ({ db }) =>
      db
        .updateTable('activities')
        .set({ created_at: `${noon} 23:30:00` })
        .execute(),
    )
    await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'Europe/Berlin' }))
    expect([await found({ date_from: noon, date_to: noon }), await found({ date_from: shift(1), date_to: shift(1) })]).toEqual([0, 1])
    await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'UTC' }))
  })

  it.each([
    ['date_from', '2024-13-99'],
    ['date_to', 'tomorrow'],
    ['date_from', '2026-02-29'],
    ['date_to', '2026-1-1'],
    ['context[user_id]', 'ana'],
    ['context[space_id]', '0'],
    ['per_page', '0'],
  ])('of %s %j is refused', async (field, value) => {
    const answer = await ben.raw('GET', `/activities?${new URLSearchParams({ [field]: value })}`)
    expect([answer.status, answer.body.code, answer.body.data.field]).toEqual([400, 'invalid_parameter', field])
  })

  it('of a type without its id is refused', async () => {
    for (const type of ['space', 'user']) {
      const { data } = await refused(ben.api.activities.list({ 'context[type]': type }), 400, 'invalid_parameter')
      expect(data['field']).toBe(`context[${type}_id]`)
    }
  })

  it('requires authentication', async () => {
    await refused(world.anonymous.activities.list(), 401, 'rest_forbidden')
  })

  it('accepts its context encoded or not', async () => {
    await post()
    for (const name of ['context[user_id]', 'context%5Buser_id%5D']) {
      await world.runPendingJobs()
      const { body } = await ben.raw('GET', `/activities?${name}=${ana.id}`)
      expect([body.activities.total, body.after_contents, body.before_contents]).toEqual([1, '', ''])
    }
  })
})

describe('visibility', () => {
  it('of a hidden member or space is not found', async () => {
    const secret = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const gone = await world.member()
    await setUser(gone, { status: 'suspended' })
    const missing = await ben.raw('GET', '/activities?context[user_id]=987654321')
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found'])
    for (const query of [`context[user_id]=${gone.id}`, `context[space_id]=${secret.id}`, 'context[space_id]=987654321']) {
      const answer = await ben.raw('GET', `/activities?${query}`)
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    expect([await types(moderator, of(gone)), await types(ana, inside(secret))]).toEqual([[], []])
  })

  it.each(['private', 'secret'] as const)('in a %s space: its members and staff', async (privacy) => {
    const space = await makeSpace(world, { privacy, members: [ana, ben] })
    const here = await world.member({ role: 'manager' })
    await grant(world, here, ['manage_feeds'], [space])
    const { id } = await post({ space_id: space.id, title: 'Hidden words' })
    await ben.api.comments.create({ feed_id: id, comment: 'x' })
    for (const who of [ana, ben, here, moderator, admin]) {
      expect([(await list(who)).total, (await list(who, of(ana))).total]).toEqual([2, 1])
      expect((await list(who, inside(space))).total).toBe(2)
    }
    for (const query of [{}, of(ana), of(ben)]) expect(await list(outsider, query)).toMatchObject({ data: [], total: 0 })
    await leaveSpace(world, space, ben)
    for (const query of [{}, of(ana), of(ben)]) expect(await list(ben, query)).toMatchObject({ data: [], total: 0 })
    if (privacy === 'private') expect((await list(ben, inside(space))).total).toBe(0)
    expect((await ben.raw('GET', '/activities')).text).not.toContain('Hidden words')
  })

  it('bookmarks: their owner', async () => {
    const { id } = await post()
    await ben.raw('POST', `/feeds/${id}/react`, { react_type: 'bookmark' })
    expect(await types(ben, of(ben))).toEqual(['bookmark_added'])
    for (const who of [ana, outsider, moderator, admin]) expect(await types(who, of(ben))).toEqual([])
  })

  it('the history of a private profile: its owner, active followers and moderators', async () => {
    const [hidden, follower, asking] = [await world.member(), await world.member(), await world.member()]
    await setUser(hidden, { is_private: 1 })
    await startFollowing(follower, hidden)
    await startFollowing(asking, hidden, 'pending')
    await startFollowing(hidden, ben)
    await startFollowing(ben, hidden)
    await post({}, hidden)
    await updateProfile(hidden)
    const all = ['follow_user', 'post_created', 'profile_updated']
    for (const who of [hidden, follower, ben, moderator, admin]) expect((await types(who, of(hidden))).toSorted()).toEqual(all)
    for (const who of [outsider, asking]) {
      expect(await list(who, of(hidden))).toMatchObject({ data: [], total: 0 })
      // Public posts stay visible; activities about the profile and its followers do not.
      expect((await types(who)).toSorted()).toEqual(['post_created'])
      expect(await types(who, of(ben))).toEqual([])
    }
    await stopFollowing(follower, hidden)
    expect(await types(follower, of(hidden))).toEqual([])
    await setUser(hidden, { is_private: 0 })
    expect((await types(outsider, of(hidden))).toSorted()).toEqual(all)
  })

  it('nothing of suspended members, except to moderators', async () => {
    const gone = await world.member()
    await post({}, gone)
    await startFollowing(ben, gone)
    await updateProfile(gone)
    expect((await list(outsider)).total).toBe(3)
    await setUser(gone, { status: 'banned' })
    expect([(await list(outsider)).total, (await list(ben)).total, (await list(moderator)).total]).toEqual([0, 0, 3])
  })

  it('nothing that was deleted', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    const { id } = await post({ space_id: space.id })
    const { data } = await ben.api.comments.create({ feed_id: id, comment: 'x' })
    await ana.api.reactions.toComment({ feed_id: id, comment_id: data.id, type: 'like' })
    expect((await list(ben, inside(space))).total).toBe(3)
    await ben.api.comments.remove({ feed_id: id, comment_id: data.id })
    expect((await list(ben, inside(space))).total).toBe(1)
    await ana.api.feeds.remove({ feed_id: id })
    expect((await list(ben, inside(space))).total).toBe(0)
  })
})

describe.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('on SQLite', () => {
  it('every list is read from an index in order', async () => {
    const space = await makeSpace(world, { members: [ana, ben], moderators: [moderator] })
    const scoped = await world.member({ role: 'manager' })
    await grant(world, scoped, ['manage_feeds'], [space])
    const days = { date_from: '2026-03-01', date_to: '2026-03-31' }
    for (const who of [ben, scoped, moderator, admin]) {
      for (const query of [{}, of(ana), inside(space), { ...of(ana), ...inside(space) }]) {
        for (const span of [{}, days]) {
          const index = 'context[user_id]' in query ? 'user' : 'context[space_id]' in query ? 'space' : 'newest'
          await expectWalks(`activities_${index}`, () => who.api.activities.list({ ...query, ...span }))
        }
      }
    }
  })

  /** The newest activities of the community are scanned to find where they begin; the scan is limited. */
  const BOUNDED = 'SCAN e USING COVERING INDEX activities_newest'

  /** The scan window, of which the visible activities are counted. */
  const REACHED = 'SCAN a'

  const expectWalks = async (index: string, work: () => Promise<unknown>) => {
    const steps = (await plansOf(world.app.services.database.read, work)).flatMap((plan) => plan.steps)
    const bad = steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step) && step !== REACHED)
    expect(bad.filter((step) => !(index === 'activities_newest' && step === BOUNDED))).toEqual([])
    const walks = steps.filter((step) => / [ae] USING /.test(step))
    expect(walks).toHaveLength(4)
    for (const step of walks) expect(step).toMatch(new RegExp(`^(SEARCH|SCAN) [ae] USING (COVERING )?INDEX ${index}\\b`))
  }
})
