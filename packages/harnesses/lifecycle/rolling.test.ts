import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Env, lyceumJson, readyEnv } from '#test/command.ts'
import { report, SOAK } from '#test/scale.ts'
import { timestamp } from '../../server/src/core/clock.ts'
import { createSeen } from '../io-faults/clients.ts'
import { SOUND, storedTexts, verdictOn } from '../io-faults/verdict.ts'
import { makePeople, type Person } from '../kit/people.ts'
import { miscounted, withCommunity } from './community.ts'
import { openLine } from './line.ts'
import { missedBy, openStreamClient } from './listeners.ts'
import { createTotals, requestUntilStopped } from './load.ts'
import { endAll, type Serving, startServing } from './process.ts'
import { startProxy } from './proxy.ts'

const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
const ROUNDS = SOAK
const CLIENTS = SOAK === 1 ? 4 : 16
const EARS = SOAK === 1 ? 2 : 3
const PLANNED = SOAK === 1 ? 3 : 6
/** Responses between two restarts. */
const REQUESTS = SOAK === 1 ? 50 : 100
const DRAIN_S = 1
/** Between two requests of a client. */
const PAUSE_MS = SOAK === 1 ? 20 : 0
const TIMEOUT_MS = 120_000 + ROUNDS * 30_000
const API = '/api/v2'
const ACCOUNT = { username: 'carla', email: 'carla@example.org', password: 'Quiet-river-7431' }

let env: Env
let people: Person[]
beforeAll(async () => {
  const redis = inject('redisUrl')
  env = {
    ...(await readyEnv()),
    LYCEUM_RATE_LIMIT: 'off',
    LYCEUM_DRAIN_SECONDS: String(DRAIN_S),
    ...(redis && { LYCEUM_REDIS_URL: redis }),
  }
  people = await makePeople(env, CLIENTS + EARS)
  // Nobody can register before.
  await lyceumJson(
    env,
    'user',
    'create',
    '--username',
    'boss',
    '--email',
    'boss@example.org',
    '--password',
    ACCOUNT.password,
    '--role',
    'admin',
  )
}, TIMEOUT_MS)

afterAll(endAll)

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

if (!onPostgres) {
  test(
    'a stopping server reports that it is not ready, and keeps responding until load balancers have noticed',
    async () => {
      const server = await startServing(env)
      const line = openLine(server.base, (people[0] as Person).authorization)
      const ready = () => fetch(new URL('/health/ready', server.base), { headers: { connection: 'close' } }).then(({ status }) => status)
      expect(await ready()).toBe(200)
      expect(await line.send('GET', '/feeds')).toMatchObject({ status: 200, last: false })
      const begun = performance.now()
      server.signal('SIGTERM')
      await vi.waitUntil(async () => (await ready()) === 503, { interval: 5 })
      expect(await line.send('GET', '/feeds')).toMatchObject({ outcome: 'answered', status: 200, last: true })
      // Including a new client.
      expect(await line.send('POST', '/feeds', { body: '{"message":"At the very last"}' })).toMatchObject({ status: 201, last: true })
      expect(await server.ended).toBe(0)
      expect(performance.now() - begun).toBeGreaterThan(DRAIN_S * 1000)
      expect(await line.send('GET', '/feeds')).toMatchObject({ outcome: 'refused' })
    },
    TIMEOUT_MS,
  )
}

