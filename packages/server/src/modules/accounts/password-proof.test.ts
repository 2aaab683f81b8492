import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkTokenTo, outbox } from '#test/outbox.ts'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type World } from '#test/world.ts'

const PATH = '/account/application-passwords'
const NEXT = 'Other-river-9152'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const basic = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})
const make = async (username: string, password: string, body: object = { name: 'child' }) =>
  world.request('POST', PATH, body, basic(username, password))
const works = async (username: string, password: string) =>
  (await world.request('GET', '/profile/me', undefined, basic(username, password))).status === 200
const mailsTo = (address: string) => outbox(world).filter(({ to }) => to === address)

describe('creating an application password', () => {
  test('needs no further proof within ten minutes of signing in, and the account password later', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    world.clock.advance(599)
    expect((await raw('POST', PATH, { name: 'phone' })).status).toBe(201)
    world.clock.advance(2)
    const late = await raw('POST', PATH, { name: 'late' })
    expect([late.status, late.body.code, late.body.data.field]).toEqual([403, 'password_required', 'current_password'])
    const wrong = await raw('POST', PATH, { name: 'late', current_password: 'Wrong-river-7431' })
    expect([wrong.status, wrong.body.code, wrong.body.data.field]).toEqual([400, 'wrong_password', 'current_password'])
    expect((await raw('POST', PATH, { name: 'late', current_password: PASSWORD })).status).toBe(201)
    expect((await raw('POST', PATH, { name: 'late', current_password: null })).status).toBe(403)
  })

  test('works with another application password, which then revokes the new one with it', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    const { id, password: stolen } = (await raw('POST', PATH, { name: 'phone' })).body.data
    const child = (await make(ana.username, stolen)).body.data.password
    const grandchild = (await make(ana.username, child)).body.data.password
    const proved = (await make(ana.username, stolen, { name: 'own', current_password: PASSWORD })).body.data.password
    for (const password of [stolen, child, grandchild, proved]) expect(await works(ana.username, password)).toBe(true)
    expect((await raw('DELETE', `${PATH}/${id}`)).status).toBe(200)
    const left = [stolen, child, grandchild, proved].map((password) => works(ana.username, password))
    expect(await Promise.all(left)).toEqual([false, false, false, true])
  })

  test('fails if the parent is revoked, even concurrently', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    for (let i = 0; i < 5; i++) {
      const { id, password } = (await raw('POST', PATH, { name: 'phone' })).body.data
      const [made] = await Promise.all([make(ana.username, password), raw('DELETE', `${PATH}/${id}`)])
      if (made.status === 201) expect(await works(ana.username, made.body.data.password)).toBe(false)
    }
  })

  test('notifies the owner by email with the name, the IP address and where to revoke it', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    await raw('POST', PATH, { name: 'my phone' })
    await raw('POST', PATH, { name: 'see https://evil.example' })
    await world.runPendingJobs()
    const mails = mailsTo(ana.email).filter(({ subject }) => subject === 'A new application password for Lyceum')
    expect(mails).toHaveLength(2)
    const text = mails.find(({ source }) => source.includes('my phone'))?.source.replaceAll('=\r\n', '')
    for (const part of ['my phone', '127.0.0.1', '/account/security']) expect(text).toContain(part)
    expect(mails.some(({ source }) => source.includes('evil.example'))).toBe(false)
  })
})

describe('a stolen session', () => {
  test('leaves no access after the owner resets the password', async () => {
    const ana = await register(world)
    const thief = await signIn(world, ana.username)
    const { password } = (await thief.raw('POST', PATH, { name: 'mine' })).body.data
    const child = (await make(ana.username, password)).body.data.password
    const { id } = (await thief.raw('POST', '/account/export')).body.data
    await world.runPendingJobs()
    const ready = (await thief.raw('GET', `/account/exports/${id}`)).body.data
    expect(ready.status).toBe('ready')
    await thief.raw('POST', '/account/export')

    await world.anonymous.auth.forgotPassword({ login: ana.email })
    await world.runPendingJobs()
    const token = linkTokenTo(world, ana.email, 'reset-password')
    await world.anonymous.auth.resetPassword({ token, password: NEXT })
    expect([await works(ana.username, password), await works(ana.username, child)]).toEqual([false, false])
    expect((await thief.bare('GET', '/profile/me')).status).toBe(401)
    const owner = await signIn(world, ana.username, NEXT)
    const exports = (await owner.raw('GET', '/account/exports')).body.data
    expect(exports.map(({ status }: { status: string }) => status)).toEqual(['expired', 'expired'])
    expect((await owner.bare('GET', `/${new URL(ready.download_url).pathname}`)).status).toBe(404)
    await world.runPendingJobs()
    const text = mailsTo(ana.email).at(-1)?.source.replaceAll('=\r\n', '')
    expect(text).toContain('Also revoked: 1 session, 2 application passwords, 2 data exports.')
  })
})

describe('changing the password', () => {
  test('revokes other application passwords and pending exports', async () => {
    const ana = await register(world)
    const { raw, bare } = await signIn(world, ana.username)
    const parent = (await raw('POST', PATH, { name: 'parent' })).body.data.password
    const child = (await make(ana.username, parent)).body.data.password
    const { id } = (await raw('POST', '/account/export')).body.data
    const change = { current_password: PASSWORD, new_password: NEXT }
    expect((await world.request('POST', '/account/password', change, basic(ana.username, child))).status).toBe(200)
    expect([await works(ana.username, parent), await works(ana.username, child)]).toEqual([false, true])
    expect((await bare('GET', '/profile/me')).status).toBe(401)
    await world.runPendingJobs()
    const seen = await world.request('GET', `/account/exports/${id}`, undefined, basic(ana.username, child))
    expect(seen.body.data.status).toBe('expired')
  })

  test('keeps application passwords if requested', async () => {
    const ana = await register(world)
    const [here, there] = [await signIn(world, ana.username), await signIn(world, ana.username)]
    const { password } = (await here.raw('POST', PATH, { name: 'phone' })).body.data
    const body = { current_password: PASSWORD, new_password: NEXT, keep_application_passwords: true }
    expect((await here.raw('POST', '/account/password', body)).status).toBe(200)
    expect(await works(ana.username, password)).toBe(true)
    expect([(await here.bare('GET', '/profile/me')).status, (await there.bare('GET', '/profile/me')).status]).toEqual([200, 401])
  })
})
