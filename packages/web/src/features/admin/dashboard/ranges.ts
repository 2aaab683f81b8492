export const RANGES = ['7', '30', '90', '365'] as const
export type Range = (typeof RANGES)[number]

const DAY_MS = 86_400_000
const iso = (time: number) => new Date(time).toISOString().slice(0, 10)

export interface Days {
  readonly date_from: string
  readonly date_to: string
}

/** The last `days` days up to today; with `back`, the same number of days before those. */
export const daysOf = (range: Range, back = 0, now = Date.now()): Days => {
  const length = Number(range)
  const last = now - back * length * DAY_MS
  return { date_from: iso(last - (length - 1) * DAY_MS), date_to: iso(last) }
}

/** Groups days so that a chart has a readable number of points. */
export const intervalOf = (range: Range): 'day' | 'week' => (Number(range) > 90 ? 'week' : 'day')
