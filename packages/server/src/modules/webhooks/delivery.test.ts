import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { WebhookEvent } from '@lyceum/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { makeSpace } from '#test/fixtures.ts'
import { outbox } from '#test/outbox.ts'
import { LOOPBACK, type Received, type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { sweepLog } from './cleanup.ts'

let world: World
let admin: Member
let ana: Member
let ben: Member
let receiver: Receiver
let answer: (got: Received, response: ServerResponse) => void

beforeEach(async () => {
  world = await createWorld({ env: LOOPBACK })
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
  ben = await world.member()
  await world.runPendingJobs()
  answer = (_got, response) => void response.end()
  receiver = await startReceiver((got, response) => answer(got, response))
})
afterEach(async () => {
  await receiver.stop()
  await world.close()
})

type Fields = Partial<Parameters<Member['api']['webhooks']['create']>[0]>
const hook = (events: readonly WebhookEvent[], fields: Fields = {}) =>
  admin.api.webhooks.create({ name: 'Hook', url: `${receiver.url}/hook`, events: [...events], ...fields })
const feed = async (fields: object = {}, who = ana) => (await who.api.feeds.create({ message: 'Hello there', ...fields })).data.id
const logOf = async (webhook_id: number) => (await admin.api.webhooks.deliveries({ webhook_id })).deliveries
/** Points are awarded asynchronously. */
const withoutPoints = (value: object) => JSON.parse(JSON.stringify(value, (key, inner) => (key === 'total_points' ? 0 : inner)))
const bodies = () => receiver.seen.map(({ body }) => body)
const hmac = (key: string | Buffer, text: string, encoding: 'hex' | 'base64') => createHmac('sha256', key).update(text).digest(encoding)

describe('a delivery', () => {
  it('contains the event, its record as in the API, and the actor', async () => {
    const { id: webhookId } = await hook(['feed.created'])
    const space = await makeSpace(world, { privacy: 'secret', members: [ana] })
    const id = await feed({ space_id: space.id, title: 'Told' })
    await world.runPendingJobs()
    expect(receiver.seen).toHaveLength(1)
    const { data } = await admin.api.feeds.byId({ feed_id: id })
    const told = { event: 'feed.created', timestamp: '2026-03-10T12:00:00Z', data, xprofile: data.xprofile }
    expect(withoutPoints(bodies()[0])).toEqual(withoutPoints(told))
    expect(receiver.seen[0]).toMatchObject({ method: 'POST', path: '/hook' })
    expect(await logOf(webhookId)).toEqual([
      {
        id: expect.any(Number),
        webhook_id: webhookId,
        event: 'feed.created',
        message_id: receiver.seen[0]?.headers['webhook-id'],
        status: 'delivered',
        attempts: 1,
        response_code: 200,
        response_time: expect.any(Number),
        error: null,
        attempted_at: '2026-03-10 12:00:00',
        next_try_at: null,
        occurred_at: '2026-03-10 12:00:00',
        created_at: '2026-03-10 12:00:00',
      },
    ])
    expect((await admin.api.webhooks.one({ webhook_id: webhookId })).data).toMatchObject({
      last_triggered_at: '2026-03-10 12:00:00',
      last_error: null,
    })
  })

  it.each([
    ['one of ours', undefined],
    ['a phrase', 'a-secret-of-the-checks'],
    ['base64 behind the usual prefix', `whsec_${Buffer.from('twenty-four bytes or more!').toString('base64')}`],
    ['base64 without it', Buffer.from('twenty-four bytes or more!').toString('base64')],
    ['the prefix before no base64', 'whsec_no base64?'.replaceAll(' ', '-')],
  ])('is signed in both formats with %s', async (_name, given) => {
    const { secret } = await hook(['feed.created'], given === undefined ? {} : { secret: given })
    await feed()
    await world.runPendingJobs()
    const { headers, text } = receiver.seen[0] as Received
    expect(headers['x-lyceum-signature']).toBe(`sha256=${hmac(secret, text, 'hex')}`)
    const bare = secret.replace(/^whsec_/, '')
    const isBase64 = Buffer.from(bare, 'base64').toString('base64') === bare
    const keys = isBase64 ? [Buffer.from(bare, 'base64')] : [Buffer.from(secret)]
    expect(headers['webhook-timestamp']).toBe(String(Date.parse('2026-03-10T12:00:00Z') / 1000))
    const signatures = String(headers['webhook-signature']).split(' ')
    for (const key of keys) {
      expect(signatures).toContain(`v1,${hmac(key, `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`, 'base64')}`)
    }
  })

  it('is signed with both secrets for a day after a rotation', async () => {
    const { id, secret: before } = await hook(['feed.created'])
    const { secret: after } = await admin.api.webhooks.rotateSecret({ webhook_id: id })
    const valid = (secret: string, { headers, text }: Received) => {
      const key = Buffer.from(secret.slice(6), 'base64')
      const signature = `v1,${hmac(key, `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`, 'base64')}`
      return String(headers['webhook-signature']).split(' ').includes(signature)
    }
    await feed()
    await world.runPendingJobs()
    world.clock.advance(24 * 3600)
    await feed()
    await world.runPendingJobs()
    const [first, second] = receiver.seen as [Received, Received]
    expect([valid(after, first), valid(before, first), valid(after, second), valid(before, second)]).toEqual([true, true, true, false])
    expect(first.headers['x-lyceum-signature']).toBe(`sha256=${hmac(after, first.text, 'hex')}`)
    expect(first.headers['x-lyceum-signature-previous']).toBe(`sha256=${hmac(before, first.text, 'hex')}`)
    expect(second.headers).not.toHaveProperty('x-lyceum-signature-previous')
  })

  it('never contains drafts, nor content hidden in the meantime', async () => {
    await hook(['feed.created', 'feed.updated', 'feed.deleted', 'feed.pinned', 'comment.created', 'reaction.added'])
    const draft = await feed({ status: 'draft', message: 'canary draft' })
    const later = await feed({ status: 'scheduled', scheduled_at: '2026-03-11 12:00:00', message: 'canary later' })
    for (const feed_id of [later, await feed({ status: 'draft' })]) await ana.api.feeds.remove({ feed_id })
    await admin.api.feeds.update({ feed_id: await feed({ status: 'draft', message: 'canary pinned' }, admin), is_sticky: true })
    await world.runPendingJobs()
    expect(bodies()).toEqual([])

    const shown = await feed({ message: 'canary hidden' })
    await ben.api.comments.create({ feed_id: shown, comment: 'canary comment' })
    await ana.api.feeds.update({ feed_id: shown, status: 'draft' })
    const gone = await feed({ message: 'canary gone' })
    await ben.api.reactions.toFeed({ feed_id: gone, type: 'like' })
    await ana.api.feeds.remove({ feed_id: gone })
    await world.runPendingJobs()
    expect(JSON.stringify(bodies())).not.toContain('canary')
    // Deliveries are concurrent, so their order is not defined.
    expect(
      receiver
        .of('feed.created')
        .map(({ body }) => body.data.id)
        .sort((a, b) => a - b),
    ).toEqual([shown, gone])
    for (const { body } of receiver.of('feed.created')) expect(Object.keys(body.data)).toEqual(['id'])
    expect(receiver.of('feed.updated').map(({ body }) => body.data)).toEqual([{ id: shown }])
    expect(receiver.of('feed.deleted').map(({ body }) => body.data.id)).toEqual([gone])
    expect(receiver.of('comment.created').map(({ body }) => body.data)).toEqual([{ id: expect.any(Number), post_id: shown }])

    await ana.api.feeds.update({ feed_id: draft, status: 'published' })
    await world.runPendingJobs()
    expect(receiver.of('feed.created').at(-1)?.body).toMatchObject({ data: { id: draft }, xprofile: { user_id: ana.id } })
  })

  it('does not reveal follow requests', async () => {
    await hook(['user.followed', 'user.unfollowed'])
    const ask = () => ben.api.followers.follow({ username: ana.username })
    await ana.api.profiles.update({ username: 'me', is_private: true })
    await ask()
    await ben.api.followers.unfollow({ username: ana.username })
    await ask()
    const [request] = (await ana.api.followers.requests()).data
    await ana.api.followers.reject({ request_id: request?.id ?? 0 })
    await world.runPendingJobs()
    expect(bodies()).toEqual([])
    await ana.api.profiles.update({ username: 'me', is_private: false })
    await ask()
    await ben.api.followers.unfollow({ username: ana.username })
    await world.runPendingJobs()
    expect(
      bodies()
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['user.followed', 'user.unfollowed'])
  })

  it('has the author as actor for a scheduled feed, and the moderator for a moderator’s change', async () => {
    await hook(['feed.created', 'feed.updated', 'feed.deleted'])
    const id = await feed({ status: 'scheduled', scheduled_at: '2026-03-10 13:00:00' })
    world.clock.advance(3601)
    await world.runPendingJobs()
    await admin.api.feeds.update({ feed_id: id, title: 'Better', reason: 'House rules' })
    await world.runPendingJobs()
    await admin.api.feeds.remove({ feed_id: id })
    await world.runPendingJobs()
    expect(bodies().map(({ event, xprofile, data }) => [event, xprofile.user_id, data.id])).toEqual([
      ['feed.created', ana.id, id],
      ['feed.updated', admin.id, id],
      ['feed.deleted', admin.id, id],
    ])
  })
})

it('every event of comments, reactions, pins, spaces and members is sent with its record', async () => {
  await hook([
    ...([
      'comment.created',
      'comment.updated',
      'comment.deleted',
      'reaction.added',
      'reaction.removed',
      'feed.pinned',
      'feed.unpinned',
    ] as const),
    ...(['space.created', 'space.updated', 'space.deleted', 'space.member_joined', 'space.member_left'] as const),
    ...(['user.registered', 'user.profile_updated', 'user.followed', 'user.unfollowed'] as const),
  ])
  const told: Record<string, unknown>[] = []
  const after = async (call: Promise<unknown>) => {
    await call
    const before = receiver.seen.length
    await world.runPendingJobs()
    told.push(...receiver.seen.slice(before).map(({ body }) => body))
  }
  const id = await feed()
  await world.runPendingJobs()
  const { data: comment } = await ben.api.comments.create({ feed_id: id, comment: 'One' })
  await after(ben.api.comments.update({ feed_id: id, comment_id: comment.id, comment: 'Two' }))
  await after(ben.api.reactions.toFeed({ feed_id: id, type: 'love' }))
  await after(ben.api.reactions.toFeed({ feed_id: id, type: 'love' }))
  await after(ben.api.reactions.toComment({ feed_id: id, comment_id: comment.id, type: 'like' }))
  await after(ben.api.comments.remove({ feed_id: id, comment_id: comment.id }))
  await after(admin.api.feeds.update({ feed_id: id, is_sticky: true }))
  await after(admin.api.feeds.update({ feed_id: id, is_sticky: false }))
  const { data: space } = await admin.api.spaces.create({ title: 'Garden', slug: 'garden', privacy: 'secret' })
  await after(admin.api.spaces.updateBySlug({ space_slug: 'garden', description: 'Green' }))
  await after(admin.api.spaceMembers.add({ space_slug: 'garden', user_id: ana.id }))
  await after(admin.api.spaceMembers.removeByPath({ space_slug: 'garden', user_id: ana.id }))
  await after(admin.api.spaces.remove({ space_slug: 'garden' }))
  await after(ana.api.profiles.update({ username: ana.username, bio: 'Hello' }))
  await after(ana.api.followers.follow({ username: ben.username }))
  await after(ana.api.followers.unfollow({ username: ben.username }))
  let cleo: Member | undefined
  await after(world.member({ username: 'cleo' }).then((made) => (cleo = made)))

  const short = told.map(({ event, data, xprofile }) => ({ event, data, by: (xprofile as { user_id: number } | null)?.user_id }))
  const object = { object_id: id, object_type: 'feed', parent_id: 0, user_id: ben.id }
  const place = { space_id: space.id, user_id: ana.id }
  const expected = [
    // Both deliveries were pending, so the comment is sent in its present state.
    { event: 'comment.created', data: { id: comment.id, message: 'Two', xprofile: { user_id: ben.id } }, by: ben.id },
    { event: 'comment.updated', data: { id: comment.id, message: 'Two', post_id: id }, by: ben.id },
    { event: 'reaction.added', data: { ...object, type: 'love', ip_address: '' }, by: ben.id },
    { event: 'reaction.removed', data: object, by: ben.id },
    { event: 'reaction.added', data: { object_id: comment.id, object_type: 'comment', parent_id: id }, by: ben.id },
    { event: 'comment.deleted', data: { id: comment.id, post_id: id, user_id: ben.id }, by: ben.id },
    { event: 'feed.pinned', data: { id, is_sticky: true }, by: admin.id },
    { event: 'feed.unpinned', data: { id, is_sticky: false }, by: admin.id },
    { event: 'space.created', data: { id: space.id, slug: 'garden', privacy: 'secret' }, by: admin.id },
    { event: 'space.updated', data: { id: space.id, description: 'Green' }, by: admin.id },
    {
      event: 'space.member_joined',
      data: { ...place, role: 'member', status: 'active', space: { slug: 'garden' }, xprofile: { user_id: ana.id } },
      by: admin.id,
    },
    { event: 'space.member_left', data: place, by: admin.id },
    { event: 'space.deleted', data: { id: space.id }, by: admin.id },
    { event: 'user.profile_updated', data: { id: ana.id, username: ana.username, short_description: 'Hello' }, by: ana.id },
    {
      event: 'user.followed',
      data: { follower_id: ana.id, following_id: ben.id, status: 'active', following: { user_id: ben.id } },
      by: ana.id,
    },
    { event: 'user.unfollowed', data: { follower_id: ana.id, following_id: ben.id }, by: ana.id },
    { event: 'user.registered', data: { id: cleo?.id, username: 'cleo', role: 'member' }, by: cleo?.id },
  ]
  expect(short.map(({ event }) => event).sort()).toEqual(expected.map(({ event }) => event).sort())
  for (const one of expected)
    expect(short).toContainEqual(expect.objectContaining({ event: one.event, by: one.by, data: expect.objectContaining(deep(one.data)) }))
  expect(JSON.stringify(told)).not.toContain('@example.org')
})

it('events of courses, lessons and reports are sent', async () => {
  await hook(['course.enrolled', 'course.unenrolled', 'lesson.completed', 'report.created', 'report.resolved'])
  const school = await makeSchool(admin)
  const [lesson_id = 0] = school.lessons
  await ana.api.courses.enroll({ course_id: school.courseId })
  await world.runPendingJobs()
  await ana.api.progress.complete({ course_id: school.courseId, lesson_id })
  await world.runPendingJobs()
  await ana.api.courses.unenroll({ course_id: school.courseId })
  const id = await feed({ message: 'canary of a report' })
  const report = await ben.api.moderation.report({ object_type: 'feed', object_id: id, reason: 'spam', description: 'Look' })
  await world.runPendingJobs()
  await admin.api.moderation.update({ report_id: report.id, status: 'resolved', action_taken: 'warning', moderator_note: 'canary note' })
  await world.runPendingJobs()
  const short = bodies().map(({ event, data, xprofile }) => ({ event, data, by: xprofile.user_id }))
  const place = { course_id: school.courseId, user_id: ana.id }
  for (const one of [
    { event: 'course.enrolled', data: { ...place, course: { id: school.courseId } }, by: ana.id },
    { event: 'lesson.completed', data: { ...place, lesson_id, lesson: { id: lesson_id } }, by: ana.id },
    { event: 'course.unenrolled', data: place, by: ana.id },
    { event: 'report.created', data: { id: report.id, reporter_id: ben.id, object_id: id, status: 'pending' }, by: ben.id },
    {
      event: 'report.resolved',
      data: { id: report.id, status: 'resolved', action_taken: 'warning', moderator_id: admin.id },
      by: admin.id,
    },
  ])
    expect(short).toContainEqual({ event: one.event, by: one.by, data: expect.objectContaining(deep(one.data)) })
  expect(short).toHaveLength(5)
  expect(JSON.stringify(bodies())).not.toContain('canary')
})

/** Matches an object partially, at every level. */
const deep = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'object' && inner !== null ? expect.objectContaining(deep(inner)) : inner,
    ]),
  )

