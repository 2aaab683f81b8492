import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fetchFile, picture } from '#test/media.ts'
import { type Receiver, startReceiver } from '#test/webhook-receiver.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

const ENV = {
  LYCEUM_OUTBOUND_ALLOW: '127.0.0.1/32',
  LYCEUM_MEDIA_HOSTS: 'cdn.example,*.pictures.example',
  LYCEUM_GIF_API_URL: 'https://api.gifs.example/v1',
}
let world: World
let ana: Member
let site: Receiver
let answer: { type: string; body: Buffer | string; status?: number }
/** Responses held back until they are released. */
const hanging: (() => void)[] = []

beforeAll(async () => {
  site = await startReceiver(({ path }, response) =>
    path.startsWith('/hang')
      ? void hanging.push(() => void response.writeHead(404).end())
      : void response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body),
  )
  world = await createWorld({ env: { ...ENV, LYCEUM_RATE_LIMIT: 'on' } })
  ana = await world.member()
})
afterAll(async () => {
  await world.close()
  await site.stop()
})
beforeEach(async () => {
  answer = { type: 'image/png', body: await picture() }
})

let made = 0
const fresh = () => {
  made += 1
  return `${site.url}/picture-${made}.png`
}
const shown = (url: string, who: Member | null = ana) => fetchFile(who, `${world.origin}/media/remote?url=${encodeURIComponent(url)}`)

test('a remote picture is fetched once by the server, without revealing the viewer', async () => {
  const url = fresh()
  const [first, second] = [await shown(url), await shown(url)]
  expect([first.status, first.headers.get('content-type'), first.bytes]).toEqual([200, 'image/png', answer.body])
  expect(second.bytes).toEqual(first.bytes)
  expect(first.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(first.headers.get('cache-control')).toBe('private, max-age=86400')
  const seen = site.seen.filter(({ path }) => url.endsWith(path))
  expect(seen).toHaveLength(1)
  expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /cookie|authorization|referer|forwarded/.test(name))).toEqual([])
})

test('an account is required', async () => {
  const before = site.seen.length
  expect((await shown(fresh(), null)).status).toBe(401)
  expect(site.seen.length).toBe(before)
})

test('only pictures are served', async () => {
  const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const [type, body] of [
    ['image/svg+xml', script],
    ['image/png', script],
    ['text/html', '<b>x</b>'],
    ['image/png', ''],
  ] as const) {
    answer = { type, body }
    expect([type, (await shown(fresh())).status]).toEqual([type, 404])
  }
  answer = { type: 'image/png', body: await picture(), status: 500 }
  expect((await shown(fresh())).status).toBe(404)
})

test('internal and invalid addresses are refused', async () => {
  expect((await shown('http://127.0.0.2:9/x.png')).status).toBe(404)
  expect((await shown('https://169.254.169.254/x.png')).status).toBe(404)
  for (const wrong of ['', 'ftp://x.example/a.png', 'javascript:alert(1)', '/etc/passwd'])
    expect([wrong, (await shown(wrong)).status]).toEqual([wrong, 400])
})

test('hosts that pages may load directly are redirected to, others are not', async () => {
  const to = async (url: string) => {
    const { status, headers } = await shown(url, null)
    return status === 302 ? headers.get('location') : status
  }
  for (const url of ['https://cdn.example/a.png', 'https://x.pictures.example/a.png', 'https://media1.gifs.example/a.gif'])
    expect(await to(url)).toBe(url)
  for (const url of ['http://cdn.example/a.png', 'https://pictures.example.evil.example/a.png', 'https://notcdn.example/a.png'])
    expect([url, await to(url)]).toEqual([url, 401])
  expect(await to(`${world.origin}/media/0123/a.png`)).toBe('/media/0123/a.png')
  expect(await to(`${world.origin}//evil.example/a.png`)).toBe(404)
})

test('a member with slow pictures does not block others', async () => {
  const [cleo, dora] = [await world.member(), await world.member()]
  const slow = Array.from({ length: 20 }, (_, n) => shown(`${site.url}/hang-${n}.png`, cleo))
  await vi.waitUntil(() => hanging.length >= 6)
  const started = performance.now()
  expect((await shown(fresh(), dora)).status).toBe(200)
  expect(performance.now() - started).toBeLessThan(4000)
  const letGo = setInterval(() => {
    for (const end of hanging.splice(0)) end()
  }, 5)
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([404]))
  clearInterval(letGo)
})

test('a member has a limit per minute', async () => {
  const admin = await world.member({ role: 'admin' })
  await admin.api.settings.save({ limits: { remote_pictures_per_minute: 2 } } as never)
  const [ben, url] = [await world.member(), fresh()]
  expect([(await shown(url, ben)).status, (await shown(url, ben)).status, (await shown(url, ben)).status]).toEqual([200, 200, 429])
})
