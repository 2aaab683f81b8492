import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, refused, type World } from '#test/world.ts'
import { createAccountPasswords } from '../../secrets/account-password.ts'
import { issueNonce } from '../../secrets/csrf-nonce.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const suspend = (id: number, status: 'active' | 'suspended' | 'banned') =>
  world.app.services.database.write((db) => db.updateTable('users').set({ status }).where('id', '=', id).execute())

describe('login', () => {
  test('sets a cookie that scripts and other sites cannot use, and returns the account', async () => {
    const ana = await register(world, { display_name: 'Ana B' })
    const { setCookie, nonce, bare } = await signIn(world, ana.username)
    expect(setCookie).toMatch(/^lyceum_session=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    const { body } = await bare('GET', '/auth/session')
    expect(body.user).toMatchObject({ user_id: ana.id, username: ana.username, display_name: 'Ana B', role: 'member', permissions: [] })
    expect(body.nonce).toBe(nonce)
  })

  test('the cookie is Secure only if a trusted proxy reports https', async () => {
    const setCookie = async (proxy: string, proto: string) => {
      const there = await createWorld({ env: { LYCEUM_TRUST_PROXY: proxy } })
      const { username: login } = await register(there)
      const { headers } = await there.request('POST', '/auth/login', { login, password: PASSWORD }, { 'x-forwarded-proto': proto })
      await there.close()
      return headers.getSetCookie().join()
    }
    expect(await setCookie('127.0.0.1', 'https')).toMatch(/^lyceum_session=.*; Secure$/)
    expect(await setCookie('127.0.0.1', 'http')).not.toMatch(/Secure/)
    expect(await setCookie('off', 'https')).not.toMatch(/Secure/)
  })

  test('the cookie is Secure if the public address is https', async () => {
    const safe = await createWorld({ env: { LYCEUM_URL: 'https://community.example' } })
    const ana = await register(safe)
    const { setCookie, bare } = await signIn(safe, ana.username)
    expect(setCookie).toMatch(/^__Host-lyceum_session=.*; Path=\/;.*; Secure$/)
    expect((await bare('GET', '/profile/me')).status).toBe(200)
    await safe.close()
  })

  test('accepts the email and any spelling of the username', async () => {
    const ana = await register(world)
    for (const login of [ana.email, ana.email.toUpperCase(), ` ${ana.username.toUpperCase()} `, ana.username.replace('p', 'ｐ')]) {
      expect((await world.anonymous.auth.login({ login, password: PASSWORD })).user.user_id).toBe(ana.id)
    }
  })

  test('accepts a password of any age', async () => {
    const ana = await register(world)
    world.clock.advance(3 * 365 * 24 * 3600)
    expect((await world.anonymous.auth.login({ login: ana.username, password: PASSWORD })).user.user_id).toBe(ana.id)
  })

  test('refuses a wrong password and an unknown login alike, without a challenge', async () => {
    const ana = await register(world)
    const wrong = await world.request('POST', '/auth/login', { login: ana.username, password: 'Wrong-river-7431' })
    const unknown = await world.request('POST', '/auth/login', { login: 'nobody-here', password: PASSWORD })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'rest_forbidden'])
    expect(unknown.text).toBe(wrong.text)
    for (const answer of [wrong, unknown]) expect(answer.headers.get('www-authenticate')).toBeNull()
    expect(wrong.headers.getSetCookie()).toEqual([])
  })

  test('vuln-b5: takes as long for an unknown name as for a known one', async () => {
    const slow = await createWorld({ passwordCost: 13 })
    const ana = await register(slow)
    const timed = async (login: string) => {
      const start = performance.now()
      await refused(slow.anonymous.auth.login({ login, password: 'Wrong-river-7431' }), 401, 'rest_forbidden')
      return performance.now() - start
    }
    const [known, unknown]: [number[], number[]] = [[], []]
    for (let i = 0; i < 5; i++) {
      known.push(await timed(ana.username))
      unknown.push(await timed('nobody-here'))
    }
    // Without hashing, it would take a fiftieth of the time; the bounds leave room for a busy machine.
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.25)
    expect(ratio).toBeLessThan(4)
    await slow.close()
  })

  test('an account without a password, and an application password, cannot sign in', async () => {
    const ana = await world.member()
    await refused(world.anonymous.auth.login({ login: ana.username, password: ana.password }), 401, 'rest_forbidden')
    await refused(world.anonymous.auth.login({ login: ana.username, password: '' }), 401, 'rest_forbidden')
  })

  test('a suspended or banned account is reported only with the correct password', async () => {
    const ana = await register(world)
    for (const status of ['suspended', 'banned'] as const) {
      await suspend(ana.id, status)
      await refused(world.anonymous.auth.login({ login: ana.username, password: PASSWORD }), 403, `account_${status}`)
      await refused(world.anonymous.auth.login({ login: ana.username, password: 'Wrong-river-7431' }), 401, 'rest_forbidden')
    }
  })

  test('a session is refused everywhere once its account is suspended', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    await suspend(ana.id, 'suspended')
    for (const [method, path] of [
      ['GET', '/auth/session'],
      ['GET', '/profile/me'],
      ['GET', '/settings/public'],
      ['POST', '/auth/logout'],
    ] as const) {
      expect((await raw(method, path)).body.code, path).toBe('account_suspended')
    }
  })

  test('ends the session whose cookie is sent with the request, whichever account it belongs to', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const former = await signIn(world, ana.username)
    const elsewhere = await signIn(world, ana.username)
    const answer = await world.request('POST', '/auth/login', { login: ben.username, password: PASSWORD }, { cookie: former.cookie })
    expect(answer.status).toBe(200)
    expect((await former.bare('GET', '/profile/me')).status).toBe(401)
    expect((await elsewhere.bare('GET', '/profile/me')).status).toBe(200)
    const failed = { login: ben.username, password: 'Wrong-river-7431' }
    expect((await world.request('POST', '/auth/login', failed, { cookie: elsewhere.cookie })).status).toBe(401)
    expect((await elsewhere.bare('GET', '/profile/me')).status).toBe(200)
  })

  test('ignores a cookie sent with the request, with or without its nonce', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const { bare } = await signIn(world, ana.username)
    const answer = await bare('POST', '/auth/login', { login: ben.username, password: PASSWORD })
    expect([answer.status, answer.body.user.user_id]).toEqual([200, ben.id])
  })

  test('stores no plain token or password in the database', async () => {
    const ana = await register(world)
    const { cookie } = await signIn(world, ana.username)
    const token = cookie.split('=')[1] as string
    const { read } = world.app.services.database
    const rows = [
      ...(await read.selectFrom('sessions').selectAll().execute()),
      ...(await read.selectFrom('users').selectAll().execute()),
      ...(await read.selectFrom('jobs').selectAll().execute()),
      ...(await read.selectFrom('events').selectAll().execute()),
      ...(await read.selectFrom('idempotency_keys').selectAll().execute()),
    ]
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
  })

  test('rehashes a password that was hashed with weaker parameters', async () => {
    const ana = await register(world)
    const { database, passwords } = world.app.services
    const old = await createAccountPasswords({ logN: 3 }).hashPassword(PASSWORD)
    await database.write((db) => db.updateTable('users').set({ password_hash: old }).where('id', '=', ana.id).execute())
    const before = await database.read.selectFrom('users').selectAll().where('id', '=', ana.id).executeTakeFirstOrThrow()
    await signIn(world, ana.username)
    const after = await database.read.selectFrom('users').selectAll().where('id', '=', ana.id).executeTakeFirstOrThrow()
    expect(passwords.needsRehash(before.password_hash as string)).toBe(true)
    expect(passwords.needsRehash(after.password_hash as string)).toBe(false)
    expect(after.updated_at).toBe(before.updated_at)
    await signIn(world, ana.username)
  })
})

