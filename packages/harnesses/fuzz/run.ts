import { createRandom } from '#test/random.ts'
import { generateRequests } from '../kit/generated-requests.ts'
import { createCommunity } from './community.ts'
import type { describeApi, Operation } from './document.ts'
import type { FuzzRequest } from './requests.ts'
import { createSender, type FuzzAnswer } from './send.ts'
import { asCurl, shrink } from './shrink.ts'
import { isSlow } from './slow.ts'
import { type Problem, problemsOf } from './verdict.ts'

const AT_ONCE = 8
/** Every n-th request uses a real connection. */
const OVER_SOCKETS = 40
/** Some requests delete the accounts that send them. */
const HEAL_EVERY = 250
/** Maximum number of distinct faults to analyze. */
const MOST_FAULTS = 25

export interface Fault {
  readonly operation: string
  readonly kind: string
  readonly details: string
  readonly curl: string
  /** Whether the same request fails again on its own. */
  readonly repeats: boolean
  times: number
}

export interface Tally {
  requests: number
  ok: number
  slowest: number
  readonly codes: Map<string, number>
}

export interface Report {
  readonly requests: number
  readonly seconds: number
  readonly statuses: ReadonlyMap<number, number>
  readonly tallies: ReadonlyMap<string, Tally>
  readonly faults: readonly Fault[]
  /** Warnings and errors in the log, each kind once. */
  readonly complaints: readonly string[]
  readonly violations: readonly string[]
  readonly slowest: number
  /** Requests that took over a second once but not when repeated: the machine was busy. */
  readonly heldUp: number
}

export interface Options {
  readonly env: Readonly<Record<string, string>>
  readonly requests: number
  readonly seed: number
  /** For controls: a broken database, and a wrong document. */
  readonly database?: Parameters<typeof createCommunity>[2] extends { database?: infer D } | undefined ? D : never
  readonly change?: Parameters<typeof describeApi>[1]
  readonly progress?: (done: number) => void
  /** Restricts the run to these operations. */
  readonly only?: (operation: string) => boolean
}

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype]
const ownKeys = () => prototypes.map((prototype) => Reflect.ownKeys(prototype).length).join(' ')

const noAnswer = (error: unknown) => `no answer: ${(error as Error).message}`

/** Sends generated requests to a fresh community and reports every violation. */
export const fuzz = async ({ env, requests, seed, database, change, progress, only }: Options): Promise<Report> => {
  const random = createRandom(seed)
  const community = await createCommunity(env, random, database ? { database } : {})
  const { described, root, source, served } = generateRequests(community, random, { only, change })
  const sender = createSender(community, OVER_SOCKETS)
  const next = source()

  const statuses = new Map<number, number>()
  const tallies = new Map<string, Tally>(described.operations.map(({ id }) => [id, { requests: 0, ok: 0, slowest: 0, codes: new Map() }]))
  const faults = new Map<string, Fault>()
  const complaints = new Map<string, string>()
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  const prototypesBefore = ownKeys()

  const judge = async (request: FuzzRequest): Promise<{ answer: FuzzAnswer; operation: Operation | undefined; problems: Problem[] }> => {
    const answer = await sender.send(request)
    const { operation } = await served(answer)
    return { answer, operation, problems: problemsOf(described, operation, request, answer) }
  }

  const note = (request: FuzzRequest, { answer, operation }: { answer: FuzzAnswer; operation: Operation | undefined }) => {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    const tally = tallies.get(operation?.id ?? request.operation) as Tally
    tally.requests += 1
    tally.slowest = Math.max(tally.slowest, answer.ms)
    if (operation?.success.includes(answer.status)) tally.ok += 1
    else if (answer.status >= 400 && request.method !== 'HEAD') {
      const code = /"code":"([a-z_]+)"/.exec(answer.text)?.[1] ?? 'none'
      tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1)
    }
    if (operation?.success.includes(answer.status) && request.method !== 'HEAD' && random.oneIn(4)) {
      try {
        community.learn(operation, JSON.parse(answer.text))
      } catch {
        // Invalid JSON is already reported.
      }
    }
  }

  /** The kinds of problems in the response to a request, or a missing response. */
  const kindsOf = async (request: FuzzRequest): Promise<string[]> => {
    try {
      return (await judge(request)).problems.map(({ kind }) => kind)
    } catch (error) {
      return [noAnswer(error)]
    }
  }

  const blame = async (request: FuzzRequest, problem: Problem, operation: string) => {
    const key = `${operation} ${problem.kind}`
    const known = faults.get(key)
    if (known) {
      known.times += 1
      return
    }
    if (faults.size >= MOST_FAULTS) return
    const fault = { operation, kind: problem.kind, details: problem.details, curl: asCurl(request, root), repeats: false, times: 1 }
    faults.set(key, fault)
    const small = await shrink(request, async (candidate) => (await kindsOf(candidate)).includes(problem.kind))
    if (small) faults.set(key, { ...fault, curl: asCurl(small, root), repeats: true })
  }

  const takeComplaints = () => {
    for (const text of community.complaints()) {
      const key = text.split('\n').slice(0, 2).join(' ').replace(/\d+/g, '#')
      if (!complaints.has(key)) complaints.set(key, text)
    }
  }

  /** A slow request is repeated on its own; only if it is slow again was it not delayed by concurrent requests. */
  const slow: FuzzRequest[] = []
  let heldUp = 0

  const one = async () => {
    const request = next()
    try {
      const judged = await judge(request)
      note(request, judged)
      if (isSlow(request.operation, judged.answer.ms)) slow.push(request)
      for (const problem of judged.problems) await blame(request, problem, judged.operation?.id ?? request.operation)
    } catch (error) {
      await blame(request, { kind: noAnswer(error), details: String((error as Error).stack) }, request.operation)
    }
  }

  const started = performance.now()
  let sent = 0
  while (sent < requests) {
    await community.heal()
    const until = Math.min(requests, sent + HEAL_EVERY)
    const lane = async () => {
      while (sent < until) {
        sent += 1
        await one()
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    for (const request of slow.splice(0)) {
      const times = [await judge(request), await judge(request), await judge(request)].map(({ answer }) => answer.ms)
      if (isSlow(request.operation, Math.min(...times)))
        await blame(request, { kind: 'slow', details: `${times.map(Math.round).join(', ')} ms` }, request.operation)
      else heldUp += 1
    }
    takeComplaints()
    progress?.(sent)
  }
  const seconds = (performance.now() - started) / 1000

  const alive = await community.app.http.inject({ url: '/health/ready' })
  if (alive.statusCode !== 200) await blame(next(), { kind: 'not alive', details: alive.payload }, 'health')
  const { violations, warnings } = await community.runChecks()
  takeComplaints()
  sender.close()
  await community.close()
  process.off('unhandledRejection', onRejection)
  return {
    requests: sent,
    seconds,
    statuses,
    tallies,
    faults: [...faults.values()],
    complaints: [...complaints.values()],
    violations: [
      ...violations.map(({ check, count, examples }) => `${check} (${count}): ${examples.join(', ')}`),
      ...warnings.filter((text) => /given up/.test(text)),
      ...rejections.map((reason) => `unhandled rejection: ${reason instanceof Error ? reason.stack : String(reason)}`),
      ...(ownKeys() === prototypesBefore ? [] : ['a prototype was changed']),
    ],
    slowest: Math.max(...[...tallies.values()].map((tally) => tally.slowest)),
    heldUp,
  }
}
