import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type Member, type World } from '#test/world.ts'

let world: World
let ana: Member

beforeAll(async () => {
  world = await createWorld()
  ana = await world.member()
})
afterAll(() => world.close())

type Meta = Record<string, unknown>

const metaOf = async (feed_id: number): Promise<Meta> => (await ana.api.feeds.byId({ feed_id })).data.meta
const make = async (meta: Meta): Promise<number> => (await ana.api.feeds.create({ message: 'x', meta })).data.id
const kept = async (meta: Meta): Promise<Meta> => metaOf(await make(meta))
const change = async (feed_id: number, meta: Meta): Promise<Meta> => {
  await ana.api.feeds.update({ feed_id, meta })
  return metaOf(feed_id)
}

/** Asserts that the meta is refused on create and on update, and that the existing feed is unchanged. */
const refuse = async (meta: unknown, code: string, field: string) => {
  const before = { note: 'stays' }
  const id = await make(before)
  for (const path of ['/feeds', `/feeds/${id}`]) {
    const { status, body } = await ana.raw('POST', path, { message: 'x', meta })
    const fields = body?.data?.errors ? Object.keys(body.data.errors) : [body?.data?.field]
    expect({ meta, status, code: body?.code, fields }).toEqual({ meta, status: 400, code, fields: [field] })
  }
  expect(await metaOf(id)).toEqual(before)
}

const options = [
  { slug: 'a', label: 'A' },
  { slug: 'b', label: 'B' },
]
const survey = { question: 'Which?', options }

describe('unknown keys', () => {
  it('are stored as plain data', async () => {
    const meta = {
      text: 'Ünïcode 漢字 🌱 <b>not rendered</b>',
      number: -1.5,
      yes: true,
      list: [1, 'two', { three: [3] }],
      object: { a: { b: { c: 1 } } },
      'odd key / with.dots $1': '',
      toString: 'a name of Object’s own',
      hasOwnProperty: 1,
      media_preview: { html: '<img src=x onerror=alert(1)>' },
    }
    expect(await kept(meta)).toEqual(meta)
  })

  it('are never rendered', async () => {
    const id = await make({ media_preview: { html: '<img src=x onerror=alert(1)>' }, message_rendered: '<script>x</script>' })
    const { data } = await ana.api.feeds.byId({ feed_id: id })
    expect(data.message_rendered).toBe('<p>x</p>')
  })

  it('cannot reach a prototype', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const { status, body } = await ana.raw('POST', '/feeds', `{"message":"x","meta":{"${key}":{"polluted":1}}}`)
      expect([status, body.code]).toEqual([400, 'invalid_json'])
    }
    expect(({} as Meta).polluted).toBeUndefined()
  })

  it('have at most 16 KB in total, counted in bytes', async () => {
    const filled = (letter: string, bytes: number) => ({
      text: letter.repeat((bytes - Buffer.byteLength('{"text":""}')) / Buffer.byteLength(letter)),
    })
    const full = filled('a', 16 * 1024)
    expect(JSON.stringify(full)).toHaveLength(16 * 1024)
    expect(await kept(full)).toEqual(full)
    await refuse(filled('a', 16 * 1024 + 1), 'invalid_data', 'meta')
    await refuse({ text: '漢'.repeat(5500) }, 'invalid_data', 'meta')
    const id = await make({ half: 'a'.repeat(9000) })
    const { status } = await ana.raw('POST', `/feeds/${id}`, { meta: { other: 'a'.repeat(9000) } })
    expect(status).toBe(400)
  })

  it('have at most 5 levels', async () => {
    const five = { 2: { 3: { 4: { 5: 'a leaf is no level' } } } }
    expect(await kept(five)).toEqual(five)
    expect(await kept({ 2: [[[[]]]] })).toEqual({ 2: [[[[]]]] })
    await refuse({ 2: { 3: { 4: { 5: { 6: {} } } } } }, 'invalid_data', 'meta')
    await refuse({ 2: [[[[[]]]]] }, 'invalid_data', 'meta')
  })

  it.each([[['x']], 'x', 5])('are refused if meta is not an object: %j', async (meta) => {
    await refuse(meta, 'invalid_data', 'meta')
  })
})

