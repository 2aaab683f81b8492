import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { type Db, statement, statementIn, statementOne } from '../../db/index.ts'
import { preferencesOf } from '../notifications/index.ts'
import { readPage, readSetting } from '../settings/index.ts'
import { type DigestFrequency, nextDigest } from './digest-time.ts'

export const DIGEST_JOB = 'delivery.digest'

/** What a digest job is told: for whom, which slot, and how often he gets one. */
export interface DigestJob {
  readonly user_id: number
  readonly frequency: 'daily' | 'weekly'
  /** When it was due; the same slot is never sent twice. */
  readonly slot: string
}

/** Rows of one transaction. */
const BATCH = 100

const plan = statement(
  `insert into digests (user_id, frequency, due_at) select id, $2, $3 from users where id = $1
   on conflict (user_id) do update set frequency = excluded.frequency, due_at = excluded.due_at`,
)
const due = statement<{ user_id: number; due_at: string }>(
  `select user_id, due_at from digests where due_at <= $1 order by due_at, user_id limit ${BATCH}`,
)
const move = statementIn<{ user_id: number }>(
  (list) => `update digests set frequency = $2, due_at = $3 where due_at <= $1 and user_id in (${list(4)}) returning user_id`,
)
const unplanned = statement<{ id: number }>(
  `select u.id from users u where u.id > $1 and not exists (select 1 from digests d where d.user_id = u.id) order by u.id limit ${BATCH}`,
)
const newest = statementOne<{ id: number | null }>('select max(id) as id from users')

/** How often each of them gets a digest. */
const frequencies = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<DigestFrequency, number[]>> => {
  const preferences = await preferencesOf(db, userIds)
  return Map.groupBy(userIds, (id) => preferences.get(id)?.digest_frequency ?? 'never')
}

const scheduleOf = async (db: Db) => {
  const [zone, page] = await Promise.all([readSetting(db, 'timezone'), readPage(db, 'email')])
  return { zone, at: { time: page.daily_digest_time, day: page.digest_mail_day } }
}

/** Plans their next digests anew, as they want them now. */
export const planDigests = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userIds: readonly number[]): Promise<void> => {
  const { zone, at } = await scheduleOf(db)
  for (const [frequency, ids] of await frequencies(db, userIds)) {
    const next = nextDigest(frequency, now, zone, at)
    for (const id of ids) await plan(db, [id, frequency, next])
  }
}

/**
 * Takes digests that are due, plans the next ones and adds a job for each that goes out; the number that was taken. A row is moved on by whoever
 * is first, so several instances send one digest together.
 */
export const claimDigests = async (ctx: WriteContext): Promise<number> => {
  const { db, now } = ctx
  const rows = await due(db, [now])
  if (rows.length === 0) return 0
  const slots = new Map(rows.map((row) => [row.user_id, row.due_at]))
  const { zone, at } = await scheduleOf(db)
  for (const [frequency, ids] of await frequencies(db, [...slots.keys()])) {
    const claimed = await move(db, ids.length, [now, frequency, nextDigest(frequency, now, zone, at), ...ids])
    if (frequency === 'never') continue
    for (const { user_id } of claimed) {
      await ctx.enqueue(DIGEST_JOB, { user_id, frequency, slot: slots.get(user_id) ?? now } satisfies DigestJob)
    }
  }
  return rows.length
}

const ahead = statement<{ user_id: number }>(
  `select user_id from digests where due_at > $1 and (frequency = 'daily' or due_at > $2) limit $3`,
)
const sentAhead = statementIn((list) => `update digests set sent_at = $1 where sent_at > $1 and user_id in (${list(2)})`)
const DAY_S = 24 * 3600
/** Days on which clocks are put back are an hour longer. */
const LONGER_S = 2 * 3600

/** Whose digests lie further ahead than the next one can: a clock planned them that has been put back since. */
export const plannedAhead = async (db: Db, now: string, limit: number): Promise<number[]> =>
  (await ahead(db, [shift(now, DAY_S + LONGER_S), shift(now, 7 * DAY_S + LONGER_S), limit])).map(({ user_id }) => user_id)

/** Plans their digests anew; the last one was no later than now. */
export const replan = async (ctx: WriteContext, userIds: readonly number[]): Promise<void> => {
  await sentAhead(ctx.db, userIds.length, [ctx.now, ...userIds])
  await planDigests(ctx, userIds)
}

/** Members above `cursor` who have no plan yet get one; where to go on, or null when there is nobody left. */
export const planNewcomers = async (ctx: WriteContext, cursor: number): Promise<number | null> => {
  const ids = (await unplanned(ctx.db, [cursor])).map(({ id }) => id)
  await planDigests(ctx, ids)
  return ids.length < BATCH ? null : ids.at(-1)!
}

/** The newest account, or 0. */
export const newestAccount = async (db: Db): Promise<number> => (await newest(db))?.id ?? 0
