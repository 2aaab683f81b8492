import { batchStatement, type Db, lockUsers } from '../../../server/src/db/index.ts'
import { pointsConfig } from '../../../server/src/modules/leaderboard/levels.ts'
import type { LedgerKind } from '../../../server/src/modules/leaderboard/point-rules.ts'
import { readSetting } from '../../../server/src/modules/settings/index.ts'
import { dayIn } from '../../../server/src/util/time-zones.ts'

/** An action that earns points, as the event listener would record it. */
export interface Earned {
  readonly user: number
  readonly kind: LedgerKind
  readonly dedupKey: string
  readonly space?: number | null
  readonly feed?: number | null
  readonly comment?: number | null
  readonly at: string
  /** Overrides the points of the kind. */
  readonly points?: number
}

const TYPES = {
  user_id: 'bigint',
  kind: 'text',
  dedup_key: 'text',
  points: 'bigint',
  space_id: 'bigint',
  feed_id: 'bigint',
  comment_id: 'bigint',
  day: 'text',
  created_at: 'text',
} as const
const COLUMNS = Object.keys(TYPES).join(', ')

// Deleted accounts earn nothing.
const append = batchStatement<{ id: number; user_id: number }>(
  TYPES,
  (rows) => `insert into points_ledger (${COLUMNS}, event_key) select ${COLUMNS}, dedup_key from ${rows} d
    where exists (select 1 from users u where u.id = d.user_id and u.status <> 'deleted') on conflict (event_key) do nothing returning id, user_id`,
)
const markUnfolded = batchStatement(
  { user_id: 'bigint', from_id: 'bigint' },
  (rows) =>
    `insert into points_unfolded (user_id, from_id) select d.user_id, d.from_id from ${rows} d where 1 = 1 on conflict (user_id) do nothing`,
)

/** Adds rows to the points ledger, dated when the points were earned. Totals are updated when the ledger is folded. */
export const createEarnings = async (read: Db) => {
  const [points, zone] = await Promise.all([pointsConfig(read), readSetting(read, 'timezone')])
  const days = new Map<string, string>()
  /** Offsets of time zones only change at full quarters of an hour. */
  const dayOf = (at: string): string => {
    if (zone === 'UTC') return at.slice(0, 10)
    const quarter = `${at.slice(0, 14)}${Math.floor(Number(at.slice(14, 16)) / 15)}`
    const day = days.get(quarter) ?? dayIn(zone, at)
    if (days.size > 100_000) days.clear()
    days.set(quarter, day)
    return day
  }
  return {
    dayOf,
    add: async (db: Db, earned: readonly Earned[]): Promise<void> => {
      if (earned.length === 0) return
      // User locks ensure that row ids are committed in ascending order.
      await lockUsers(db, [...new Set(earned.map(({ user }) => user))])
      const rows = earned.map(({ user, kind, dedupKey, space, feed, comment, at, points: own }) => [
        user,
        kind,
        dedupKey,
        own ?? points[kind as keyof typeof points] ?? 0,
        space ?? null,
        feed ?? null,
        comment ?? null,
        dayOf(at),
        at,
      ])
      const first = new Map<number, number>()
      for (const { id, user_id } of await append(db, rows)) first.set(user_id, Math.min(first.get(user_id) ?? id, id))
      await markUnfolded(db, [...first])
    },
  }
}

export type Earnings = Awaited<ReturnType<typeof createEarnings>>
