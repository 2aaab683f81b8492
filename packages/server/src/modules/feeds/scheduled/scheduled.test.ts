import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectSound } from '#test/expect-doctor-clean.ts'
import { eventsWith, grant, leaveSpace, makeSpace, type Space } from '#test/fixtures.ts'
import { outbox } from '#test/outbox.ts'
import { plansOf } from '#test/plans.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../../settings/index.ts'

let world: World
let ana: Member
let ben: Member
let admin: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ username: 'ana' })
  ben = await world.member({ username: 'ben' })
  admin = await world.member({ role: 'admin' })
})
afterAll(async () => {
  await world.runPendingJobs()
  await expectSound(world)
  await world.close()
})

/** The time that many seconds from now. */
const at = (seconds: number) => new Date(world.clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
const post = async (body: object = {}, who = ana): Promise<number> => {
  const answer = await who.raw('POST', '/feeds', { message: 'x', status: 'scheduled', scheduled_at: at(60), ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const plans = async (who: Member, query: Parameters<Member['api']['scheduledPosts']['list']>[0] = {}) =>
  (await who.api.scheduledPosts.list(query)).posts
const idsOf = async (who: Member, query: Parameters<Member['api']['scheduledPosts']['list']>[0] = {}) =>
  (await plans(who, query)).map(({ id }) => id)
const statusOf = async (id: number, who = ana) => (await who.api.feeds.byId({ feed_id: id })).data.status
const pass = async (seconds: number) => {
  world.clock.advance(seconds)
  await world.runPendingJobs()
}
const published = async (feed_id: number) => (await eventsWith(world, { feed_id })).filter((name) => name === 'feed.published').length
const switchOff = (off: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { features: { scheduled_posts: !off } }))

describe('the list', () => {
  it('contains the caller’s own feeds, soonest first, with schedule, space and author', async () => {
    const author = await world.member({ displayName: 'Cleo' })
    const space = await makeSpace(world, { members: [author] })
    const later = await post({ scheduled_at: at(7200), space_id: space.id, title: 'Later' }, author)
    const soon = await post({ scheduled_at: at(3600), auto_publish: false, timezone: 'UTC' }, author)
    await post({ status: 'draft' }, author)
    const { posts, pagination } = await author.api.scheduledPosts.list()
    expect(posts.map(({ id }) => id)).toEqual([soon, later])
    expect(pagination).toEqual({ total: 2, per_page: 20, current_page: 1, total_pages: 1 })
    expect(posts[1]).toMatchObject({
      title: 'Later',
      status: 'scheduled',
      scheduled_at: at(7200),
      timezone: 'UTC',
      auto_publish: true,
      notification_sent: false,
      xprofile: { display_name: 'Cleo' },
      space: { id: space.id, slug: space.slug },
    })
    expect(posts[0]).toMatchObject({ auto_publish: false, space: null })
    expect(await idsOf(author, { space_id: space.id })).toEqual([later])
    expect((await author.api.scheduledPosts.list({ per_page: 1, page: 2 })).posts.map(({ id }) => id)).toEqual([later])
    expect(await idsOf(ben)).toEqual([])
  })

  it('filters by days in the community’s time zone', async () => {
    const author = await world.member()
    const id = await post({ scheduled_at: '2030-05-05 23:30:00' }, author)
    const found = (query: object) => idsOf(author, query)
    expect(await found({ date_from: '2030-05-05', date_to: '2030-05-05' })).toEqual([id])
    await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'Europe/Berlin' }))
    expect([await found({ date_to: '2030-05-05' }), await found({ date_from: '2030-05-06' })]).toEqual([[], [id]])
    await world.app.write(null, (ctx) => saveSettings(ctx, { timezone: 'UTC' }))
    const answer = await author.raw('GET', '/scheduled-posts?date_to=2030-02-30')
    expect([answer.status, answer.body.code, answer.body.data.field]).toEqual([400, 'invalid_parameter', 'date_to'])
  })

  it('of others is for administrators, and in a space for those who edit there', async () => {
    const moderator = await world.member()
    const manager = await world.member({ role: 'manager' })
    const space = await makeSpace(world, { members: [ana, ben], moderators: [moderator] })
    await grant(world, manager, ['manage_feeds'], [space])
    const [here, outside] = [await post({ space_id: space.id }), await post()]
    for (const who of [moderator, manager, admin]) {
      expect(await idsOf(who, { space_id: space.id })).toEqual([here])
      expect(await idsOf(who, { space_id: space.id, user_id: ana.id })).toEqual([here])
      expect(await idsOf(who, { space_id: space.id, user_id: ben.id })).toEqual([])
    }
    expect(await idsOf(admin)).toEqual(expect.arrayContaining([here, outside]))
    expect((await idsOf(admin, { user_id: ana.id })).sort()).toEqual((await idsOf(ana)).sort())
    for (const who of [moderator, manager, ben]) {
      expect(await idsOf(who)).toEqual([])
      await refused(who.api.scheduledPosts.list({ user_id: ana.id }), 403, 'rest_forbidden')
    }
    expect(await idsOf(ben, { space_id: space.id })).toEqual([])
    await refused(ben.api.scheduledPosts.list({ space_id: space.id, user_id: ana.id }), 403, 'rest_forbidden')
    await refused(ben.api.scheduledPosts.list({ space_id: 987654321 }), 404, 'space_not_found')
    const secret = await makeSpace(world, { privacy: 'secret' })
    await refused(ben.api.scheduledPosts.list({ space_id: secret.id }), 404, 'space_not_found')
    await refused(world.anonymous.scheduledPosts.list(), 401, 'rest_forbidden')
  })

  it('excludes feeds in spaces hidden from the author', async () => {
    const space = await makeSpace(world, { privacy: 'private', members: [ben] })
    const id = await post({ space_id: space.id, scheduled_at: at(9000) }, ben)
    expect(await idsOf(ben)).toEqual([id])
    await leaveSpace(world, space, ben)
    expect(await idsOf(ben)).toEqual([])
    await refused(ben.api.scheduledPosts.publish({ feed_id: id }), 404, 'not_found')
    await admin.api.feeds.remove({ feed_id: id })
  })

  it.runIf(process.env['LYCEUM_TEST_DATABASE'] === 'sqlite')('is read from an index in order', async () => {
    const moderator = await world.member()
    const space = await makeSpace(world, { members: [ana], moderators: [moderator] })
    const ask = [
      [ana, {}, 'feeds_scheduled'],
      [ana, { space_id: space.id }, 'feeds_scheduled'],
      [moderator, { space_id: space.id }, 'feeds_scheduled_space'],
      [admin, { date_from: '2026-01-01' }, 'feeds_scheduled_all'],
      [admin, { user_id: ana.id, date_to: '2030-01-01' }, 'feeds_scheduled'],
    ] as const
    for (const [who, query, index] of ask) {
      const found = await plansOf(world.app.services.database.read, () => who.api.scheduledPosts.list(query))
      expect(found.flatMap(({ steps }) => steps.filter((step) => step.startsWith('SCAN')))).toEqual([])
      const steps = found.find(({ sql }) => sql.includes('sp.timezone'))?.steps ?? []
      expect({ query, steps }).toEqual({ query, steps: expect.arrayContaining([expect.stringMatching(` f USING INDEX ${index} `)]) })
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
    }
  })
})

