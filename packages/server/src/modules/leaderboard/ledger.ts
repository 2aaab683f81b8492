import type { WriteContext } from '../../core/context.ts'
import { batchStatement, type Db, lockUsers, statement, type Tables, valuesIn } from '../../db/index.ts'
import { countOf } from './aggregate-sql.ts'
import { isBonus, type LedgerKind } from './point-rules.ts'

const ENTRY_TYPES = {
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
} as const
const COLUMNS = Object.keys(ENTRY_TYPES) as (keyof typeof ENTRY_TYPES)[]
const list = (alias: string) => COLUMNS.map((column) => `${alias}.${column}`).join(', ')

export type Entry = Pick<Tables['points_ledger'], Exclude<keyof typeof ENTRY_TYPES, 'kind'>> & { readonly kind: LedgerKind }

/** The newest row of a deduplication key: in effect unless it is a reversal. */
export type LastEntry = Entry & { readonly id: number }

/** How many posts, comments and courses of a user are in effect. */
export type Counts = Readonly<Record<'posts' | 'comments' | 'courses', number>>

const append = batchStatement<{ id: number; user_id: number; event_key: string }>(
  ENTRY_TYPES,
  (rows) => `insert into points_ledger (${COLUMNS.join(', ')}, created_at) select ${list('d')}, $2 from ${rows} d
    where 1 = 1 on conflict (event_key) do nothing returning id, user_id, event_key`,
)
const markUnfolded = batchStatement(
  { user_id: 'bigint', from_id: 'bigint' },
  (rows) =>
    `insert into points_unfolded (user_id, from_id) select d.user_id, d.from_id from ${rows} d where 1 = 1 on conflict (user_id) do nothing`,
)
const last = batchStatement<LastEntry>(
  { dedup_key: 'text' },
  (rows) => `select l.id, ${list('l')} from ${rows} d
    join points_ledger l on l.id = (select max(m.id) from points_ledger m where m.dedup_key = d.dedup_key)`,
)
const accounts = batchStatement<{ id: number }>(
  { id: 'bigint' },
  (rows) => `select u.id from ${rows} d join users u on u.id = d.id where u.status <> 'deleted'`,
)
/** The stored count and the rows in effect that it does not contain yet. */
const currentCount = (name: keyof Counts) => `cast(coalesce(max(n.${name}), 0) + coalesce(${countOf(name)}, 0) as bigint) as ${name}`
const counts = batchStatement<Counts & { user_id: number }>(
  { user_id: 'bigint' },
  (rows) => `select d.user_id, ${currentCount('posts')}, ${currentCount('comments')}, ${currentCount('courses')}
    from ${rows} d left join points_unfolded w on w.user_id = d.user_id
    left join points_ledger l on l.user_id = w.user_id and l.id >= w.from_id
    left join contribution_counts n on n.user_id = d.user_id group by d.user_id`,
)
const insertBonus = statement(
  'insert into achievements (user_id, code, earned_at) values ($1, $2, $3) on conflict (user_id, code) do nothing',
)
const deleteBonus = statement('delete from achievements where user_id = $1 and code = $2')

export const lastEntries = async (db: Db, subjects: readonly string[]): Promise<Map<string, LastEntry>> => {
  return new Map((await last(db, subjects)).map((row) => [row.dedup_key, row]))
}

/** Locks the points of these users until the transaction ends. Returns the ids of existing accounts. */
export const lockPoints = async (db: Db, userIds: readonly number[]): Promise<Set<number>> => {
  const ids = [...new Set(userIds)]
  await lockUsers(db, ids)
  const rows = await accounts(db, ids)
  return new Set(rows.map(({ id }) => id))
}

/** How a row changes the count of its kind. */
export const countDelta = ({ reverses }: { readonly reverses: number | null }): 1 | -1 => (reverses === null ? 1 : -1)

/**
 * Adds ledger rows and the achievements of bonuses, and marks the users' aggregates as incomplete. A row with an existing event key is ignored.
 * The caller holds the users' locks. Returns the event keys of the added rows.
 */
export const addEntries = async ({ db, now, services }: WriteContext, wanted: readonly Entry[]): Promise<ReadonlySet<string>> => {
  if (wanted.length === 0) return new Set()
  const rows = wanted.map((entry) => valuesIn(entry, COLUMNS))
  const added = await append(db, rows, [now])
  if (added.length === 0) return new Set()
  const firstIds = new Map<number, number>()
  for (const { id, user_id } of added) firstIds.set(user_id, Math.min(id, firstIds.get(user_id) ?? id))
  await markUnfolded(db, [...firstIds])
  services.points.noteAdded()
  const keys = new Set(added.map(({ event_key }) => event_key))
  for (const { kind, user_id, event_key, reverses } of wanted) {
    if (!isBonus(kind) || !keys.has(event_key)) continue
    if (reverses === null) await insertBonus(db, [user_id, kind, now])
    else await deleteBonus(db, [user_id, kind])
  }
  return keys
}

/** The current counts of users, including rows that are not folded yet. The caller holds the users' locks. */
export const countsOf = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, Counts>> => {
  const rows = await counts(db, [...new Set(userIds)])
  return new Map(rows.map(({ user_id, ...row }) => [user_id, row]))
}

export const reversalOf = ({ id, ...entry }: LastEntry): Entry => ({
  ...entry,
  // `0 - x` instead of `-x`: databases do not accept −0 as an integer.
  points: 0 - entry.points,
  event_key: `rev:${entry.event_key}`,
  reverses: id,
})