describe('session', () => {
  test('an anonymous caller gets null for both', async () => {
    expect(await world.anonymous.auth.session()).toEqual({ user: null, nonce: null })
    const stale = await world.request('GET', '/auth/session', undefined, { cookie: `lyceum_session=${'a'.repeat(43)}` })
    expect(stale.body).toEqual({ user: null, nonce: null })
  })

  test('Basic credentials get the account and no nonce', async () => {
    const mod = await world.member({ role: 'moderator' })
    const { user, nonce } = await mod.api.auth.session()
    expect([user?.user_id, user?.role, nonce]).toEqual([mod.id, 'moderator', null])
    expect(user?.permissions).toContain('resolve_reports')
  })

  test('expires thirty days after its last use', async () => {
    const ana = await register(world)
    const { bare } = await signIn(world, ana.username)
    const day = 24 * 3600
    for (let i = 0; i < 3; i++) {
      world.clock.advance(20 * day)
      expect((await bare('GET', '/profile/me')).status).toBe(200)
      await world.app.presence.flush()
    }
    world.clock.advance(30 * day)
    expect((await bare('GET', '/profile/me')).status).toBe(401)
    expect((await bare('GET', '/auth/session')).body).toEqual({ user: null, nonce: null })
  })

  test('the Authorization header takes precedence over the cookie', async () => {
    const [ana, ben] = [await register(world), await world.member()]
    const { cookie } = await signIn(world, ana.username)
    const seen = await ben.raw('POST', '/account/application-passwords', { name: 'no nonce needed' }, { cookie })
    expect(seen.status).toBe(201)
    expect((await ben.api.account.applicationPasswords()).data).toHaveLength(2)
    const wrong = await world.request('GET', '/profile/me', undefined, { cookie, authorization: 'Basic bm86bm8=' })
    expect(wrong.status).toBe(401)
  })
})

