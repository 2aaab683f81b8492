import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, register, signIn } from '#test/session.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'
import { expectMissing, expectNoEffect, makeStage, NO_ID, openContent, type Stage } from './stage.ts'

const ROUTES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, route: route as Route })),
)

/** For tests that call every operation several times. */
const LONG = { timeout: 60_000 }

/** A path of that route with ids that do not exist. */
const pathOf = ({ path, params }: Route) =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const fields = (params?.properties ?? {}) as Record<string, { type?: string }>
    return fields[name]?.type === 'integer' ? String(NO_ID) : 'x'
  })

describe('vuln-b4: CSRF: a write with a cookie alone', () => {
  let world: World
  let stage: Stage
  beforeAll(async () => {
    world = await createWorld()
    stage = await makeStage(world)
    await openContent(stage)
  })
  afterAll(() => world.close())

  test('no write succeeds for a cookie without its nonce', LONG, async () => {
    const { username } = await register(world)
    const browser = await signIn(world, username)
    const [other, stranger] = [await signIn(world, username), await signIn(world, (await register(world)).username)]
    const nonces = {
      none: undefined,
      empty: '',
      'of another session': other.nonce,
      'of another person': stranger.nonce,
      'made up': '1.abc',
    }
    const writes = ROUTES.filter(({ route }) => route.method !== 'GET' && route.cookies !== 'ignored')
    expect(writes.length).toBeGreaterThan(30)
    await expectNoEffect(world, async () => {
      for (const [turn, { id, route }] of writes.entries()) {
        const choices = Object.entries(nonces)
        const ways: readonly ((headers: Record<string, string>) => Promise<RawAnswer>)[] = [
          (headers) => browser.bare(route.method, pathOf(route), {}, headers),
          (headers) => browser.bare('POST', pathOf(route), {}, { ...headers, 'x-http-method-override': route.method }),
          (headers) => browser.bare(route.method, pathOf(route), 'x=1', { ...headers, 'content-type': 'text/plain' }),
        ]
        // Each way of sending meets the nonces in turn: the tests of credentials send every operation with each of them.
        for (const [i, way] of ways.entries()) {
          const [which, nonce] = choices[(i + turn) % choices.length] as [string, string | undefined]
          const { status, body } = await way(nonce === undefined ? {} : { 'x-lyceum-nonce': nonce })
          expect([id, which, status, body.code]).toEqual([id, which, 403, 'rest_cookie_invalid_nonce'])
        }
      }
    })
  })

  test('operations allowed without a nonce change nothing', LONG, async () => {
    const { username } = await register(world)
    const browser = await signIn(world, username)
    await expectNoEffect(world, async () => {
      for (const { id, route } of ROUTES.filter((entry) => entry.route.method === 'GET')) {
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const { status } = await browser.bare(method, `${pathOf(route)}?_method=DELETE&q=x`, undefined, {
            'x-http-method-override': 'DELETE',
            'x-http-method': 'DELETE',
            'x-method-override': 'DELETE',
          })
          expect([200, 204, 400, 403, 404], `${method} ${id}`).toContain(status)
        }
      }
    })
  })

  test('other sites can neither read responses nor send preflighted requests', async () => {
    const { username } = await register(world)
    const browser = await signIn(world, username)
    const foreign = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    for (const [method, path] of [
      ['GET', '/auth/session'],
      ['OPTIONS', '/feeds'],
      ['OPTIONS', '/auth/login'],
    ] as const) {
      const { headers } = await browser.bare(method, path, undefined, foreign)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    for (const path of ['/auth/login', '/auth/register', '/auth/forgot-password', '/auth/reset-password', '/auth/setup']) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        const { status, body } = await world.request('POST', path, '{"login":"x","password":"x"}', { ...foreign, 'content-type': type })
        expect([path, status, body.code]).toEqual([path, 415, 'unsupported_media_type'])
      }
    }
  })
})