describe('a failed delivery', () => {
  it('is retried with growing delays and a stable id, then listed as failed', async () => {
    const { id } = await hook(['feed.created'], { retry_count: 3 })
    answer = (_got, response) => void response.writeHead(503).end()
    await feed()
    await world.runPendingJobs()
    const pauses: number[] = []
    for (;;) {
      const [row] = await logOf(id)
      if (!row?.next_try_at) break
      const now = world.clock.now().getTime()
      pauses.push((Date.parse(`${row.next_try_at.replace(' ', 'T')}Z`) - now) / 1000)
      expect(row).toMatchObject({ status: 'pending', attempts: pauses.length, response_code: 503, error: 'The receiver answered 503.' })
      world.clock.advance((pauses.at(-1) ?? 0) - 1)
      await world.runPendingJobs()
      expect(receiver.seen).toHaveLength(pauses.length)
      world.clock.advance(1)
      await world.runPendingJobs()
    }
    expect(pauses).toHaveLength(3)
    expect(pauses[0]).toBeLessThanOrEqual(10)
    expect(pauses[0]! < pauses[1]! && pauses[1]! < pauses[2]!).toBe(true)
    expect(pauses[2]).toBeGreaterThan(3600)
    expect(receiver.seen).toHaveLength(4)
    expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4)
    expect(await logOf(id)).toMatchObject([{ status: 'failed', attempts: 4 }])
    expect((await admin.api.webhooks.one({ webhook_id: id })).data.last_error).toBe('The receiver answered 503.')

    answer = (_got, response) => void response.end()
    const [row] = await logOf(id)
    const again = await admin.api.webhooks.redeliver({ webhook_id: id, delivery_id: row?.id ?? 0 })
    expect(again.data).toMatchObject({ id: row?.id, status: 'pending', attempts: 4 })
    await world.runPendingJobs()
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 5, message_id: row?.message_id }])
    expect((await admin.api.webhooks.one({ webhook_id: id })).data.last_error).toBeNull()
  })

  it('is not retried if retries are off', async () => {
    const { id } = await hook(['feed.created'], { retry_count: 0 })
    answer = (_got, response) => void response.writeHead(500).end()
    await feed()
    await world.runPendingJobs()
    expect(await logOf(id)).toMatchObject([{ status: 'failed', attempts: 1 }])
  })

  it('does not delay other endpoints', async () => {
    answer = ({ path }, response) => {
      if (path === '/hook') response.end()
      else response.socket?.destroy()
    }
    const dead = await hook(['feed.created'], { url: `${receiver.url}/dead` })
    await hook(['feed.created'])
    for (let n = 0; n < 20; n++) await feed({ message: `Number ${n}` })
    await world.runPendingJobs()
    expect(receiver.seen.filter(({ path }) => path === '/hook')).toHaveLength(20)
    expect(
      (await logOf(dead.id)).every(({ status, response_code, error }) => status === 'pending' && response_code === null && error),
    ).toBe(true)
  })

  it('after three days of failures disables the webhook', async () => {
    const { id } = await hook(['feed.created'], { retry_count: 10 })
    answer = (_got, response) => void response.writeHead(500).end()
    for (let n = 0; n < 3; n++) await feed({ message: `Number ${n}` })
    for (let hours = 0; hours < 100; hours += 2) {
      await world.runPendingJobs()
      world.clock.advance(2 * 3600)
    }
    expect((await admin.api.webhooks.one({ webhook_id: id })).data).toMatchObject({
      status: 'inactive',
      last_error: expect.stringContaining('three days'),
    })
    const sent = receiver.seen.length
    const [row] = await logOf(id)
    await refused(admin.api.webhooks.redeliver({ webhook_id: id, delivery_id: row?.id ?? 0 }), 409, 'conflict')
    await feed()
    await world.runPendingJobs()
    expect(receiver.seen).toHaveLength(sent)
    expect(outbox(world)).toMatchObject([{ to: admin.email, subject: 'A webhook of Lyceum was disabled' }])
    const { database } = world.app.services
    expect(
      await database.read.selectFrom('audit_log').select(['action', 'actor_id']).where('action', '=', 'webhook.given_up').execute(),
    ).toHaveLength(1)
  })
})

