import type { PointKind } from '@lyceum/contract'
import { shiftDay } from '../../util/days.ts'

/** Bonuses beside the configured points, with their achievements. */
export const BONUSES = {
  first_post: { points: 50, title: 'First post', icon: '✍️' },
  comments_100: { points: 100, title: '100 comments', icon: '💬' },
  course_streak: { points: 50, title: 'Course after course', icon: '🎓' },
  active_week: { points: 25, title: 'A week without a break', icon: '📅' },
} as const
export type BonusKind = keyof typeof BONUSES
/** `imported`: points that a member had at another community beyond those of the content that was imported. */
export type LedgerKind = PointKind | BonusKind | 'imported'

export const COMMENTS_MILESTONE = 100
export const STREAK_DAYS = 7

export const isBonus = (code: string): code is BonusKind => Object.hasOwn(BONUSES, code)

/** Score components, stored in a column each beside the total. */
export const COMPONENTS = ['posts', 'comments', 'reactions', 'courses', 'helpful'] as const
export type ScoreComponent = (typeof COMPONENTS)[number]

export const COMPONENT_OF: Readonly<Partial<Record<LedgerKind, ScoreComponent>>> = {
  post_created: 'posts',
  comment_made: 'comments',
  reaction_received: 'reactions',
  course_completed: 'courses',
  helpful_vote: 'helpful',
}

export const SCORE_COLUMNS = ['points', ...COMPONENTS] as const

/** Components whose ledger rows in effect are counted. */
export const COUNTED_COMPONENTS = ['posts', 'comments', 'reactions', 'courses'] as const

export const ledgerKindOf = (name: ScoreComponent) => Object.entries(COMPONENT_OF).find(([, one]) => one === name)?.[0] as LedgerKind

/**
 * The days, from new active days on, that complete a full week of activity. `active`: the active days around them; `awardedDays`: the days
 * of full weeks awarded before. Weeks do not overlap.
 */
export const fullWeeks = (days: readonly string[], active: ReadonlySet<string>, awardedDays: ReadonlySet<string>): string[] => {
  const awarded = new Set(awardedDays)
  const week = Array.from({ length: STREAK_DAYS }, (_, i) => i)
  const full: string[] = []
  for (const end of days.flatMap((day) => week.map((i) => shiftDay(day, i)))) {
    const isFull = week.every((i) => active.has(shiftDay(end, -i)))
    const isAwarded = week.some((i) => awarded.has(shiftDay(end, -i)) || awarded.has(shiftDay(end, i)))
    if (!isFull || isAwarded) continue
    awarded.add(end)
    full.push(end)
  }
  return full
}
