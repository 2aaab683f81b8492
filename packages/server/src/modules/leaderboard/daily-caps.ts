import { batchStatement, type Db } from '../../db/index.ts'
import type { Limits } from '../../limits/budgets.ts'
import type { Entry } from './ledger.ts'
import { COMPONENT_OF, type LedgerKind } from './point-rules.ts'

/** The setting with the daily limit of each kind of points; rare kinds have none. */
const LIMIT_KEYS = {
  post_created: 'post_points_per_day',
  comment_made: 'comment_points_per_day',
  reaction_received: 'reaction_points_per_day',
  helpful_vote: 'helpful_points_per_day',
} as const satisfies Partial<Record<LedgerKind, keyof Limits>>
type CappedKind = keyof typeof LIMIT_KEYS
const CAPPED_KINDS = Object.keys(LIMIT_KEYS) as CappedKind[]

/** Points of a day that its stored score does not contain yet. */
const unfoldedPoints = (kind: CappedKind) => `cast((select coalesce(sum(l.points), 0) from points_ledger l
  where l.user_id = w.user_id and l.id >= w.from_id and l.day = d.day and l.kind = '${kind}') as bigint)`

const earned = batchStatement<{ user_id: number; day: string } & Record<CappedKind, number>>(
  { user_id: 'bigint', day: 'text' },
  (
    rows,
  ) => `select d.user_id, d.day, ${CAPPED_KINDS.map((kind) => `coalesce(p.${COMPONENT_OF[kind]}, 0) + ${unfoldedPoints(kind)} as ${kind}`).join(', ')}
    from ${rows} d left join daily_scores p on p.user_id = d.user_id and p.day = d.day and p.space_id = 0
    left join points_unfolded w on w.user_id = d.user_id`,
)

/** The daily limit of a kind of points; 0: none. */
const limitOf = (kind: LedgerKind, limits: Limits): number => (Object.hasOwn(LIMIT_KEYS, kind) ? limits[LIMIT_KEYS[kind as CappedKind]] : 0)

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
    entries.filter((entry) => isFirst(entry) && entry.points > 0 && limitOf(entry.kind, limits) > 0),
  )
  if (limited.length === 0) return wanted
  const days = new Map(limited.map(({ user_id, day }) => [`${user_id} ${day}`, [user_id, day] as const]))
  const sums = new Map<string, number>()
  for (const row of await earned(db, [...days.values()]))
    for (const kind of CAPPED_KINDS) sums.set(`${row.user_id} ${row.day} ${kind}`, row[kind])
  const worth = new Map<Entry, number>()
  for (const entry of limited) {
    const key = `${entry.user_id} ${entry.day} ${entry.kind}`
    const sum = sums.get(key) ?? 0
    const points = Math.max(0, Math.min(entry.points, limitOf(entry.kind, limits) - sum))
    sums.set(key, sum + points)
    worth.set(entry, points)
  }
  return wanted.map((one) => ({ ...one, entries: one.entries.map((entry) => ({ ...entry, points: worth.get(entry) ?? entry.points })) }))
}