it('a slow endpoint is paused, then probed with a single delivery', async () => {
  const { id } = await hook(['feed.created'])
  answer = (_got, response) => void setTimeout(() => response.writeHead(500).end(), 2050)
  for (let n = 0; n < 12; n++) await feed({ message: `Number ${n}` })
  await world.runPendingJobs()
  expect(receiver.seen).toHaveLength(8)
  const { data } = await admin.api.webhooks.one({ webhook_id: id })
  expect(data).toMatchObject({ paused_until: '2026-03-10 12:04:00', last_error: 'The receiver answered 500.' })
  world.clock.advance(239)
  await world.runPendingJobs()
  expect(receiver.seen).toHaveLength(8)
  world.clock.advance(1)
  await world.runPendingJobs()
  expect(receiver.seen).toHaveLength(9)
  answer = (_got, response) => void response.end()
  world.clock.advance(480)
  await world.runPendingJobs()
  expect((await logOf(id)).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'delivered'))
  expect((await admin.api.webhooks.one({ webhook_id: id })).data).toMatchObject({ paused_until: null, last_error: null })
})

it('deliveries of a crashed sender are sent by another one a little later', async () => {
  const { id } = await hook(['feed.created'])
  const { database } = world.app.services
  answer = (_got, response) => void response.writeHead(500).end()
  for (let n = 0; n < 10; n++) await feed({ message: `Number ${n}` })
  await world.runPendingJobs()
  answer = (_got, response) => void response.end()
  receiver.seen.length = 0
  // All slots are leased by crashed senders.
  world.clock.advance(10)
  await database.write((db) =>
    db.updateTable('webhook_deliveries').set({ locked_until: '2026-03-10 12:00:40' }).where('id', '<=', 8).execute(),
  )
  await world.runPendingJobs()
  expect(receiver.seen).toEqual([])
  world.clock.advance(30)
  await world.runPendingJobs()
  expect(receiver.seen).toHaveLength(10)
  expect((await logOf(id)).every(({ status }) => status === 'delivered')).toBe(true)
})