describe('the scheduled time', () => {
  it('is local to the given zone, and UTC in responses', async () => {
    const id = await post({ scheduled_at: '2030-07-01 09:00:00', timezone: 'Europe/Berlin' })
    const [plan] = (await plans(ana)).filter((item) => item.id === id)
    expect([plan?.scheduled_at, plan?.timezone]).toEqual(['2030-07-01 07:00:00', 'Europe/Berlin'])
    const moved = await ana.api.scheduledPosts.reschedule({
      feed_id: id,
      scheduled_at: '2030-01-15T09:00:00',
      timezone: 'America/New_York',
    })
    expect(moved).toEqual({
      id,
      scheduled_at: '2030-01-15 14:00:00',
      timezone: 'America/New_York',
      updated_at: at(0),
      message: 'The feed was rescheduled.',
    })
    expect(await ana.api.scheduledPosts.reschedule({ feed_id: id, scheduled_at: '2030-01-15 09:00:00' })).toMatchObject({
      scheduled_at: '2030-01-15 09:00:00',
      timezone: 'America/New_York',
    })
    await ana.api.feeds.update({ feed_id: id, scheduled_at: '2030-03-31 02:30:00', timezone: 'Europe/Berlin' })
    expect((await ana.api.feeds.byId({ feed_id: id })).data.scheduled_at).toBe('2030-03-31 01:30:00')
    // Already past there, though not in UTC.
    const soon = { feed_id: id, scheduled_at: at(3600), timezone: 'Asia/Tokyo' }
    await refused(ana.api.scheduledPosts.reschedule(soon), 400, 'invalid_scheduled_time')
    await ana.api.feeds.remove({ feed_id: id })
  })

  it('must be valid and in the future', async () => {
    const id = await post({ scheduled_at: at(9000) })
    for (const scheduled_at of [at(0), at(-60), '2030-02-30 00:00:00', 'tomorrow', '', null, 7, undefined]) {
      const moved = await ana.raw('PUT', `/scheduled-posts/${id}`, { scheduled_at })
      expect([moved.status, moved.body.code]).toEqual([400, 'invalid_scheduled_time'])
    }
    for (const timezone of ['Nowhere/Land', '', 'x\0', 'x'.repeat(101)]) {
      const moved = await ana.raw('PUT', `/scheduled-posts/${id}`, { scheduled_at: at(60), timezone })
      // An empty zone counts as none.
      expect([timezone, moved.status, moved.body.code]).toEqual(timezone ? [timezone, 400, 'invalid_data'] : ['', 200, undefined])
    }
    const answer = await ana.raw('POST', '/feeds', { message: 'x', status: 'scheduled', scheduled_at: at(60), timezone: 'Mars/Olympus' })
    expect([answer.status, answer.body.code, Object.keys(answer.body.data.errors)]).toEqual([400, 'invalid_data', ['timezone']])
    await ana.api.feeds.remove({ feed_id: id })
  })

  it('the last one wins', async () => {
    const id = await post({ scheduled_at: at(60) })
    await ana.api.scheduledPosts.reschedule({ feed_id: id, scheduled_at: at(120) })
    await ana.api.scheduledPosts.reschedule({ feed_id: id, scheduled_at: at(90) })
    await pass(60)
    expect(await statusOf(id)).toBe('scheduled')
    await pass(30)
    expect(await statusOf(id)).toBe('published')
    await pass(60)
    expect(await published(id)).toBe(1)
  })

  it('can be changed while it arrives: exactly one schedule applies', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await post({ scheduled_at: at(60) })
      world.clock.advance(60)
      const later = at(600)
      const [moved] = await Promise.all([ana.raw('PUT', `/scheduled-posts/${id}`, { scheduled_at: later }), world.runPendingJobs()])
      // Either it was still scheduled and is rescheduled, or it was published.
      expect([moved.status, await statusOf(id)]).toEqual(moved.status === 200 ? [200, 'scheduled'] : [404, 'published'])
      await pass(600)
      expect([await statusOf(id), await published(id)]).toEqual(['published', 1])
    }
  })

  it('works with clock jumps in both directions', async () => {
    const id = await post({ scheduled_at: at(60) })
    await pass(86_400 * 30)
    await pass(-86_400 * 30)
    await pass(120)
    expect([await statusOf(id), await published(id)]).toEqual(['published', 1])
  })
})

