import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'
import { UNSUBSCRIBE_KINDS, type UnsubscribeKind, unsubscribeToken } from './unsubscribe-token.ts'

let world: World
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  ana = await world.member({ displayName: 'Ana' })
})
afterAll(() => world.close())

const tokenOf = (kind: UnsubscribeKind, userId = ana.id) => unsubscribeToken(world.app.services.keys.unsubscribing, { userId, kind })
const ask = (method: string, token: string, init: RequestInit = {}) =>
  fetch(`${world.origin}/unsubscribe/${token}`, { method, redirect: 'manual', ...init })
const oneClick = (token: string) =>
  ask('POST', token, { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const preferences = async (who = ana) => (await who.api.notifications.preferences({ username: 'me' })).data
const reset = (who = ana) =>
  who.api.notifications.savePreferences({
    username: 'me',
    email_notifications: { new_comment: true, new_reaction: true, new_follower: true, mention: true, space_invite: true },
    digest_frequency: 'weekly',
  })

test.each(UNSUBSCRIBE_KINDS)('one click turns off mail of the kind %s and no other', async (kind) => {
  await reset()
  const answer = await oneClick(tokenOf(kind))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('You are unsubscribed')
  const { email_notifications: mail, digest_frequency, push_notifications } = await preferences()
  for (const [name, on] of Object.entries(mail)) expect([name, on]).toEqual([name, kind !== 'all' && kind !== name])
  expect(digest_frequency).toBe(kind === 'digest' || kind === 'all' ? 'never' : 'weekly')
  expect(Object.values(push_notifications)).toEqual([true, true, true])
  expect((await oneClick(tokenOf(kind))).status).toBe(200)
})

test.each([
  ['no body', {}],
  ['text', { body: 'anything', headers: { 'content-type': 'text/plain' } }],
  ['JSON that is none', { body: '{', headers: { 'content-type': 'application/json' } }],
  ['parts', { body: '--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ['a foreign session', { headers: { cookie: 'lyceum_session=abc' } }],
] as const)('takes %s as well', async (_name, init) => {
  await reset()
  expect((await ask('POST', tokenOf('mention'), init)).status).toBe(200)
  expect((await preferences()).email_notifications.mention).toBe(false)
})

test('after unsubscribing from one kind, the rest can be turned off as well', async () => {
  await reset()
  const action = /<form method="post" action="([^"]+)">/.exec(await (await oneClick(tokenOf('mention'))).text())?.[1] ?? ''
  expect(action).toBe(`/unsubscribe/${tokenOf('all')}`)
  const answer = await fetch(world.origin + action, { method: 'POST' })
  expect(await answer.text()).not.toContain('<form')
  expect(await preferences()).toMatchObject({ digest_frequency: 'never', email_notifications: { new_comment: false } })
})

test('opening the link only asks for confirmation', async () => {
  await reset()
  const answer = await ask('GET', tokenOf('digest'))
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(html).toContain('<form method="post"><button>Unsubscribe</button></form>')
  expect((await ask('HEAD', tokenOf('digest'))).status).toBe(200)
  expect((await preferences()).digest_frequency).toBe('weekly')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/)
  expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
  expect(html).not.toContain('Ana')
})

test('a link with a wrong signature changes nothing, whatever account it names', async () => {
  await reset()
  const good = tokenOf('mention')
  const other = await world.member()
  const forged = `${ana.id}.mention.${createHmac('sha256', 'another secret').update(`${ana.id}.mention`).digest('base64url')}`
  const bad = [
    forged,
    good.replace('mention', 'digest'),
    good.replace(/^\d+/, String(other.id)),
    `${good}x`,
    good.slice(0, -1),
    good.replace('mention', 'nonsense'),
    '0.all.x',
    'x',
    '%00',
    'a'.repeat(5000),
  ]
  for (const token of bad) {
    for (const method of ['GET', 'POST']) {
      const answer = await ask(method, token)
      expect([token.slice(0, 40), answer.status]).toEqual([token.slice(0, 40), 404])
    }
  }
  for (const who of [ana, other]) expect((await preferences(who)).digest_frequency).toBe('weekly')
  expect((await preferences()).email_notifications.mention).toBe(true)
})

test('responds alike for an account that does not exist', async () => {
  const [there, gone] = await Promise.all([oneClick(tokenOf('all')), oneClick(tokenOf('all', 987_654))])
  expect(gone.status).toBe(there.status)
  expect(await gone.text()).toBe(await there.text())
})

test('works for a suspended account', async () => {
  const ben = await world.member()
  const setStatus = (status: 'active' | 'suspended') =>
    world.app.write(null, ({ db }) => db.updateTable('users').set({ status }).where('id', '=', ben.id).execute())
  await setStatus('suspended')
  expect((await oneClick(tokenOf('all', ben.id))).status).toBe(200)
  await setStatus('active')
  expect(await preferences(ben)).toMatchObject({ digest_frequency: 'never', email_notifications: { mention: false } })
})

test('refuses other methods and large bodies', async () => {
  expect((await ask('PUT', tokenOf('all'))).status).toBe(404)
  expect((await ask('POST', tokenOf('all'), { body: 'x'.repeat(10_000) })).status).toBe(413)
})

test('is rate limited like every anonymous operation', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on' } })
  try {
    const answers = await Promise.all(Array.from({ length: 110 }, () => fetch(`${limited.origin}/unsubscribe/x`, { method: 'POST' })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  } finally {
    await limited.close()
  }
})
