import { afterEach, beforeEach, expect, test } from 'vitest'
import { linkTokenTo, outbox } from '#test/outbox.ts'
import { PASSWORD } from '#test/session.ts'
import { createWorld, type RawAnswer, type World } from '#test/world.ts'
import { saveSettings } from '../settings/index.ts'

const EVIL = 'Evil-harbour-1133'
const NEXT = 'Other-river-9152'
const VICTIM = 'victim@example.org'

let world: World
beforeEach(async () => {
  world = await createWorld()
  await world.app.write(null, (ctx) => saveSettings(ctx, { require_email_verification: true }))
})
afterEach(() => world.close())

const register = (username: string, email: string, password: string) =>
  world.request('POST', '/auth/register', { username, email, password })
const cookieOf = (answer: RawAnswer) => ({ cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' })
const verify = (body: object, headers: Record<string, string> = {}) => world.request('POST', '/auth/verify-email', body, headers)
const login = async (name: string, password: string) => {
  const { status, body } = await world.request('POST', '/auth/login', { login: name, password })
  return status === 200 ? 'in' : `${status} ${body.code}`
}
const mailed = async (address: string, page: 'verify-email' | 'reset-password' = 'verify-email') => {
  await world.runPendingJobs()
  return linkTokenTo(world, address, page)
}
const mailsTo = (address: string) => outbox(world).filter(({ to }) => to === address)

test('the browser that registered confirms with the link alone', async () => {
  const made = await register('ana', 'ana@example.org', PASSWORD)
  const [line = ''] = made.headers.getSetCookie()
  expect(line).toMatch(/^lyceum_signup=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  expect(await login('ana', PASSWORD)).toBe('403 email_not_verified')
  expect(await login('ana@example.org', PASSWORD)).toBe('403 email_not_verified')
  expect(await login('ana', EVIL)).toBe('401 rest_forbidden')
  const token = await mailed('ana@example.org')
  expect((await verify({ token }, cookieOf(made))).body.data).toEqual({ status: 'active' })
  expect(await login('ana', PASSWORD)).toBe('in')
  expect((await verify({ token }, cookieOf(made))).body.code).toBe('invalid_token')
})

test('another browser must choose a password, which then is the valid one', async () => {
  await register('ana', 'ana@example.org', PASSWORD)
  const token = await mailed('ana@example.org')
  const asked = await verify({ token })
  expect([asked.status, asked.body.code, asked.body.data.field]).toEqual([403, 'password_required', 'password'])
  expect((await verify({ token, password: 'password123' })).body.code).toBe('weak_password')
  expect((await verify({ token, password: NEXT })).status).toBe(200)
  expect([await login('ana', NEXT), await login('ana', PASSWORD)]).toEqual(['in', '401 rest_forbidden'])
})

test('an attacker gains nothing if the victim follows the link of the attacker’s registration', async () => {
  const evil = await register('evil', VICTIM, EVIL)
  const token = await mailed(VICTIM)
  // The victim follows the link and chooses a password.
  expect((await verify({ token })).body.code).toBe('password_required')
  expect((await verify({ token, password: NEXT })).status).toBe(200)
  expect([await login(VICTIM, EVIL), await login('evil', EVIL), await login(VICTIM, NEXT)]).toEqual([
    '401 rest_forbidden',
    '401 rest_forbidden',
    'in',
  ])
  expect((await verify({ token }, cookieOf(evil))).body.code).toBe('invalid_token')
})

test('registrations by a stranger do not prevent the owner of the address from registering', async () => {
  for (const first of ['evil', 'victim'] as const) {
    const email = `${first}-first@example.org`
    const [one, other] = [`evil-${first}`, `victim-${first}`]
    const order = first === 'evil' ? [one, other] : [other, one]
    const answers = new Map<string, RawAnswer>()
    for (const name of order) answers.set(name, await register(name, email, name === one ? EVIL : PASSWORD))
    expect([...answers.values()].map(({ status }) => status)).toEqual([201, 201])
    // Either link, opened in the victim's browser, confirms the victim's registration.
    const token = await mailed(email)
    expect((await verify({ token }, cookieOf(answers.get(other) as RawAnswer))).status).toBe(200)
    expect([await login(email, PASSWORD), await login(email, EVIL), await login(one, EVIL)]).toEqual([
      'in',
      '401 rest_forbidden',
      '401 rest_forbidden',
    ])
    const left = await world.app.services.database.read.selectFrom('signups').selectAll().where('email', '=', email).execute()
    expect(left).toEqual([])
  }
})

test('a username belongs to the first registration confirmed; the other must choose another', async () => {
  const [ana, ben] = [await register('wanted', 'ana@example.org', PASSWORD), await register('wanted', 'ben@example.org', NEXT)]
  const [toAna, toBen] = [await mailed('ana@example.org'), await mailed('ben@example.org')]
  expect((await verify({ token: toBen }, cookieOf(ben))).status).toBe(200)
  const late = await verify({ token: toAna }, cookieOf(ana))
  expect([late.status, late.body.code, late.body.data.field]).toEqual([400, 'username_taken', 'username'])
  expect((await verify({ token: toAna, username: 'Wanted-2' }, cookieOf(ana))).status).toBe(200)
  expect([await login('wanted', NEXT), await login('wanted-2', PASSWORD)]).toEqual(['in', 'in'])
  expect((await register('wanted', 'third@example.org', PASSWORD)).body.code).toBe('username_taken')
})

test('of two concurrent confirmations of one address or username, one wins', async () => {
  const made = [await register('same', 'one@example.org', PASSWORD), await register('same', 'two@example.org', PASSWORD)]
  const tokens = [await mailed('one@example.org'), await mailed('two@example.org')]
  const answers = await Promise.all(tokens.map((token, i) => verify({ token }, cookieOf(made[i] as RawAnswer))))
  expect(answers.map(({ status }) => status).sort()[0]).toBe(200)
  expect(['username_taken', 'conflict']).toContain(answers.find(({ status }) => status !== 200)?.body.code)
})

test('a registered address gets the same response as a new one, and its owner gets a mail', async () => {
  const ana = await world.member({ username: 'ana' })
  const known = await register('someone', ana.email, EVIL)
  const fresh = await register('someone', 'fresh@example.org', EVIL)
  const same = ({ status, body, headers }: RawAnswer) => ({
    status,
    body: { ...body, data: { ...body.data, id: 0, email: '' } },
    cookies: headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '')),
  })
  expect(same(known)).toEqual(same(fresh))
  // Signing in does not reveal it either.
  expect([await login(ana.email, EVIL), await login('fresh@example.org', EVIL)]).toEqual([
    '403 email_not_verified',
    '403 email_not_verified',
  ])
  await world.anonymous.auth.resendVerification({ login: ana.email })
  await world.runPendingJobs()
  expect(mailsTo(ana.email).map(({ subject }) => subject)).toEqual(Array(2).fill('You already have an account at Lyceum'))
  expect(mailsTo('fresh@example.org').map(({ subject }) => subject)).toEqual(['Confirm your email address for Lyceum'])
})

test('a mailbox gets at most three links, from all registrations together', async () => {
  for (let i = 0; i < 6; i++) await register(`flood${i}`, VICTIM, EVIL)
  for (let i = 0; i < 3; i++) await world.anonymous.auth.forgotPassword({ login: `flood${i}` })
  await world.runPendingJobs()
  expect(mailsTo(VICTIM)).toHaveLength(3)
})

test('a forgotten password is reset by a link that also confirms the address', async () => {
  const evil = await register('evil', VICTIM, EVIL)
  await world.anonymous.auth.forgotPassword({ login: VICTIM })
  const token = await mailed(VICTIM, 'reset-password')
  const verification = await mailed(VICTIM)
  await world.anonymous.auth.resetPassword({ token, password: NEXT, username: 'victim' })
  expect([await login('victim', NEXT), await login(VICTIM, EVIL), await login('evil', EVIL)]).toEqual([
    'in',
    '401 rest_forbidden',
    '401 rest_forbidden',
  ])
  expect((await verify({ token: verification }, cookieOf(evil))).body.code).toBe('invalid_token')
})

test('an unconfirmed account can do nothing, is invisible, and is deleted after a week', async () => {
  const ana = await world.member()
  const made = await register('evil', VICTIM, EVIL)
  const authorization = `Basic ${Buffer.from(`evil:${EVIL}`).toString('base64')}`
  expect((await world.request('POST', '/account/application-passwords', { name: 'x' }, { authorization })).status).toBe(401)
  expect((await ana.raw('GET', '/profile/evil')).status).toBe(404)
  const token = await mailed(VICTIM)
  world.clock.advance(7 * 24 * 3600 + 1)
  await world.app.maintenance.run()
  const { read } = world.app.services.database
  expect(await read.selectFrom('signups').selectAll().execute()).toEqual([])
  expect(await read.selectFrom('users').select('id').where('id', '=', made.body.data.id).execute()).toEqual([])
  expect((await verify({ token, password: NEXT })).body.code).toBe('invalid_token')
  expect((await register('evil', VICTIM, PASSWORD)).status).toBe(201)
})

test('an account approved by an administrator gets its names unless they are taken', async () => {
  const admin = await world.member({ role: 'admin' })
  const first = await register('wanted', 'one@example.org', PASSWORD)
  const second = await register('wanted', 'two@example.org', PASSWORD)
  const waiting = (await admin.api.registrations.list({ status: 'unverified' })).data
  expect(waiting.map(({ username, email }) => [username, email])).toEqual([
    ['wanted', 'one@example.org'],
    ['wanted', 'two@example.org'],
  ])
  await admin.api.members.update({ user_id: first.body.data.id, status: 'active' })
  expect(await login('one@example.org', PASSWORD)).toBe('in')
  const late = await admin.raw('POST', `/admin/registrations/${second.body.data.id}/approve`)
  expect([late.status, late.body.code]).toEqual([400, 'username_taken'])
})

test('a username chosen with a link is screened as at registration', async () => {
  const admin = await world.member({ role: 'admin' })
  await admin.api.moderation.saveConfig({ auto_moderation: { enabled: true }, blocked_words: ['gloomwort'] })
  await register('ana', 'ana@example.org', PASSWORD)
  const token = await mailed('ana@example.org')
  expect((await verify({ token, password: NEXT, username: 'gloomwort' })).body.code).toBe('invalid_data')
  await world.request('POST', '/auth/forgot-password', { login: 'ana@example.org' })
  const reset = await mailed('ana@example.org', 'reset-password')
  const body = { token: reset, password: NEXT, username: 'gloomwort' }
  expect((await world.request('POST', '/auth/reset-password', body)).body.code).toBe('invalid_data')
  expect((await verify({ token, password: NEXT, username: 'gladwort' })).status).toBe(200)
})
