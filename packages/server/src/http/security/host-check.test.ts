import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_URL: 'https://community.example', LYCEUM_HOSTS: 'www.community.example' } })
})
afterAll(() => world.close())

/** Status and error code of the response to a request with this Host header. */
const asked = (host: string, path = '/api/v2/settings/public', headers: Record<string, string> = {}, { origin } = world) =>
  new Promise<string>((resolve, reject) => {
    const sent = request(new URL(path, origin), { headers: { host, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (chunk) => {
        text += chunk
      })
      answer.on('end', () => resolve(`${answer.statusCode} ${answer.statusCode === 200 ? '' : JSON.parse(text).code}`.trim()))
    })
    sent.on('error', reject)
    sent.end()
  })

test.each([
  'community.example',
  'COMMUNITY.example:443',
  'community.example.',
  'www.community.example',
  '127.0.0.1',
  '127.0.0.1:3000',
  '[::1]:3000',
  'localhost:3000',
  'lyceum:3000',
])('the host %s is accepted', async (host) => {
  expect(await asked(host)).toBe('200')
})

test.each(['rebind.attacker.example', 'community.example.attacker.example', 'notcommunity.example', '127.0.0.1.attacker.example'])(
  'the host %s is refused',
  async (host) => {
    for (const path of ['/api/v2/settings/public', '/api/v2/feeds', '/', '/docs', '/media/x/y', '/metrics'])
      expect([path, await asked(host, path)]).toEqual([path, '421 misdirected_request'])
  },
)

test('health probes are accepted with any host', async () => {
  for (const path of ['/health/live', '/health/ready']) expect(await asked('10-0-0-7.pods.example', path)).toBe('200')
})

test('X-Forwarded-Host is only used from trusted proxies', async () => {
  const forwarded = { 'x-forwarded-host': 'community.example' }
  expect(await asked('inner.attacker.example', undefined, forwarded)).toBe('421 misdirected_request')
  const proxied = await createWorld({ env: { LYCEUM_URL: 'https://community.example', LYCEUM_TRUST_PROXY: 'loopback' } })
  try {
    expect(await asked('inner.example', undefined, forwarded, proxied)).toBe('200')
    expect(await asked('community.example', undefined, { 'x-forwarded-host': 'evil.example' }, proxied)).toBe('421 misdirected_request')
  } finally {
    await proxied.close()
  }
})

test('without LYCEUM_URL every host is accepted', async () => {
  const open = await createWorld()
  try {
    expect(await asked('anything.example', undefined, {}, open)).toBe('200')
  } finally {
    await open.close()
  }
})