describe('vuln-b3: credentials of others', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  test('application passwords are listed and revoked by their owner only, not even by an administrator', async () => {
    const [victim, attacker, admin] = [await world.member(), await world.member(), await world.member({ role: 'admin' })]
    const { data } = await victim.api.account.applicationPasswords()
    const theirs = data[0]?.id as number
    await expectNoEffect(world, async () => {
      for (const who of [attacker, admin]) {
        const missing = await who.raw('DELETE', `/account/application-passwords/${NO_ID}`)
        expectMissing(await who.raw('DELETE', `/account/application-passwords/${theirs}`), missing, 'revoke')
        for (const query of ['', `?user_id=${victim.id}`, `?username=${victim.username}`]) {
          const { body } = await who.raw('GET', `/account/application-passwords${query}`)
          expect(body.data.map(({ id }: { id: number }) => id)).not.toContain(theirs)
        }
      }
    })
  })

  test('a member’s own password proves nothing about another account', async () => {
    const victim = await register(world)
    const attacker = await register(world)
    const { raw } = await signIn(world, attacker.username)
    const before = await world.app.services.database.read.selectFrom('users').selectAll().where('id', '=', victim.id).execute()
    const other = { user_id: victim.id, id: victim.id, username: victim.username }
    await raw('POST', '/account/email', { current_password: PASSWORD, email: 'mine@example.net', ...other })
    await raw('POST', '/account/password', { current_password: PASSWORD, new_password: 'Other-river-9152', ...other })
    expect(await world.app.services.database.read.selectFrom('users').selectAll().where('id', '=', victim.id).execute()).toEqual(before)
    await signIn(world, victim.username)
  })

  test('bans, lost roles and revoked passwords are effective with the next request', async () => {
    const [who, admin] = [await world.member({ role: 'admin' }), await world.member({ role: 'admin' })]
    const change = (table: 'users' | 'managers', set: object) =>
      world.app.write(null, ({ db }) =>
        db
          .updateTable(table)
          .set(set)
          .where(table === 'users' ? ('id' as never) : ('user_id' as never), '=', who.id as never)
          .execute(),
      )
    const ask = async () => [(await who.raw('GET', '/feeds/links')).status, (await who.raw('GET', '/profile/me')).status]
    for (let i = 0; i < 3; i++) expect(await ask()).toEqual([200, 200])
    await change('managers', { status: 'inactive' })
    expect(await ask()).toEqual([403, 200])
    await change('managers', { status: 'active' })
    expect(await ask()).toEqual([200, 200])
    await change('managers', { role: 'moderator', permissions: '[]' })
    expect(await ask()).toEqual([403, 200])
    await change('users', { status: 'suspended' })
    expect(await ask()).toEqual([403, 403])
    await change('users', { status: 'active', username: 'renamed' })
    expect(await ask()).toEqual([401, 401])
    await change('users', { username: who.username })
    expect(await ask()).toEqual([403, 200])
    const { data } = await who.api.account.applicationPasswords()
    await who.api.account.deleteApplicationPassword({ id: data[0]?.id as number })
    expect(await ask()).toEqual([401, 401])
    expect((await admin.raw('GET', '/feeds/links')).status).toBe(200)
  })
})

describe('vuln-b5: accounts cannot be enumerated', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.close())

  test('by signing in, requesting a link, or searching for banned members', async () => {
    const { username, email, id } = await register(world)
    const pairs: readonly (readonly [(name: string) => Promise<RawAnswer>, string])[] = [
      [(login) => world.request('POST', '/auth/login', { login, password: 'Wrong-river-7431' }), username],
      [(login) => world.request('POST', '/auth/login', { login, password: 'Wrong-river-7431' }), email],
      [(login) => world.request('POST', '/auth/forgot-password', { login }), username],
      [(login) => world.request('POST', '/auth/forgot-password', { email: login }), email],
      [(login) => world.request('GET', '/profile/me', undefined, { authorization: `Basic ${btoa(`${login}:x`)}` }), username],
    ]
    for (const [ask, known] of pairs) {
      const [one, two] = [await ask(known), await ask('nobody-at-all')]
      expect([one.status, one.text]).toEqual([two.status, two.text])
      expect([...one.headers.keys()]).toEqual([...two.headers.keys()])
    }
    const who = await world.member()
    expect((await who.raw('GET', `/profile/${username}`)).status).toBe(200)
    for (const status of ['suspended', 'banned'] as const) {
      await world.app.write(null, ({ db }) => db.updateTable('users').set({ status }).where('id', '=', id).execute())
      expectMissing(await who.raw('GET', `/profile/${username}`), await who.raw('GET', '/profile/nobody-at-all'), status)
    }
  })
})

