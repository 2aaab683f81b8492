import { batchStatement, type Db, lockUsers, statement } from '../../db/index.ts'
import { BONUSES, isBonus, type LedgerKind, PART_OF, PARTS } from './rules.ts'

/** A ledger row to add. */
export interface Entry {
  readonly userId: number
  readonly kind: LedgerKind
  readonly dedupKey: string
  readonly points: number
  readonly eventKey: string
  readonly spaceId: number | null
  readonly feedId: number | null
  readonly commentId: number | null
  readonly day: string
  /** The row that this one reverses. */
  readonly reverses: number | null
}

/** The newest row of a deduplication key: in effect unless it is a reversal. */
export interface LastEntry {
  readonly id: number
  readonly user_id: number
  readonly kind: LedgerKind
  readonly dedup_key: string
  readonly points: number
  readonly event_key: string
  readonly space_id: number | null
  readonly feed_id: number | null
  readonly comment_id: number | null
  readonly day: string
  readonly reverses: number | null
}

/** How many posts, comments and courses of a user are in effect. */
export interface Counts {
  readonly posts: number
  readonly comments: number
  readonly courses: number
}

/** The event keys of the added rows, and the resulting counts of their users. */
export interface AddResult {
  readonly keys: ReadonlySet<string>
  readonly counts: ReadonlyMap<number, Counts>
}

