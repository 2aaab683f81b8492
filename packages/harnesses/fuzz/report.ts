import type { Report, Tally } from './run.ts'

const NOTHING: Report = {
  requests: 0,
  seconds: 0,
  statuses: new Map(),
  tallies: new Map(),
  faults: [],
  complaints: [],
  violations: [],
  slowest: 0,
  heldUp: 0,
}

const sums = <K>(a: ReadonlyMap<K, number>, b: ReadonlyMap<K, number>): Map<K, number> => {
  const all = new Map(a)
  for (const [key, value] of b) all.set(key, (all.get(key) ?? 0) + value)
  return all
}

const tallied = (a: Tally | undefined, b: Tally): Tally => ({
  requests: (a?.requests ?? 0) + b.requests,
  ok: (a?.ok ?? 0) + b.ok,
  slowest: Math.max(a?.slowest ?? 0, b.slowest),
  codes: sums(a?.codes ?? new Map(), b.codes),
})

/** Combines several reports. */
export const together = (reports: readonly Report[]): Report =>
  reports.reduce(
    (all, one) => ({
      requests: all.requests + one.requests,
      seconds: all.seconds + one.seconds,
      statuses: sums(all.statuses, one.statuses),
      tallies: new Map([...one.tallies].map(([id, tally]) => [id, tallied(all.tallies.get(id), tally)])),
      faults: [...all.faults, ...one.faults],
      complaints: [...all.complaints, ...one.complaints],
      violations: [...all.violations, ...one.violations],
      slowest: Math.max(all.slowest, one.slowest),
      heldUp: all.heldUp + one.heldUp,
    }),
    NOTHING,
  )

const top = ({ codes }: Tally) =>
  [...codes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ')

/** Operations that never succeeded. */
export const neverWorked = ({ tallies }: Report): string[] => [...tallies].filter(([, { ok }]) => ok === 0).map(([id]) => id)

export const summary = (report: Report, database: string): string => {
  const statuses = [...report.statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  const { requests, seconds, faults, violations, complaints, slowest } = report
  return [
    `fuzz ${database}: requests=${requests} faults=${faults.length} violations=${violations.length} complaints=${complaints.length} ` +
      `slowest=${Math.round(slowest)} ms, ${Math.round(requests / seconds)} a second`,
    `  ${statuses.join('  ')}`,
    `  operations that never worked: ${neverWorked(report).join(', ') || 'none'}`,
  ].join('\n')
}

/** The findings, each with the request that reproduces it. */
export const findings = ({ faults, violations, complaints }: Report): string =>
  [
    ...faults.map(
      ({ operation, kind, details, curl, repeats, times }) =>
        `${operation}: ${kind} (${times} times${repeats ? '' : ', not when sent again by itself'})\n  ${details}\n  ${curl}`,
    ),
    ...violations.map((text) => `violation: ${text}`),
    ...complaints.map((text) => `logged: ${text.slice(0, 1500)}`),
  ].join('\n\n')

export const table = ({ tallies }: Report): string => {
  const rows = [...tallies].map(([id, tally]) => [
    id,
    String(tally.requests),
    String(tally.ok),
    Math.round(tally.slowest).toString(),
    top(tally),
  ])
  const all = [['OPERATION', 'SENT', '2xx', 'MOST ms', 'REFUSED'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[0] ?? 0) : i < 4 ? cell.padStart(widths[i] ?? 0) : cell)).join('  '))
    .join('\n')
}