describe('publishing manually', () => {
  it('is like publishing any feed', async () => {
    const space = await makeSpace(world, { members: [ana, ben] })
    const id = await post({ space_id: space.id, scheduled_at: at(9000) })
    world.clock.advance(5)
    expect(await ana.api.scheduledPosts.publish({ feed_id: id })).toEqual({
      id,
      status: 'published',
      published_at: at(0),
      message: 'The feed was published.',
    })
    expect((await ben.api.feeds.list({ space: space.slug })).feeds.data[0]?.id).toBe(id)
    await refused(ana.api.scheduledPosts.publish({ feed_id: id }), 404, 'not_found')
    await refused(ana.api.scheduledPosts.reschedule({ feed_id: id, scheduled_at: at(60) }), 404, 'not_found')
    await pass(9000)
    expect(await published(id)).toBe(1)
    expect(await idsOf(ana, { space_id: space.id })).toEqual([])
  })

  it('follows the current rules', async () => {
    const space = await makeSpace(world, { members: [ana], settings: { require_approval: true } })
    const id = await post({ space_id: space.id, scheduled_at: at(9000) })
    expect(await ana.api.scheduledPosts.publish({ feed_id: id })).toMatchObject({ status: 'pending', published_at: null })
    expect([await statusOf(id), await published(id)]).toEqual(['pending', 0])
    const closed = await makeSpace(world, { members: [ana] })
    const other = await post({ space_id: closed.id, scheduled_at: at(9000) })
    await world.app.write(null, ({ db }) =>
      db
        .updateTable('spaces')
        .set({ settings: JSON.stringify({ restricted_post_only: 'yes' }) })
        .where('id', '=', closed.id)
        .execute(),
    )
    await refused(ana.api.scheduledPosts.publish({ feed_id: other }), 403, 'rest_forbidden')
    expect(await admin.api.scheduledPosts.publish({ feed_id: other })).toMatchObject({ status: 'published' })
  })

  it('and rescheduling are for the author and those who edit there; others get 404', async () => {
    const moderator = await world.member()
    const space = await makeSpace(world, { members: [ana, ben], moderators: [moderator] })
    const make = () => post({ space_id: space.id, scheduled_at: at(9000) })
    const id = await make()
    const missing = await ben.raw('POST', '/scheduled-posts/publish/987654321')
    expect([missing.status, missing.body.code]).toEqual([404, 'not_found'])
    const draft = await post({ status: 'draft' })
    for (const hidden of [id, draft]) {
      const tried = [
        await ben.raw('POST', `/scheduled-posts/publish/${hidden}`),
        await ben.raw('PUT', `/scheduled-posts/${hidden}`, { scheduled_at: at(60) }),
      ]
      for (const answer of tried) expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    await refused(ana.api.scheduledPosts.publish({ feed_id: draft }), 404, 'not_found')
    await refused(world.anonymous.scheduledPosts.publish({ feed_id: id }), 401, 'rest_forbidden')
    for (const who of [moderator, admin]) {
      const one = await make()
      await who.api.scheduledPosts.reschedule({ feed_id: one, scheduled_at: at(8000) })
      expect(await who.api.scheduledPosts.publish({ feed_id: one })).toMatchObject({ status: 'published' })
    }
  })

  it('concurrently with the scheduled time happens once', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await post({ scheduled_at: at(60) })
      world.clock.advance(60)
      const [answer] = await Promise.all([ana.raw('POST', `/scheduled-posts/publish/${id}`), world.runPendingJobs()])
      expect([200, 404]).toContain(answer.status)
      await world.runPendingJobs()
      expect([await statusOf(id), await published(id)]).toEqual(['published', 1])
    }
  })

  it('is required if automatic publishing is off', async () => {
    const before = outbox(world).length
    const id = await post({ auto_publish: false, title: 'By hand' })
    const plan = async () => (await plans(ana)).find((item) => item.id === id)
    await pass(59)
    expect((await plan())?.notification_sent).toBe(false)
    await pass(1)
    expect(await plan()).toMatchObject({ status: 'scheduled', auto_publish: false, notification_sent: true })
    const mails = outbox(world).slice(before)
    expect(mails.map(({ to }) => to)).toEqual([expect.stringContaining(ana.email)])
    expect(mails[0]?.subject).toContain('Time to publish')
    await pass(600)
    expect([outbox(world).length, await published(id)]).toEqual([before + 1, 0])
    await ana.api.scheduledPosts.reschedule({ feed_id: id, scheduled_at: at(60) })
    expect(await plan()).toMatchObject({ notification_sent: false })
    await pass(60)
    expect([outbox(world).length, (await plan())?.notification_sent]).toEqual([before + 2, true])
    expect(await ana.api.scheduledPosts.publish({ feed_id: id })).toMatchObject({ status: 'published' })
    const other = await post({ auto_publish: 0 })
    await pass(60)
    await ana.api.feeds.update({ feed_id: other, auto_publish: true })
    await world.runPendingJobs()
    expect([await statusOf(other), await published(other)]).toEqual(['published', 1])
  })
})