const append = batchStatement<{ event_key: string }>(
  {
    user_id: 'bigint',
    kind: 'text',
    dedup_key: 'text',
    points: 'bigint',
    event_key: 'text',
    space_id: 'bigint',
    feed_id: 'bigint',
    comment_id: 'bigint',
    day: 'text',
    reverses: 'bigint',
  },
  (
    rows,
  ) => `insert into points_ledger (user_id, kind, dedup_key, points, event_key, space_id, feed_id, comment_id, day, reverses, created_at)
    select d.user_id, d.kind, d.dedup_key, d.points, d.event_key, d.space_id, d.feed_id, d.comment_id, d.day, d.reverses, $2 from ${rows} d
    where 1 = 1 on conflict (event_key) do nothing returning event_key`,
)
const last = batchStatement<LastEntry>(
  { dedup_key: 'text' },
  (rows) => `select l.id, l.user_id, l.kind, l.dedup_key, l.points, l.event_key, l.space_id, l.feed_id, l.comment_id, l.day, l.reverses
    from ${rows} d join points_ledger l on l.id = (select max(m.id) from points_ledger m where m.dedup_key = d.dedup_key)`,
)
const accounts = batchStatement<{ id: number }>(
  { id: 'bigint' },
  (rows) => `select u.id from ${rows} d join users u on u.id = d.id where u.status <> 'deleted'`,
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
const COUNTED = ['posts', 'comments', 'reactions', 'courses'] as const
const addCounts = batchStatement<Counts & { user_id: number }>(
  { user_id: 'bigint', ...Object.fromEntries(COUNTED.map((name) => [name, 'bigint' as const])) },
  (rows) => `insert into contribution_counts (user_id, ${COUNTED.join(', ')})
    select d.user_id, ${COUNTED.map((name) => `d.${name}`).join(', ')} from ${rows} d where 1 = 1
    on conflict (user_id) do update set ${COUNTED.map((name) => `${name} = contribution_counts.${name} + excluded.${name}`).join(', ')}
    returning user_id, posts, comments, courses`,
)
const insertLevels = batchStatement(
  { user_id: 'bigint', former: 'bigint', highest: 'bigint' },
  (rows) => `insert into achievements (user_id, code, level_id, earned_at)
    select d.user_id, 'level:' || l.id, l.id, $2 from ${rows} d join leaderboard_levels l on l.min_points > d.former and l.min_points <= d.highest
    where 1 = 1 on conflict (user_id, code) do nothing`,
)
const insertBonus = statement(
  'insert into achievements (user_id, code, earned_at) values ($1, $2, $3) on conflict (user_id, code) do nothing',
)
const deleteBonus = statement('delete from achievements where user_id = $1 and code = $2')

/** The newest row of each deduplication key. */
export const lastEntries = async (db: Db, subjects: readonly string[]): Promise<Map<string, LastEntry>> => {
  const rows = await last(
    db,
    subjects.map((dedupKey) => [dedupKey]),
  )
  return new Map(rows.map((row) => [row.dedup_key, row]))
}

/** Locks the points of these users until the transaction ends. Returns the ids of existing accounts. */
export const lockPoints = async (db: Db, userIds: readonly number[]): Promise<Set<number>> => {
  const ids = [...new Set(userIds)].sort((a, b) => a - b)
  await lockUsers(db, ids)
  const rows = await accounts(
    db,
    ids.map((id) => [id]),
  )
  return new Set(rows.map(({ id }) => id))
}

/** Sums the values of entries by key. */
const sumByKey = <K>(keysOf: (entry: Entry) => readonly K[], values: (entry: Entry) => readonly number[], entries: readonly Entry[]) => {
  const sums = new Map<string, { readonly key: K; readonly values: number[] }>()
  for (const entry of entries)
    for (const key of keysOf(entry)) {
      const text = String(key)
      const found = sums.get(text)
      if (!found) sums.set(text, { key, values: [...values(entry)] })
      else for (const [i, n] of values(entry).entries()) found.values[i] = (found.values[i] ?? 0) + n
    }
  return [...sums.values()]
}

const scoresOf = ({ kind, points }: Entry) => [points, ...PARTS.map((part) => (PART_OF[kind] === part ? points : 0))]
/** How a row changes the count of its kind. */
export const countDelta = ({ reverses }: Pick<Entry, 'reverses'>): 1 | -1 => (reverses === null ? 1 : -1)
const countsOf = (entry: Entry) => COUNTED.map((part) => (PART_OF[entry.kind] === part ? countDelta(entry) : 0))

/** Updates the totals, and inserts levels reached at the highest intermediate total of each user. */
const addTotalsAndLevels = async (db: Db, entries: readonly Entry[], now: string): Promise<void> => {
  const gains = new Map<number, { net: number; most: number }>()
  for (const { userId, points } of entries) {
    const gain = gains.get(userId) ?? { net: 0, most: 0 }
    gain.net += points
    gain.most = Math.max(gain.most, gain.net)
    gains.set(userId, gain)
  }
  const totals = await addTotals(
    db,
    [...gains].map(([id, { net }]) => [id, net]),
  )
  const increased = totals.flatMap(({ id, total_points }) => {
    const { net, most } = gains.get(id) ?? { net: 0, most: 0 }
    return most > 0 ? [[id, total_points - net, total_points - net + most]] : []
  })
  if (increased.length > 0) await insertLevels(db, increased, [now])
}

/**
 * Adds ledger rows and updates everything derived from them: totals, daily and period scores, counts, achievements. The number of
 * statements does not depend on the number of rows. A row with an existing event key is ignored. The caller holds the users' locks.
 */
export const addEntries = async (db: Db, wanted: readonly Entry[], now: string): Promise<AddResult> => {
  if (wanted.length === 0) return { keys: new Set(), counts: new Map() }
  const rows = wanted.map(({ userId, kind, dedupKey, points, eventKey, spaceId, feedId, commentId, day, reverses }) => [
    userId,
    kind,
    dedupKey,
    points,
    eventKey,
    spaceId,
    feedId,
    commentId,
    day,
    reverses,
  ])
  const keys = new Set((await append(db, rows, [now])).map(({ event_key }) => event_key))
  const entries = wanted.filter(({ eventKey }) => keys.has(eventKey))
  if (entries.length === 0) return { keys, counts: new Map() }
  await addTotalsAndLevels(db, entries, now)
  // Space 0 is the whole community.
  const scoreKeys = ({ userId, spaceId, day }: Entry) => [[userId, 0, day], ...(spaceId === null ? [] : [[userId, spaceId, day]])]
  const days = sumByKey(scoreKeys, scoresOf, entries).map(({ key, values }) => [...key, ...values])
  await addDailyScores(db, days)
  await addPeriodScores(db, days)
  for (const { kind, userId, reverses } of entries) {
    if (!isBonus(kind)) continue
    if (reverses === null) await insertBonus(db, [userId, kind, now])
    else await deleteBonus(db, [userId, kind])
  }
  const counted = sumByKey(({ userId }) => [userId], countsOf, entries)
  const counts = await addCounts(
    db,
    counted.map(({ key, values }) => [key, ...values]),
  )
  return { keys, counts: new Map(counts.map(({ user_id, ...row }) => [user_id, row])) }
}

/** The row that reverses an entry. */
export const reversalOf = (entry: LastEntry): Entry => ({
  userId: entry.user_id,
  kind: entry.kind,
  dedupKey: entry.dedup_key,
  // `0 - x` instead of `-x`: databases do not accept −0 as an integer.
  points: 0 - entry.points,
  eventKey: `rev:${entry.event_key}`,
  spaceId: entry.space_id,
  feedId: entry.feed_id,
  commentId: entry.comment_id,
  day: entry.day,
  reverses: entry.id,
})

export const bonusPoints = (kind: LedgerKind): number | undefined => (isBonus(kind) ? BONUSES[kind].points : undefined)