if (onPostgres) {
  /** Signs in with a password and requests the own account until the end; returns the unauthenticated responses. */
  const staySignedIn = async (base: string, until: () => boolean) => {
    const post = (path: string, body: object) =>
      fetch(base + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    await post('/auth/register', ACCOUNT)
    const signedIn = await post('/auth/login', { login: ACCOUNT.username, password: ACCOUNT.password })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    let [asked, strange] = [0, 0]
    const asking = (async () => {
      while (!until()) {
        const answer = await fetch(`${base}/auth/session`, { headers: { cookie } })
        const { user } = (await answer.json()) as { user: { username?: string } | null }
        asked += 1
        if (answer.status !== 200 || user === null) strange += 1
        await pause(PAUSE_MS)
      }
    })()
    return async () => {
      await asking
      return { asked, strange }
    }
  }

  const plan = async (base: string, { authorization }: Person): Promise<void> => {
    const line = openLine(base, authorization)
    for (let i = 0; i < PLANNED; i++) {
      const scheduled_at = timestamp(new Date(Date.now() + (2 + i) * 1000))
      const body = JSON.stringify({ message: `Planned ${i}`, status: 'scheduled', scheduled_at })
      expect(await line.send('POST', '/feeds', { body })).toMatchObject({ status: 201 })
    }
    line.close()
  }

  const feedsThatAre = (status: 'published' | 'scheduled') =>
    withCommunity(env, async ({ services }) => {
      const rows = await services.database.read.selectFrom('feeds').select('id').where('status', '=', status).execute()
      return rows.map(({ id }) => id)
    })

  test(
    `two servers behind a proxy are restarted in turn, ${2 * ROUNDS} times in all, without a failed request`,
    async () => {
      const known = new Set(await feedsThatAre('published'))
      const ports = [await freePort(), await freePort()]
      const start = (port: number) => startServing({ ...env, LYCEUM_PORT: String(port) })
      const servers: Serving[] = await Promise.all(ports.map(start))
      const proxy = await startProxy(ports)
      const base = proxy.url + API
      const writers = people.slice(0, CLIENTS)
      const ears = people.slice(CLIENTS).map((person) => openStreamClient(base, person))
      await Promise.all(ears.map(({ ready }) => ready))
      const [met, seen] = [createTotals(), createSeen()]
      let over = false
      const until = () => over
      const session = await staySignedIn(base, until)
      await plan(base, writers[0] as Person)
      const using = requestUntilStopped(base, writers, met, seen, () => {}, until, PAUSE_MS)

      let slowest = 0
      for (let i = 0; i < 2 * ROUNDS; i++) {
        const turn = i % 2
        const before = met.outcomes.answered
        const begun = performance.now()
        servers[turn]?.signal('SIGTERM')
        expect(await servers[turn]?.ended).toBe(0)
        slowest = Math.max(slowest, performance.now() - begun)
        servers[turn] = await start(ports[turn] as number)
        await proxy.back(ports[turn] as number)
        await vi.waitUntil(() => met.outcomes.answered > before + REQUESTS, { timeout: 10_000 })
      }
      over = true
      await using
      const { asked, strange } = await session()
      await vi.waitUntil(async () => (await feedsThatAre('scheduled')).length === 0, { timeout: 20_000, interval: 200 })
      const ids = (await feedsThatAre('published')).filter((id) => !known.has(id))
      await vi.waitFor(() => expect(ears.map((ear) => missedBy(ear, ids).missed)).toEqual(ears.map(() => [])), {
        timeout: 20_000,
        interval: 100,
      })
      const twice = ears.reduce((sum, ear) => sum + missedBy(ear, ids).twice, 0)
      const { sent, again } = proxy
      report({
        restarts: 2 * ROUNDS,
        requests: met.outcomes.answered,
        failed: met.odd.length + met.outcomes.cut + met.outcomes.dropped + met.outcomes.unaccepted + met.outcomes.refused,
        'retried on the other server': again,
        'session asked for': asked,
        'session lost': strange,
        'streams begun': ears.reduce((sum, { begun }) => sum + begun, 0),
        'missed events': 0,
        'duplicate events': twice,
        'longest stop ms': Math.round(slowest),
      })
      await Promise.all(ears.map((ear) => ear.stop()))
      await proxy.stop()
      for (const server of servers) server.signal('SIGTERM')
      for (const server of servers) expect(await server.ended).toBe(0)

      expect({ ...met.outcomes, answered: 0 }).toEqual({ answered: 0, refused: 0, unaccepted: 0, dropped: 0, cut: 0 })
      expect(met.odd).toEqual([])
      expect(strange).toBe(0)
      expect(ears.map(({ resets }) => resets)).toEqual(ears.map(() => 0))
      expect(Math.min(...sent)).toBeGreaterThan(0)
      expect(verdictOn(seen, await storedTexts(env), [])).toEqual(SOUND)
      expect(await withCommunity(env, miscounted)).toBe(0)
      expect(await lyceumJson(env, 'doctor')).toMatchObject({ ok: true, violations: [] })
    },
    TIMEOUT_MS,
  )
}

describe('controls: the checks detect', () => {
  // The proxy does not know the database.
  test.skipIf(onPostgres && SOAK === 1)(
    'a proxy that truncates responses',
    async () => {
      const port = await freePort()
      const server = await startServing({ ...env, LYCEUM_PORT: String(port), LYCEUM_DRAIN_SECONDS: '0' })
      const proxy = await startProxy([port], { cuts: 40 })
      const [met, seen] = [createTotals(), createSeen()]
      await requestUntilStopped(
        proxy.url + API,
        people.slice(0, 4),
        met,
        seen,
        () => {},
        () => met.outcomes.cut + met.outcomes.unaccepted + met.outcomes.dropped > 0,
      )
      await proxy.stop()
      server.signal('SIGTERM')
      expect(await server.ended).toBe(0)
      expect(met.outcomes.cut + met.outcomes.unaccepted + met.outcomes.dropped).toBeGreaterThan(0)
    },
    TIMEOUT_MS,
  )

  test('an event that is missing or duplicated in a stream', () => {
    expect(missedBy({ feeds: [1, 2, 2, 4] }, [1, 2, 3, 4])).toEqual({ missed: [3], twice: 1 })
  })
})
