import type { Measured } from './measure.ts'
import type { Bar } from './scenario.ts'
import type { Starts } from './start.ts'

const HEAD = [
  'scenario',
  'conn.',
  'bytes',
  'plain/s',
  'Lyceum/s',
  'ratio',
  'large:small',
  'its p99',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'by CPU',
  'RSS MiB',
  'bar',
] as const

const whole = (value: number) => Math.round(value).toLocaleString('en')
const ifKnown = (value: number | undefined, show: (value: number) => string) => (value === undefined ? '–' : show(value))

const barText = (bar: Bar | undefined, met: boolean | undefined, judged: boolean): string => {
  if (!bar || met === undefined) return ''
  const wanted = [
    bar.ratio !== undefined && `≥ ${bar.ratio.toFixed(2)}`,
    bar.perSecond !== undefined && `≥ ${whole(bar.perSecond)}/s`,
    bar.p99 !== undefined && `p99 ≤ ${bar.p99} ms`,
    bar.p99ToSmall !== undefined && `its p99 ≤ ${bar.p99ToSmall} ×`,
  ].filter((text) => text !== false)
  return judged ? `${wanted.join(', ')} ${met ? 'met' : 'MISSED'}` : `(${wanted.join(', ')})`
}

const cells = (row: Measured, judged: boolean): string[] => [
  row.title,
  String(row.connections),
  whole(row.bytes),
  whole(row.plain),
  whole(row.lyceum),
  row.ratio.toFixed(3),
  row.toSmall === undefined ? '' : row.toSmall.toFixed(2),
  row.p99ToSmall === undefined ? '' : `× ${row.p99ToSmall.toFixed(2)}`,
  row.p50.toFixed(2),
  row.p99.toFixed(2),
  ifKnown(row.cpuMs, (value) => value.toFixed(3)),
  ifKnown(row.byCpu, (value) => value.toFixed(3)),
  ifKnown(row.rss, whole),
  barText(row.bar, row.met, judged),
]

/** Prints intermediate results. */
export const summaryOf = ({ lyceum, ratio, p99, byCpu, p99ToSmall }: Measured): string => {
  const cpu = byCpu === undefined ? '' : `, ${byCpu.toFixed(2)} by CPU`
  const small = p99ToSmall === undefined ? '' : `, p99 × ${p99ToSmall.toFixed(2)} of the small one`
  return `${whole(lyceum)}/s, ${ratio.toFixed(2)} of the plain server${cpu}, p99 ${p99.toFixed(1)} ms${small}`
}

/** The figures of a database as a table; `judged`: whether targets apply. */
export const table = (rows: readonly Measured[], judged: boolean): string => {
  const lines = [[...HEAD], ...rows.map((row) => cells(row, judged))]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const leftmost = 0
  const rightmost = HEAD.length - 1
  const aligned = (text: string, column: number) =>
    column === leftmost || column === rightmost ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)
  return `${lines.map((line) => line.map(aligned).join('  ').trimEnd()).join('\n')}\n`
}

export const LONGEST_START_MS = 700

/** A line with the time until the first response. */
export const startText = ({ times, median }: Starts, judged: boolean): string => {
  const bar = `≤ ${LONGEST_START_MS} ms`
  const verdict = judged ? `${bar} ${median <= LONGEST_START_MS ? 'met' : 'MISSED'}` : `(${bar})`
  return `start to first answer: ${Math.round(median)} ms (${times.map((time) => Math.round(time)).join(', ')})  ${verdict}\n`
}
