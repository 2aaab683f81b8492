import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { tokenMailedTo } from '#test/outbox.ts'
import { type Device, type PushService, startPushService, vapidClaims } from '#test/push-service.ts'
import { type Browser, PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { saveSettings } from '../../settings/index.ts'
import { payloadOf } from './push-jobs.ts'

let service: PushService
let world: World
let ana: Member
let ben: Member
let phone: Device
beforeAll(async () => {
  service = await startPushService()
  world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8', LYCEUM_MAIL_FROM: 'River <post@river.example>' } })
})
afterAll(async () => {
  await world.close()
  await service.close()
})

let made = 0
beforeEach(async () => {
  made += 1
  ana = await world.member({ username: `ana${made}`, displayName: 'Ana Lima' })
  ben = await world.member({ username: `ben${made}`, displayName: 'Ben Okafor' })
  phone = service.device()
  await world.runPendingJobs()
})

const subscribe = (who: Member, { endpoint, keys }: Device) => who.api.push.subscribe({ endpoint, keys })
const post = async (who: Member, body: Record<string, unknown> = {}) =>
  (await who.api.feeds.create({ message: 'What next to the tomatoes?', title: 'The bed by the wall', ...body })).data.id
const comment = async (who: Member, feed_id: number, text = 'Basil & *more* basil') =>
  (await who.api.comments.create({ feed_id, comment: text })).data.id
const arrived = async (device = phone) => {
  await world.runPendingJobs()
  return service.take(device)
}

describe('subscriptions', () => {
  test('a device is added, listed without its secret, and removed', async () => {
    const { data } = await subscribe(ana, phone)
    expect((await ana.api.push.list()).data).toEqual([
      { id: data.id, endpoint: service.origin, user_agent: expect.any(String), created_at: data.created_at, last_used_at: null },
    ])
    expect((await ben.api.push.list()).data).toEqual([])
    await refused(ben.api.push.remove({ id: data.id }), 404, 'subscription_not_found')
    await ana.api.push.remove({ id: data.id })
    await refused(ana.api.push.remove({ id: data.id }), 404, 'subscription_not_found')
    expect((await ana.api.push.list()).data).toEqual([])
  })

  test('a browser has one subscription, which moves to the account that signs in', async () => {
    const first = await subscribe(ana, phone)
    expect((await subscribe(ana, { ...phone, keys: service.device().keys })).data).toEqual(first.data)
    world.clock.advance(60)
    const moved = await subscribe(ben, phone)
    expect(moved.data.id).toBe(first.data.id)
    expect((await ana.api.push.list()).data).toEqual([])
    expect((await ben.api.push.list()).data).toHaveLength(1)
    await comment(ben, await post(ana))
    expect(await arrived()).toEqual([])
  })

  test('a subscription without a session is bound when its browser registers again, or ends when access is revoked', async () => {
    const { username, email } = await register(world)
    const [first, second] = [await signIn(world, username), await signIn(world, username)]
    const add = (browser: Browser, { endpoint, keys }: Device) => browser.raw('POST', '/push/subscriptions', { endpoint, keys })
    const unbind = () => world.app.services.database.write((db) => db.updateTable('push_subscriptions').set({ session_id: null }).execute())
    const devices = async (browser: Browser) => (await browser.raw('GET', '/push/subscriptions')).body.data.length
    const left = service.device()
    for (const device of [phone, left]) expect((await add(first, device)).status).toBe(201)
    await unbind()
    expect((await add(first, phone)).status).toBe(201)
    expect(await devices(second)).toBe(2)
    await first.raw('POST', '/auth/logout')
    expect(await devices(second)).toBe(1)
    const changed = await second.raw('POST', '/account/password', { current_password: PASSWORD, new_password: 'Other-river-9152' })
    expect([changed.status, await devices(second)]).toEqual([200, 0])
    expect((await add(second, left)).status).toBe(201)
    await unbind()
    // The mail about the changed password is sent first.
    await world.runPendingJobs()
    await world.anonymous.auth.forgotPassword({ login: email })
    await world.runPendingJobs()
    const { database } = world.app.services
    const token = tokenMailedTo(world, email)
    await world.anonymous.auth.resetPassword({ token, password: 'Third-river-2468' })
    expect(await database.read.selectFrom('push_subscriptions').select('id').where('endpoint', '=', left.endpoint).execute()).toEqual([])
  })

  test('a browser can remove its own endpoint only', async () => {
    await subscribe(ana, phone)
    await ben.api.push.unsubscribe({ endpoint: phone.endpoint })
    expect((await ana.api.push.list()).data).toHaveLength(1)
    await ana.api.push.unsubscribe({ endpoint: phone.endpoint })
    await ana.api.push.unsubscribe({ endpoint: phone.endpoint })
    await ana.api.push.unsubscribe({ endpoint: 'nonsense' })
    expect((await ana.api.push.list()).data).toEqual([])
  })

  test('at most twenty; the least recently used one is removed', async () => {
    const ids: number[] = []
    for (let i = 0; i < 22; i++) {
      ids.push((await subscribe(ana, service.device())).data.id)
      world.clock.advance(1)
    }
    expect((await ana.api.push.list()).data.map(({ id }) => id)).toEqual(ids.slice(2))
  })

  const point = (bytes: Buffer) => bytes.toString('base64url')
  const off = Buffer.concat([Buffer.from([4]), Buffer.alloc(63), Buffer.from([7])])
  test.each([
    ['a point that is not on the curve', { p256dh: point(off) }],
    ['a compressed point', { p256dh: point(Buffer.concat([Buffer.from([2]), randomBytes(32)])) }],
    ['a short key', { p256dh: point(Buffer.alloc(64)) }],
    ['a key that is no base64url', { p256dh: '!'.repeat(87) }],
    ['a short secret', { auth: point(randomBytes(15)) }],
    ['a long secret', { auth: point(randomBytes(17)) }],
  ])('refuses %s', async (_name, keys) => {
    await refused(ana.api.push.subscribe({ endpoint: phone.endpoint, keys: { ...phone.keys, ...keys } }), 400, 'invalid_data')
  })

  test.each([
    'http://push.example/x',
    'ftp://push.example/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest',
    'http://192.168.1.1/x',
    'https://93.184.215.14:5432/x',
    'https://user:pass@push.example/x',
    'javascript:alert(1)',
    'nonsense',
  ])('refuses the endpoint %s', async (endpoint) => {
    await refused(ana.api.push.subscribe({ endpoint, keys: phone.keys }), 400, 'invalid_url')
  })

  test('accepts subscriptions as browsers send them, with an expiry and in standard base64', async () => {
    const common = (text: string) => Buffer.from(text, 'base64url').toString('base64')
    const { p256dh, auth } = phone.keys
    const keys = { p256dh: common(p256dh), auth: common(auth) }
    await ana.api.push.subscribe({ endpoint: 'https://push.example/abc', expirationTime: null, keys })
    await comment(ben, await post(ana))
    expect((await ana.api.push.list()).data).toHaveLength(1)
  })

  test('requires an account', async () => {
    for (const call of [world.anonymous.push.key(), world.anonymous.push.list(), world.anonymous.push.unsubscribe({ endpoint: 'x' })])
      await refused(call, 401, 'rest_forbidden')
  })
})

test('the key is derived from the secret alone', async () => {
  const { public_key } = (await ana.api.push.key()).data
  expect(Buffer.from(public_key, 'base64url')).toHaveLength(65)
  expect((await ben.api.push.key()).data.public_key).toBe(public_key)
  const keyWith = async (secret: string) => {
    const other = await createWorld({ env: { LYCEUM_SECRET: secret } })
    const key = (await (await other.member()).api.push.key()).data.public_key
    await other.close()
    return key
  }
  const [one, same, two] = [await keyWith('s'.repeat(40)), await keyWith('s'.repeat(40)), await keyWith('t'.repeat(40))]
  expect(same).toBe(one)
  expect(new Set([public_key, one, two]).size).toBe(3)
})

describe('a message', () => {
  test('reaches the device signed, encrypted and short', async () => {
    await subscribe(ana, phone)
    await comment(ben, await post(ana))
    const [got, ...more] = await arrived()
    expect(more).toEqual([])
    const { headers, body } = got!
    const { public_key } = (await ana.api.push.key()).data
    const claims = vapidClaims(headers['authorization'] ?? '', public_key)
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:post@river.example' })
    expect(claims!.exp - Date.now() / 1000).toBeGreaterThan(0)
    expect(claims!.exp - Date.now() / 1000).toBeLessThanOrEqual(24 * 3600)
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' })
    expect(headers['topic']).toMatch(/^[\w-]{32}$/)
    expect(body.toString('latin1')).not.toContain('Basil')
    const message = phone.open(body)
    const [notification] = (await ana.api.notifications.list({})).notifications.data
    expect(message).toEqual({
      id: notification!.id,
      type: 'new_comment',
      title: 'Ben Okafor commented on your post “The bed by the wall”',
      body: 'Basil & more basil',
      url: notification!.action_url,
      tag: headers['topic'],
      unread_count: 1,
    })
    expect(() => service.device().open(body)).toThrow()
    expect((await ana.api.push.list()).data[0]?.last_used_at).not.toBeNull()
  })

  test('reaches all devices of the member and no others', async () => {
    const tablet = service.device()
    const foreign = service.device()
    await subscribe(ana, phone)
    await subscribe(ana, tablet)
    await subscribe(ben, foreign)
    await comment(ben, await post(ana))
    expect([await arrived(phone), await arrived(tablet), await arrived(foreign)].map((list) => list.length)).toEqual([1, 1, 0])
  })

  test('replaces the previous one, at most once a minute', async () => {
    const [cleo, dina] = [await world.member(), await world.member()]
    await subscribe(ana, phone)
    const feed_id = await post(ana)
    const like = (who: Member) => who.api.reactions.toFeed({ feed_id, type: 'like' })
    await like(ben)
    const [first] = await arrived()
    expect(first?.headers).toMatchObject({ urgency: 'low' })
    await like(cleo)
    await like(dina)
    expect(await arrived()).toEqual([])
    world.clock.advance(60)
    const [second, ...more] = await arrived()
    expect(more).toEqual([])
    expect(second?.headers['topic']).toBe(first?.headers['topic'])
    expect(phone.open(second!.body)['title']).toMatch(/and 2 others reacted/)
    await comment(cleo, feed_id, `@${ana.username}, look`)
    const [mention] = await arrived()
    expect(mention?.headers).toMatchObject({ urgency: 'high' })
    expect(mention?.headers['topic']).not.toBe(first?.headers['topic'])
  })

  test.each([404, 410])('with response %i removes the subscription', async (status) => {
    await subscribe(ana, phone)
    service.answer(phone, status)
    await comment(ben, await post(ana))
    expect(await arrived()).toHaveLength(1)
    expect((await ana.api.push.list()).data).toEqual([])
  })

  test.each([429, 500, 503])('with response %i is retried', async (status) => {
    await subscribe(ana, phone)
    service.answer(phone, status)
    await comment(ben, await post(ana))
    expect(await arrived()).toHaveLength(1)
    service.answer(phone, 201)
    world.clock.advance(30)
    expect(await arrived()).toHaveLength(1)
    world.clock.advance(24 * 3600)
    expect(await arrived()).toEqual([])
  })

  test.each([400, 403, 413])('with response %i is dropped, and the subscription stays', async (status) => {
    await subscribe(ana, phone)
    service.answer(phone, status)
    await comment(ben, await post(ana))
    expect(await arrived()).toHaveLength(1)
    world.clock.advance(3600)
    expect(await arrived()).toEqual([])
    expect((await ana.api.push.list()).data).toHaveLength(1)
  })
})

describe('no message', () => {
  beforeEach(() => subscribe(ana, phone))

  test('of a kind that is turned off', async () => {
    await ana.api.notifications.savePreferences({ username: 'me', push_notifications: { new_comment: false } })
    await comment(ben, await post(ana))
    expect(await arrived()).toEqual([])
    await comment(ben, await post(ben), `Ask @${ana.username}`)
    expect(await arrived()).toHaveLength(1)
  })

  test('while the community has turned push off', async () => {
    const enable = (enable_push_notifications: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { enable_push_notifications }))
    await enable(false)
    await comment(ben, await post(ana))
    expect(await arrived()).toEqual([])
    await enable(true)
  })

  test('about followers and spaces', async () => {
    await ben.api.followers.follow({ username: ana.username })
    const space = await makeSpace(world, { admins: [ben] })
    await ben.api.spaceMembers.add({ space_slug: space.slug, user_id: ana.id })
    expect(await arrived()).toEqual([])
  })

  test('about something read or hidden by the time of the retry', async () => {
    const space = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    service.answer(phone, 503)
    await comment(ben, await post(ana, { space_id: space.id }))
    expect(await arrived()).toHaveLength(1)
    service.answer(phone, 201)
    await leaveSpace(world, space, ana)
    world.clock.advance(3600)
    expect(await arrived()).toEqual([])

    service.answer(phone, 503)
    await comment(ben, await post(ana))
    expect(await arrived()).toHaveLength(1)
    await ana.api.notifications.markAllRead()
    service.answer(phone, 201)
    world.clock.advance(3600)
    expect(await arrived()).toEqual([])
  })

  test('to a suspended account', async () => {
    await comment(ben, await post(ana))
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ status: 'suspended' }).where('id', '=', ana.id).execute())
    expect(await arrived()).toEqual([])
  })
})

test('an endpoint that may not be reached is removed without a request', async () => {
  const careful = await createWorld()
  try {
    const cara = await careful.member()
    const dora = await careful.member()
    const { endpoint, keys } = phone
    await careful.app.write(null, ({ db, now }) =>
      db
        .insertInto('push_subscriptions')
        .values({ user_id: cara.id, endpoint, ...keys, created_at: now, last_used_at: null })
        .execute(),
    )
    await comment(dora, await post(cara))
    await careful.runPendingJobs()
    expect(service.take(phone)).toEqual([])
    expect((await cara.api.push.list()).data).toEqual([])
  } finally {
    await careful.close()
  }
})

test.each(['a', '😀', '漢', '"', '\u202e'])('a payload of many %j is short enough', (char) => {
  const message = {
    id: 1,
    type: 'mention',
    title: char.repeat(2000),
    body: char.repeat(2000),
    url: 'https://x.example/',
    tag: 't',
    unread_count: 1,
  }
  const text = payloadOf(message)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3072)
  expect(JSON.parse(text)).toMatchObject({ id: 1, url: 'https://x.example/' })
  expect(JSON.parse(text).title).not.toBe('')
})
