import { mix } from './random.ts'

/** Seconds of community life in a demo: two years. */
export const SPAN = 730 * 86_400

/** Activity by hour (UTC), for people of many time zones; the mean is near 1. */
const HOURS = [
  0.55, 0.42, 0.34, 0.3, 0.32, 0.42, 0.6, 0.82, 1.02, 1.15, 1.2, 1.22, 1.2, 1.15, 1.14, 1.18, 1.25, 1.38, 1.52, 1.62, 1.58, 1.35, 1.02,
  0.75,
]
/** By day of the week, Sunday first. */
const DAYS = [1.12, 0.98, 0.95, 0.97, 0.94, 0.92, 1.1]

export interface Timeline {
  /** The moment (unix seconds) of a beat in [0, SPAN); never falls as the beat rises. */
  at(beat: number): number
}

/**
 * Life is planned in beats: seconds of a clock that runs fast when many are awake. Only this function knows the present, so
 * that the same seed gives the same order, people and texts whenever it runs, and still has quiet nights and busy Sundays.
 */
export function createTimeline(seed: number, now: number): Timeline {
  const start = now - SPAN
  const hours = SPAN / 3600
  const sums = new Float64Array(hours + 1)
  for (let hour = 0; hour < hours; hour++) {
    const moment = start + hour * 3600
    const mood = 0.65 + (0.7 * mix(seed, Math.floor(hour / 24))) / 4294967296
    const weight = (HOURS[Math.floor(moment / 3600) % 24] as number) * (DAYS[(Math.floor(moment / 86_400) + 4) % 7] as number) * mood
    sums[hour + 1] = (sums[hour] as number) + weight
  }
  const scale = (sums[hours] as number) / SPAN

  // where to begin the search, for every 1024 beats
  const hints = new Uint16Array((SPAN >> 10) + 2)
  for (let slot = 0, hour = 0; slot < hints.length; slot++) {
    while (hour < hours - 1 && (sums[hour + 1] as number) <= slot * 1024 * scale) hour++
    hints[slot] = hour
  }
  return {
    at(beat) {
      const wanted = beat * scale
      let hour = hints[beat >> 10] as number
      while (hour < hours - 1 && (sums[hour + 1] as number) <= wanted) hour++
      const from = sums[hour] as number
      const share = (wanted - from) / ((sums[hour + 1] as number) - from)
      return start + hour * 3600 + Math.floor(Math.min(share, 1) * 3599)
    },
  }
}
