import { expect, onTestFinished, test, vi } from 'vitest'
import { type Env, type Running, readyEnv, startServer } from '#test/command.ts'
import { SOAK } from '#test/scale.ts'
import { type Core, createApp, createCore } from '../../../app.ts'
import { readConfig } from '../../../config.ts'
import { type Clock, nowOf, shift, systemClock } from '../../../core/clock.ts'
import { migrate, runText } from '../../../db/index.ts'
import { createAccount, createApplicationPassword } from '../../accounts/index.ts'

/** Number of feeds due at the same time; five thousand take about a minute. */
const POSTS = Number(process.env['LYCEUM_TEST_SCHEDULED'] ?? 80 * Math.min(SOAK, 2))
const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'
/** Several servers can share a PostgreSQL database; a data directory has one server. */
const SERVERS = onPostgres ? (SOAK > 1 ? 4 : 2) : 1
const TIMEOUT_MS = 60_000 + POSTS * 40
const HOUR_MS = 3_600_000
const AT_ONCE = 50

const ahead = (ms: number): Clock => ({ now: () => new Date(Date.now() + ms) })

/** Schedules feeds by request, an hour ago, for a time now past. Returns the author's credentials. */
const planAll = async (env: Env): Promise<string> => {
  const app = await createApp({ config: readConfig(env), clock: ahead(-HOUR_MS), passwordCost: 4 })
  const { services, http, write } = app
  await migrate(services.database, nowOf(services.clock))
  const { password } = await write(null, async (ctx) => {
    const userId = await createAccount(ctx, { username: 'author', email: 'author@example.org', passwordHash: null, displayName: 'Author' })
    return createApplicationPassword(ctx, userId, 'tests')
  })
  const authorization = `Basic ${Buffer.from(`author:${password}`).toString('base64')}`
  const scheduled_at = shift(nowOf(services.clock), HOUR_MS / 2000)
  const one = async (n: number) => {
    const payload = { message: `Post ${n}`, status: 'scheduled', scheduled_at }
    const answer = await http.inject({ method: 'POST', url: `${services.config.apiRoot}/feeds`, headers: { authorization }, payload })
    expect(answer.statusCode, answer.body).toBe(201)
  }
  for (let n = 0; n < POSTS; n += AT_ONCE) await Promise.all(Array.from({ length: Math.min(AT_ONCE, POSTS - n) }, (_, i) => one(n + i)))
  await app.close()
  return authorization
}

const count = async (core: Core, what: string): Promise<number> => {
  const [row] = await runText<{ n: number }>(core.services.database.read, `select count(*) as n from ${what}`, [])
  return row?.n ?? 0
}

/** Reads a list repeatedly until stopped; returns response times in milliseconds, fastest first. */
const measure = (base: () => string, authorization: string) => {
  let going = true
  const times: number[] = []
  const run = async () => {
    while (going) {
      const started = performance.now()
      const answer = await fetch(`${base()}/feeds?per_page=10`, { headers: { authorization } }).catch(() => null)
      await answer?.text()
      if (answer) times.push(performance.now() - started)
    }
  }
  const done = run()
  return async () => {
    going = false
    await done
    return times.sort((a, b) => a - b)
  }
}

test(
  `${POSTS} posts that are due together are published once each by ${SERVERS} server(s), some of which are killed meanwhile`,
  async () => {
    const env = { ...(await readyEnv()), LYCEUM_RATE_LIMIT: 'off' }
    const authorization = await planAll(env)
    const core = createCore({ config: readConfig(env), passwordCost: 4 })
    const published = () => count(core, `feeds where status = 'published'`)
    const until = (holds: () => Promise<boolean>) => vi.waitUntil(holds, { interval: 10, timeout: TIMEOUT_MS })

    const started = performance.now()
    const servers: Running[] = await Promise.all(Array.from({ length: SERVERS }, () => startServer(env)))
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.end('SIGKILL')))))
    const stopMeasuring = measure(() => servers[0]?.base ?? '', authorization)
    await until(async () => (await published()) >= 1)
    const atKill = await published()
    // Servers are killed and replaced one after the other; with several servers, the measured one survives.
    for (let i = SERVERS - 1; i >= Math.floor(SERVERS / 2); i--) {
      await servers[i]?.end('SIGKILL')
      servers[i] = await startServer(env)
    }
    // Jobs planned for later, such as digests, may stay.
    await until(async () => (await count(core, `jobs where run_at <= '${nowOf(systemClock)}'`)) === 0)
    const seconds = (performance.now() - started) / 1000
    const times = await stopMeasuring()
    const of = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
    console.log(
      `scheduled ${core.services.database.dialect}: posts=${POSTS} servers=${SERVERS} killed at ${atKill}, all jobs done in ${seconds.toFixed(1)} s; ` +
        `${times.length} reads meanwhile, ms: median=${of(0.5)} p99=${of(0.99)} longest=${Math.round(times.at(-1) ?? 0)}`,
    )
    await Promise.all(servers.map((server) => server.end('SIGTERM')))

    expect(await published()).toBe(POSTS)
    const once = `(select payload from events where name = 'feed.published' group by payload having count(*) = 1) as p1`
    expect([await count(core, once), await count(core, `events where name = 'feed.published'`)]).toEqual([POSTS, POSTS])
    const told = `(select feed_id from activities where action_type = 'post_created' group by feed_id having count(*) = 1) as p1`
    expect([await count(core, told), await count(core, 'activities')]).toEqual([POSTS, POSTS])
    expect(await count(core, `listed_feed_counts where space_id = 0 and privacy = 'public' and feeds_count = ${POSTS}`)).toBe(1)
    expect(await count(core, 'scheduled_posts')).toBe(0)
    await core.close()
  },
  TIMEOUT_MS,
)