describe('disabled', () => {
  it('a webhook gets nothing, and pending deliveries are sent once it is enabled again', async () => {
    const { id } = await hook(['feed.created'])
    const first = await feed()
    await admin.api.webhooks.update({ webhook_id: id, status: 'inactive' })
    await world.runPendingJobs()
    await feed()
    await world.runPendingJobs()
    expect(bodies()).toEqual([])
    await admin.api.webhooks.update({ webhook_id: id, status: 'active' })
    await world.runPendingJobs()
    // The first feed was not delivered before, so nothing is known of either.
    expect(bodies()).toEqual([])
    answer = (_got, response) => void response.writeHead(500).end()
    const second = await feed()
    await world.runPendingJobs()
    await admin.api.webhooks.update({ webhook_id: id, status: 'inactive' })
    world.clock.advance(60)
    await world.runPendingJobs()
    expect(receiver.seen).toHaveLength(1)
    answer = (_got, response) => void response.end()
    await admin.api.webhooks.update({ webhook_id: id, status: 'active' })
    await world.runPendingJobs()
    expect(bodies().map(({ data }) => data.id)).toEqual([second, second])
    expect(first).not.toBe(second)
  })

  it('the feature delivers nothing, and continues once it is enabled again', async () => {
    const { id } = await hook(['feed.created'])
    answer = (_got, response) => void response.writeHead(500).end()
    await feed()
    await world.runPendingJobs()
    await admin.api.settings.saveFeatures({ webhooks: false })
    world.clock.advance(600)
    await feed()
    await world.runPendingJobs()
    expect(receiver.seen).toHaveLength(1)
    answer = (_got, response) => void response.end()
    await admin.api.settings.saveFeatures({ webhooks: true })
    await world.runPendingJobs()
    expect(receiver.seen).toHaveLength(2)
    expect(await logOf(id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
  })
})

it('the log is paged, filtered, and deleted after a month', async () => {
  const { id } = await hook(['feed.created', 'comment.created'])
  const { id: other } = await hook(['feed.created'])
  const feedId = await feed()
  for (let n = 0; n < 4; n++) await ben.api.comments.create({ feed_id: feedId, comment: `Number ${n}` })
  answer = (_got, response) => void response.writeHead(500).end()
  await world.runPendingJobs()
  answer = (_got, response) => void response.end()
  await feed()
  await world.runPendingJobs()
  const log = (query: object) => admin.api.webhooks.deliveries({ webhook_id: id, ...query })
  const first = await log({ per_page: 4 })
  expect(first.pagination).toEqual({ total: 6, per_page: 4, current_page: 1, total_pages: 2 })
  const all = [...first.deliveries, ...(await log({ per_page: 4, page: 2 })).deliveries].map((row) => row.id)
  expect(all).toEqual([...new Set(all)].sort((a, b) => b - a))
  expect((await log({ status: 'delivered' })).pagination.total).toBe(1)
  expect((await log({ event: 'comment.created' })).pagination.total).toBe(4)
  expect((await log({ event: 'comment.created', status: 'delivered' })).deliveries).toEqual([])
  await refused(log({ status: 'lost' }), 400, 'invalid_parameter')
  await refused(admin.api.webhooks.redeliver({ webhook_id: other, delivery_id: first.deliveries[0]?.id ?? 0 }), 404, 'not_found')

  world.clock.advance(30 * 24 * 3600 - 1)
  expect(await sweepLog.run(world.app.services, world.app.write)).toBe(0)
  world.clock.advance(1)
  expect(await sweepLog.run(world.app.services, world.app.write)).toBe(8)
  expect((await log({})).deliveries).toEqual([])
})

it('an event without subscribers enqueues no job', async () => {
  await hook(['feed.deleted'])
  await hook(['feed.created'], { status: 'inactive' })
  await feed()
  const { database } = world.app.services
  expect(await database.read.selectFrom('jobs').select('name').where('name', 'like', 'webhooks.%').execute()).toEqual([])
})
