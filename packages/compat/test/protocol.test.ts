import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic } from '#test/media.ts'
import { register, signIn } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { codeOf, ROOT } from './stage.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_COMPAT: 'fluentcommunity' } })
  admin = await world.member({ role: 'admin' })
  ana = await world.member({ username: 'ana' })
})
afterAll(() => world.close())

const messagesOf = async (who: Member) => (await who.api.feeds.list({})).feeds.data.map(({ message }) => message)

describe('discovery', () => {
  test('needs no credentials', async () => {
    const { status, body } = await world.request('GET', '//wp-json/')
    expect(status).toBe(200)
    expect(body).toMatchObject({ name: 'Lyceum', url: world.origin, namespaces: ['fluent-community/v2'] })
    expect(body.authentication['application-passwords'].endpoints.authorization).toContain(world.origin)
    expect((await world.request('GET', '//wp-json?_fields=name,namespaces')).body).toEqual({
      name: 'Lyceum',
      namespaces: ['fluent-community/v2'],
    })
    const { body: index } = await world.request('GET', ROOT)
    expect(index.namespace).toBe('fluent-community/v2')
    expect(index.routes['/fluent-community/v2/feeds'].methods).toEqual(expect.arrayContaining(['GET', 'POST']))
  })

  test('everything else needs them, and what does not exist is 404', async () => {
    expect(codeOf(await world.request('GET', `${ROOT}/feeds`))).toEqual([401, 'rest_forbidden'])
    expect(codeOf(await world.request('GET', `${ROOT}/chat/threads`))).toEqual([401, 'rest_forbidden'])
    expect(codeOf(await ana.raw('GET', `${ROOT}/chat/threads`))).toEqual([404, 'rest_no_route'])
    expect(codeOf(await ana.raw('GET', '//wp-json/wp/v2/posts'))).toEqual([404, 'rest_no_route'])
    expect(codeOf(await ana.raw('DELETE', `${ROOT}/feeds`))).toEqual([404, 'rest_no_route'])
  })
})

