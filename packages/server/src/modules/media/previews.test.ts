import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createWorld, type Member, refused, type World } from '#test/world.ts'
import { playerOf } from './previews/embed-providers.ts'

let world: World
let ana: Member
let site: Server
let base: string
let handle: (request: IncomingMessage, response: ServerResponse) => void
let asked = 0
let made = 0

beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_OUTBOUND_ALLOW: '127.0.0.1/32' } })
  ana = await world.member()
  site = createServer((request, response) => {
    asked += 1
    handle(request, response)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await world.close()
})
beforeEach(() => {
  asked = 0
})

/** An address that no other test uses. */
const fresh = () => {
  made += 1
  return `${base}/page-${made}`
}
const html = (text: string | Buffer, type = 'text/html; charset=utf-8') => {
  handle = (_request, response) => response.writeHead(200, { 'content-type': type }).end(text)
}
const preview = async (url = fresh(), member = ana) => (await member.api.media.oembed({ url })).data
const nothing = (url = fresh()) => refused(ana.api.media.oembed({ url }), 404, 'preview_not_found')

test('uses the preview metadata of a page', async () => {
  html(`<!doctype html><head><title>Less</title><meta property="og:title" content="Caf&eacute; &amp; more">
    <meta property="og:description" content="A  long\n text"><meta property="og:image" content="/picture.png"><meta property="og:image:width" content="640">
    <meta property="og:site_name" content="The Site"><meta name="author" content="Somebody"></head><body><meta property="og:title" content="no">`)
  expect(await preview()).toEqual({
    type: 'link',
    provider_name: '127.0.0.1',
    provider_url: base,
    title: 'Café & more',
    description: 'A long text',
    author_name: 'Somebody',
    thumbnail_url: `${base}/picture.png`,
    html: '',
    width: 640,
    height: null,
  })
})

test('falls back to the title and URL of a page', async () => {
  html('<title>\n  Just   a title </title><meta name="description" content="text"><p>x')
  expect(await preview()).toMatchObject({ title: 'Just a title', description: 'text', provider_name: '127.0.0.1', thumbnail_url: '' })
})

test('uses the linked oEmbed description', async () => {
  const page = fresh()
  handle = (request, response) => {
    if (request.url?.startsWith('/oembed')) {
      const answer = {
        type: 'video',
        title: 'A <b>film</b>',
        author_name: 'Director',
        provider_name: 'Films',
        provider_url: 'https://films.example',
        thumbnail_url: 'https://films.example/x.png',
        html: '<script>alert(1)</script>',
        width: 640,
        height: '360',
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    } else {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<link rel="alternate" type="application/json+oembed" href="/oembed?url=x&amp;format=json"><title>page</title>`)
    }
  }
  expect(await preview(page)).toMatchObject({
    type: 'video',
    title: 'A film',
    author_name: 'Director',
    provider_name: '127.0.0.1',
    provider_url: base,
    thumbnail_url: 'https://films.example/x.png',
    html: '',
    width: 640,
    height: 360,
  })
})

test('sanitizes everything', async () => {
  html(`<meta property="og:title" content="&lt;img src=x onerror=alert(1)&gt;Title\u202e&lt;script"><meta property="og:image" content="javascript:alert(1)">
    <meta property="og:description" content="${'x'.repeat(5000)}"><meta property="og:site_name" content="data:text/html,&lt;b"><meta name="author" content="a\u0000b">`)
  const found = await preview()
  expect(JSON.stringify(found)).not.toMatch(/<|onerror|javascript:|\u202e|\\u0000/)
  expect([found.title, found.thumbnail_url, found.html]).toEqual(['Title', '', ''])
  expect(found.description.length).toBeLessThanOrEqual(500)
  for (const address of ['data:image/svg+xml,<svg/>', 'file:///etc/passwd', '//user:pass@x/', 'ftp://x/y', ' ']) {
    html(`<title>x</title><meta property="og:image" content="${address}">`)
    expect((await preview()).thumbnail_url).toBe('')
  }
})

test('decodes other encodings', async () => {
  html(Buffer.from('<title>Stra\xdfe</title>', 'latin1'), 'text/html; charset=iso-8859-1')
  expect((await preview()).title).toBe('Straße')
  html(Buffer.from('<meta charset="windows-1251"><title>\xcf\xf0\xe8\xe2\xe5\xf2</title>', 'latin1'), 'text/html')
  expect((await preview()).title).toBe('Привет')
  html('<meta charset="no-such-thing"><title>plain</title>', 'text/html')
  expect((await preview()).title).toBe('plain')
  handle = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync('<title>packed</title>'))
  expect((await preview()).title).toBe('packed')
})

test('a picture is its own preview', async () => {
  html('bytes', 'image/png')
  const url = `${fresh()}/a%20b.png?x=1`
  expect(await preview(url)).toMatchObject({ type: 'photo', title: 'a b.png', thumbnail_url: url, html: '' })
})

test('reads only the beginning of a long page, even if it is compressed repeatedly', async () => {
  html(`<title>long</title>${'<p>x'.repeat(1_000_000)}`)
  expect((await preview()).title).toBe('long')
  handle = (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync(`<title>bomb</title>${' '.repeat(20_000_000)}`))
  expect((await preview()).title).toBe('bomb')
})

test('ignores everything after the head or beyond 128 kB', async () => {
  html('<head><title>t</title></head><meta property="og:title" content="late">')
  expect((await preview()).title).toBe('t')
  html(`<title>t</title>${' '.repeat(128 * 1024)}<meta property="og:title" content="late">`)
  expect((await preview()).title).toBe('t')
})

test('follows a limited number of redirects', async () => {
  handle = (request, response) => {
    const hop = Number(new URL(request.url ?? '', base).searchParams.get('hop') ?? 0)
    if (hop < 3) response.writeHead(302, { location: `${request.url?.split('?')[0]}?hop=${hop + 1}` }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>there</title>')
  }
  expect((await preview()).title).toBe('there')
  handle = (request, response) => response.writeHead(302, { location: request.url }).end()
  await nothing()
})

test('responds alike for all failures', async () => {
  for (const [status, type, text] of [
    [404, 'text/html', '<title>x</title>'],
    [500, 'text/html', '<title>x</title>'],
    [200, 'text/html', ''],
    [200, 'text/html', '<p>no title'],
    [200, 'application/pdf', '%PDF'],
    [200, 'application/json', '{"title":"x"}'],
    [200, 'text/plain', '<title>x</title>'],
  ] as const) {
    handle = (_request, response) => response.writeHead(status, { 'content-type': type }).end(text)
    await nothing()
  }
  handle = (request) => request.socket.destroy()
  await nothing()
})

test('forbidden addresses get the same response as pages without a preview', async () => {
  html('<title>secret</title>')
  const port = new URL(base).port
  const answers = await Promise.all(
    [
      `http://127.0.0.2:${port}/`,
      `http://localhost.localdomain.invalid:${port}/`,
      `https://127.0.0.1:${port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'https://169.254.169.254/',
      'http://[::1]/',
      'https://10.0.0.1/',
      'http://2130706434/',
      'http://0x7f000002/',
      'https://[::ffff:10.0.0.1]/',
    ].map(async (url) => (await ana.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url)}`)).text),
  )
  expect(new Set(answers).size).toBe(1)
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ code: 'preview_not_found', data: { status: 404 } })
  handle = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.2/' }).end()
  await nothing()
})

