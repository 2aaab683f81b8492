import { expect, test } from 'vitest'
import { createHistogram, type Times } from './histogram.ts'
import type { Report } from './job.ts'
import { backAfter, judgeOverload, type Overload, usefulOf } from './overload.ts'
import { judgeSteady } from './steady.ts'

const times = (count: number, p99: number): Times => ({ count, p50: p99 / 2, p99, most: p99 })
const reportOf = (changed: Partial<Report> = {}): Report => ({
  sent: 1000,
  begunAt: 0,
  seconds: 2,
  served: times(1000, 10),
  refused: times(0, 0),
  failed: {},
  unanswered: 0,
  windows: [500, 1000, 1500, 2000].map((at) => ({ at, count: 250, p99: 10 })),
  ...changed,
})

const GOOD: Overload = {
  capacity: 500,
  times: 5,
  before: reportOf(),
  report: reportOf({ sent: 5000, refused: times(4000, 80) }),
  after: [reportOf({ windows: [2500, 3000].map((at) => ({ at, count: 100, p99: 12 })) })],
  endedAt: 2000,
  health: [{ status: 200, ms: 20 }],
  memory: 30,
}
const MOST = { served: 800, refused: 250, share: 0.5, health: 500, memory: 256 }

test('an overload that was handled well', () => {
  expect(judgeOverload(GOOD, MOST)).toEqual([])
  expect([usefulOf(GOOD), backAfter(GOOD)]).toEqual([500, 500])
})

test.each<[string, Partial<Overload>, RegExp]>([
  ['a mistake in between', { report: { ...GOOD.report, failed: { 'post: 500 internal_error': 2 } } }, /^2 × post: 500/],
  ['requests without an answer', { report: { ...GOOD.report, unanswered: 3 } }, /^3 were not answered/],
  ['answers that came too late', { report: { ...GOOD.report, served: times(1000, 4000) } }, /^answers took 4000/],
  ['refusals that came too late', { report: { ...GOOD.report, refused: times(4000, 900) } }, /^refusals took 900/],
  [
    'nothing but refusals',
    { report: { ...GOOD.report, windows: GOOD.report.windows.map((one) => ({ ...one, count: 50 })) } },
    /^only 100 of 500/,
  ],
  ['refusals afterwards', { after: [...GOOD.after, reportOf({ refused: times(1, 1) })] }, /^some were refused without need/],
  ['health that is not answered', { health: [{ status: 0, ms: 20 }] }, /^health was answered with 0/],
  ['health that is late', { health: [{ status: 200, ms: 900 }] }, /^health took 900/],
  ['memory', { memory: 300 }, /^memory grew by 300/],
  ['no way back', { after: [reportOf({ windows: [{ at: 3000, count: 9, p99: 500 }] })] }, /^it was not back at all/],
  ['a long way back', { after: [reportOf({ windows: [{ at: 29_000, count: 9, p99: 9 }] })] }, /^it was not back in 27000/],
])('of an overload, it reports %s', (_name, changed, words) => {
  expect(judgeOverload({ ...GOOD, ...changed }, MOST)).toEqual([expect.stringMatching(words)])
})

test('of an even load, it reports errors, rejections, missing responses and slow ones', () => {
  const judged = (changed: Partial<Report>) => judgeSteady({ rate: 500, report: reportOf(changed), series: {} }, {})
  expect(judged({})).toEqual([])
  expect(judged({ failed: { 'feed page: 404 rest_no_route': 1 } })).toEqual(['1 × feed page: 404 rest_no_route'])
  expect(judged({ refused: times(2, 1) })).toEqual(['2 were refused'])
  expect(judged({ unanswered: 1 })).toEqual(['1 of 1000 were not answered'])
  expect(judged({ served: { ...times(1000, 10), most: 10_100 } })).toEqual(['one took 10100 ms'])
})

test('percentiles are accurate to five percent', () => {
  const { add, times: told, clear } = createHistogram()
  for (let n = 1; n <= 1000; n++) add(n)
  const { count, p50, p99, most } = told()
  expect([count, most]).toEqual([1000, 1000])
  expect(p50).toBeGreaterThanOrEqual(500)
  expect(p50).toBeLessThan(525)
  expect(p99).toBeGreaterThanOrEqual(990)
  expect(p99).toBeLessThanOrEqual(1000)
  clear()
  add(0)
  expect(told()).toMatchObject({ count: 1, most: 0 })
})
