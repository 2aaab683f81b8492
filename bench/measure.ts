import type { Load, LoadResult, Request, Tool } from './load.ts'
import type { Answer, Answers } from './plain-server.ts'
import type { Bar, Scenario } from './scenario.ts'
import { atRest, type Lyceum, startPlain } from './server.ts'
import { median } from './statistics.ts'

const WARM_UP_SECONDS = 2
const MOST_WARM_UPS = 10
/** Node adds these headers, also to the responses of the plain server. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive'])

export interface Measured {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Average size of a response body in bytes. */
  readonly bytes: number
  /** Requests per second, median of the rounds. */
  readonly plain: number
  readonly lyceum: number
  /** Median of the ratios of the rounds. */
  readonly ratio: number
  readonly ratios: readonly number[]
  /** Requests per second for the large object divided by those for the small one, median of the rounds; undefined without a small one. */
  readonly toSmall: number | undefined
  /** The p99 of the large object divided by that of the small one, median of the rounds. */
  readonly p99ToSmall: number | undefined
  /** Of Lyceum, in ms. */
  readonly p50: number
  readonly p99: number
  /** CPU time of Lyceum per request in ms, including the jobs that it caused. */
  readonly cpuMs: number | undefined
  /** CPU time per request of the plain server divided by that of Lyceum: the ratio without other load on the machine. */
  readonly byCpu: number | undefined
  /** Resident memory of Lyceum in MiB. */
  readonly rss: number | undefined
  readonly bar: Bar | undefined
  readonly met: boolean | undefined
}

const once = async (origin: string, { method, path, headers, body }: Request): Promise<Answer> => {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, 'accept-encoding': 'identity' },
    ...(body !== undefined && { body: body.replace('{n}', '000000000') }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return { status: response.status, headers: Object.fromEntries([...response.headers].filter(([name]) => !BY_NODE.has(name))), body: text }
}

/** Fetches the real response for each URL. */
const realAnswers = async (origin: string, requests: readonly Request[]): Promise<Answers> => {
  const answers: Record<string, Answer> = {}
  for (const request of requests) answers[`${request.method} ${request.path}`] ??= await once(origin, request)
  return answers
}

/** Shorter rounds for scenarios that are measured twice. */
const MOST_SECONDS_BESIDE_SMALL = 2

const reached = (
  bar: Bar | undefined,
  { ratio, lyceum, p99, p99ToSmall }: Pick<Measured, 'ratio' | 'lyceum' | 'p99' | 'p99ToSmall'>,
): boolean | undefined => {
  if (!bar || Object.keys(bar).length === 0) return undefined
  if (bar.p99ToSmall !== undefined && p99ToSmall === undefined) return undefined
  return (
    ratio >= (bar.ratio ?? 0) &&
    lyceum >= (bar.perSecond ?? 0) &&
    p99 <= (bar.p99 ?? Number.POSITIVE_INFINITY) &&
    (p99ToSmall ?? 0) <= (bar.p99ToSmall ?? Number.POSITIVE_INFINITY)
  )
}

export interface How {
  readonly tool: Tool
  readonly seconds: number
  readonly rounds: number
}

/** The comparison: a small object on the same server, or the server of a small community. */
export interface Beside {
  readonly origin: string
  readonly requests: readonly Request[]
}

const besideOf = (server: Lyceum, scenario: Scenario, other: Beside | undefined): Beside | undefined =>
  other ?? (scenario.small && { origin: server.origin, requests: scenario.small })

/** Warms up the caches by requesting everything once. */
export const warmUp = async (tool: Tool, load: Omit<Load, 'seconds'>): Promise<void> => {
  const all = load.requests.every(({ method }) => method === 'GET') ? load.requests.length : 0
  for (let asked = 0, round = 0; round === 0 || (asked < all && round < MOST_WARM_UPS); round++)
    asked += (await tool({ ...load, seconds: WARM_UP_SECONDS })).count
}

/** Runs a scenario against the plain server and Lyceum in turn; `bar` is the target. */
export const measure = async (
  server: Lyceum,
  scenario: Scenario,
  bar: Bar | undefined,
  { tool, seconds: wanted, rounds }: How,
  other?: Beside,
): Promise<Measured> => {
  const { name, title, connections, requests } = scenario
  const beside = besideOf(server, scenario, other)
  const seconds = beside ? Math.min(wanted, MOST_SECONDS_BESIDE_SMALL) : wanted
  const answers = await realAnswers(server.origin, requests)
  if (beside) await realAnswers(beside.origin, beside.requests)
  const plain = await startPlain(answers)
  const run = (origin: string, duration: number, list = requests) => tool({ origin, requests: list, connections, seconds: duration })
  const compared: { perSecond: number; p99: number }[] = []
  const pairs: { plain: LoadResult; lyceum: LoadResult }[] = []
  let spent = 0
  let spentPlainly = 0
  try {
    await run(plain.origin, WARM_UP_SECONDS)
    await warmUp(tool, { origin: server.origin, requests, connections })
    if (beside) await warmUp(tool, { ...beside, connections })
    for (let round = 0; round < rounds; round++) {
      await atRest(server)
      const plainlyBefore = plain.cpuMs() ?? 0
      const ofPlain = await run(plain.origin, seconds)
      spentPlainly += (plain.cpuMs() ?? 0) - plainlyBefore
      const before = server.cpuMs() ?? 0
      const ofLyceum = await run(server.origin, seconds)
      await atRest(server)
      spent += (server.cpuMs() ?? 0) - before
      pairs.push({ plain: ofPlain, lyceum: ofLyceum })
      if (!beside) continue
      const ofSmall = await run(beside.origin, seconds, beside.requests)
      compared.push({ perSecond: ofLyceum.perSecond / ofSmall.perSecond, p99: ofLyceum.p99 / ofSmall.p99 })
    }
  } finally {
    await plain.stop()
  }
  const count = pairs.reduce((sum, pair) => sum + pair.lyceum.count, 0)
  const plainCount = pairs.reduce((sum, pair) => sum + pair.plain.count, 0)
  const ratios = pairs.map((pair) => pair.lyceum.perSecond / pair.plain.perSecond)
  const bodies = Object.values(answers).map(({ body }) => Buffer.byteLength(body))
  const found = {
    name,
    title,
    connections,
    bytes: Math.round(bodies.reduce((sum, size) => sum + size, 0) / bodies.length),
    plain: median(pairs.map((pair) => pair.plain.perSecond)),
    lyceum: median(pairs.map((pair) => pair.lyceum.perSecond)),
    ratio: median(ratios),
    ratios,
    toSmall: beside && median(compared.map((one) => one.perSecond)),
    p99ToSmall: beside && median(compared.map((one) => one.p99)),
    p50: median(pairs.map((pair) => pair.lyceum.p50)),
    p99: median(pairs.map((pair) => pair.lyceum.p99)),
    cpuMs: server.cpuMs() === undefined ? undefined : spent / count,
    byCpu: server.cpuMs() === undefined ? undefined : spentPlainly / plainCount / (spent / count),
    rss: server.rss(),
    bar,
  }
  return { ...found, met: reached(bar, found) }
}
