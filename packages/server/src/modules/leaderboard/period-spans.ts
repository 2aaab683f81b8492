import type { LEADERBOARD_GROUPS } from '@lyceum/contract'
import { endOf, shiftDay, startOf } from '../../util/days.ts'

export type Group = (typeof LEADERBOARD_GROUPS)[number]

interface Range {
  readonly first: string
  readonly last: string
}

const CALENDAR_SPANS = { today: 'day', this_week: 'week', this_month: 'month' } as const
/** Groups whose period moves every day: yesterday's is nearly the same. */
export const ROLLING_DAYS = { '7_days': 7, '30_days': 30 } as const
const isRolling = (group: string): group is keyof typeof ROLLING_DAYS => Object.hasOwn(ROLLING_DAYS, group)

/** The first and last day of each group's period; weeks start on Monday. */
export const spanOf = (group: Exclude<Group, 'all_time'>, today: string): Range => {
  if (isRolling(group)) return { first: shiftDay(today, 1 - ROLLING_DAYS[group]), last: today }
  const first = startOf(CALENDAR_SPANS[group], today)
  return { first, last: endOf(CALENDAR_SPANS[group], first) }
}

/** The periods that a leaderboard needs on that day, by name. */
export const periodsOn = (today: string): ReadonlyMap<string, Range> =>
  new Map(
    (['today', 'this_week', 'this_month', '7_days', '30_days'] as const).map((group) => {
      const span = spanOf(group, today)
      return [`${group}:${span.last}`, span]
    }),
  )

export const periodName = (group: Group, today: string): string => (group === 'all_time' ? group : `${group}:${spanOf(group, today).last}`)