describe('an update', () => {
  it('merges by key; null removes a key', async () => {
    const id = await make({ a: 1, b: { c: 2, d: 3 }, e: [1] })
    expect(await change(id, { b: { c: 9 }, f: 'new' })).toEqual({ a: 1, b: { c: 9 }, e: [1], f: 'new' })
    expect(await change(id, { a: null, missing: null })).toEqual({ b: { c: 9 }, e: [1], f: 'new' })
    expect(await change(id, {})).toEqual({ b: { c: 9 }, e: [1], f: 'new' })
    expect(await change(id, { b: null, e: null, f: null })).toEqual({})
  })

  it('keeps the meta if it is not sent', async () => {
    const id = await make({ a: 1, gif: { id: 'g', url: 'https://example.org/g.gif' } })
    await ana.api.feeds.update({ feed_id: id, message: 'y' })
    expect(await metaOf(id)).toEqual({ a: 1, gif: { id: 'g', url: 'https://example.org/g.gif' } })
  })

  it('can remove known keys', async () => {
    const id = await make({
      gif: { url: 'https://example.org/g.gif' },
      preview: { url: 'https://example.org' },
      comments_disabled: true,
      survey,
    })
    expect(await change(id, { gif: null, preview: null, comments_disabled: null, survey: null })).toEqual({})
  })
})

describe('survey', () => {
  it('gets defaults and loses unknown keys', async () => {
    const { survey: stored } = await kept({
      survey: { ...survey, votes: 99, html: '<b>', options: options.map((o) => ({ ...o, votes: 5 })) },
    })
    expect(stored).toEqual({
      ...survey,
      allow_multiple: false,
      show_results: 'always',
      total_votes: 0,
      options: options.map((option) => ({ ...option, votes: 0, percentage: 0 })),
      voted: [],
      is_closed: false,
    })
  })

  it('accepts its own output as input', async () => {
    const id = await make({ survey: { ...survey, end_date: '2031-01-01T00:00:00' } })
    const shown = await metaOf(id)
    expect(shown['survey']).toMatchObject({ end_date: '2031-01-01 00:00:00' })
    expect(await change(id, shown)).toEqual(shown)
  })

  it.each([
    'x',
    [],
    {},
    { ...survey, question: '' },
    { ...survey, question: '  ' },
    { ...survey, question: 'q'.repeat(501) },
    { question: 'Which?' },
    { ...survey, options: [] },
    { ...survey, options: options.slice(1) },
    { ...survey, options: Array.from({ length: 21 }, (_, i) => ({ slug: `o${i}`, label: 'x' })) },
    { ...survey, options: [...options, { slug: 'a', label: 'Again' }] },
    { ...survey, options: [...options, { slug: 'a b', label: 'x' }] },
    { ...survey, options: [...options, { slug: '', label: 'x' }] },
    { ...survey, options: [...options, { slug: 'c' }] },
    { ...survey, options: [...options, { slug: 'c', label: ' ' }] },
    { ...survey, options: [...options, { slug: 'c', label: 'l'.repeat(201) }] },
    { ...survey, options: [...options, null] },
    { ...survey, options: ['a', 'b'] },
    { ...survey, allow_multiple: 'yes' },
    { ...survey, show_results: 'sometimes' },
    { ...survey, show_results: 'constructor' },
    { ...survey, end_date: 'soon' },
    { ...survey, end_date: '2026-02-30 00:00:00' },
    { ...survey, end_date: 5 },
  ])('cannot be %j', async (value) => {
    await refuse({ survey: value }, 'invalid_data', 'meta.survey')
  })

  it('is independent of the content type and can be removed', async () => {
    const { data: plain } = await ana.api.feeds.create({ message: 'x', content_type: 'survey' })
    expect((await ana.api.feeds.byId({ feed_id: plain.id })).data).toMatchObject({ content_type: 'survey', meta: {} })
    const { data } = await ana.api.feeds.create({ message: 'x', content_type: 'survey', meta: { survey } })
    await ana.api.feeds.update({ feed_id: data.id, meta: { survey: null } })
    expect(await metaOf(data.id)).toEqual({})
  })
})

