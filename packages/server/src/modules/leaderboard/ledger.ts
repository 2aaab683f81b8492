import { type Db, lockRow, statement, statementOne } from '../../db/index.ts'
import { BONUSES, isBonus, type LedgerKind, PART_OF, PARTS } from './rules.ts'

/** A row of the ledger as it is to be added. */
export interface Entry {
  readonly userId: number
  readonly kind: LedgerKind
  readonly subject: string
  readonly points: number
  readonly eventKey: string
  readonly spaceId: number | null
  readonly feedId: number | null
  readonly commentId: number | null
  readonly day: string
  /** The row that this one takes back. */
  readonly reverses: number | null
}

/** The newest row of a subject: it stands unless it is a reversal. */
export interface LastEntry {
  readonly id: number
  readonly user_id: number
  readonly kind: LedgerKind
  readonly subject: string
  readonly points: number
  readonly event_key: string
  readonly space_id: number | null
  readonly feed_id: number | null
  readonly comment_id: number | null
  readonly day: string
  readonly reverses: number | null
}

/** How many of each stand for somebody. */
export interface Counts {
  readonly posts: number
  readonly comments: number
  readonly courses: number
}

const append = statementOne<{ id: number }>(
  `insert into points_ledger (user_id, kind, subject, points, event_key, space_id, feed_id, comment_id, day, created_at, reverses)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (event_key) do nothing returning id`,
)
const last = statementOne<LastEntry>(
  `select id, user_id, kind, subject, points, event_key, space_id, feed_id, comment_id, day, reverses from points_ledger
   where subject = $1 order by id desc limit 1`,
)
const accountOf = statementOne<{ id: number }>(`select id from users where id = $1 and status <> 'deleted'`)
const addTotal = statementOne<{ total_points: number }>(
  'update users set total_points = total_points + $2 where id = $1 returning total_points',
)
const added = PARTS.map((part) => `${part} = {t}.${part} + excluded.${part}`).join(', ')
const onConflict = (table: string, key: string) =>
  `on conflict (${key}) do update set points = ${table}.points + excluded.points, ${added.replaceAll('{t}', table)}`
const big = (name: string) => `cast(${name} as bigint)`
const VALUES = ['$4', '$5', '$6', '$7', '$8', '$9'].map(big).join(', ')
/** The whole community, which is space 0, and the space, where there is one. */
const PLACES = `(select 0 as space_id union all select ${big('$2')} where $2 > 0) p`
const addDays = statement(
  `insert into points_days (user_id, space_id, day, points, ${PARTS.join(', ')})
   select ${big('$1')}, p.space_id, cast($3 as text), ${VALUES} from ${PLACES} where 1 = 1
   ${onConflict('points_days', 'user_id, space_id, day')}`,
)
const addSums = statement(
  `insert into points_sums (user_id, window_id, space_id, points, ${PARTS.join(', ')})
   select ${big('$1')}, w.id, p.space_id, ${VALUES} from points_windows w cross join ${PLACES}
   where w.first_day <= $3 and w.last_day >= $3 and w.state <> 'leaving'
   ${onConflict('points_sums', 'user_id, window_id, space_id')}`,
)
const addCounts = statementOne<Counts>(
  `insert into points_counts (user_id, posts, comments, reactions, courses) values ($1, $2, $3, $4, $5)
   on conflict (user_id) do update set posts = points_counts.posts + excluded.posts, comments = points_counts.comments + excluded.comments,
   reactions = points_counts.reactions + excluded.reactions, courses = points_counts.courses + excluded.courses
   returning posts, comments, courses`,
)
const reachLevels = statement(
  `insert into achievements (user_id, code, level_id, earned_at)
   select ${big('$1')}, 'level:' || l.id, l.id, cast($4 as text) from leaderboard_levels l where l.min_points > $2 and l.min_points <= $3
   on conflict (user_id, code) do nothing`,
)
const reachBonus = statement(
  'insert into achievements (user_id, code, earned_at) values ($1, $2, $3) on conflict (user_id, code) do nothing',
)
const loseBonus = statement('delete from achievements where user_id = $1 and code = $2')

export const lastEntry = (db: Db, subject: string): Promise<LastEntry | undefined> => last(db, [subject])

/** Holds somebody's points until the end of the transaction; false where there is no such account. */
export const holdPoints = async (db: Db, userId: number): Promise<boolean> => {
  await lockRow(db, 'users', userId)
  return (await accountOf(db, [userId])) !== undefined
}

/**
 * Adds a row, and what is kept of it: total, days, windows, counts, achievements. A row of that key is there once, whatever happens.
 * The person is held by the caller. Gives how much stands now; undefined where the row was there.
 */
export const addEntry = async (db: Db, entry: Entry, now: string): Promise<Counts | undefined> => {
  const { userId, kind, subject, points, eventKey, spaceId, feedId, commentId, day, reverses } = entry
  const row = await append(db, [userId, kind, subject, points, eventKey, spaceId, feedId, commentId, day, now, reverses])
  if (!row) return undefined
  const total = (await addTotal(db, [userId, points]))?.total_points ?? 0
  const parts = [points, ...PARTS.map((part) => (PART_OF[kind] === part ? points : 0))]
  await addDays(db, [userId, spaceId ?? 0, day, ...parts])
  await addSums(db, [userId, spaceId ?? 0, day, ...parts])
  if (points > 0) await reachLevels(db, [userId, total - points, total, now])
  if (isBonus(kind)) {
    if (reverses === null) await reachBonus(db, [userId, kind, now])
    else await loseBonus(db, [userId, kind])
  }
  const by = reverses === null ? 1 : -1
  const counted = (['posts', 'comments', 'reactions', 'courses'] as const).map((part) => (PART_OF[kind] === part ? by : 0))
  return addCounts(db, [userId, ...counted])
}

/** Takes back what stands. */
export const reverse = (db: Db, entry: LastEntry, now: string): Promise<Counts | undefined> =>
  addEntry(
    db,
    {
      userId: entry.user_id,
      kind: entry.kind,
      subject: entry.subject,
      // 0 − 0 is not −0, which is no integer to a database.
      points: 0 - entry.points,
      eventKey: `rev:${entry.event_key}`,
      spaceId: entry.space_id,
      feedId: entry.feed_id,
      commentId: entry.comment_id,
      day: entry.day,
      reverses: entry.id,
    },
    now,
  )

export const bonusPoints = (kind: LedgerKind): number | undefined => (isBonus(kind) ? BONUSES[kind].points : undefined)
