import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outbox } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { mailboxOf } from '../modules/accounts/limits.ts'

let world: World
let admin: Member
const TIMES = { timeout: 60_000 }

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on' } })
  admin = await world.member({ role: 'admin' })
})
afterAll(() => world.close())
// Counters of the tests before are over.
beforeEach(() => world.clock.advance(2 * 86_400))

const limit = (limits: object) => admin.api.settings.save({ limits } as never)

/** How many of so many equal calls in a row were answered with each status. */
const statuses = async (times: number, call: (i: number) => Promise<{ readonly status: number }>) => {
  const counts: Record<number, number> = {}
  for (let i = 0; i < times; i++) {
    const { status } = await call(i)
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
const post = (who: Member, message: string) => who.raw('POST', '/feeds', { message })
const refusals = async (kind: string) => {
  const { text } = await admin.raw('GET', '//metrics')
  return Number(new RegExp(`^lyceum_refusals_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

describe('a member', () => {
  test('posts at most 60 times a minute, and learns when to retry', TIMES, async () => {
    const ana = await world.member()
    expect(await statuses(70, (i) => post(ana, `Post ${i}`))).toEqual({ 201: 60, 429: 10 })
    const refusal = await post(ana, 'More')
    expect([refusal.body.code, refusal.body.data.retry_after, refusal.headers.get('retry-after')]).toEqual([
      'rate_limit_exceeded',
      60,
      '60',
    ])
    expect(await refusals('posts')).toBe(11)
    world.clock.advance(61)
    expect((await post(ana, 'Again')).status).toBe(201)
  })

  test('can change the username ten times a day, since former ones stay reserved', TIMES, async () => {
    await admin.raw('POST', '/settings/privacy-settings', { can_customize_username: true })
    const { email } = await register(world)
    let browser = await signIn(world, email)
    const rename = (i: number) => browser.raw('POST', '/account/username', { username: `renamed-${i}`, current_password: PASSWORD })
    expect(await statuses(12, rename)).toEqual({ 200: 10, 429: 2 })
    world.clock.advance(86_400)
    browser = await signIn(world, email)
    expect((await rename(20)).status).toBe(200)
  })

  test('has a budget for each kind of write, which an administrator sets', TIMES, async () => {
    const [ana, ben] = [await world.member(), await world.member()]
    const { data } = await ben.api.feeds.create({ message: 'Here' })
    await limit({ comments_per_minute: 3, reactions_per_minute: 4, follows_per_minute: 2, reports_per_minute: 1, changes_per_minute: 2 })
    const report = { object_type: 'feed', object_id: data.id, reason: 'spam' }
    expect([
      await statuses(5, (i) => ana.raw('POST', `/feeds/${data.id}/comments`, { comment: `Comment ${i}` })),
      await statuses(6, () => ana.raw('POST', `/feeds/${data.id}/react`, { type: 'like' })),
      await statuses(4, (i) => ana.raw('POST', `/profile/${ben.username}/${i % 2 ? 'unfollow' : 'follow'}`)),
      (await statuses(3, () => ana.raw('POST', '/moderation/report', report)))[429],
      (await statuses(4, () => ana.raw('POST', '/notifications/mark-all-read')))[429],
    ]).toEqual([{ 201: 3, 429: 2 }, expect.objectContaining({ 429: 2 }), expect.objectContaining({ 429: 2 }), 2, 2])
    await admin.api.settings.reset({ keys: ['limits'] })
    expect((await ana.raw('POST', `/feeds/${data.id}/comments`, { comment: 'After the reset' })).status).toBe(201)
  })

  test('is rejected before the body is read or the database is queried', async () => {
    const ana = await world.member()
    await limit({ posts_per_minute: 1 })
    await post(ana, 'One')
    const refused = await ana.raw('POST', '/feeds', '{not json')
    expect(refused.status).toBe(429)
    await admin.api.settings.reset({ keys: ['limits'] })
  })

  test('moderators are not limited', TIMES, async () => {
    await limit({ posts_per_minute: 2 })
    const moderator = await world.member({ role: 'moderator' })
    for (const who of [moderator, admin]) expect(await statuses(4, (i) => post(who, `By ${who.username} ${i}`))).toEqual({ 201: 4 })
    await admin.api.settings.reset({ keys: ['limits'] })
  })

  test('only administrators set limits', async () => {
    const [ana, manager] = [await world.member(), await world.member({ role: 'moderator' })]
    for (const who of [ana, manager]) expect((await who.raw('PUT', '/settings', { limits: { posts_per_minute: 9 } })).status).toBe(403)
    for (const wrong of [{ posts_per_minute: -1 }, { posts_per_minute: '9' }, { url: 'x' }])
      expect((await admin.raw('PUT', '/settings', { limits: wrong })).body.code).toBe('invalid_value')
  })
})

describe('a new account', () => {
  const link = (i: number) => `https://shop.example/${i}`

  test('has smaller budgets for mentions, links and follows for a day', TIMES, async () => {
    await limit({ new_member_mentions_per_hour: 5, new_member_links_per_hour: 4, new_member_follows_per_hour: 2 })
    const others = await Promise.all(Array.from({ length: 8 }, () => world.member()))
    const ana = await world.member()
    const names = others.map(({ username }) => `@${username}`)
    expect((await post(ana, names.join(' '))).status).toBe(429)
    expect((await post(ana, names.slice(0, 5).join(' '))).status).toBe(201)
    expect((await post(ana, `Hello ${names[0]}`)).status).toBe(429)
    const { body } = await post(ana, `${link(1)} and [this](${link(2)}), and ${world.app.services.origin()}/here`)
    expect((await ana.raw('POST', `/feeds/${body.data.id}/comments`, { comment: `${link(3)} ${link(4)}` })).status).toBe(201)
    expect((await ana.raw('POST', `/feeds/${body.data.id}/comments`, { comment: link(5) })).status).toBe(429)
    // A link card is a link, alone or in an edit, and one with the link that it belongs to.
    const card = (n: number) => ({ preview: { url: link(n) } })
    expect((await ana.raw('POST', '/feeds', { message: 'Look', meta: card(6) })).status).toBe(429)
    expect((await ana.raw('POST', `/feeds/${body.data.id}`, { meta: card(6) })).status).toBe(429)
    expect((await ana.raw('POST', `/feeds/${body.data.id}`, { meta: card(1) })).status).toBe(200)
    // An edit spends what it adds.
    expect((await ana.raw('POST', `/feeds/${body.data.id}`, { message: `${link(1)} alone` })).status).toBe(200)
    expect((await ana.raw('POST', `/feeds/${body.data.id}`, { message: `${link(1)} and ${link(9)}` })).status).toBe(429)
    expect(await statuses(4, (i) => ana.raw('POST', `/profile/${others[i]?.username}/follow`))).toEqual({ 201: 2, 429: 2 })
    world.clock.advance(25 * 3600)
    expect((await post(ana, `${names.join(' ')} ${[1, 2, 3, 4, 5, 6].map(link).join(' ')}`)).status).toBe(201)
  })

  test('has the normal budgets once moderators trust it', async () => {
    await limit({ new_member_links_per_hour: 1 })
    const [ana, ben] = [await world.member(), await world.member()]
    await admin.api.moderation.saveConfig({ trusted_users: [ana.id] })
    const two = `${link(1)} ${link(2)}`
    expect([(await post(ana, two)).status, (await post(ben, two)).status]).toEqual([201, 429])
    await admin.api.settings.reset({ keys: ['limits'] })
  })
})

describe('registrations', () => {
  let made = 0
  const register = (address: string, email?: string) => {
    made += 1
    const body = { username: `reg${made}`, email: email ?? `reg${made}@gmail.com`, password: 'A-quiet-evening-7' }
    return world.request('POST', '/auth/register', body, { 'x-forwarded-for': address })
  }
  const welcomes = async (name: string) => {
    await world.runPendingJobs()
    const folder = join(world.app.services.config.dataDir, 'outbox')
    return readdirSync(folder).filter((file) => readFileSync(join(folder, file), 'utf8').includes(`To: ${name}`)).length
  }

  test('are limited per address, network and mail domain', TIMES, async () => {
    await limit({ registrations_per_address_per_hour: 3, registrations_per_network_per_hour: 7, registrations_per_mail_domain_per_hour: 2 })
    expect(await statuses(5, () => register('198.51.100.1'))).toEqual({ 201: 3, 429: 2 })
    expect(await statuses(6, (i) => register(`198.51.100.${i + 2}`))).toEqual({ 201: 4, 429: 2 })
    expect(await statuses(5, (i) => register(`2001:db8:1:2::${i}`))).toEqual({ 201: 3, 429: 2 })
    expect(await statuses(4, (i) => register(`203.0.113.${i}`, `club${i}@club.example`))).toEqual({ 201: 2, 429: 2 })
    world.clock.advance(3601)
    expect((await register('198.51.100.1')).status).toBe(201)
    await admin.api.settings.reset({ keys: ['limits'] })
  })

  test('that fail for a taken name spend nothing', async () => {
    await limit({ registrations_per_address_per_hour: 1 })
    const taken = { username: admin.username, email: 'other@gmail.com', password: 'A-quiet-evening-7' }
    expect((await world.request('POST', '/auth/register', taken, { 'x-forwarded-for': '192.0.2.9' })).status).toBe(400)
    expect((await register('192.0.2.9')).status).toBe(201)
    await admin.api.settings.reset({ keys: ['limits'] })
  })

  test('that share a mailbox get few links in all; the account of the plain address has its own', TIMES, async () => {
    const addresses = ['victim@example.org', ...Array.from({ length: 6 }, (_, i) => `victim+${i}@example.org`)]
    for (const [i, email] of addresses.entries()) await register(`192.0.2.${50 + i}`, email)
    const ask = (login: string) => world.request('POST', '/auth/forgot-password', { login }, { 'x-forwarded-for': '192.0.2.70' })
    const links = () => outbox(world).filter(({ to, source }) => to.startsWith('victim') && source.includes('/reset-password?token='))
    for (const email of addresses.slice(1)) for (let n = 0; n < 3; n++) await ask(email)
    await world.runPendingJobs()
    expect(links()).toHaveLength(12)
    await ask('victim@example.org')
    await world.runPendingJobs()
    expect(links().filter(({ to }) => to === 'victim@example.org')).toHaveLength(1)
  })

  test('send few mails to one mailbox, however its address is spelled', TIMES, async () => {
    await limit({ unconfirmed_mails_per_day: 2 })
    for (let i = 0; i < 5; i++) expect((await register(`192.0.2.${20 + i}`, `vic.tim+${i}@gmail.com`)).status).toBe(201)
    expect(await welcomes('vic.tim')).toBe(2)
    await admin.api.settings.reset({ keys: ['limits'] })
  })

  test.each([
    ['Victim+shop@mail.example', 'victim@mail.example'],
    ['v.i.c.tim@gmail.com', 'victim@gmail.com'],
    ['"a@b"@mail.example', '"a@b"@mail.example'],
  ])('%s is the mailbox %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox)
  })
})

test('nothing is limited with LYCEUM_RATE_LIMIT=off', TIMES, async () => {
  const open = await createWorld()
  try {
    const [boss, ana] = [await open.member({ role: 'admin' }), await open.member()]
    await boss.api.settings.save({ limits: { posts_per_minute: 1, new_member_links_per_hour: 1 } } as never)
    expect(await statuses(3, () => post(ana, 'https://a.example https://b.example'))).toEqual({ 201: 3 })
  } finally {
    await open.close()
  }
})
