import { SOAK } from '#test/scale.ts'
import { type Bound, growthOf, notFlat, type Series } from './flat.ts'
import { type Report, WINDOW_MS } from './job.ts'
import type { Stage } from './stage.ts'
import { watch } from './watch.ts'

export interface Steady {
  readonly rate: number
  readonly report: Report
  readonly series: Series
}

/** Connections: as many as the rate needs, and some reserve for slow responses. */
const CONNECTIONS = 64
/** A machine that runs other tests pauses longer than this by itself. */
const SLOWEST_MS = SOAK === 1 ? 10_000 : 2000

/** The capacity in requests per second: responses while this many clients send requests continuously. */
export const capacityOf = async ({ generator }: Stage, seconds: number): Promise<{ perSecond: number; report: Report }> => {
  const report = await generator.run({ rate: 0, seconds, connections: CONNECTIONS })
  return { perSecond: report.served.count / report.seconds, report }
}

/** A constant load for some time, and the server's resource usage. */
export const runSteady = async (stage: Stage, rate: number, seconds: number, everyMs: number): Promise<Steady> => {
  const watching = await watch(stage, everyMs)
  const report = await stage.generator.run({ rate, seconds, connections: CONNECTIONS })
  return { rate, report, series: await watching.stop() }
}

/** Violations; empty after a correct run. */
export const judgeSteady = ({ report, series }: Steady, bounds: Readonly<Record<string, Bound>>): string[] => {
  const { served, refused, failed, unanswered, sent } = report
  return [
    ...Object.entries(failed).map(([what, count]) => `${count} × ${what}`),
    ...(refused.count > 0 ? [`${refused.count} were refused`] : []),
    ...(unanswered > 0 ? [`${unanswered} of ${sent} were not answered`] : []),
    ...(served.most > SLOWEST_MS ? [`one took ${Math.round(served.most)} ms`] : []),
    ...notFlat(series, bounds),
  ]
}

const round = (value: number) => Math.round(value * 10) / 10

/** Responses per second and median 99th percentile in each fifth of the run, to show whether the server slows down as data grows. */
const inFifths = (windows: Report['windows']): { answered: string; slow: string } => {
  const each = Math.ceil(windows.length / 5)
  const fifths = [0, 1, 2, 3, 4].map((i) => windows.slice(i * each, (i + 1) * each)).filter((some) => some.length > 0)
  const perSecond = (some: Report['windows']) => some.reduce((sum, { count }) => sum + count, 0) / ((some.length * WINDOW_MS) / 1000)
  const middle = (some: Report['windows']) => some.map(({ p99 }) => p99).sort((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0
  return {
    answered: fifths.map((some) => Math.round(perSecond(some))).join(' '),
    slow: fifths.map((some) => Math.round(middle(some))).join(' '),
  }
}

export const steadyFigures = ({ rate, report, series }: Steady): Record<string, number | string> => {
  const { served, sent, seconds } = report
  const { answered, slow } = inFifths(report.windows)
  const last = (name: string) => round(series[name]?.at(-1) ?? 0)
  const held = (name: string) =>
    `${last(name)} (${growthOf(series[name] ?? []) >= 0 ? '+' : ''}${round(growthOf(series[name] ?? []))} in the second half)`
  return {
    seconds: Math.round(seconds),
    rate: Math.round(rate),
    requests: sent,
    errors: sent - served.count,
    'p50 ms': round(served.p50),
    'p99 ms': round(served.p99),
    'slowest ms': Math.round(served.most),
    'by fifths, a second': answered,
    'and p99 ms': slow,
    'memory MiB': held('memory'),
    descriptors: held('descriptors'),
    threads: last('threads'),
    'log MiB': held('log'),
    'jobs at the end': last('jobs'),
  }
}
