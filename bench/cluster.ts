import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { startPgbouncer } from '../packages/server/test-support/services/pgbouncer.ts'
import { PRIMARY_SETTINGS, startPostgres, startReplica } from '../packages/server/test-support/services/postgres.ts'
import { findPostgres } from '../packages/server/test-support/services/programs.ts'
import { startRedis } from '../packages/server/test-support/services/redis.ts'
import { clientOf, type People, type Subjects } from './data.ts'
import { withAutocannon } from './load.ts'
import { openLoop } from './open-loop.ts'
import { discardMails, invite } from './people.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { atRest, type Lyceum, lyceum, type Place, startLyceum } from './server.ts'

const USAGE = `node bench/cluster.ts [options]: several instances on one PostgreSQL and one Redis, on this machine
  --instances N,N,…  default: 1,2,4
  --posts N          default: 10000
  --members N        default: 1000
  --only NAMES       scenarios of the benchmark; default: feed-page,comments,comment
  --seconds N        of each round, default: 4
  --rounds N         default: 2
  --rate N           ask each instance so many times a second, by as many connections as one alone, in place of as often as all can answer
  --pool N           connections of each instance; default: 10
  --pooler           through PgBouncer, in transaction mode
  --replica          reads may go to a replica
`
const MS_PER_TICK = 10
const say = (text: string) => process.stderr.write(`${text}\n`)
const temporaryFolder = (name: string) => mkdtempSync(join(tmpdir(), `lyceum-cluster-${name}-`))

/** Parent and CPU time of a process, including finished child processes, in ms. */
const statOf = (pid: string) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0)
    return { parent: fields[1], ms: ticks * MS_PER_TICK }
  } catch {
    return undefined
  }
}

/** CPU time of a server with several processes. */
const cpuOfTree = (root: number): number => {
  let sum = statOf(String(root))?.ms ?? 0
  for (const pid of readdirSync('/proc')) {
    const stat = /^\d+$/.test(pid) ? statOf(pid) : undefined
    if (stat?.parent === String(root)) sum += stat.ms
  }
  return sum
}

const postmasterOf = (url: string) => {
  const folder = new URL(url).searchParams.get('host') ?? ''
  return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0])
}

const redisPid = async (url: string): Promise<number> => {
  const redis = new Redis(url)
  const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
  redis.disconnect()
  return pid
}

const SPACES = 60

/** All members are in all spaces. Searches and deep pages are omitted; they behave the same on one instance. */
const arrange = async (base: string, { admin, members, crowd }: People): Promise<Subjects> => {
  const [first] = members
  if (!first) throw new Error('no members found')
  // Few enough that the jobs that follow finish soon.
  const writers = crowd.slice(0, 16)
  const { spaces } = await clientOf(base, admin).spaces.list({ per_page: SPACES })
  const user_ids = [...members, ...writers].map(({ id }) => id)
  for (const { slug } of spaces) await clientOf(base, admin).spaceMembers.bulkAdd({ space_slug: slug, user_ids })
  const { feeds } = await clientOf(base, first).feeds.list({ per_page: 100 })
  const newest = feeds.data.filter((feed) => feed.space_id !== null)
  const most = newest.toSorted((a, b) => b.comments_count - a.comments_count)[0]
  if (!most) throw new Error('no feeds found')
  return {
    total: feeds.total,
    feed: newest[0]?.id ?? most.id,
    commented: most.id,
    feeds: newest.map(({ id }) => id),
    spaces: [...new Set(newest.map((feed) => feed.space_id ?? 0))],
    words: [],
    deepCursor: undefined,
    writers,
  }
}

type Clocks = Readonly<Record<string, () => number>>
const readClocks = (clocks: Clocks) => Object.fromEntries(Object.entries(clocks).map(([name, read]) => [name, read()]))

const origins = (servers: readonly Lyceum[]) => servers.map(({ origin }) => origin)

/** Like a load balancer: distributes connections round-robin. */
const loadAll = async (servers: readonly Lyceum[], { requests, connections }: Scenario, seconds: number, rate?: number) => {
  const each = rate ? connections : Math.max(1, Math.round(connections / servers.length))
  const ask = rate ? openLoop(rate) : withAutocannon
  const figures = await Promise.all(
    origins(servers).map((origin, i) => {
      const first = Math.floor((i * requests.length) / servers.length)
      return ask({ origin, requests: [...requests.slice(first), ...requests.slice(0, first)], connections: each, seconds })
    }),
  )
  return {
    count: figures.reduce((sum, { count }) => sum + count, 0),
    perSecond: figures.reduce((sum, { perSecond }) => sum + perSecond, 0),
    p99: Math.max(...figures.map(({ p99 }) => p99)),
  }
}