test.each([
  'x',
  'ftp://example.org/',
  'javascript:alert(1)',
  'https://user:pass@example.org/',
  'https://exa mple.org/',
  '//example.org',
  `https://example.org/${'x'.repeat(3000)}`,
])('%s is not a valid address', async (url) => {
  await refused(ana.api.media.oembed({ url }), 400, 'invalid_url')
})

test('a preview is cached for a while, and concurrent requests share one fetch', async () => {
  html('<title>first</title>')
  const url = fresh()
  const ben = await world.member()
  const all = await Promise.all([preview(url), preview(url, ben), preview(`${url}#part`)])
  expect([all.map(({ title }) => title), asked]).toEqual([['first', 'first', 'first'], 1])
  html('<title>second</title>')
  expect((await preview(url)).title).toBe('first')
  world.clock.advance(601)
  expect((await preview(url)).title).toBe('second')
})

test('a missing preview is cached for a shorter time', async () => {
  html('')
  const url = fresh()
  await nothing(url)
  html('<title>now</title>')
  await nothing(url)
  world.clock.advance(61)
  expect((await preview(url)).title).toBe('now')
})

test('concurrent fetches are limited, and do not delay other outbound requests', async () => {
  const held: ServerResponse[] = []
  handle = (_request, response) => held.push(response.writeHead(200, { 'content-type': 'text/html' }))
  const waiting = Array.from({ length: 40 }, () => preview())
  await expect.poll(() => held.length).toBe(8)
  const other = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const answer = await world.app.services.outbound.request(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`, {
    timeoutMs: 2000,
  })
  other.close()
  expect(String(answer.body)).toBe('here')
  html('<title>late</title>')
  for (const response of held) response.end('<title>late</title>')
  expect((await Promise.all(waiting)).map(({ title }) => title)).toEqual(Array(40).fill('late'))
})

test('a member has a limit per minute', async () => {
  const limited = await createWorld({ env: { LYCEUM_RATE_LIMIT: 'on', LYCEUM_OUTBOUND_ALLOW: '127.0.0.1/32' } })
  try {
    html('<title>x</title>')
    const url = fresh()
    const bea = await limited.member()
    const results = await Promise.all(
      Array.from({ length: 32 }, async () => (await bea.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url)}`)).status),
    )
    expect(results.filter((status) => status === 429)).toHaveLength(2)
  } finally {
    await limited.close()
  }
})

test.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://youtu.be/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
  ['https://vimeo.com/123456789', 'https://player.vimeo.com/video/123456789?dnt=1'],
  ['https://vimeo.com/123456789/abcdef', 'https://player.vimeo.com/video/123456789?dnt=1'],
])('%s is embedded with our own player', (url, src) => {
  const { html: player = '' } = playerOf(new URL(url)) ?? {}
  expect(player).toMatch(/^<iframe src="[^"<>]+" [^<>]+><\/iframe>$/)
  expect(player).toContain(`src="${src}"`)
})

test.each([
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=%22onload=%22x',
  'https://www.youtube.com/watch',
  'http://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://evil.example/?https://youtu.be/dQw4w9WgXcQ',
  'https://vimeo.com/"><script>',
  'https://vimeo.com/features',
])('%s is not embedded', (url) => {
  expect(playerOf(new URL(url))).toBeNull()
})
