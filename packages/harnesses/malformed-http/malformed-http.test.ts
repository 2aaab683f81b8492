import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abort, type Exchange, exchange, type WireAnswer } from '#test/raw-socket.ts'
import { report, SOAK } from '#test/scale.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type Case, casesFor } from './cases.ts'
import { families } from './families.ts'

const FAST_MS = 1000
const AT_ONCE = 8
const TIMEOUT_MS = 240_000
/** Share of the generated cases that is sent; the HTTP parser is the same on both databases. */
const EVERY = SOAK > 1 ? 1 : process.env['LYCEUM_TEST_DATABASE'] === 'sqlite' ? 5 : 25

let world: World
let ana: Member
let port: number
let root: string
let authorization: string
beforeAll(async () => {
  world = await createWorld({ clientTimeouts: { head: 300, request: 400, silence: 2000 } })
  ana = await world.member()
  const base = new URL(world.base)
  port = Number(base.port)
  root = base.pathname
  authorization = `Basic ${Buffer.from(`${ana.username}:${ana.password}`).toString('base64')}`
})
afterAll(() => world.close())

/** The problem in one response to a malformed request. */
const wrongWith = ({ status, headers, body }: WireAnswer, bodiless = false): string | null => {
  if (!(status >= 200 && status < 500)) return `status ${status}`
  const missing = ['x-request-id', 'x-ratelimit-limit', 'x-content-type-options'].filter((name) => !headers.has(name))
  if (missing.length > 0) return `${status} without ${missing.join(', ')}`
  if (status < 400 || bodiless) return null
  let error: { code?: unknown; message?: unknown; data?: { status?: unknown } }
  try {
    error = JSON.parse(body) as typeof error
  } catch {
    return `${status} with ${JSON.stringify(body.slice(0, 100))}`
  }
  const good = typeof error.code === 'string' && typeof error.message === 'string' && error.data?.status === status
  return good ? null : `${status} off its shape: ${body.slice(0, 200)}`
}

const ALWAYS_FINE: readonly Case['must'][] = ['be answered', 'be well', 'succeed']
const GOES_ON: readonly Case['must'][] = ['be answered', 'be one', 'succeed']

const judge = ({ must, options }: Case, { answers, closed, rest }: Exchange): string[] => {
  const problems = answers.map((answer) => wrongWith(answer, options?.bodiless)).filter((text) => text !== null)
  if (answers.length === 0 && !closed) problems.push('is neither answered nor cut')
  if (rest !== '') problems.push(`something is left: ${JSON.stringify(rest.slice(0, 100))}`)
  const statuses = answers.map(({ status }) => status).join(' ')
  if (GOES_ON.includes(must) && answers.length === 0) problems.push('is not answered')
  if (must === 'succeed' && answers.some(({ status }) => status >= 400)) problems.push(`does not succeed: ${statuses}`)
  if (!ALWAYS_FINE.includes(must) && answers.some(({ status }) => status < 400)) problems.push(`succeeds: ${statuses}`)
  if (must === 'be one' && answers.length > 2) problems.push(`is taken for more than one: ${statuses}`)
  if (must === 'be cut' && (!closed || answers.length > 1))
    problems.push(`goes on: ${answers.length} answers, ${closed ? 'closed' : 'open'}`)
  return problems
}

/** Sent after a request that must count as one: no other response may come between the two. */
const last = () => `GET ${root}/nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

const sendCase = (port: number, { must, pieces, options }: Case): Promise<Exchange> =>
  must === 'be one' ? exchange(port, [...pieces, last()], { untilClosed: true }) : exchange(port, pieces, options)

/** Runs cases concurrently; slow or failed cases are repeated on their own, because the machine may be busy. */
const run = async (cases: readonly Case[], port: number) => {
  const waiting = [...cases]
  const found: string[] = []
  const times: number[] = []
  const lane = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      let result = await sendCase(port, one)
      if (result.ms > FAST_MS) result = await sendCase(port, one)
      times.push(result.ms)
      const problems = [...judge(one, result), ...(result.ms > FAST_MS ? [`takes ${Math.round(result.ms)} ms`] : [])]
      if (problems.length > 0) found.push(`${one.name}: ${problems.join('; ')}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { found, slowest: Math.max(...times) }
}

/** Every n-th item of the lists, continuing across list boundaries. */
const taken = (lists: Readonly<Record<string, readonly Case[]>>, every: number): Record<string, readonly Case[]> => {
  let turn = 0
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.filter(() => turn++ % every === 0)]))
}

const countFeeds = async () => (await world.app.services.database.read.selectFrom('feeds').select('id').execute()).length

test(
  'hostile requests are rejected or disconnected quickly and do not affect the server',
  async () => {
    const prototype = Reflect.ownKeys(Object.prototype).length
    const lists = { 'known tricks': casesFor({ root, authorization }), ...taken(families({ root, authorization }), EVERY) }
    const found: string[] = []
    let [cases, slowest] = [0, 0]
    for (const [name, list] of Object.entries(lists)) {
      const ran = await run(list, port)
      found.push(...ran.found.map((text) => `${name}: ${text}`))
      cases += list.length
      slowest = Math.max(slowest, ran.slowest)
      // The server must remain healthy after each case.
      const started = performance.now()
      expect((await ana.api.feeds.list()).feeds.total).toBe(0)
      expect((await world.request('GET', '//health/ready')).status).toBe(200)
      expect(performance.now() - started).toBeLessThan(2 * FAST_MS)
    }
    report({ cases, wrong: found.length, 'slowest ms': Math.round(slowest) })
    expect(cases).toBeGreaterThan(SOAK > 1 ? 8000 : 800)
    expect(found).toEqual([])
    expect(await countFeeds()).toBe(0)
    expect(Reflect.ownKeys(Object.prototype).length).toBe(prototype)
  },
  TIMEOUT_MS,
)

