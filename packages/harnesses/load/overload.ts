import { SOAK } from '#test/scale.ts'
import type { Report } from './job.ts'
import type { Stage } from './stage.ts'
import { memoryOf } from './watch.ts'

export interface Health {
  readonly status: number
  readonly ms: number
}

export interface Overload {
  /** The capacity in responses per second, and the load as a multiple of it. */
  readonly capacity: number
  readonly times: number
  /** During the normal load before the overload. */
  readonly before: Report
  readonly report: Report
  readonly after: readonly Report[]
  /** When the last request of the overload was due, in ms of the clock that all processes share. */
  readonly endedAt: number
  readonly health: readonly Health[]
  /** Memory growth in MiB. */
  readonly memory: number
}

export interface Pressure {
  readonly capacity: number
  readonly times: number
  readonly seconds: number
  /** Duration of the normal load before and after. */
  readonly quietSeconds: number
  /** Enough for the full queue and the refusals in progress. */
  readonly connections: number
}

const FEW = 64
const QUIET = 0.25
const BACK_WITHIN_MS = SOAK === 1 ? 20_000 : 5000
const GIVEN_UP_MS = 25_000
const LOOK_MS = 100

const healthOf = async (origin: string, page: string): Promise<Health> => {
  const begun = performance.now()
  const status = await fetch(`${origin}/health/${page}`, { signal: AbortSignal.timeout(30_000) }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )
  return { status, ms: performance.now() - begun }
}

/** Polls both health endpoints and the memory. */
const lookOn = ({ crowd, server }: Stage) => {
  const health: Health[] = []
  const begun = memoryOf(server.pid)
  let [most, over] = [begun, false]
  const done = (async () => {
    for (let n = 0; !over; n++) {
      health.push(await healthOf(crowd.origin, n % 2 === 0 ? 'live' : 'ready'))
      most = Math.max(most, memoryOf(server.pid))
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  })()
  return async () => {
    over = true
    await done
    return { health, memory: most - begun }
  }
}

/** Sends a multiple of the capacity, independent of the responses, between two periods of normal load. */
export const runOverload = async (stage: Stage, { capacity, times, seconds, quietSeconds, connections }: Pressure): Promise<Overload> => {
  const { generator } = stage
  const quiet = { rate: Math.max(20, capacity * QUIET), connections: FEW }
  const before = await generator.run({ ...quiet, seconds: quietSeconds })
  const stop = lookOn(stage)
  const report = await generator.run({ rate: capacity * times, seconds, connections })
  const endedAt = report.begunAt + seconds * 1000
  const after: Report[] = []
  const found = () => ({ capacity, times, before, report, after, endedAt })
  while (backAfter(found()) === undefined && Date.now() < endedAt + GIVEN_UP_MS)
    after.push(await generator.run({ ...quiet, seconds: quietSeconds }))
  return { ...found(), ...(await stop()) }
}

export interface Expectation {
  /** Maximum 99th percentile of successes and of refusals in ms. */
  readonly served: number
  readonly refused: number
  /** Minimum share of the capacity that is still served. */
  readonly share: number
  /** Maximum 99th percentile of the health endpoints in ms. */
  readonly health: number
  /** MiB. */
  readonly memory: number
}

/** Successful responses per second during the full overload. */
export const usefulOf = ({ report, endedAt }: Overload): number => {
  const during = report.windows.filter(({ at }) => at <= endedAt).slice(1)
  if (during.length < 2) return report.served.count / report.seconds
  const span = (during.at(-1)?.at ?? 0) - (during[0]?.at ?? 0)
  return during.slice(1).reduce((sum, { count }) => sum + count, 0) / (span / 1000)
}

/** Milliseconds from the end of the overload until response times were normal again; undefined: they were not. */
export const backAfter = ({ before, after, endedAt }: Pick<Overload, 'before' | 'after' | 'endedAt'>): number | undefined => {
  const good = before.served.p99 * 2 + 20
  const found = after.flatMap(({ windows }) => windows).find(({ count, p99 }) => count > 0 && p99 <= good)
  return found && Math.max(0, found.at - endedAt)
}

const p99 = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length * 0.99)] ?? 0

/** Violations; empty after a correct run. */
export const judgeOverload = (overload: Overload, most: Expectation): string[] => {
  const { before, report, after, health, memory, capacity } = overload
  const back = backAfter(overload)
  const useful = usefulOf(overload)
  const slow = p99(health.map(({ ms }) => ms))
  const odd = [before, report, ...after].flatMap(({ failed }) => Object.entries(failed))
  const sick = health.filter(({ status }) => status !== 200)
  return [
    ...odd.map(([what, count]) => `${count} × ${what}`),
    ...(report.unanswered > 0 ? [`${report.unanswered} were not answered`] : []),
    ...(before.refused.count > 0 || (after.at(-1)?.refused.count ?? 0) > 0 ? ['some were refused without need'] : []),
    ...(report.served.p99 > most.served ? [`answers took ${Math.round(report.served.p99)} ms`] : []),
    ...(report.refused.p99 > most.refused ? [`refusals took ${Math.round(report.refused.p99)} ms`] : []),
    ...(useful < capacity * most.share ? [`only ${Math.round(useful)} of ${Math.round(capacity)} a second were served`] : []),
    ...(sick.length > 0 ? [`health was answered with ${sick.map(({ status }) => status).join(', ')}`] : []),
    ...(slow > most.health ? [`health took ${Math.round(slow)} ms`] : []),
    ...(memory > most.memory ? [`memory grew by ${Math.round(memory)} MiB`] : []),
    ...(back === undefined || back > BACK_WITHIN_MS
      ? [`it was not back ${back === undefined ? 'at all' : `in ${Math.round(back)} ms`}`]
      : []),
  ]
}

const round = (value: number) => Math.round(value * 10) / 10

export const overloadFigures = (overload: Overload): Record<string, number | string> => {
  const { before, report, capacity, times, health, memory } = overload
  return {
    'bears a second': Math.round(capacity),
    asked: `${Math.round(capacity * times)} a second`,
    requests: report.sent,
    'served a second': Math.round(usefulOf(overload)),
    'p99 ms': `${round(report.served.p99)} (before ${round(before.served.p99)})`,
    refused: report.refused.count,
    'p99 of refusals ms': round(report.refused.p99),
    'health p99 ms': round(p99(health.map(({ ms }) => ms))),
    'memory MiB': `+${Math.round(memory)}`,
    'back after ms': Math.round(backAfter(overload) ?? Number.NaN),
  }
}
