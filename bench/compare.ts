import { constants, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../packages/server/test-support/services/postgres.ts'
import { arrange, fill, type People } from './data.ts'
import { type LoadResult, type Request, withAutocannon } from './load.ts'
import { warmUp } from './measure.ts'
import { type Mixed, runMixed } from './mixed.ts'
import { discardMails } from './people.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { atRest, type Lyceum, type Place, startLyceum } from './server.ts'
import { measureStart, START } from './start.ts'
import { median } from './statistics.ts'

/**
 * Compares this checkout with another one: both servers run at the same time on equal data, and each scenario is measured in alternating rounds.
 * Absolute figures depend on the machine; the ratios do not.
 */
const USAGE = `npm run bench:compare -- --base DIR [options]
  --base DIR                   a built checkout to compare with (npm ci && npm run build)
  --database sqlite|postgres   default: sqlite
  --posts N                    default: 10000
  --only NAMES                 scenarios, separated by commas, also mixed and start; default: feed-page,feed-page-each,comments,comment,react,sign-in
  --seconds N                  of each round, default: 4; of mixed load, ten times as long
  --rounds N                   of each server, default: 5
  --data DIR                   keep the filled data there (SQLite); every run works on a copy
`
const DEFAULT_SCENARIOS = 'feed-page,feed-page-each,comments,comment,react,sign-in'
const ACCOUNT_PASSWORD = 'a benchmark at noon'
const MIXED = 'mixed'
const MIXED_CONNECTIONS = 64
const SIDES = ['base', 'head'] as const
type Side = (typeof SIDES)[number]

const options = () => {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      database: { type: 'string', default: 'sqlite' },
      posts: { type: 'string', default: '10000' },
      only: { type: 'string', default: DEFAULT_SCENARIOS },
      seconds: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      data: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help || values.base === undefined) return null
  if (values.database !== 'sqlite' && values.database !== 'postgres') throw new Error('--database must be sqlite or postgres')
  const number = (name: 'posts' | 'seconds' | 'rounds') => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`)
    return value
  }
  const launcher = join(resolve(values.base), 'packages/server/bin/lyceum.mjs')
  if (!existsSync(launcher)) throw new Error(`${values.base} is not a checkout of Lyceum`)
  return {
    launcher,
    database: values.database,
    data: values.data,
    names: values.only.split(','),
    posts: number('posts'),
    seconds: number('seconds'),
    rounds: number('rounds'),
  }
}

type Options = NonNullable<ReturnType<typeof options>>

interface Contender {
  readonly place: Place
  readonly server: Lyceum
  readonly people: People
  readonly words: readonly string[]
  readonly list: readonly Scenario[]
}

const cleanups: (() => unknown)[] = []

const temporaryFolder = (name: string) => {
  const folder = mkdtempSync(join(tmpdir(), `lyceum-compare-${name}-`))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const signIn = (root: string, { members }: People): Scenario => ({
  name: 'sign-in',
  title: 'sign in with a password',
  connections: 4,
  requests: members.map(
    ({ username }): Request => ({
      method: 'POST',
      path: `${root}/auth/login`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: username, password: ACCOUNT_PASSWORD }),
    }),
  ),
})

const start = async (side: Side, { launcher, database, posts, data }: Options): Promise<Contender> => {
  const dataDir = temporaryFolder(side)
  const postgres = database === 'postgres' ? await startPostgres(temporaryFolder(`${side}-postgres`), { autovacuum: 'on' }) : undefined
  if (postgres) cleanups.unshift(() => postgres.stop())
  const place: Place = { dataDir, databaseUrl: postgres?.url ?? '', ...(side === 'base' && { launcher }) }
  process.stderr.write(`${side}: filling ${posts} posts …\n`)
  const kept = data && !postgres ? join(resolve(data), side) : undefined
  const people = await fill(kept ? { ...place, dataDir: kept } : place, posts)
  if (kept) await cp(kept, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE })
  const server = await startLyceum(place)
  cleanups.unshift(() => server.stop())
  const subjects = await arrange(server.base, people)
  await atRest(server)
  await discardMails(place)
  const root = new URL(server.base).pathname
  const words = subjects.words.map(({ word }) => word)
  return { place, server, people, words, list: [...scenarios(root, people, subjects, undefined), signIn(root, people)] }
}

interface Round extends LoadResult {
  readonly cpuMs: number
}

const round = async ({ server }: Contender, { requests, connections }: Scenario, seconds: number): Promise<Round> => {
  const before = server.cpuMs() ?? Number.NaN
  const figures = await withAutocannon({ origin: server.origin, requests, connections, seconds })
  await atRest(server)
  return { ...figures, cpuMs: ((server.cpuMs() ?? Number.NaN) - before) / figures.count }
}

type Contenders = Readonly<Record<Side, Contender>>

const compare = async (contenders: Contenders, name: string, { seconds, rounds }: Options) => {
  const scenarioOf = (side: Side) => {
    const found = contenders[side].list.find((scenario) => scenario.name === name)
    if (!found) throw new Error(`no scenario is called ${name}`)
    return found
  }
  for (const side of SIDES) {
    const { requests, connections } = scenarioOf(side)
    await warmUp(withAutocannon, { origin: contenders[side].server.origin, requests, connections })
    await atRest(contenders[side].server)
  }
  const results: Record<Side, Round[]> = { base: [], head: [] }
  for (let i = 0; i < rounds; i++)
    for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed())
      results[side].push(await round(contenders[side], scenarioOf(side), seconds))
  const figure = (side: Side, of: (round: Round) => number) => median(results[side].map(of))
  const ratio = (of: (round: Round) => number) => median(results.head.map((head, i) => of(head) / of(results.base[i] ?? head)))
  return {
    title: scenarioOf('head').title,
    perSecond: SIDES.map((side) => Math.round(figure(side, (one) => one.perSecond))),
    p99: SIDES.map((side) => figure(side, (one) => one.p99).toFixed(1)),
    cpuMs: SIDES.map((side) => figure(side, (one) => one.cpuMs).toFixed(3)),
    speed: ratio((one) => one.perSecond),
    cpu: ratio((one) => one.cpuMs),
  }
}

const line = (title: string, cells: readonly string[]) => process.stdout.write(`| ${[title, ...cells].join(' | ')} |\n`)
const pair = (values: readonly (number | string)[]) => values.join(' → ')
const times = (ratio: number) => `× ${ratio.toFixed(2)}`

/** Many kinds of requests at once, in alternating rounds. */
const compareMixed = async (contenders: Contenders, { seconds, rounds }: Options) => {
  const results: Record<Side, Mixed[]> = { base: [], head: [] }
  for (let i = 0; i < rounds; i++)
    for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const { place, server, people, words } = contenders[side]
      results[side].push(await runMixed(place, server, { ...people, words }, { connections: MIXED_CONNECTIONS, seconds: seconds * 10 }))
      await atRest(server)
    }
  const figure = (side: Side, of: (mixed: Mixed) => number) => median(results[side].map(of))
  const ratio = (of: (mixed: Mixed) => number) => median(results.head.map((head, i) => of(head) / of(results.base[i] ?? head)))
  const most = SIDES.map((side) => Math.round(Math.max(...results[side].map(({ rss }) => rss ?? 0))))
  line(`mixed load, ${MIXED_CONNECTIONS} connections`, [
    pair(SIDES.map((side) => Math.round(figure(side, ({ perSecond }) => perSecond)))),
    `${pair(SIDES.map((side) => figure(side, ({ all }) => all.p99).toFixed(1)))} (${times(ratio(({ all }) => all.p99))})`,
    `memory ${pair(most)} MiB`,
    times(ratio(({ perSecond }) => perSecond)),
    '',
  ])
}

/** The time until the first response, in alternating rounds. The servers do not run afterwards. */
const compareStarts = async (contenders: Contenders, { rounds }: Options) => {
  type Start = Awaited<ReturnType<typeof measureStart>>
  const results: Record<Side, Start[]> = { base: [], head: [] }
  for (const side of SIDES) await contenders[side].server.stop()
  for (let i = 0; i < rounds; i++)
    for (const side of i % 2 === 0 ? SIDES : SIDES.toReversed()) {
      const { place, list } = contenders[side]
      const first = list[0]?.requests[0]
      if (first) results[side].push(await measureStart(place, first))
    }
  const figures = (of: (start: Start) => number) => pair(SIDES.map((side) => median(results[side].map(of)).toFixed(0)))
  const ratio = (of: (start: Start) => number) => times(median(results.head.map((head, i) => of(head) / of(results.base[i] ?? head))))
  const [ms, cpuMs] = [(start: Start) => start.ms, (start: Start) => start.cpuMs]
  line('start to first response', ['', `${figures(ms)} (${ratio(ms)})`, figures(cpuMs), '', ratio(cpuMs)])
}

const run = async (given: Options) => {
  const contenders = { base: await start('base', given), head: await start('head', given) }
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`
  process.stdout.write(
    `${given.database}, ${given.posts} posts, ${machine}; base → head, medians of ${given.rounds} alternating rounds\n\n`,
  )
  process.stdout.write('| scenario | requests/s | p99 ms | CPU ms a request | speed | CPU |\n|---|---|---|---|---|---|\n')
  for (const name of given.names.filter((name) => name !== START)) {
    if (name === MIXED) await compareMixed(contenders, given)
    else {
      const { title, perSecond, p99, cpuMs, speed, cpu } = await compare(contenders, name, given)
      line(title, [pair(perSecond), pair(p99), pair(cpuMs), times(speed), times(cpu)])
    }
  }
  if (given.names.includes(START)) await compareStarts(contenders, given)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const given = options()
if (given) {
  try {
    await run(given)
  } finally {
    for (const clean of cleanups) await clean()
  }
} else process.stdout.write(USAGE)