test(
  'control: a server that accepts everything is detected',
  async () => {
    const soon = {
      keepAliveTimeout: 20,
      keepAliveTimeoutBuffer: 0,
      headersTimeout: 200,
      requestTimeout: 200,
      connectionsCheckingInterval: 50,
    }
    const trusting = createServer({ insecureHTTPParser: true, requireHostHeader: false, ...soon }, (_request, response) => {
      response.setHeader('content-length', 2).end('{}')
    })
    await new Promise<void>((done) => trusting.listen(0, '127.0.0.1', done))
    const framing = families({ root, authorization })['bytes in framing'] as readonly Case[]
    const cases = [
      ...casesFor({ root, authorization }).filter(({ name }) => /^CL |^body: type/.test(name)),
      ...framing.filter(({ name }) => /^(before|after) chunked 0x[0-2]/.test(name)),
    ]
    const { found } = await run(cases, (trusting.address() as AddressInfo).port)
    trusting.closeAllConnections()
    await new Promise((done) => trusting.close(done))
    expect(found.length).toBeGreaterThan(cases.length / 3)
    expect(found.filter((text) => /CL .* and Transfer-Encoding.*goes on: 2 answers/.test(text)).length).toBeGreaterThan(0)
    expect(found.filter((text) => /after chunked 0x20: .*goes on/.test(text)).length).toBeGreaterThan(0)
    expect(found.filter((text) => /body: type .*succeeds/.test(text)).length).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

describe('a slow client', () => {
  const line = () => `POST ${root}/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
  const cases = (): readonly (readonly [string, string, number[]])[] => [
    ['sends nothing', '', [408]],
    ['sends half a line', 'GET /api', [408]],
    ['sends half of the headers', `${line()}X: `, [408]],
    ['sends half of the body', `${line()}Content-Length: 100\r\n\r\n{"login":`, [408]],
    ['sends no chunk', `${line()}Transfer-Encoding: chunked\r\n\r\n`, [408]],
    ['never ends the chunks', `${line()}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`, [408]],
    ['is not done when it has been answered', `POST ${root}/feeds HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`, [401]],
  ]

  test('is disconnected with a response when its time is up, at any point of the request', async () => {
    const results = await Promise.all(
      cases().map(async ([name, piece, statuses]) => {
        const { answers, closed, ms } = await exchange(port, [piece], { untilClosed: true })
        expect(
          answers.map((answer) => wrongWith(answer)),
          name,
        ).toEqual(statuses.map(() => null))
        return { name, statuses: answers.map(({ status }) => status), closed, ms }
      }),
    )
    expect(results.map(({ name, statuses, closed }) => [name, statuses, closed])).toEqual(
      cases().map(([name, , statuses]) => [name, statuses, true]),
    )
    console.log(`hostile HTTP: slow clients are cut after ${results.map(({ ms }) => Math.round(ms)).join(', ')} ms`)
  })

  test('does not delay others', async () => {
    const drips = Array.from({ length: 200 }, () => exchange(port, [line()], { untilClosed: true }))
    expect((await ana.api.feeds.list()).feeds.total).toBe(0)
    const ends = await Promise.all(drips)
    expect(ends.filter(({ closed }) => !closed)).toEqual([])
  })
})

describe('aborted connections', () => {
  test('at any byte of a request leave nothing behind', async () => {
    const body = JSON.stringify({ message: 'Never whole' })
    const whole = `POST ${root}/feeds HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const cuts = Array.from({ length: 60 }, (_, i) => Math.floor(((whole.length - 1) * (i + 1)) / 60))
    await Promise.all(cuts.map((length) => abort(port, whole.slice(0, length))))
    const closed = await Promise.all(cuts.map((length) => exchange(port, [whole.slice(0, length)], { end: true, untilClosed: true })))
    expect(closed.filter((result) => !result.closed || result.answers.some(({ status }) => status < 400))).toEqual([])
    expect(await countFeeds()).toBe(0)
    expect((await ana.api.feeds.list()).feeds.total).toBe(0)
  })
})

describe('pipelining', () => {
  const get = (path: string) => `GET ${root}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
  const statuses = ({ answers }: Exchange) => answers.map(({ status }) => status)

  test('is answered in order', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => (i % 3 === 0 ? '/settings/public' : i % 3 === 1 ? '/feeds/999/by-id' : '/nowhere'))
    const result = await exchange(port, [paths.map(get).join('')], { answers: 100 })
    expect(statuses(result)).toEqual(paths.map((path) => (path === '/settings/public' ? 200 : 404)))
    expect(result.answers.map((answer) => wrongWith(answer)).filter(Boolean)).toEqual([])
  })

  test('garbage after a request: its response arrives whole or not at all, never with that of the garbage in its place', async () => {
    for (const rubbish of [
      '\x00\x01\x02',
      'GET\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
      `X: ${'y'.repeat(20_000)}`,
    ]) {
      for (const path of ['/settings/public', '/feeds?per_page=100', '/nowhere']) {
        const result = await exchange(port, [get(path) + rubbish], { untilClosed: true })
        const expected = path === '/nowhere' ? 404 : 200
        expect(result.closed).toBe(true)
        expect([[], [expected], [expected, 400], [expected, 431], [expected, 408]]).toContainEqual(statuses(result))
      }
    }
  })

  test('after a response that came before the body: the body is not taken for a request', async () => {
    const hidden = get('/settings/public')
    const result = await exchange(
      port,
      [`POST ${root}/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n`, hidden, get('/nowhere')],
      { answers: 2 },
    )
    expect(statuses(result)).toEqual([401, 404])
  })
})
