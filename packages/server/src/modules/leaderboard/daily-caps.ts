import { batchStatement, type Db } from '../../db/index.ts'
import type { Limits } from '../../limits/budgets.ts'
import type { Entry } from './ledger.ts'
import { ledgerKindOf, PART_OF, type Part } from './rules.ts'

/** The setting with the daily limit of each score component; rare components have none. */
const LIMIT_KEYS = {
  posts: 'post_points_per_day',
  comments: 'comment_points_per_day',
  reactions: 'reaction_points_per_day',
  helpful: 'helpful_points_per_day',
} as const satisfies Partial<Record<Part, keyof Limits>>
const CAPPED_PARTS = Object.keys(LIMIT_KEYS) as (keyof typeof LIMIT_KEYS)[]

/** Points of a day that its stored score does not contain yet. */
const unfoldedPoints = (part: Part) => `cast((select coalesce(sum(l.points), 0) from points_ledger l
  where l.user_id = w.user_id and l.id >= w.from_id and l.day = d.day and l.kind = '${ledgerKindOf(part)}') as bigint)`

const earned = batchStatement<{ user_id: number; day: string } & Record<keyof typeof LIMIT_KEYS, number>>(
  { user_id: 'bigint', day: 'text' },
  (
    rows,
  ) => `select d.user_id, d.day, ${CAPPED_PARTS.map((part) => `coalesce(p.${part}, 0) + ${unfoldedPoints(part)} as ${part}`).join(', ')}
    from ${rows} d left join daily_scores p on p.user_id = d.user_id and p.day = d.day and p.space_id = 0
    left join points_unfolded w on w.user_id = d.user_id`,
)

const cappedPart = ({ kind }: Entry, limits: Limits): keyof typeof LIMIT_KEYS | undefined => {
  const part = PART_OF[kind]
  return part && part in LIMIT_KEYS && limits[LIMIT_KEYS[part as keyof typeof LIMIT_KEYS]] > 0
    ? (part as keyof typeof LIMIT_KEYS)
    : undefined
}

/**
 * Caps the points of rows earned for the first time at what the daily limits still allow. A capped row stays in the ledger with fewer or no
 * points, so that reversing or re-earning it moves exactly that amount. The caller holds the users' locks.
 */
export const applyDailyCaps = async <T extends { readonly entries: readonly Entry[] }>(
  db: Db,
  wanted: readonly T[],
  isFirst: (entry: Entry) => boolean,
  limits: Limits,
): Promise<readonly T[]> => {
  const limited = wanted.flatMap(({ entries }) =>
    entries.filter((entry) => isFirst(entry) && cappedPart(entry, limits) && entry.points > 0),
  )
  if (limited.length === 0) return wanted
  const days = new Map(limited.map(({ user_id, day }) => [`${user_id} ${day}`, [user_id, day] as const]))
  const sums = new Map((await earned(db, [...days.values()])).map((row) => [`${row.user_id} ${row.day}`, { ...row }]))
  const worth = new Map<Entry, number>()
  for (const entry of limited) {
    const key = `${entry.user_id} ${entry.day}`
    const part = cappedPart(entry, limits)
    if (!part) continue
    const sum = sums.get(key) ?? { user_id: entry.user_id, day: entry.day, posts: 0, comments: 0, reactions: 0, helpful: 0 }
    sums.set(key, sum)
    const points = Math.max(0, Math.min(entry.points, limits[LIMIT_KEYS[part]] - sum[part]))
    sum[part] += points
    worth.set(entry, points)
  }
  return wanted.map((one) => ({ ...one, entries: one.entries.map((entry) => ({ ...entry, points: worth.get(entry) ?? entry.points })) }))
}