describe('a session', () => {
  const write = { message: 'By cookie' }

  test('needs the nonce for writes, whatever the body is', async () => {
    const { email } = await register(world)
    const browser = await signIn(world, email)
    const refused = [403, 'rest_cookie_invalid_nonce']
    expect((await browser.bare('GET', `${ROOT}/feeds`)).status).toBe(200)
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds`, write))).toEqual(refused)
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds`, 'message=By+cookie', FORM))).toEqual(refused)
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds?_method=GET`, 'message=By+cookie', FORM))).toEqual(refused)
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds`, write, { 'x-http-method-override': 'GET' }))).toEqual(refused)
    expect(codeOf(await browser.bare('GET', `${ROOT}/feeds?_method=POST`, undefined))).toEqual([200, undefined])
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds`, write, { 'x-wp-nonce': 'wrong' }))).toEqual(refused)
    expect(codeOf(await browser.bare('POST', `${ROOT}/feeds?_wpnonce=wrong`, write))).toEqual(refused)
    expect(await messagesOf(ana)).not.toContain('By cookie')
    const { nonce } = browser
    expect((await browser.bare('POST', `${ROOT}/feeds`, { message: 'one' }, { 'x-wp-nonce': nonce })).status).toBe(200)
    expect((await browser.bare('POST', `${ROOT}/feeds?_wpnonce=${nonce}`, { message: 'two' })).status).toBe(200)
    expect((await browser.raw('POST', `${ROOT}/feeds`, 'message=three', FORM)).status).toBe(200)
    expect(await messagesOf(ana)).toEqual(expect.arrayContaining(['one', 'two', 'three']))
  })
})

describe('form-encoded bodies', () => {
  test('are read as PHP reads them', async () => {
    const body = new URLSearchParams([
      ['message', 'A form & more'],
      ['privacy', ''],
      ['media_images[0][url]', 'https://example.org/1.jpg'],
      ['media_images[1][url]', 'https://example.org/2.jpg'],
      ['meta[survey][question]', 'Which?'],
      ['meta[survey][options][][label]', 'One'],
      ['meta[survey][options][][label]', 'Two'],
    ])
    const { status, body: answer } = await ana.raw('POST', `${ROOT}/feeds`, body.toString(), FORM)
    expect([status, answer.feed?.message]).toEqual([200, 'A form & more'])
    expect(answer.feed.meta.media_items.map(({ url }: { url: string }) => url)).toEqual([
      'https://example.org/1.jpg',
      'https://example.org/2.jpg',
    ])
    expect(answer.feed.meta.survey_config.options.map(({ label }: { label: string }) => label)).toEqual(['One', 'Two'])
  })

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: 'null' }],
  ])('are refused from %s, as a browser sends remembered credentials with them', async (_where, headers) => {
    const answer = await ana.raw('POST', `${ROOT}/feeds`, 'message=From+elsewhere', { ...FORM, ...headers })
    expect(codeOf(answer)).toEqual([415, 'unsupported_media_type'])
    expect(await messagesOf(ana)).not.toContain('From elsewhere')
  })

  test('are accepted from the own site and from programs', async () => {
    for (const [name, value] of [
      ['origin', world.origin],
      ['sec-fetch-site', 'same-origin'],
      ['sec-fetch-site', 'none'],
    ] as const)
      expect((await ana.raw('POST', `${ROOT}/feeds`, 'message=From+here', { ...FORM, [name]: value })).status).toBe(200)
  })

  test('of strange names do no harm', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => `f${i}=1`).join('&')
    for (const body of [
      '__proto__[x]=1',
      'meta[__proto__][polluted]=1',
      'a[constructor][prototype][x]=1',
      `${'a['.repeat(1)}b][c][d][e][f][g][h][i]=1`,
      many,
    ])
      expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, body, FORM))).toEqual([400, 'invalid_data'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('belong to the mount alone', async () => {
    expect(codeOf(await ana.raw('POST', '/feeds', 'message=x', FORM))).toEqual([415, 'unsupported_media_type'])
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, '<message/>', { 'content-type': 'text/xml' }))).toEqual([
      415,
      'unsupported_media_type',
    ])
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, '{"message":', {}))).toEqual([400, 'invalid_json'])
  })
})

describe('methods and paths', () => {
  test('a POST stands for other methods', async () => {
    const make = async () => (await ana.api.feeds.create({ message: 'Short-lived' })).data.id
    const gone = async (id: number) => (await ana.raw('GET', `${ROOT}/feeds/${id}/by-id`)).status
    const first = await make()
    expect((await ana.raw('POST', `${ROOT}/feeds/${first}`, {}, { 'x-http-method-override': 'DELETE' })).status).toBe(200)
    const second = await make()
    expect((await ana.raw('POST', `${ROOT}/feeds/${second}?_method=delete`, {})).status).toBe(200)
    expect([await gone(first), await gone(second)]).toEqual([404, 404])
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds/${second}?_method=PUT`, {}))).toEqual([405, 'method_not_allowed'])
  })

  test('slashes at the end, a cache-buster and spaces in an application password do no harm', async () => {
    const spaced = { username: 'ana', password: ana.password.replace(/(.{4})(?=.)/g, '$1 ') }
    expect(spaced.password).toContain(' ')
    for (const path of ['/feeds/', '/feeds', '/feeds?page=1&_locale=user&_envelope='])
      expect((await world.request('GET', `${ROOT}${path}`, undefined, basic(spaced))).status).toBe(200)
    expect((await ana.raw('HEAD', `${ROOT}/feeds`)).status).toBe(200)
  })

  test('lists announce their size', async () => {
    const { headers, body } = await ana.raw('GET', `${ROOT}/members?per_page=2`)
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual([
      String(body.members.total),
      String(Math.ceil(body.members.total / 2)),
    ])
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('errors have the form of WordPress', async () => {
    const { status, body, headers } = await ana.raw('GET', `${ROOT}/feeds/987654/by-id`)
    expect([status, body.code, body.data.status, typeof body.message]).toEqual([404, 'feed_not_found', 404, 'string'])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(codeOf(await ana.raw('GET', `${ROOT}/feeds/nonsense/by-id`))).toEqual([400, 'invalid_parameter'])
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, { message: '' }))).toEqual([400, 'invalid_content'])
  })
})

