import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type RawAnswer, type World } from '#test/world.ts'
import { expectNoEffect, makeStage, NO_ID, openContent, type Stage } from './stage.ts'

interface Field {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
}
type Fields = Readonly<Record<string, Field>>

const ROUTES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, route: route as Route })),
)
const fieldsOf = (schema: Route['query']): Fields => (schema?.properties ?? {}) as Fields
const isText = ({ type, enum: values }: Field) => !values && [type].flat().includes('string')

let world: World
let stage: Stage
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  world = await createWorld()
  stage = await makeStage(world)
  await stage.admin.api.settings.saveFeatures({ gif_enabled: true })
  const { feed_id, comment_id, reaction_id, slug } = await openContent(stage)
  const school = await makeSchool(stage.admin, { lessons: 1 })
  ids = {
    feed_id: String(feed_id),
    comment_id: String(comment_id),
    reaction_id: String(reaction_id),
    feed_slug: slug,
    space_id: String(stage.open.id),
    space_slug: stage.open.slug,
    username: stage.victim.username,
    request_id: '1',
    user_id: String(stage.victim.id),
    option_slug: 'a',
    group_id: '1',
    topic_id: '1',
    media_id: '1',
    course_id: String(school.courseId),
    section_id: String(school.sectionId),
    lesson_id: String(school.lessons[0]),
    quiz_id: '1',
    webhook_id: '1',
    report_id: '1',
    export_id: '1',
    delivery_id: '1',
    key: 'site_name',
    code: 'a'.repeat(26),
    course_slug: 'a',
    lesson_slug: 'a',
    id: '1',
  }
})
afterAll(() => world.close())

/** The path of a route with existing ids, with some parameters replaced. */
const pathOf = ({ path }: Route, other: Readonly<Record<string, string>> = {}) =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const value = other[name] ?? ids[name]
    if (value === undefined) throw new Error(`nothing is known to put in place of ${name}`)
    return encodeURIComponent(value)
  })

/** One part of a list per call, in turn: the same code reads many of the fields. */
const inTurns = <T>(list: readonly T[], parts: number): (() => readonly T[]) => {
  let turn = 0
  return () => {
    turn += 1
    return SOAK > 1 ? list : list.filter((_, i) => i % parts === turn % parts)
  }
}

const PROTOTYPE = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '__lookupSetter__']