describe('gif', () => {
  it('keeps the fields of an image', async () => {
    const gif = { id: 'g1', url: 'https://example.org/g.gif', title: 'Waving', width: 200, height: 100 }
    expect(await kept({ gif: { ...gif, html: '<b>', onload: 'x' } })).toEqual({ gif })
    expect(await kept({ gif: { id: 7, url: gif.url } })).toEqual({ gif: { id: '7', url: gif.url } })
  })

  it('truncates the description without splitting a character', async () => {
    const url = 'https://example.org/g.gif'
    const [title, id] = [`${'a'.repeat(499)}🌱🌱`, '🌱'.repeat(300)]
    expect(await kept({ gif: { id, url, title } })).toEqual({ gif: { id: '🌱'.repeat(200), url, title: `${'a'.repeat(499)}🌱` } })
  })

  it.each(['javascript:alert(1)', 'data:image/gif;base64,AA', '//example.org/g.gif', '', undefined, 5, { a: 1 }])(
    'never from %j',
    async (url) => {
      await refuse({ gif: { id: 'g', url } }, 'invalid_url', 'meta.gif.url')
    },
  )

  it.each([
    ['meta.gif', 'x'],
    ['meta.gif', []],
    ['meta.gif.width', { url: 'https://example.org/g.gif', width: -1 }],
    ['meta.gif.height', { url: 'https://example.org/g.gif', height: '10' }],
    ['meta.gif.id', { url: 'https://example.org/g.gif', id: {} }],
  ])('is refused by %s: %j', async (field, gif) => {
    await refuse({ gif }, 'invalid_data', field)
  })
})

describe('media_items', () => {
  it('accepts URLs, or objects with one', async () => {
    const url = 'https://example.org/1.jpg'
    const item = { url, type: 'image', title: 'One', width: 10, height: 20, id: 3, alt: '<i>text</i>' }
    expect(await kept({ media_items: [url, { ...item, html: '<b>', provider: {}, alt: item.alt }] })).toEqual({
      media_items: [{ url }, item],
    })
    expect(await kept({ media_items: [] })).toEqual({ media_items: [] })
  })

  it('are limited in number and must have web URLs', async () => {
    await refuse({ media_items: 'x' }, 'invalid_data', 'meta.media_items')
    await refuse({ media_items: {} }, 'invalid_data', 'meta.media_items')
    await refuse({ media_items: [5] }, 'invalid_data', 'meta.media_items')
    await refuse({ media_items: ['javascript:alert(1)'] }, 'invalid_url', 'meta.media_items.url')
    await refuse({ media_items: [{ type: 'image' }] }, 'invalid_url', 'meta.media_items.url')
    await refuse({ media_items: Array.from({ length: 21 }, (_, i) => `https://example.org/${i}`) }, 'invalid_data', 'meta.media_items')
  })
})

describe('media_images', () => {
  it('accepts only a limited number of web URLs', async () => {
    const url = 'https://example.org/1.jpg'
    expect(await kept({ media_images: [url, { url, type: 'video', html: '<b>' }] })).toEqual({ media_images: [url, url] })
    await refuse({ media_images: url }, 'invalid_data', 'meta.media_images')
    await refuse({ media_images: ['//example.org/x.mp4'] }, 'invalid_url', 'meta.media_images')
    await refuse({ media_images: [{ url: 'javascript:alert(1)', type: 'video' }] }, 'invalid_url', 'meta.media_images')
    await refuse({ media_images: Array.from({ length: 21 }, (_, i) => `https://example.org/${i}`) }, 'invalid_data', 'meta.media_images')
  })
})

describe('keys sent next to the meta', () => {
  const [url, other] = ['https://example.org/1.jpg', 'https://example.org/2.jpg']
  const make = async (body: object): Promise<number> => {
    const answer = await ana.raw('POST', '/feeds', { message: 'x', ...body })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.data.id
  }
  const change = async (id: number, body: object): Promise<Meta> => {
    const answer = await ana.raw('POST', `/feeds/${id}`, body)
    expect(answer.status, answer.text).toBe(200)
    return metaOf(id)
  }

  it('are those of the meta', async () => {
    const id = await make({
      meta: { note: 1, media_images: [other] },
      survey,
      media_images: [url, { url: other }],
      media: { url, title: 'One' },
    })
    const { survey: stored, ...rest } = await metaOf(id)
    expect(stored).toMatchObject(survey)
    expect(rest).toEqual({ note: 1, media_images: [url, other], media_items: [{ url, title: 'One' }] })
    await ana.api.surveys.vote({ feed_id: id, option_slug: 'a' })
    expect(await change(id, { media: [url, { url: other }] })).toMatchObject({ note: 1, media_items: [{ url }, { url: other }] })
  })

  it('are absent or removed if they are empty', async () => {
    for (const empty of [
      { survey: [], media_images: [], media: [] },
      { survey: null, media_images: null, media: null },
      { survey: '', media_images: '', media: '' },
    ]) {
      expect(await metaOf(await make(empty))).toEqual({})
    }
    const id = await make({ survey, media_images: [url], media: [url] })
    expect(Object.keys(await change(id, { media_images: [], media: null }))).toEqual(['survey'])
    expect(await change(id, { survey: null })).toEqual({})
  })

  it('are checked like those of the meta', async () => {
    for (const [body, code, field] of [
      [{ survey: { question: 'Which?' } }, 'invalid_data', 'meta.survey'],
      [{ survey: 'x' }, 'invalid_data', 'survey'],
      [{ media_images: ['javascript:alert(1)'] }, 'invalid_url', 'meta.media_images'],
      [{ media_images: 5 }, 'invalid_data', 'media_images'],
      [{ media: { url: 'data:,x' } }, 'invalid_url', 'meta.media_items.url'],
      [{ media: 5 }, 'invalid_data', 'media'],
    ] as const) {
      const answer = await ana.raw('POST', '/feeds', { message: 'x', ...body })
      expect([body, answer.status, answer.body.code, answer.body.data.field ?? Object.keys(answer.body.data.errors)[0]]).toEqual([
        body,
        400,
        code,
        field,
      ])
    }
  })

  it('change only what its author wrote', async () => {
    const id = await make({ survey })
    const ben = await world.member()
    expect((await ben.raw('POST', `/feeds/${id}`, { media: [url] })).status).toBe(403)
    expect((await ana.api.feeds.byId({ feed_id: id })).data.meta).not.toHaveProperty('media_items')
  })
})

