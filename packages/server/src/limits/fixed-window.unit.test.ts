import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findRedis } from '#test/services/programs.ts'
import { createBudgets, type Limits } from './budgets.ts'
import { createLimiter } from './fixed-window.ts'

// The end of the run says so when Redis is missing, and with CI set the run does not start without it.
const program = findRedis()

const clock = { now: () => new Date() }

// `once` of node:events would reject with the errors that a client without its server emits.
const isReady = (redis: Redis) => new Promise((resolve) => redis.once('ready', resolve))

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf(!program)('with Redis', () => {
  let dir: string
  let port: number
  let server: ChildProcess
  let clients: Redis[] = []

  const startServer = async () => {
    server = spawn(program!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    for await (const chunk of server.stdout!.iterator({ destroyOnReturn: false })) {
      output += chunk
      if (output.includes('Ready to accept connections')) break
    }
    server.stdout!.resume()
  }
  const stopServer = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  const connect = async () => {
    const redis = new Redis({ port, host: '127.0.0.1', retryStrategy: () => 20 })
    redis.on('error', () => {})
    clients.push(redis)
    await isReady(redis)
    return redis
  }
  const limiter = async () => createLimiter({ redis: await connect(), clock })

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lyceum-redis-'))
    port = await freePort()
    await startServer()
  })
  beforeEach(async () => {
    if (server.signalCode !== null) await startServer()
    await (await connect()).flushall()
  })
  afterEach(() => {
    server.kill('SIGCONT')
    for (const client of clients) client.disconnect()
    clients = []
  })
  afterAll(async () => {
    await stopServer()
    rmSync(dir, { recursive: true, force: true })
  })

  test('four instances admit exactly the limit together', async () => {
    const instances = await Promise.all([limiter(), limiter(), limiter(), limiter()])
    const results = await Promise.all(Array.from({ length: 400 }, (_, i) => instances[i % 4]!.hit('api:1', 100, 60)))
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(100)
    expect(new Set(results.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).size).toBe(100)
    const now = Date.now() / 1000
    for (const { resetAt, retryAfter, allowed, limit } of results) {
      expect(resetAt - now).toBeGreaterThan(55)
      expect(resetAt - now).toBeLessThan(62)
      expect(allowed ? retryAfter === 0 : retryAfter > 55 && retryAfter <= 60).toBe(true)
      expect(limit).toBe(100)
    }
    expect((await instances[0]!.hit('api:2', 100, 60)).remaining).toBe(99)
  })

  test('the window ends by itself, and a counter that lost its end gets a new one', async () => {
    const redis = await connect()
    const shared = createLimiter({ redis, clock })
    expect((await shared.hit('a', 1, 60)).allowed).toBe(true)
    expect((await shared.hit('a', 1, 60)).allowed).toBe(false)
    const key = (await redis.keys('*'))[0]!
    const left = await redis.pttl(key)
    expect(left).toBeGreaterThan(55_000)
    expect(left).toBeLessThanOrEqual(60_000)
    await redis.persist(key)
    await shared.hit('a', 1, 60)
    expect(await redis.pttl(key)).toBeGreaterThan(55_000)
    await redis.del(key)
    expect((await (await limiter()).hit('a', 1, 60)).allowed).toBe(true)
  })

  test('budgets of several instances are spent together, several at once', async () => {
    const budgetsOf = async () =>
      createBudgets({ limiter: await limiter(), clock, on: true, read: () => ({}) as Limits, isTrusted: async () => false })
    const [one, two] = [await budgetsOf(), await budgetsOf()]
    const links = (by: number) => [{ kind: 'links', key: 7, limit: 10, windowS: 60, by }]
    await one.spend(links(6))
    await expect(two.spend(links(5))).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    // A refusal gives back what it would have spent.
    await two.spend(links(4))
    await expect(one.spend(links(1))).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    expect([one.refusals().get('links'), two.refusals().get('links')]).toEqual([1, 1])
  })

  test('a refund counts for all instances and never goes below nothing', async () => {
    const redis = await connect()
    const [one, two] = [createLimiter({ redis, clock }), await limiter()]
    await one.hit('login:ada', 2, 60)
    await one.hit('login:ada', 2, 60)
    for (let i = 0; i < 3; i += 1) one.refund('login:ada', 60)
    one.refund('login:nobody', 60)
    await redis.ping()
    expect((await two.hit('login:ada', 2, 60)).remaining).toBe(1)
    expect(await redis.keys('*nobody*')).toEqual([])
  })

  test('Redis killed during use: no error, no waiting, the limit holds, and it is used again when it is back', async () => {
    const redis = await connect()
    const shared = createLimiter({ redis, clock })
    const hits = 600
    let allowed = 0
    let slowest = 0
    for (let i = 0; i < hits; i += 1) {
      if (i === 200) server.kill('SIGKILL')
      const start = performance.now()
      if ((await shared.hit('api:1', 500, 60)).allowed) allowed += 1
      slowest = Math.max(slowest, performance.now() - start)
    }
    await stopServer()
    expect(allowed).toBe(500)
    expect(slowest).toBeLessThan(500)
    expect((await shared.hit('api:1', 500, 60)).allowed).toBe(false)
    shared.refund('api:1', 60)

    const ready = isReady(redis)
    await startServer()
    await ready
    await expect
      .poll(async () => (await shared.hit('again', 1_000_000, 60)) && redis.exists('lyceum:limit:60:again'), { timeout: 3000 })
      .toBe(1)
  })

  test('Redis stopped: the first hits wait 50 ms, the others not at all', async () => {
    const shared = await limiter()
    await shared.hit('api:1', 1000, 60)
    server.kill('SIGSTOP')
    const first = performance.now()
    const results = await Promise.all(Array.from({ length: 50 }, () => shared.hit('api:1', 1000, 60)))
    expect(performance.now() - first).toBeGreaterThan(45)
    expect(performance.now() - first).toBeLessThan(1000)
    expect(results.every(({ allowed }) => allowed)).toBe(true)
    expect(Math.min(...results.map(({ remaining }) => remaining))).toBe(949)
    const then = performance.now()
    for (let i = 0; i < 100; i += 1) await shared.hit('api:1', 1000, 60)
    expect(performance.now() - then).toBeLessThan(45)
  })

  test('a Redis that rejects writes, or has another type under the key, is bypassed', async () => {
    const redis = await connect()
    const shared = createLimiter({ redis, clock })
    await redis.lpush('lyceum:limit:60:a', 'x')
    const results = [await shared.hit('a', 1, 60), await shared.hit('a', 1, 60)]
    expect(results.map(({ allowed }) => allowed)).toEqual([true, false])
    const other = createLimiter({ redis, clock })
    await redis.replicaof('127.0.0.1', String(port === 1 ? 2 : 1))
    const readOnly = [await other.hit('b', 1, 60), await other.hit('b', 1, 60)]
    await redis.replicaof('NO', 'ONE')
    expect(await redis.keys('*:b')).toEqual([])
    expect(readOnly.map(({ allowed }) => allowed)).toEqual([true, false])
  })

  test('Redis lost its counters: the limit applies to the hits of this process', async () => {
    const redis = await connect()
    const [shared, other] = [createLimiter({ redis, clock }), await limiter()]
    for (let i = 0; i < 10; i += 1) expect((await shared.hit('login:ada', 10, 60)).allowed).toBe(true)
    await redis.flushall()
    expect((await shared.hit('login:ada', 10, 60)).allowed).toBe(false)
    expect((await other.hit('login:ada', 10, 60)).remaining).toBe(8)
    shared.refund('login:ada', 60)
    shared.refund('login:ada', 60)
    expect((await shared.hit('login:ada', 10, 60)).allowed).toBe(true)
  })

  test('an unreachable Redis delays nothing', async () => {
    const redis = new Redis({ port: await freePort(), host: '127.0.0.1', retryStrategy: () => 1000 })
    redis.on('error', () => {})
    clients.push(redis)
    const shared = createLimiter({ redis, clock })
    const start = performance.now()
    const results = await Promise.all(Array.from({ length: 200 }, () => shared.hit('a', 100, 60)))
    expect(performance.now() - start).toBeLessThan(45)
    expect(results.filter(({ allowed }) => allowed)).toHaveLength(100)
  })
})
