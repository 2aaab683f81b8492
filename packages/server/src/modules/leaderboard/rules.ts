import type { LEADERBOARD_GROUPS, PointKind } from '@lyceum/contract'

export type Group = (typeof LEADERBOARD_GROUPS)[number]

/** What is given beside the points of the configuration, and for which achievement it stands. */
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

/** Columns of the sums, beside the total: what a part of the points was earned with. */
export const PARTS = ['posts', 'comments', 'reactions', 'courses', 'helpful'] as const
export type Part = (typeof PARTS)[number]

export const PART_OF: Readonly<Partial<Record<LedgerKind, Part>>> = {
  post_created: 'posts',
  comment_made: 'comments',
  reaction_received: 'reactions',
  course_completed: 'courses',
  helpful_vote: 'helpful',
}

const DAY_MS = 86_400_000
const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** So many days after a day (`YYYY-MM-DD`), or before it. */
export const dayAfter = (day: string, days: number): string => textOf(timeOf(day) + days * DAY_MS)

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
  const first = dayAfter(day, -sinceMonday)
  return { first, last: dayAfter(first, 6) }
}

/** The days of each group, both included, where it is a certain day; weeks begin on Monday. */
export const spanOf = (group: Exclude<Group, 'all_time'>, today: string): Span =>
  ({
    today: () => ({ first: today, last: today }),
    this_week: () => weekOf(today),
    this_month: () => monthOf(today),
    '7_days': () => ({ first: dayAfter(today, -6), last: today }),
    '30_days': () => ({ first: dayAfter(today, -29), last: today }),
  })[group]()

/** The days that a leaderboard needs summed up on that day, by the name under which their sums are kept. */
export const windowsOn = (today: string): ReadonlyMap<string, Span> =>
  new Map(
    (['today', 'this_week', 'this_month', '7_days', '30_days'] as const).map((group) => {
      const span = spanOf(group, today)
      return [`${group}:${span.last}`, span]
    }),
  )

/** Name under which the sums of a group are kept on that day. */
export const windowName = (group: Group, today: string): string => (group === 'all_time' ? group : `${group}:${spanOf(group, today).last}`)

/**
 * On which of the days that follow a new day of activity, itself included, a week without a break is full. `active`: the days with activity
 * around it; `given`: the days on which a full week was told before. Weeks do not overlap.
 */
export const fullWeeks = (day: string, active: ReadonlySet<string>, given: ReadonlySet<string>): string[] => {
  const told = new Set([...given].map(numberOf))
  const days = new Set([...active].map(numberOf))
  const first = numberOf(day)
  const full: string[] = []
  for (let end = first; end < first + STREAK_DAYS; end++) {
    const around = Array.from({ length: STREAK_DAYS }, (_, i) => i)
    const isWhole = around.every((i) => days.has(end - i))
    const isTold = around.some((i) => told.has(end - i) || told.has(end + i))
    if (!isWhole || isTold) continue
    told.add(end)
    full.push(dayAfter(day, end - first))
  }
  return full
}
