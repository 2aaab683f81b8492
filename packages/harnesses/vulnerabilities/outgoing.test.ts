import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { expectNoEffect } from './stage.ts'

const KEY = 'the-key-of-the-operator'
const PUBLIC = 'https://93.184.215.14/hook'

let world: World
let admin: Member
let attacker: Member
let provider: Receiver
let answer: (response: ServerResponse) => void

const gif = (more: object) => ({
  id: 'a',
  title: 'A cat',
  url: 'https://gifs.example/a',
  rating: 'g',
  images: { original: { url: 'https://media.example/a.gif', width: '1', height: '1', size: '1' } },
  ...more,
})
const page = (data: readonly unknown[]) => ({ data, pagination: {}, meta: { status: 200 } })

beforeAll(async () => {
  provider = await startReceiver((_got, response) => answer(response))
  world = await createWorld({ env: { LYCEUM_GIF_API_URL: provider.url, LYCEUM_GIF_HOURLY_BUDGET: '0' } })
  admin = await world.member({ role: 'admin' })
  attacker = await world.member()
  await admin.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: KEY })
})
afterAll(async () => {
  await world.close()
  await provider.stop()
})

test('vuln-15: responses of a provider are validated like input of members', async () => {
  const html = '<img src=x onerror=alert(1)>'
  const original = { url: 'https://media.example/a.gif', width: '1', height: '1', size: '1' }
  const evil = [
    gif({ id: 'address', title: html, url: 'data:text/html,<script>alert(1)</script>' }),
    gif({ id: 'image', images: { original: { ...original, url: 'javascript:alert(1)' } } }),
    gif({ id: html }),
    gif({ id: 'title', title: html, html, rating: html, images: { original: { ...original, width: html, onload: html } } }),
    gif({ id: 'kept', title: html, html, rating: html, user: { avatar: html } }),
  ]
  answer = (response) => void response.end(JSON.stringify({ ...page(evil), html }))
  const { status, text, body } = await attacker.raw('GET', '/gif?q=evil')
  expect(status).toBe(200)
  expect(text).not.toMatch(/[<>]|onerror|onload|javascript:|data:|avatar|html/i)
  const ids = (body.data as { id: string }[]).map(({ id }) => id)
  expect(ids).toContain('kept')
  for (const id of ['address', 'image']) expect(ids).not.toContain(id)
})

test('vuln-16: a search term stays one value of the provider’s query', async () => {
  answer = (response) => void response.end(JSON.stringify(page([gif({})])))
  provider.seen.length = 0
  for (const query of ['q=x%26api_key%3Dstolen&lang=en%26limit%3D5000&rating=g%23', 'q=x&lang=en%26limit%3D5000', 'q=x&rating=g%23']) {
    const { status, body } = await attacker.raw('GET', `/gif?${query}`)
    expect([query, status, body.code]).toEqual([query, 400, 'invalid_parameter'])
  }
  expect((await attacker.raw('GET', '/gif?q=one&q=two')).status).toBe(400)
  expect(provider.seen).toEqual([])
  for (const q of ['x&api_key=stolen', 'x#fragment', 'x%26limit=5000', '../admin?x', 'x\r\nHost: evil', 'x;limit=5000', '&&q=two'])
    expect((await attacker.raw('GET', `/gif?q=${encodeURIComponent(q)}`)).status).toBe(200)
  const asked = provider.seen.map(({ path }) => new URL(path, provider.url))
  expect(asked.map(({ searchParams }) => searchParams.get('q'))).toEqual([
    'x&api_key=stolen',
    'x#fragment',
    'x%26limit=5000',
    '../admin?x',
    'x Host: evil',
    'x;limit=5000',
    '&&q=two',
  ])
  for (const { pathname, searchParams } of asked) {
    expect([pathname, [...searchParams.keys()].sort()]).toEqual(['/search', ['api_key', 'lang', 'limit', 'offset', 'q', 'rating']])
    expect([searchParams.get('api_key'), searchParams.get('limit')]).toEqual([KEY, '25'])
  }
})

const NEIGHBOURS = [
  'http://0.0.0.0:5432/',
  'https://0.0.0.0/',
  'https://0/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:0:0]/',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal@127.0.0.1/',
  'file:///etc/passwd',
  '|id',
  'https://93.184.215.14:5432/',
]

test('vuln-17: no internal address can be stored', async () => {
  const { id } = await admin.api.webhooks.create({ name: 'x', url: PUBLIC, events: ['feed.created'] })
  const keys = { p256dh: 'x', auth: 'x' }
  await expectNoEffect(world, async () => {
    for (const url of NEIGHBOURS) {
      for (const [who, method, path, body] of [
        [admin, 'POST', '/moderation/config', { moderator_notifications: { chat_webhook: url } }],
        [admin, 'POST', '/admin/webhooks', { name: 'x', url, events: ['feed.created'] }],
        [admin, 'PUT', `/admin/webhooks/${id}`, { url }],
        [attacker, 'POST', '/push/subscriptions', { endpoint: url, keys }],
      ] as const) {
        expect([path, url, (await who.raw(method, path, body)).status]).toEqual([path, url, 400])
      }
    }
  })
  await admin.api.webhooks.remove({ webhook_id: id })
})

test('vuln-17: a name that now resolves to this machine is not connected to', async () => {
  let connections = 0
  const neighbour = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(neighbour, 'listening')
  const { port } = neighbour.address() as AddressInfo
  const { id } = await admin.api.webhooks.create({ name: 'x', url: PUBLIC, events: ['feed.created'] })
  for (const host of ['127.0.0.1', '0.0.0.0', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:${port}/`
      await world.app.services.database.write((db) => db.updateTable('webhooks').set({ url }).where('id', '=', id).execute())
      const tested = await admin.api.webhooks.test({ webhook_id: id })
      expect([url, tested.success, tested.status_code]).toEqual([url, false, null])
    }
    await attacker.api.feeds.create({ message: `Told ${host}` })
    await world.runPendingJobs()
    expect([404, 400]).toContain((await attacker.raw('GET', `/feeds/oembed?url=${encodeURIComponent(`http://${host}:${port}/`)}`)).status)
  }
  await admin.api.webhooks.remove({ webhook_id: id })
  expect(connections).toBe(0)
  // Proves that a request would have been recorded.
  await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
  expect(connections).toBe(1)
  neighbour.close()
})

test('vuln-b8: an address from a member is requested or refused, and nothing else', async () => {
  for (const url of [
    '|id',
    '|touch /tmp/x',
    '; id',
    '$(id)',
    '`id`',
    'file:///etc/passwd',
    'php://filter/resource=x',
    'gopher://127.0.0.1:25/_HELO',
    'ftp://127.0.0.1/x',
    'dict://127.0.0.1:11211/stats',
    'https://|id/',
    'https://example.org\r\nX: y',
    'jar:https://example.org!/x',
    '\\\\127.0.0.1\\share',
  ]) {
    const { status, text } = await attacker.raw('GET', `/feeds/oembed?url=${encodeURIComponent(url)}`)
    expect([400, 404], url).toContain(status)
    expect(text).not.toMatch(/root:|uid=/)
    const feed = await attacker.raw('POST', '/feeds', { message: 'x', meta: { preview: { url } } })
    expect([url, feed.status, feed.body.code]).toEqual([url, 400, 'invalid_url'])
  }
})
