import type { PointsAggregates } from '../../core/context.ts'
import { besideRead } from '../../core/read-guard.ts'
import { batchStatement, type Database, type Db, lockUsers, statement } from '../../db/index.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { COUNTED_PARTS, countDelta } from './ledger.ts'
import { type LedgerKind, PART_OF, PARTS } from './rules.ts'

/** Users whose aggregates one write updates: about sixteen rows each, while other writes wait. */
const USERS_PER_BATCH = 32
/** Reads fold again only if the aggregates may be older than this. */
const MAX_AGE_MS = 1000
/** How long a read waits for the aggregates to catch up. */
const TIMEOUT_MS = 2000

/** A ledger row that the aggregates do not contain yet. */
interface UnfoldedRow {
  readonly user_id: number
  readonly kind: LedgerKind
  readonly points: number
  readonly space_id: number | null
  readonly day: string
  readonly created_at: string
  readonly reverses: number | null
}

const waiting = statement<{ user_id: number }>(`select user_id from points_unfolded order by user_id limit ${USERS_PER_BATCH}`)
const unfoldedRows = batchStatement<UnfoldedRow>(
  { user_id: 'bigint' },
  (
    rows,
  ) => `select l.user_id, l.kind, l.points, l.space_id, l.day, l.created_at, l.reverses from points_unfolded w cross join points_ledger l
    where w.user_id in (select d.user_id from ${rows} d) and l.user_id = w.user_id and l.id >= w.from_id order by l.id`,
)
const unmark = batchStatement(
  { user_id: 'bigint' },
  (rows) => `delete from points_unfolded where user_id in (select d.user_id from ${rows} d)`,
)
const addTotals = batchStatement<{ id: number; total_points: number }>(
  { id: 'bigint', points: 'bigint' },
  (rows) =>
    `update users set total_points = total_points + d.points from ${rows} d where users.id = d.id returning users.id, users.total_points`,
)
const SCORE_COLUMNS = ['points', ...PARTS] as const
const SCORE_TYPES = Object.fromEntries(SCORE_COLUMNS.map((name) => [name, 'bigint' as const]))
const onConflict = (table: string, key: string) =>
  `on conflict (${key}) do update set ${SCORE_COLUMNS.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`
const addDailyScores = batchStatement(
  { user_id: 'bigint', space_id: 'bigint', day: 'text', ...SCORE_TYPES },
  (rows) => `insert into daily_scores (user_id, space_id, day, ${SCORE_COLUMNS.join(', ')})
    select d.user_id, d.space_id, d.day, ${SCORE_COLUMNS.map((name) => `d.${name}`).join(', ')} from ${rows} d where 1 = 1
    ${onConflict('daily_scores', 'user_id, space_id, day')}`,
)
const addPeriodScores = batchStatement(
  { user_id: 'bigint', space_id: 'bigint', day: 'text', ...SCORE_TYPES },
  (rows) => `insert into period_scores (user_id, period_id, space_id, ${SCORE_COLUMNS.join(', ')})
    select d.user_id, w.id, d.space_id, ${SCORE_COLUMNS.map((name) => `sum(d.${name})`).join(', ')} from ${rows} d cross join score_periods w
    where w.first_day <= d.day and w.last_day >= d.day and w.state <> 'leaving' group by d.user_id, w.id, d.space_id
    ${onConflict('period_scores', 'user_id, period_id, space_id')}`,
)
const addCounts = batchStatement(
  { user_id: 'bigint', ...Object.fromEntries(COUNTED_PARTS.map((name) => [name, 'bigint' as const])) },
  (rows) => `insert into contribution_counts (user_id, ${COUNTED_PARTS.join(', ')})
    select d.user_id, ${COUNTED_PARTS.map((name) => `d.${name}`).join(', ')} from ${rows} d where 1 = 1
    on conflict (user_id) do update set ${COUNTED_PARTS.map((name) => `${name} = contribution_counts.${name} + excluded.${name}`).join(', ')}`,
)
const insertLevels = batchStatement(
  { user_id: 'bigint', former: 'bigint', highest: 'bigint', at: 'text' },
  (rows) => `insert into achievements (user_id, code, level_id, earned_at)
    select d.user_id, 'level:' || l.id, l.id, d.at from ${rows} d join leaderboard_levels l on l.min_points > d.former and l.min_points <= d.highest
    where 1 = 1 on conflict (user_id, code) do nothing`,
)