describe('vuln-19: names of prototype properties have no meaning', () => {
  test('in place of enum values, in queries', async () => {
    let asked = 0
    const words = inTurns(PROTOTYPE, 4)
    for (const { id, route } of ROUTES) {
      for (const [name, field] of Object.entries(fieldsOf(route.query))) {
        if (!field.enum) continue
        for (const word of words()) {
          const { status, body } = await stage.admin.raw(route.method, `${pathOf(route)}?${name}=${word}`)
          const code = route.queryErrors?.[name] ?? 'invalid_parameter'
          expect([id, name, word, status, body?.code, body?.data]).toMatchObject([id, name, word, 400, code, { status: 400, field: name }])
          asked += 1
        }
      }
    }
    expect(asked).toBeGreaterThan(40)
  })

  test('in place of enum values, in bodies', async () => {
    let asked = 0
    const words = inTurns(PROTOTYPE, 4)
    await expectNoEffect(world, async () => {
      for (const { id, route } of ROUTES.filter((entry) => !entry.route.consumes)) {
        for (const [name, field] of Object.entries(fieldsOf(route.body))) {
          if (!field.enum?.some((value) => typeof value === 'string')) continue
          for (const word of words()) {
            const others = {
              title: 'x',
              message: 'x',
              comment: 'x',
              user_id: stage.attacker.id,
              user_ids: [stage.attacker.id],
              enabled: false,
            }
            const { status, body } = await stage.admin.raw(route.method, pathOf(route), { ...others, [name]: word })
            expect([id, name, word, status], JSON.stringify(body)).toEqual([id, name, word, 400])
            asked += 1
          }
        }
      }
    })
    expect(asked).toBeGreaterThan(25)
  })

  test('as a reaction, survey option, slug, name or key', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const { attacker } = stage
    const send = (path: string, body: string) => attacker.raw('POST', path, body)
    for (const word of PROTOTYPE) {
      const answers: readonly (readonly [RawAnswer, number, string])[] = [
        [await send(`/feeds/${ids.feed_id}/react`, `{"type":"${word}"}`), 400, 'invalid_reaction_type'],
        [await send(`/feeds/${ids.feed_id}/react`, `{"react_type":"${word}"}`), 400, 'invalid_reaction_type'],
        [await send(`/feeds/${ids.feed_id}/comments/${ids.comment_id}/reactions`, `{"type":"${word}"}`), 400, 'invalid_reaction_type'],
        [await send(`/feeds/${ids.feed_id}/apps/survey-vote`, `{"option_slug":"${word}"}`), 400, 'invalid_option'],
        [await attacker.raw('GET', `/feeds/${ids.feed_id}/apps/survey-voters/${word}`), 400, 'invalid_option'],
        [await attacker.raw('GET', `/feeds/${word}/by-slug`), 404, 'feed_not_found'],
        [await attacker.raw('GET', `/spaces/${word}/by-slug`), 404, 'space_not_found'],
        [await attacker.raw('GET', `/feeds?space=${word}`), 404, 'space_not_found'],
      ]
      for (const [answer, status, code] of answers) expect([word, answer.status, answer.body.code]).toEqual([word, status, code])
      expect((await attacker.raw('GET', `/feeds?${word}=1&per_page=1`)).status).toBe(200)
      expect([400, 404]).toContain((await attacker.raw('GET', `/profile/${word}`)).status)
      // As object keys three of these names are refused; the others are plain data.
      const refused = ['__proto__', 'constructor', 'prototype'].includes(word)
      const meta = await send('/feeds', `{"message":"x","meta":{"deep":{"${word}":{"polluted":true}},"${word}":{"polluted":true}}}`)
      expect([word, meta.status]).toEqual([word, refused ? 400 : 201])
      if (!refused) {
        const read = await attacker.raw('GET', `/feeds/${meta.body.data.id}/by-id`)
        expect(Object.hasOwn(read.body.data.meta, word)).toBe(true)
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('vuln-20: text never becomes part of a statement', () => {
  const ATTACKS = [
    `')) OR 1=1--`,
    `' UNION SELECT password_hash FROM users--`,
    `"; DROP TABLE feeds; --`,
    `%' OR '1'='1`,
    `\\`,
    `%\\`,
    '%_%_%',
    '$1',
    '$999',
    '?',
    ':1',
    `x" OR "a"*`,
    'NEAR(a b)',
    `document : x`,
    `a' & !b:* | c <-> d`,
    '-x^y(z)',
    `$$x$$`,
    '`x`',
    '\u0027\u02bc\uff07',
  ]

  test('in query parameters', async () => {
    let asked = 0
    const attacks = inTurns(ATTACKS, 3)
    for (const { id, route } of ROUTES.filter(({ route }) => route.method === 'GET')) {
      for (const [name, field] of Object.entries(fieldsOf(route.query))) {
        if (!isText(field)) continue
        for (const attack of attacks()) {
          const { status, text } = await stage.admin.raw('GET', `${pathOf(route)}?${name}=${encodeURIComponent(attack)}`)
          // A disabled feature is refused before validation.
          expect(route.feature === 'gif' ? [400, 403] : [200, 400, 404], `${id} ${name}=${attack}`).toContain(status)
          expect(text).not.toMatch(/sqlite|syntax|near "|relation|tsquery/i)
          asked += 1
        }
      }
    }
    expect(asked).toBeGreaterThan(40)
  })

  test('and finds literal matches only', async () => {
    const { attacker, admin } = stage
    for (const attack of ATTACKS) {
      const { feeds } = await attacker.api.feeds.list({ search: `${attack} zzyzx` })
      expect([attack, feeds.total]).toEqual([attack, 0])
      const spaces = [
        (await attacker.api.spaces.list({ search: attack })).spaces,
        (await attacker.api.spaces.discover({ search: attack })).spaces.data,
        (await attacker.api.spaces.all({ search: attack })).spaces.data,
      ]
      expect([attack, spaces.map(({ length }) => length)]).toEqual([attack, [0, 0, 0]])
      // Member search matches prefixes of words and ignores punctuation.
      const words = attack.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['no word']
      const people = [
        ...(await attacker.api.spaceMembers.list({ space_slug: stage.open.slug, search: attack })).data,
        ...(await admin.api.spaceMembers.searchUsers({ q: attack })).data,
      ].map((person) => JSON.stringify(person).toLowerCase())
      expect([attack, people.filter((person) => !words.every((word) => person.includes(word)))]).toEqual([attack, []])
    }
  })

  test('in paths', async () => {
    const attacks = inTurns(ATTACKS, 3)
    for (const { id, route } of ROUTES) {
      if (route.method !== 'GET') continue
      for (const name of Object.keys(fieldsOf(route.params))) {
        for (const attack of attacks()) {
          const { status } = await stage.admin.raw('GET', pathOf(route, { [name]: attack }))
          expect([400, 404], `${id} ${name}=${attack}`).toContain(status)
        }
      }
    }
  })

  test('in stored text', async () => {
    for (const attack of ATTACKS) {
      const { data } = await stage.attacker.api.feeds.create({ message: attack, title: attack, meta: { [attack]: attack } })
      const feed = (await stage.attacker.api.feeds.byId({ feed_id: data.id })).data
      expect([feed.message, feed.title, feed.meta]).toEqual([attack, attack, { [attack]: attack }])
    }
  })

  test('in cursors', async () => {
    for (const values of [
      ['newest', `' OR 1=1--`, 1],
      ['newest', '1', `1 OR 1=1`],
      ['newest', ['x'], 1],
      ['newest', '1', 1.5],
      ['newest', '1'],
      {},
      null,
      '__proto__',
    ]) {
      const cursor = Buffer.from(JSON.stringify(values)).toString('base64url')
      const { status, body } = await stage.attacker.raw('GET', `/feeds?cursor=${cursor}`)
      if (status === 200) expect(body.feeds.data).toEqual([])
      else expect([status, body.code]).toEqual([400, 'invalid_parameter'])
    }
  })
})

describe('vuln-14: HTML and scripts are accepted in messages only', () => {
  const EVIL = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.example/x',
    'file:///etc/passwd',
    'https://',
  ]

  test('only web addresses are accepted, wherever there is one', async () => {
    const { attacker, admin, open } = stage
    await expectNoEffect(world, async () => {
      for (const url of EVIL) {
        for (const [who, method, path, body] of [
          [attacker, 'POST', '/feeds', { message: 'x', featured_image: url }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { gif: { url } } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { preview: { url } } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { preview: { url: 'https://example.org', image: url } } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { media_items: [url] } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { media_items: [{ url }] } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { media_images: [url] } }],
          [attacker, 'POST', '/feeds', { message: 'x', meta: { media_images: [{ url, type: 'video' }] } }],
          [attacker, 'POST', `/feeds/${ids.feed_id}/comments`, { media_images: [url] }],
          [attacker, 'POST', `/feeds/${ids.feed_id}/comments`, { comment: 'x', meta: { media_images: [url] } }],
          [attacker, 'POST', `/feeds/${ids.feed_id}/comments`, { comment: 'x', meta: { gif: { url } } }],
          [admin, 'PUT', `/spaces/${open.id}/by-id`, { logo: url }],
          [admin, 'PUT', `/spaces/${open.id}/by-id`, { cover_photo: url }],
          [admin, 'PUT', `/spaces/${open.id}/by-id`, { settings: { og_image: url } }],
          [admin, 'PUT', `/spaces/${open.id}/by-id`, { settings: { onboard_redirect_url: url } }],
          [admin, 'POST', `/spaces/${open.slug}/links`, { links: [{ title: 'x', permalink: url }] }],
          [admin, 'POST', `/spaces/${open.slug}/links`, { links: [{ title: 'x', permalink: 'https://a.example', icon_image: url }] }],
          [admin, 'PUT', `/spaces/${open.slug}/lockscreens`, { enabled: true, button_url: url }],
          [admin, 'PUT', `/spaces/${open.slug}/lockscreens`, { enabled: true, lockscreen: [{ button_link: url }] }],
          [admin, 'PUT', `/spaces/${open.slug}/lockscreens`, { enabled: true, lockscreen: [{ background_image: url }] }],
          [admin, 'POST', '/feeds/links', { links: [{ title: 'x', url }] }],
        ] as const) {
          const answer = await who.raw(method, path, body)
          expect([path, body, answer.status, answer.body.code]).toEqual([path, body, 400, 'invalid_url'])
        }
      }
    })
  })

  test('SVG icons are limited to plain shapes', async () => {
    const { admin, open } = stage
    for (const shape_svg of [
      '<svg onload="alert(1)"></svg>',
      '<svg><script>alert(1)</script></svg>',
      '<svg><a href="javascript:alert(1)"><path d="M0 0"/></a></svg>',
      '<svg><image href="https://evil.example/x"/></svg>',
      '<svg><path d="M0 0" style="background:url(x)"/></svg>',
      '<svg><path fill="url(#x)"/></svg>"><img src=x>',
      '<img src=x onerror=alert(1)>',
    ]) {
      expect((await admin.raw('PUT', `/spaces/${open.id}/by-id`, { settings: { shape_svg } })).status).toBe(400)
      expect(
        (await admin.raw('POST', `/spaces/${open.slug}/links`, { links: [{ title: 'x', permalink: 'https://a.example', shape_svg }] }))
          .status,
      ).toBe(400)
    }
  })

  test('media data from a client is plain text and never rendered', async () => {
    const html = '<img src=x onerror=alert(1)>'
    const meta = {
      media_preview: { html, type: 'oembed' },
      preview: { url: 'https://example.org/', html, title: html, onload: html },
      gif: { url: 'https://example.org/a.gif', html, title: html, width: 1 },
      media_items: [{ url: 'https://example.org/a.png', html, alt: html }],
    }
    const { data } = await stage.attacker.api.feeds.create({ message: 'x', meta })
    const feed = (await stage.victim.api.feeds.byId({ feed_id: data.id })).data
    expect(feed.message_rendered).not.toContain('<img')
    expect(feed.meta).toEqual({
      media_preview: { html, type: 'oembed' },
      preview: { url: 'https://example.org/', title: html },
      gif: { id: '', url: 'https://example.org/a.gif', title: html, width: 1 },
      media_items: [{ url: 'https://example.org/a.png', alt: html }],
    })
    const rendered = { message_rendered: html, rendered: html, html }
    const { data: second } = await stage.attacker.api.feeds.create({ message: 'x', ...(rendered as object) })
    const { data: comment } = await stage.attacker.api.comments.create({ feed_id: data.id, comment: 'x', ...(rendered as object) })
    const looks = [await stage.victim.raw('GET', `/feeds/${second.id}/by-id`), await stage.victim.raw('GET', `/comments/${comment.id}`)]
    for (const { text } of looks) expect(text).not.toContain('onerror')
  })
})

describe('vuln-24: a body is parsed in one way or not at all', () => {
  const body = JSON.stringify({ message: 'x', content_type: 'nonsense', is_sticky: true, type: 'announcement' })
  const raw = (type: string | null) =>
    new Promise<number>((resolve, reject) => {
      import('node:http').then(({ request }) => {
        const { attacker } = stage
        const authorization = `Basic ${Buffer.from(`${attacker.username}:${attacker.password}`).toString('base64')}`
        const headers = { authorization, 'content-length': String(Buffer.byteLength(body)), ...(type !== null && { 'content-type': type }) }
        const asked = request(`${world.base}/feeds`, { method: 'POST', headers }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0))
        })
        asked.on('error', reject).end(body)
      }, reject)
    })

  test.each([
    ['application/json', 400],
    ['application/json;charset=utf-8', 400],
    ['application/json; charset=utf-16', 400],
    ['APPLICATION/JSON', 400],
    ['Application/Json ;x', 400],
    [' application/json', 400],
    ['application/json ', 400],
    ['application/json\ta', 415],
    ['application/json, text/plain', 415],
    ['application/jsonx', 415],
    ['application/problem+json', 415],
    ['application/vnd.api+json', 415],
    ['text/json', 415],
    ['text/plain', 415],
    ['text/plain;application/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['*/*', 415],
    ['', 415],
    [null, 415],
  ] as const)('sent as %j: %i', async (type, status) => {
    await expectNoEffect(world, async () => {
      expect(await raw(type)).toBe(status)
    })
  })

  test('a body without a type or with the wrong length has no effect', async () => {
    await expectNoEffect(world, async () => {
      expect((await stage.attacker.raw('POST', '/feeds')).status).toBe(400)
      expect((await stage.attacker.raw('POST', `/feeds/${NO_ID}`)).status).toBe(404)
    })
  })
})