/** Reads by database server, from the metrics of the instances. */
const readings = async (servers: readonly Lyceum[]) => {
  const sums: Record<string, number> = {}
  for (const { origin } of servers) {
    const text = await (await fetch(`${origin}/metrics`)).text()
    for (const [, server = '', n] of text.matchAll(/^lyceum_database_reads_total\{server="(\w+)"\} (\d+)/gm))
      sums[server] = (sums[server] ?? 0) + Number(n)
  }
  return sums
}

const { values } = parseArgs({
  options: {
    instances: { type: 'string', default: '1,2,4' },
    posts: { type: 'string', default: '10000' },
    members: { type: 'string', default: '1000' },
    only: { type: 'string', default: 'feed-page,comments,comment' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '2' },
    rate: { type: 'string' },
    pool: { type: 'string', default: '10' },
    pooler: { type: 'boolean', default: false },
    replica: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})

const rate = values.rate ? Number(values.rate) : undefined

const run = async () => {
  const postgres = await startPostgres(temporaryFolder('postgres'), { autovacuum: 'on', ...PRIMARY_SETTINGS })
  const redis = await startRedis()
  const dataDir = temporaryFolder('data')
  const stops = [redis.stop, postgres.stop]
  try {
    const direct: Place = { dataDir, databaseUrl: postgres.url }
    say('filling …')
    const posts = Number(values.posts)
    const sizes = { members: values.members, spaces: 60, posts, comments: posts * 3, reactions: posts * 5, seed: 1 }
    await lyceum(direct, 'demo', ...Object.entries(sizes).flatMap(([name, value]) => [`--${name}`, String(value)]))
    const people = await invite(direct)
    const programs = findPostgres()
    if (programs) execFileSync(join(programs, 'vacuumdb'), ['--analyze', '--quiet', postgres.url])
    const pooler = values.pooler ? await startPgbouncer(postgres.url) : undefined
    const replica = values.replica ? await startReplica(postgres.url) : undefined
    for (const service of [replica, pooler]) if (service) stops.unshift(service.stop)
    const place: Place = {
      dataDir,
      databaseUrl: pooler?.url ?? postgres.url,
      settings: {
        LYCEUM_REDIS_URL: redis.url,
        LYCEUM_DATABASE_POOL: values.pool,
        ...(pooler && { LYCEUM_DATABASE_POOLER: 'transaction', LYCEUM_DATABASE_DIRECT_URL: postgres.url }),
        ...(replica && { LYCEUM_DATABASE_REPLICA_URLS: replica.url }),
      },
    }
    const primaryPid = postmasterOf(postgres.url)
    const replicaPid = replica && postmasterOf(replica.url)
    const cachePid = await redisPid(redis.url)
    let subjects: Subjects | undefined
    for (const count of values.instances.split(',').map(Number)) {
      const servers: Lyceum[] = []
      for (let i = 0; i < count; i++) servers.push(await startLyceum(place))
      const [first] = servers
      if (!first) throw new Error('no instances found')
      try {
        subjects ??= await arrange(first.base, people)
        for (const server of servers) await atRest(server)
        await discardMails(place)
        const clocks: Clocks = {
          node: () => servers.reduce((sum, server) => sum + (server.cpuMs() ?? 0), 0),
          postgres: () => cpuOfTree(primaryPid),
          ...(replicaPid && { replica: () => cpuOfTree(replicaPid) }),
          redis: () => cpuOfTree(cachePid),
        }
        const names = values.only.split(',')
        for (const scenario of scenarios(new URL(first.base).pathname, people, subjects, undefined).filter(({ name }) =>
          names.includes(name),
        )) {
          await loadAll(servers, scenario, 2, rate)
          const before = { clocks: readClocks(clocks), readings: await readings(servers) }
          let requests = 0
          const rates: number[] = []
          const slowest: number[] = []
          for (let round = 0; round < Number(values.rounds); round++) {
            const figures = await loadAll(servers, scenario, Number(values.seconds), rate)
            requests += figures.count
            rates.push(figures.perSecond)
            slowest.push(figures.p99)
          }
          for (const server of servers) await atRest(server)
          const after = readClocks(clocks)
          const reads = await readings(servers)
          const each = Object.keys(clocks).map(
            (name) => `${name} ${(((after[name] ?? 0) - (before.clocks[name] ?? 0)) / requests).toFixed(2)}`,
          )
          const spread = Object.keys(reads).map((name) => `${name} ${(reads[name] ?? 0) - (before.readings[name] ?? 0)}`)
          const average = rates.reduce((sum, one) => sum + one, 0) / rates.length
          console.log(
            `${count} instance${count > 1 ? 's' : ''}, ${scenario.title}: ${Math.round(average)}/s, p99 ${Math.max(...slowest).toFixed(0)} ms; CPU-ms a request: ${each.join(', ')}${values.replica ? `; reads: ${spread.join(', ')}` : ''}`,
          )
        }
      } finally {
        for (const server of servers) await server.stop()
      }
    }
  } finally {
    for (const stop of stops) await stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (values.help) process.stdout.write(USAGE)
else await run()
