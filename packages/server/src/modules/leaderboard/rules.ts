import type { LEADERBOARD_GROUPS, PointKind } from '@lyceum/contract'

export type Group = (typeof LEADERBOARD_GROUPS)[number]

/** Bonuses beside the configured points, with their achievements. */
export const BONUSES = {
  first_post: { points: 50, title: 'First post', icon: '✍️' },
  comments_100: { points: 100, title: '100 comments', icon: '💬' },
  course_streak: { points: 50, title: 'Course after course', icon: '🎓' },
  active_week: { points: 25, title: 'A week without a break', icon: '📅' },
} as const
export type BonusKind = keyof typeof BONUSES
export type LedgerKind = PointKind | BonusKind

export const COMMENTS_MILESTONE = 100
export const STREAK_DAYS = 7

export const isBonus = (code: string): code is BonusKind => Object.hasOwn(BONUSES, code)

/** Score components, stored in a column each beside the total. */
export const PARTS = ['posts', 'comments', 'reactions', 'courses', 'helpful'] as const
export type Part = (typeof PARTS)[number]

export const PART_OF: Readonly<Partial<Record<LedgerKind, Part>>> = {
  post_created: 'posts',
  comment_made: 'comments',
  reaction_received: 'reactions',
  course_completed: 'courses',
  helpful_vote: 'helpful',
}

/** The ledger kind whose points belong to a component. */
export const ledgerKindOf = (part: Part): LedgerKind => Object.entries(PART_OF).find(([, one]) => one === part)?.[0] as LedgerKind

const DAY_MS = 86_400_000
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Adds days to a day (`YYYY-MM-DD`); may be negative. */
export const addDays = (day: string, days: number): string => textOf(timeOf(day) + days * DAY_MS)

/** Days since 1970. */
const numberOf = (day: string): number => timeOf(day) / DAY_MS

export interface Span {
  readonly first: string
  readonly last: string
}

const monthOf = (day: string): Span => {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return { first: textOf(Date.UTC(year, month - 1, 1)), last: textOf(Date.UTC(year, month, 0)) }
}

const weekOf = (day: string): Span => {
  const sinceMonday = (new Date(timeOf(day)).getUTCDay() + 6) % 7
  const first = addDays(day, -sinceMonday)
  return { first, last: addDays(first, 6) }
}

/** The first and last day of each group's period; weeks start on Monday. */
export const spanOf = (group: Exclude<Group, 'all_time'>, today: string): Span =>
  ({
    today: () => ({ first: today, last: today }),
    this_week: () => weekOf(today),
    this_month: () => monthOf(today),
    '7_days': () => ({ first: addDays(today, -6), last: today }),
    '30_days': () => ({ first: addDays(today, -29), last: today }),
  })[group]()

/** The periods that a leaderboard needs on that day, by name. */
export const periodsOn = (today: string): ReadonlyMap<string, Span> =>
  new Map(
    (['today', 'this_week', 'this_month', '7_days', '30_days'] as const).map((group) => {
      const span = spanOf(group, today)
      return [`${group}:${span.last}`, span]
    }),
  )

/** The name of a group's period on that day. */
export const periodName = (group: Group, today: string): string => (group === 'all_time' ? group : `${group}:${spanOf(group, today).last}`)

/**
 * The days, from a new active day on, that complete a full week of activity. `active`: the active days around it; `awardedDays`: the days
 * of full weeks awarded before. Weeks do not overlap.
 */
export const fullWeeks = (day: string, active: ReadonlySet<string>, awardedDays: ReadonlySet<string>): string[] => {
  const awarded = new Set([...awardedDays].map(numberOf))
  const days = new Set([...active].map(numberOf))
  const first = numberOf(day)
  const full: string[] = []
  for (let end = first; end < first + STREAK_DAYS; end++) {
    const around = Array.from({ length: STREAK_DAYS }, (_, i) => i)
    const isFull = around.every((i) => days.has(end - i))
    const isAwarded = around.some((i) => awarded.has(end - i) || awarded.has(end + i))
    if (!isFull || isAwarded) continue
    awarded.add(end)
    full.push(addDays(day, end - first))
  }
  return full
}