describe('while disabled', () => {
  it('nothing new can be scheduled, and existing schedules run', async () => {
    const [one, two] = [await post(), await post({ scheduled_at: at(9000) })]
    await switchOff(true)
    for (const body of [
      { message: 'x', status: 'scheduled', scheduled_at: at(60) },
      { message: 'x', status: 'scheduled', scheduled_at: at(60), auto_publish: false, timezone: 'UTC' },
    ]) {
      const answer = await ana.raw('POST', '/feeds', body)
      expect([answer.status, answer.body.code]).toEqual([403, 'pro_feature_required'])
    }
    await refused(ana.api.scheduledPosts.list(), 403, 'pro_feature_required')
    await refused(ana.api.scheduledPosts.publish({ feed_id: two }), 403, 'pro_feature_required')
    await refused(ana.api.feeds.update({ feed_id: two, scheduled_at: at(60) }), 403, 'pro_feature_required')
    await ana.api.feeds.update({ feed_id: two, message: 'other words' })
    await pass(60)
    expect([await statusOf(one), await published(one)]).toEqual(['published', 1])
    await ana.api.feeds.update({ feed_id: two, status: 'draft' })
    await refused(ana.api.feeds.update({ feed_id: two, status: 'scheduled', scheduled_at: at(60) }), 403, 'pro_feature_required')
    await switchOff(false)
    await ana.api.feeds.update({ feed_id: two, status: 'scheduled', scheduled_at: at(60) })
  })
})

it('an unscheduled feed leaves no schedule behind', async () => {
  const space: Space = await makeSpace(world, { members: [ana] })
  const id = await post({ space_id: space.id, timezone: 'Asia/Tokyo', scheduled_at: '2030-01-01 09:00:00' })
  await ana.api.feeds.update({ feed_id: id, status: 'draft' })
  expect(await idsOf(ana, { space_id: space.id })).toEqual([])
  const row = await world.app.services.database.read.selectFrom('scheduled_posts').select('feed_id').where('feed_id', '=', id).execute()
  expect(row).toEqual([])
  await refused(ana.api.scheduledPosts.publish({ feed_id: id }), 404, 'not_found')
})
