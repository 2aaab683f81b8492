import type { Figures, Request, Tool } from './load.ts'
import type { Answer, Answers } from './plain-server.ts'
import type { Bar, Scenario } from './scenario.ts'
import { atRest, type Lyceum, startPlain } from './server.ts'

const WARM_UP_SECONDS = 2
/** Node adds these by itself, to the plain server's answers as well. */
const BY_NODE = new Set(['date', 'connection', 'keep-alive'])

export interface Measured {
  readonly name: string
  readonly title: string
  readonly connections: number
  /** Bytes of an answer's body, on average. */
  readonly bytes: number
  /** Requests a second, median of the rounds. */
  readonly plain: number
  readonly lyceum: number
  /** Median of what the pairs of rounds gave. */
  readonly ratio: number
  readonly ratios: readonly number[]
  /** Requests a second for the large thing by those for the small one, median of the rounds; undefined where there is no small one. */
  readonly toSmall: number | undefined
  /** Of Lyceum, in ms. */
  readonly p50: number
  readonly p99: number
  /** CPU time of Lyceum for each request, in ms, with the background work that it caused. */
  readonly cpuMs: number | undefined
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
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}: ${text}`)
  return { status: response.status, headers: Object.fromEntries([...response.headers].filter(([name]) => !BY_NODE.has(name))), body: text }
}

/** One real answer for each address. */
const realAnswers = async (origin: string, requests: readonly Request[]): Promise<Answers> => {
  const answers: Record<string, Answer> = {}
  for (const request of requests) answers[`${request.method} ${request.path}`] ??= await once(origin, request)
  return answers
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}

/** Rounds of what is measured twice are shorter. */
const MOST_SECONDS_BESIDE_SMALL = 2

const reached = (bar: Bar | undefined, perSecond: number, ratio: number) =>
  bar && ('ratio' in bar ? ratio >= bar.ratio : perSecond >= bar.perSecond)

export interface How {
  readonly tool: Tool
  readonly seconds: number
  readonly rounds: number
}

/** Runs one scenario against the plain server and Lyceum in turn. */
export const measure = async (
  server: Lyceum,
  { name, title, connections, requests, small, bar }: Scenario,
  { tool, seconds: wanted, rounds }: How,
): Promise<Measured> => {
  const seconds = small ? Math.min(wanted, MOST_SECONDS_BESIDE_SMALL) : wanted
  const answers = await realAnswers(server.origin, requests)
  if (small) await realAnswers(server.origin, small)
  const plain = await startPlain(answers)
  const run = (origin: string, duration: number) => tool({ origin, requests, connections, seconds: duration })
  const beside: number[] = []
  const pairs: { plain: Figures; lyceum: Figures }[] = []
  let spent = 0
  try {
    await run(plain.origin, WARM_UP_SECONDS)
    await run(server.origin, WARM_UP_SECONDS)
    for (let round = 0; round < rounds; round++) {
      await atRest(server)
      const ofPlain = await run(plain.origin, seconds)
      const before = server.cpuMs() ?? 0
      const ofLyceum = await run(server.origin, seconds)
      await atRest(server)
      spent += (server.cpuMs() ?? 0) - before
      pairs.push({ plain: ofPlain, lyceum: ofLyceum })
      if (!small) continue
      const ofSmall = await tool({ origin: server.origin, requests: small, connections, seconds })
      beside.push(ofLyceum.perSecond / ofSmall.perSecond)
    }
  } finally {
    await plain.stop()
  }
  const count = pairs.reduce((sum, pair) => sum + pair.lyceum.count, 0)
  const ratios = pairs.map((pair) => pair.lyceum.perSecond / pair.plain.perSecond)
  const perSecond = median(pairs.map((pair) => pair.lyceum.perSecond))
  const bodies = requests.map((request) => Buffer.byteLength(answers[`${request.method} ${request.path}`]?.body ?? ''))
  return {
    name,
    title,
    connections,
    bytes: Math.round(bodies.reduce((sum, size) => sum + size, 0) / bodies.length),
    plain: median(pairs.map((pair) => pair.plain.perSecond)),
    lyceum: perSecond,
    ratio: median(ratios),
    ratios,
    toSmall: small && median(beside),
    p50: median(pairs.map((pair) => pair.lyceum.p50)),
    p99: median(pairs.map((pair) => pair.lyceum.p99)),
    cpuMs: server.cpuMs() === undefined ? undefined : spent / count,
    rss: server.rss(),
    bar,
    met: reached(bar, perSecond, median(ratios)),
  }
}