describe('logout', () => {
  test('ends the session and clears the cookie; other sessions stay', async () => {
    const ana = await register(world)
    const [one, two] = [await signIn(world, ana.username), await signIn(world, ana.username)]
    const answer = await one.raw('POST', '/auth/logout')
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual(['lyceum_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
    expect((await one.bare('GET', '/profile/me')).status).toBe(401)
    expect((await two.bare('GET', '/profile/me')).status).toBe(200)
  })

  test('requires the nonce if there is a session', async () => {
    const ana = await register(world)
    const { bare } = await signIn(world, ana.username)
    expect((await bare('POST', '/auth/logout')).body.code).toBe('rest_cookie_invalid_nonce')
    expect((await bare('GET', '/profile/me')).status).toBe(200)
    expect((await world.request('POST', '/auth/logout')).status).toBe(200)
    expect((await world.request('POST', '/auth/logout', undefined, { cookie: `lyceum_session=${'a'.repeat(43)}` })).status).toBe(200)
  })
})

describe('cookie and nonce', () => {
  const writes = [
    ['POST', '/account/application-passwords'],
    ['DELETE', '/account/application-passwords/1'],
    ['POST', '/account/password'],
    ['POST', '/account/email'],
    ['PUT', '/profile/me'],
    ['PATCH', '/no-such-thing'],
    ['POST', '/no-such-thing'],
  ] as const

  test('a missing, stale, foreign or forged nonce is refused first and changes nothing', async () => {
    const [ana, ben] = [await register(world), await register(world)]
    const { bare, nonce: stale } = await signIn(world, ana.username)
    const { nonce: foreign } = await signIn(world, ben.username)
    const { nonce: otherSession } = await signIn(world, ana.username)
    world.clock.advance(25 * 3600)
    for (const nonce of [undefined, '', stale, foreign, otherSession, 'x', 'a'.repeat(5000)]) {
      for (const [method, path] of writes) {
        const answer = await bare(method, path, { name: 'sneaky' }, nonce === undefined ? {} : { 'x-lyceum-nonce': nonce })
        expect([answer.status, answer.body.code], `${method} ${path} ${nonce}`).toEqual([403, 'rest_cookie_invalid_nonce'])
      }
    }
    const { body } = await bare('GET', '/auth/session')
    const renewed = await bare('GET', '/account/application-passwords', undefined, { 'x-lyceum-nonce': body.nonce })
    expect(renewed.body).toEqual({ data: [] })
  })

  test('a nonce does not authenticate without its session', async () => {
    const ana = await register(world)
    const { nonce } = await signIn(world, ana.username)
    const answer = await world.request('POST', '/account/application-passwords', { name: 'x' }, { 'x-lyceum-nonce': nonce })
    expect([answer.status, answer.body.code]).toEqual([401, 'rest_forbidden'])
  })

  test('a nonce is valid for twelve to twenty-four hours', async () => {
    const ana = await register(world)
    const { raw } = await signIn(world, ana.username)
    world.clock.advance(12 * 3600 - 1)
    expect((await raw('POST', '/notifications/mark-all-read')).status).toBe(200)
    world.clock.advance(12 * 3600 + 1)
    expect((await raw('POST', '/notifications/mark-all-read')).status).toBe(403)
  })

  test('a cross-site form sent as text is refused with and without the nonce', async () => {
    const ana = await register(world)
    const { bare, raw } = await signIn(world, ana.username)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const without = await bare('POST', '/account/application-passwords', '{"name":"sneaky"}', { 'content-type': type })
      expect([without.status, without.body.code]).toEqual([403, 'rest_cookie_invalid_nonce'])
      const withNonce = await raw('POST', '/account/application-passwords', '{"name":"sneaky"}', { 'content-type': type })
      expect([withNonce.status, withNonce.body.code]).toEqual([415, 'unsupported_media_type'])
      const login = await world.request('POST', '/auth/login', JSON.stringify({ login: ana.username, password: PASSWORD }), {
        'content-type': type,
      })
      expect(login.status).toBe(415)
    }
    expect((await bare('GET', '/account/application-passwords')).body.data).toEqual([])
  })

  test('reading requires no nonce', async () => {
    const ana = await register(world)
    const { bare } = await signIn(world, ana.username)
    for (const method of ['GET', 'HEAD']) expect((await bare(method, '/profile/me')).status).toBe(200)
  })

  test('a nonce is bound to the id of its session', async () => {
    const ana = await register(world)
    const { bare, nonce } = await signIn(world, ana.username)
    const { keys, clock, database } = world.app.services
    const row = await database.read.selectFrom('sessions').select('id').where('user_id', '=', ana.id).executeTakeFirstOrThrow()
    expect(issueNonce(keys.nonces, String(row.id), clock.now())).toBe(nonce)
    const forged = issueNonce(keys.nonces, String(row.id + 1), clock.now())
    expect((await bare('POST', '/auth/logout', undefined, { 'x-lyceum-nonce': forged })).status).toBe(403)
  })
})