describe('preview', () => {
  it('keeps plain values', async () => {
    const preview = {
      url: 'https://example.org',
      image: 'https://example.org/i.png',
      title: '<b>T</b>',
      description: 'D',
      type: 'link',
      width: 5,
    }
    expect(await kept({ preview: { ...preview, html: '<iframe>', nested: {} } })).toEqual({ preview })
    expect(await kept({ preview: { url: 'https://www.evil.example/x', provider: 'bank.example' } })).toEqual({
      preview: { url: 'https://www.evil.example/x', provider: 'evil.example' },
    })
    expect(await kept({ preview: { url: preview.url, image: '' } })).toEqual({ preview: { url: preview.url, image: '' } })
  })

  it('needs web URLs', async () => {
    await refuse({ preview: 'x' }, 'invalid_data', 'meta.preview')
    await refuse({ preview: { title: 'T' } }, 'invalid_url', 'meta.preview.url')
    await refuse({ preview: { url: 'javascript:alert(1)' } }, 'invalid_url', 'meta.preview.url')
    await refuse({ preview: { url: 'https://example.org', image: 'data:text/html,x' } }, 'invalid_url', 'meta.preview.image')
  })
})

describe('comments_disabled', () => {
  it.each([
    [true, true],
    [1, true],
    ['yes', true],
    [false, false],
    [0, false],
    ['no', false],
  ])('%j means %j', async (sent, stored) => {
    expect(await kept({ comments_disabled: sent })).toEqual({ comments_disabled: stored })
  })

  it.each(['maybe', 2, {}, []])('refuses %j', async (value) => {
    await refuse({ comments_disabled: value }, 'invalid_data', 'meta.comments_disabled')
  })

  it('closes comments until it is removed', async () => {
    const id = await make({ comments_disabled: true })
    expect((await ana.raw('POST', `/feeds/${id}/comments`, { comment: 'x' })).body.code).toBe('feed_locked')
    await change(id, { comments_disabled: null })
    await ana.api.comments.create({ feed_id: id, comment: 'x' })
  })
})

describe('topic_ids', () => {
  it('must exist, and are not stored in the meta', async () => {
    const admin = await world.member({ role: 'admin' })
    const [one, two] = [await admin.api.adminTopics.create({ title: 'One' }), await admin.api.adminTopics.create({ title: 'Two' })]
    expect(await kept({ topic_ids: [two.id, 987654, one.id, two.id] })).toEqual({ topic_ids: [two.id, one.id] })
    expect(await kept({ topic_ids: [987654] })).toEqual({})
    const { data } = await ana.api.feeds.create({ message: 'x', topics: [one.id, one.id], meta: { topic_ids: [two.id], note: 1 } })
    expect(await metaOf(data.id)).toEqual({ topic_ids: [one.id], note: 1 })
    await ana.api.feeds.update({ feed_id: data.id, topics: [] })
    expect(await metaOf(data.id)).toEqual({ note: 1 })
    const rows = await world.app.services.database.read.selectFrom('feeds').select('meta').execute()
    expect(rows.filter(({ meta }) => meta.includes('topic_ids'))).toEqual([])
  })

  it.each(['x', [0], [-1], ['1'], [1.5], [2 ** 53], Array.from({ length: 51 }, (_, i) => i + 1)])('cannot be %j', async (value) => {
    await refuse({ topic_ids: value }, 'invalid_data', 'meta.topic_ids')
  })
})