describe('hostile requests', () => {
  test('with names of prototypes find nothing there', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    for (const path of ['/courses', '/members', '/feeds', '/notifications', '/moderation/reports', '/feeds/ticker', `/feeds/1/comments`])
      for (const name of names)
        for (const query of ['sort_by', 'order_by', 'order_by_type', 'status', 'content_type', 'filter_by', `${name}[x]`, name]) {
          const { status, text } = await admin.raw('GET', `${ROOT}${path}?${query}=${name}`)
          expect([path, query, name, status < 500 ? '' : text]).toEqual([path, query, name, ''])
        }
    for (const name of ['toString', 'valueOf'])
      for (const [path, body] of [
        ['/feeds', { message: 'x', [name]: 'x', survey: { [name]: 'x', options: { [name]: 'x' } } }],
        ['/moderation/report', { content_type: name, post_id: 1, reason: name, [name]: name }],
        ['/profile/ana', { data: { social_links: { [name]: name } } }],
        ['/admin/leaderboards/levels', { levels: { [name]: { [name]: name } } }],
        ['/admin/webhooks', { [name]: name }],
      ] as const) {
        const { status, text } = await admin.raw('POST', `${ROOT}${path}`, body)
        expect([path, name, status < 500 ? '' : text]).toEqual([path, name, ''])
      }
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('are refused before their body is read, and huge bodies always', async () => {
    const message = 'x'.repeat(300_000)
    for (const [body, headers] of [
      [{ message }, {}],
      [`message=${message}`, FORM],
    ] as const) {
      expect((await ana.raw('POST', `${ROOT}/feeds`, body, headers)).status).toBe(413)
      expect((await world.request('POST', `${ROOT}/feeds`, body, headers)).status).toBe(401)
    }
    const deep = `{"meta":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`
    expect(codeOf(await ana.raw('POST', `${ROOT}/feeds`, deep, { 'content-type': 'application/json' }))).toEqual([400, 'invalid_json'])
  })

  test('cannot read or change what is of others', async () => {
    const bob = await world.member({ username: 'bob' })
    const { data } = await ana.api.feeds.create({ message: 'Mine, @bob' })
    await world.runPendingJobs()
    const { notifications } = (await bob.raw('GET', `${ROOT}/notifications`)).body
    const [{ id }] = notifications.data
    expect((await ana.raw('POST', `${ROOT}/notifications/mark-read/${id}`)).status).toBe(403)
    expect((await bob.raw('GET', `${ROOT}/notifications/unread`)).body.unread_count).toBe(1)
    const refused = [
      await bob.raw('POST', `${ROOT}/feeds/${data.id}`, { message: 'Not mine' }),
      await bob.raw('DELETE', `${ROOT}/feeds/${data.id}`),
      await bob.raw('GET', `${ROOT}/profile/ana/notification-preferences`),
      await bob.raw('POST', `${ROOT}/profile/ana/notification-preferences`, { user_globals: { mention_mail: 'no' } }),
      await bob.raw('PUT', `${ROOT}/profile/ana`, { data: { first_name: 'Bob' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await ana.api.feeds.byId({ feed_id: data.id })).data.message).toBe('Mine, @bob')
  })
})

test('a mount at the path of an alias is the mount', async () => {
  const both = await createWorld({ env: { LYCEUM_COMPAT: 'fluentcommunity', LYCEUM_API_ALIASES: '/wp-json/fluent-community/v2' } })
  try {
    const who = await both.member()
    const { body } = await who.raw('POST', `${ROOT}/feeds`, { message: 'x' })
    expect(body.feed.is_sticky).toBe(0)
  } finally {
    await both.close()
  }
})

describe('while it is off', () => {
  const PATHS = ['/wp-json', '/wp-json/', '/wp-json/fluent-community/v2', '/wp-json/fluent-community/v2/feeds']

  test('its paths are as unknown as any other, and the API answers the same bytes', async () => {
    const off = await createWorld()
    const on = await createWorld({ env: { LYCEUM_COMPAT: 'fluentcommunity' } })
    try {
      const people = await Promise.all([off, on].map((one) => one.member({ username: 'ana', role: 'admin' })))
      const stable = (text: string, { origin }: World) =>
        text.replaceAll(origin, 'https://origin').replace(/"execution_time":[\d.e-]+/g, '')
      const told = async (one: World, who: Member, method: string, path: string, body?: unknown) => {
        const { status, headers, text } = await who.raw(method, path, body)
        const kept = [...headers].filter(
          ([name]) => !['date', 'x-request-id', 'etag', 'x-ratelimit-reset', 'content-length'].includes(name),
        )
        return { status, text: stable(text, one), headers: kept.map(([name, value]) => [name, stable(value, one)]) }
      }
      const [offAna, onAna] = people as [Member, Member]
      for (const path of PATHS)
        for (const method of ['GET', 'POST']) {
          const body = method === 'POST' ? { message: 'x' } : undefined
          const unknown = path.replace('wp-json', 'wp-jsom')
          const plain = await told(off, offAna, method, `/${unknown}`, body)
          expect(await told(off, offAna, method, `/${path}`, body)).toEqual({
            ...plain,
            text: plain.text.replaceAll('wp-jsom', 'wp-json'),
          })
        }
      for (const [method, path, body] of [
        ['POST', '/feeds', { message: 'x' }],
        ['POST', '/feeds', 'message=x'],
        ['POST', '/feeds', []],
        ['GET', '/feeds'],
        ['GET', '/nonsense'],
        ['DELETE', '/feeds'],
        ['GET', '/settings'],
        ['GET', '/openapi.json'],
        ['GET', '//'],
      ] as const)
        expect(await told(on, onAna, method, path, body)).toEqual(await told(off, offAna, method, path, body))
    } finally {
      await Promise.all([off.close(), on.close()])
    }
  })
})

test('a moderator of the mount is a moderator of the community', async () => {
  const { data } = await ana.api.feeds.create({ message: 'Pinned by whom?' })
  expect(codeOf(await ana.raw('PATCH', `${ROOT}/feeds/${data.id}`, { is_sticky: 1 }))).toEqual([403, 'rest_forbidden'])
  expect((await admin.raw('PATCH', `${ROOT}/feeds/${data.id}`, { is_sticky: 1 })).body.feed.is_sticky).toBe(1)
})
