import { shift } from '../../../core/clock.ts'
import type { WriteContext } from '../../../core/context.ts'
import { type Db, statement, statementIn, statementOne } from '../../../db/index.ts'
import { readPage, readSetting } from '../../settings/index.ts'
import { preferencesOf } from '../preferences.ts'
import { type DigestFrequency, nextDigest } from './digest-time.ts'

export const DIGEST_JOB = 'delivery.digest'

export interface DigestJob {
  readonly user_id: number
  readonly frequency: 'daily' | 'weekly'
  /** When it was due. A slot is sent at most once. */
  readonly slot: string
}

/** Rows per transaction. */
const BATCH = 100

const schedule = statement(
  `insert into digest_schedules (user_id, frequency, due_at) select id, $2, $3 from users where id = $1
   on conflict (user_id) do update set frequency = excluded.frequency, due_at = excluded.due_at`,
)
const due = statement<{ user_id: number; due_at: string }>(
  `select user_id, due_at from digest_schedules where due_at <= $1 order by due_at, user_id limit ${BATCH}`,
)
const claim = statementIn<{ user_id: number }>(
  (list) => `update digest_schedules set frequency = $2, due_at = $3 where due_at <= $1 and user_id in (${list(4)}) returning user_id`,
)
const unscheduled = statement<{ id: number }>(
  `select u.id from users u where u.id > $1 and not exists (select 1 from digest_schedules d where d.user_id = u.id) order by u.id limit ${BATCH}`,
)
const newest = statementOne<{ id: number | null }>('select max(id) as id from users')

/** Groups members by their preferred frequency. */
const frequencies = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<DigestFrequency, number[]>> => {
  const preferences = await preferencesOf(db, userIds)
  return Map.groupBy(userIds, (id) => preferences.get(id)?.digest_frequency ?? 'never')
}

const scheduleOf = async (db: Db) => {
  const [zone, page] = await Promise.all([readSetting(db, 'timezone'), readPage(db, 'email')])
  return { zone, at: { time: page.daily_digest_time, day: page.digest_mail_day } }
}

/** Reschedules the next digests by the members' present preferences. */
export const scheduleDigests = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userIds: readonly number[]): Promise<void> => {
  const { zone, at } = await scheduleOf(db)
  for (const [frequency, ids] of await frequencies(db, userIds)) {
    const next = nextDigest(frequency, now, zone, at)
    for (const id of ids) await schedule(db, [id, frequency, next])
  }
}

/**
 * Claims due digests, schedules the next ones and enqueues a job for each to be sent; returns the number claimed. The conditional update
 * makes sure that only one instance claims a row.
 */
export const claimDigests = async (ctx: WriteContext): Promise<number> => {
  const { db, now } = ctx
  const rows = await due(db, [now])
  if (rows.length === 0) return 0
  const slots = new Map(rows.map((row) => [row.user_id, row.due_at]))
  const { zone, at } = await scheduleOf(db)
  for (const [frequency, ids] of await frequencies(db, [...slots.keys()])) {
    const claimed = await claim(db, ids.length, [now, frequency, nextDigest(frequency, now, zone, at), ...ids])
    if (frequency === 'never') continue
    for (const { user_id } of claimed) {
      await ctx.enqueue(DIGEST_JOB, { user_id, frequency, slot: slots.get(user_id) ?? now } satisfies DigestJob)
    }
  }
  return rows.length
}

const scheduledTooLate = statement<{ user_id: number }>(
  `select user_id from digest_schedules where due_at > $1 and (frequency = 'daily' or due_at > $2) limit $3`,
)
const clampSentAt = statementIn((list) => `update digest_schedules set sent_at = $1 where sent_at > $1 and user_id in (${list(2)})`)
const DAY_S = 24 * 3600
/** Days on which daylight saving time ends are longer than 24 hours. */
const DST_MARGIN_S = 2 * 3600

/** Members whose digest is scheduled later than the next possible slot: it was scheduled while the clock was ahead. */
export const membersScheduledTooLate = async (db: Db, now: string, limit: number): Promise<number[]> =>
  (await scheduledTooLate(db, [shift(now, DAY_S + DST_MARGIN_S), shift(now, 7 * DAY_S + DST_MARGIN_S), limit])).map(
    ({ user_id }) => user_id,
  )

/** Reschedules them, and limits the time of the last digest to now. */
export const rescheduleDigests = async (ctx: WriteContext, userIds: readonly number[]): Promise<void> => {
  await clampSentAt(ctx.db, userIds.length, [ctx.now, ...userIds])
  await scheduleDigests(ctx, userIds)
}

/** Schedules digests for a batch of unscheduled members with ids above `cursor`; returns the next cursor, or null at the end. */
export const scheduleMissingDigests = async (ctx: WriteContext, cursor: number): Promise<number | null> => {
  const ids = (await unscheduled(ctx.db, [cursor])).map(({ id }) => id)
  await scheduleDigests(ctx, ids)
  return ids.length < BATCH ? null : ids.at(-1)!
}

/** The highest user id, or 0. */
export const newestAccount = async (db: Db): Promise<number> => (await newest(db))?.id ?? 0