describe('vuln-b1: every request is counted', () => {
  let world: World
  let member: Member
  beforeAll(async () => {
    world = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: '192.0.2.1' } })
    member = await world.member()
  })
  afterAll(() => world.close())

  const left = ({ headers }: RawAnswer) => Number(headers.get('x-ratelimit-remaining'))
  const nextMinute = () => world.clock.advance(61)

  test('every operation counts against the account or the address', LONG, async () => {
    for (const [turn, { id, route }] of ROUTES.entries()) {
      nextMinute()
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
      const escaped = pathOf(route).replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
      const further = [
        () => world.request(route.method, `${pathOf(route)}/`, body),
        () => world.request(route.method, escaped, body),
        () => world.request('HEAD', pathOf(route)),
        () => world.request('OPTIONS', pathOf(route)),
        () => world.request('PATCH', `${pathOf(route)}?x=${id}`),
      ]
      const counted = [left(await world.request(route.method, pathOf(route), body))]
      // The other ways of sending a request work the same for all operations, so each is tested with two of them.
      for (const ask of further.filter((_, i) => i === turn % 5 || i === (turn + 2) % 5)) counted.push(left(await ask()))
      expect([id, counted]).toEqual([id, [99, 98, 97]])
      const own = [left(await member.raw(route.method, pathOf(route), body)), left(await member.raw('OPTIONS', pathOf(route)))]
      expect([id, own]).toEqual([id, [999, 998]])
    }
  })

  test('forwarding headers are ignored unless a trusted proxy sent them', async () => {
    nextMinute()
    const claims = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-cluster-client-ip']
    const counted = []
    for (const [i, name] of claims.entries()) {
      counted.push(left(await world.request('GET', '/settings/public', undefined, { [name]: `198.51.100.${i}` })))
      counted.push(left(await world.request('GET', '//api/v2/settings/public', undefined, { [name]: `for=198.51.100.${i}` })))
    }
    expect(counted).toEqual(counted.map((_, i) => 99 - i))
  })

  test('wrong metrics tokens count like other failed attempts', async () => {
    nextMinute()
    const guess = (i: number) =>
      world.request('GET', '//metrics', undefined, { 'x-forwarded-for': '198.51.100.1', authorization: `Basic ${btoa(`admin:guess${i}`)}` })
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await guess(i)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
    nextMinute()
    expect((await world.request('GET', '//metrics', undefined, { 'x-real-ip': '198.51.100.1' })).status).toBe(401)
    const refused = await fetch(`${world.origin}/metrics`, {
      headers: { 'x-real-ip': 'x', authorization: `Basic ${btoa(`${member.username}:${member.password}`)}` },
    })
    expect(refused.status).toBe(403)
    expect((await world.request('GET', '//metrics')).status).toBe(200)
  })

  test('an IPv6 network counts as one address', async () => {
    const proxied = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_TRUST_PROXY: 'on' } })
    const ask = async (from: string) => left(await proxied.request('GET', '/settings/public', undefined, { 'x-forwarded-for': from }))
    expect([await ask('2001:db8:1:2::1'), await ask('2001:db8:1:2:ffff::7'), await ask('2001:DB8:1:2::1')]).toEqual([99, 98, 97])
    expect([await ask('2001:db8:1:3::1'), await ask('192.0.2.7'), await ask('::ffff:192.0.2.7')]).toEqual([99, 99, 98])
    const guesses = []
    for (let i = 0; i < 12; i++) {
      const from = { 'x-forwarded-for': `2001:db8:9:9::${i + 1}` }
      guesses.push((await proxied.request('POST', '/auth/login', { login: `nobody${i}`, password: 'x' }, from)).status)
    }
    expect(guesses).toEqual([...Array(10).fill(401), 429, 429])
    await proxied.close()
  })
})