type Key = readonly (number | string)[]

/** Sums the values of rows by key, as rows of keys and sums. */
const sumByKey = (rows: readonly UnfoldedRow[], keysOf: (row: UnfoldedRow) => readonly Key[], values: (row: UnfoldedRow) => number[]) => {
  const sums = new Map<string, { readonly key: Key; readonly values: number[] }>()
  for (const row of rows)
    for (const key of keysOf(row)) {
      const text = String(key)
      const found = sums.get(text)
      if (!found) sums.set(text, { key, values: values(row) })
      else for (const [i, n] of values(row).entries()) found.values[i] = (found.values[i] ?? 0) + n
    }
  return [...sums.values()].map(({ key, values }) => [...key, ...values])
}

const scoresOf = ({ kind, points }: UnfoldedRow) => [points, ...PARTS.map((part) => (PART_OF[kind] === part ? points : 0))]
const countsOf = (row: UnfoldedRow) => COUNTED_PARTS.map((part) => (PART_OF[row.kind] === part ? countDelta(row) : 0))
/** Space 0 is the whole community. */
const scoreKeys = ({ user_id, space_id, day }: UnfoldedRow): Key[] => [
  [user_id, 0, day],
  ...(space_id === null ? [] : [[user_id, space_id, day]]),
]

/** Updates the totals, and inserts levels reached at the highest intermediate total of each user. */
const addTotalsAndLevels = async (db: Db, rows: readonly UnfoldedRow[]): Promise<void> => {
  const gains = new Map<number, { net: number; most: number; at: string }>()
  for (const { user_id, points, created_at } of rows) {
    const gain = gains.get(user_id) ?? { net: 0, most: 0, at: created_at }
    gain.net += points
    if (gain.net > gain.most) Object.assign(gain, { most: gain.net, at: created_at })
    gains.set(user_id, gain)
  }
  const changed = [...gains].filter(([, { net, most }]) => net !== 0 || most > 0)
  const totals = await addTotals(
    db,
    changed.map(([id, { net }]) => [id, net]),
  )
  const increased = totals.flatMap(({ id, total_points }) => {
    const { net, most, at } = gains.get(id) ?? { net: 0, most: 0, at: '' }
    return most > 0 ? [[id, total_points - net, total_points - net + most, at]] : []
  })
  if (increased.length > 0) await insertLevels(db, increased)
}

/**
 * Adds the unfolded ledger rows of some users to their aggregates. Under a user's lock, all their rows are committed and in the order of their
 * ids. Returns the number of users.
 */
const foldBatch = async (db: Db): Promise<number> => {
  const users = await waiting(db)
  if (users.length === 0) return 0
  const ids = users.map(({ user_id }) => user_id)
  await lockUsers(db, ids)
  const rows = await unfoldedRows(db, ids)
  await unmark(db, ids)
  if (rows.length === 0) return users.length
  await addTotalsAndLevels(db, rows)
  const days = sumByKey(rows, scoreKeys, scoresOf)
  await addDailyScores(db, days)
  await addPeriodScores(db, days)
  await addCounts(
    db,
    sumByKey(rows, ({ user_id }) => [[user_id]], countsOf),
  )
  return users.length
}

/** Keeps the aggregates of the ledger: totals, daily and period scores, counts, levels reached. */
export const createPointsAggregates = (database: Database): PointsAggregates => {
  let running: Promise<void> | null = null
  let incomplete = false
  let foldedAt = Number.NEGATIVE_INFINITY

  const foldAll = async () => {
    incomplete = false
    foldedAt = performance.now()
    if ((await waiting(database.read)).length === 0) return
    while ((await database.write(foldBatch, 'background')) === USERS_PER_BATCH);
  }

  const fold = async (): Promise<void> => {
    // A run in progress may have read before the last commit.
    await running?.catch(() => {})
    running ??= besideRead(foldAll).finally(() => {
      running = null
    })
    await running
  }

  return {
    noteAdded: () => {
      incomplete = true
    },
    fold,
    catchUp: async () => {
      if (!incomplete || performance.now() - foldedAt < MAX_AGE_MS) return
      await withTimeout(
        fold().catch(() => {}),
        TIMEOUT_MS,
        undefined,
      )
    },
  }
}
