import { createClient } from '@lyceum/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPathProxy } from '#test/path-proxy.ts'
import { createWorld, type World } from '#test/world.ts'
import { readConfig } from '../config.ts'
import { setupLink } from '../modules/accounts/index.ts'

const BASE = '/community'

test.each(['https://x.example/sub', 'https://x.example/sub/'])('a path in LYCEUM_URL is refused: %s', (url) => {
  expect(() => readConfig({ LYCEUM_URL: url })).toThrow('LYCEUM_URL must have no path; set LYCEUM_BASE_PATH=/sub for it')
})

test.each(['community', '/a b', '/../x', '/api', 'https://x.example/y'])('%s is no base path', (path) => {
  expect(() => readConfig({ LYCEUM_BASE_PATH: path })).toThrow('LYCEUM_BASE_PATH must be a path such as /community')
})

describe.each(['keeps', 'cuts'] as const)('behind a proxy that %s the base path', (mode) => {
  let world: World
  let proxy: Awaited<ReturnType<typeof openPathProxy>>
  let home: string

  beforeAll(async () => {
    proxy = await openPathProxy(BASE, mode, () => world.base)
    home = proxy.origin + BASE
    world = await createWorld({ env: { LYCEUM_URL: proxy.origin, LYCEUM_BASE_PATH: `${BASE}/` } })
  })
  afterAll(async () => {
    await world.close()
    proxy.close()
  })
  const get = (path: string) => fetch(home + path, { redirect: 'manual', headers: { accept: 'text/html' } })

  test('the printed addresses carry it', async () => {
    expect(world.base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/community\/api\/v2$/)
    expect(await setupLink(world.app)).toMatch(new RegExp(`^${home}/setup\\?token=`))
  })

  test('the API, its document and the addresses in its responses carry it', async () => {
    const ana = await world.member()
    const api = createClient({ baseUrl: `${home}/api/v2`, username: ana.username, password: ana.password })
    const { data } = await api.feeds.create({ message: 'Beans and [carrots](/spaces)' })
    const { data: feed } = await api.feeds.byId({ feed_id: data.id })
    expect(feed.permalink).toBe(`${home}/feeds/${feed.slug}`)
    const document = (await (await get('/api/v2/openapi.json')).json()) as { servers: { url: string }[] }
    expect(document.servers[0]?.url).toBe(`${home}/api/v2`)
    for (const [path, status] of [
      ['nothing', 404],
      ['%zz', 400],
    ] as const) {
      const authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
      expect((await fetch(`${home}/api/v2/${path}`, { headers: { authorization } })).status).toBe(status)
    }
  })

  test('cookies are those of the path, and signing out leaves the rest of the site alone', async () => {
    const account = { username: `berta-${mode}`, email: `berta-${mode}@example.org`, password: 'Quiet-river-7431' }
    await world.member({ role: 'admin' })
    await createClient({ baseUrl: `${home}/api/v2` }).auth.register(account)
    const signIn = await fetch(`${home}/api/v2/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: account.username, password: account.password }),
    })
    const cookies = signIn.headers.getSetCookie()
    expect(cookies.map((cookie) => /; Path=([^;]*)/.exec(cookie)?.[1])).toEqual([BASE, BASE])
    const { nonce } = (await signIn.json()) as { nonce: string }
    const signOut = await fetch(`${home}/api/v2/auth/logout`, {
      method: 'POST',
      headers: { cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; '), 'x-lyceum-nonce': nonce },
    })
    expect([signOut.status, signOut.headers.get('clear-site-data')]).toEqual([200, null])
  })

  test('the pages of the server carry it', async () => {
    for (const path of ['', '/', '?x=1']) expect(await (await get(path)).text()).toContain(`href="${BASE}/docs"`)
    expect(await (await get('/docs')).text()).toContain(`data-url="${BASE}/api/v2/openapi.json"`)
    expect(await (await get('/reset-password')).text()).toContain(`data-operation="${BASE}/api/v2/auth/reset-password"`)
    expect((await get('/health/ready')).status).toBe(200)
  })
})

test('over https, a cookie of a path is bound to https', async () => {
  const world = await createWorld({ env: { LYCEUM_URL: 'https://river.example', LYCEUM_BASE_PATH: BASE } })
  await world.member({ role: 'admin' })
  await world.anonymous.auth.register({ username: 'cleo', email: 'cleo@example.org', password: 'Quiet-river-7431' })
  const { headers } = await world.request('POST', '/auth/login', { login: 'cleo', password: 'Quiet-river-7431' })
  expect(headers.getSetCookie()[0]).toMatch(/^__Secure-lyceum_session=.*; Path=\/community; .*; Secure$/)
  await world.close()
})
