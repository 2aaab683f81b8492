import { expect, test } from 'vitest'
import { createTimeline, SPAN } from './timeline.ts'

const NOW = 1_790_000_000
const timeline = createTimeline(1, NOW)

test('moments rise with the beats, from two years ago to the present', () => {
  const moments = Array.from({ length: Math.ceil(SPAN / 997) }, (_, i) => timeline.at(997 * i))
  expect(moments.filter((moment, i) => moment < (moments[i - 1] ?? NOW - SPAN))).toEqual([])
  expect(timeline.at(0)).toBe(NOW - SPAN)
  expect(timeline.at(SPAN - 1)).toBeLessThanOrEqual(NOW)
  expect(timeline.at(SPAN - 1)).toBeGreaterThan(NOW - 3600)
})

test('evenings are busier than nights, and Sundays than Fridays', () => {
  const hours = new Array<number>(24).fill(0)
  const days = new Array<number>(7).fill(0)
  for (let beat = 0; beat < SPAN; beat += 601) {
    const date = new Date(timeline.at(beat) * 1000)
    hours[date.getUTCHours()]!++
    days[date.getUTCDay()]!++
  }
  expect(hours[19]).toBeGreaterThan(hours[3]! * 3)
  expect(days[0]).toBeGreaterThan(days[5]! * 1.1)
})
