import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerWebApp } from './static-web-app.ts'

const PAGE =
  '<meta name="api-root" content="/api/v2"><meta name="base-path" content=""><script src="./assets/app.js"></script><div id="app"></div>'
/** The page as it is served below a base path. */
const pageBelow = (base: string) =>
  PAGE.replace('"/api/v2"', `"${base}/forum/v2"`).replace('content=""', `content="${base}"`).replace('./assets', `${base}/assets`)
const SCRIPT = 'console.log("hello")'
let folder: string
let app: FastifyInstance

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-web-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), PAGE)
  writeFileSync(join(folder, 'sw.js'), SCRIPT)
  writeFileSync(join(folder, 'assets/app-1a2b.js'), SCRIPT)
  app = Fastify()
  const page = registerWebApp(app, {
    folder,
    basePath: '',
    roots: ['/forum/v2', '/api/v2'],
    pictureHosts: ['cdn.example', '*.gifs.example'],
  })
  app.setNotFoundHandler(async (request, reply) => (await page(request, reply)) ?? reply.code(404).send({ code: 'rest_no_route' }))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) => app.inject({ url, headers })

test('every other URL returns the page, which only runs its own files', async () => {
  for (const url of ['/', '/spaces/garden', '/sign-in?to=%2F']) {
    const { statusCode, body, headers } = await get(url)
    expect([statusCode, body]).toEqual([200, pageBelow('')])
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("; img-src 'self' data: blob: https://cdn.example https://*.gifs.example;")
    expect(headers['cache-control']).toBe('public, no-cache')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  }
})

test('link preview bots get the page, though they do not accept HTML', async () => {
  for (const headers of [{ accept: '*/*' }, {}] as Record<string, string>[]) {
    const { statusCode, body } = await app.inject({ url: '/spaces/garden/feeds/hello', headers })
    expect([statusCode, body]).toEqual([200, pageBelow('')])
    for (const url of ['/robots.txt', '/assets/gone.js', '/assets/', '/assets/__proto__', '/assets/app-1a2b.js/x', '/nothing.php?x=1'])
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, 404])
  }
  expect((await get('/spaces/garden', { accept: 'application/json, */*' })).statusCode).toBe(404)
})

test('other clients, other methods and the API get 404', async () => {
  expect((await get('/spaces/garden', { accept: 'application/json' })).statusCode).toBe(404)
  expect((await app.inject({ method: 'POST', url: '/spaces', headers: { accept: 'text/html' } })).statusCode).toBe(404)
  for (const url of ['/api/v2/nothing', '/forum/v2']) expect([url, (await get(url)).statusCode]).toEqual([url, 404])
  expect((await get('/assets/../index.html/x', { accept: 'application/json' })).statusCode).toBe(404)
})

test('files named by their hash are cached for a year, others are revalidated', async () => {
  const asset = await get('/assets/app-1a2b.js')
  expect([asset.body, asset.headers['content-type']]).toEqual([SCRIPT, 'text/javascript; charset=utf-8'])
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await app.inject({ method: 'HEAD', url: '/assets/app-1a2b.js' })).headers['cache-control']).toContain('immutable')
  const worker = await get('/sw.js')
  expect(worker.headers['cache-control']).toBe('public, no-cache')
  expect((await get('/sw.js', { 'if-none-match': String(worker.headers.etag) })).statusCode).toBe(304)
  expect((await get('/sw.js', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
})

test('below a base path, the page and the addresses in it start with it', async () => {
  const below = Fastify()
  const page = registerWebApp(below, { folder, basePath: '/community', roots: ['/forum/v2'], pictureHosts: [] })
  below.setNotFoundHandler(async (request, reply) => (await page(request, reply)) ?? reply.code(404).send())
  expect((await below.inject({ url: '/spaces/garden', headers: { accept: 'text/html' } })).body).toBe(pageBelow('/community'))
  expect((await below.inject('/sw.js')).headers['service-worker-allowed']).toBe('/community')
  await below.close()
})
