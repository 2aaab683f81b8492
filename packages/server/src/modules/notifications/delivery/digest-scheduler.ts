import { nowOf, shift } from '../../../core/clock.ts'
import type { Services, WriteContext } from '../../../core/context.ts'
import type { RecurringTask } from '../../../core/module.ts'
import { batchStatement, statement, statementIn, statementNumber, statementValues, tryLockName } from '../../../db/index.ts'
import type { Writer } from '../../../jobs/index.ts'
import { createPeriodic } from '../../../util/periodic.ts'
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

const BATCH = 100
const MINUTE_MS = 60_000
const FIRST_AFTER_MS = 15_000
const LOCK = 'delivery.digests'
const DAY_S = 24 * 3600
/** Days on which daylight saving time ends are longer than 24 hours. */
const DST_MARGIN_S = 2 * 3600

const schedule = batchStatement(
  { id: 'bigint' },
  (rows) => `insert into digest_schedules (user_id, frequency, due_at) select u.id, $2, $3 from ${rows} d join users u on u.id = d.id
    where 1 = 1 on conflict (user_id) do update set frequency = excluded.frequency, due_at = excluded.due_at`,
)
const due = statement<{ user_id: number; due_at: string }>(
  `select user_id, due_at from digest_schedules where due_at <= $1 order by due_at, user_id limit ${BATCH}`,
)
const claim = statementIn<{ user_id: number }>(
  (list) => `update digest_schedules set frequency = $2, due_at = $3 where due_at <= $1 and user_id in (${list}) returning user_id`,
)
const unscheduled = statementValues<number>(
  `select u.id from users u where u.id > $1 and not exists (select 1 from digest_schedules d where d.user_id = u.id) order by u.id limit ${BATCH}`,
)
const newestAccount = statementNumber('select max(id) as n from users')
/** Members whose digest is scheduled later than the next possible slot: it was scheduled while the clock was ahead. */
const scheduledTooLate = statementValues<number>(
  `select user_id from digest_schedules where due_at > $1 and (frequency = 'daily' or due_at > $2) limit ${BATCH}`,
)
const clampSentAt = statementIn((list) => `update digest_schedules set sent_at = $1 where sent_at > $1 and user_id in (${list})`)

const nextDigests = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userIds: readonly number[]) => {
  const [zone, page] = await Promise.all([readSetting(db, 'timezone'), readPage(db, 'email')])
  const preferences = await preferencesOf(db, userIds)
  const byFrequency = Map.groupBy(userIds, (id): DigestFrequency => preferences.get(id)?.digest_frequency ?? 'never')
  return [...byFrequency].map(([frequency, ids]) => ({
    frequency,
    ids,
    next: nextDigest(frequency, now, zone, { time: page.daily_digest_time, day: page.digest_mail_day }),
  }))
}

/** Reschedules the next digests of distinct members by their present preferences. */
export const scheduleDigests = async (ctx: Pick<WriteContext, 'db' | 'now'>, userIds: readonly number[]): Promise<void> => {
  for (const { frequency, ids, next } of await nextDigests(ctx, userIds)) await schedule(ctx.db, ids, [frequency, next])
}

/**
 * Claims due digests, schedules the next ones and enqueues a job for each to be sent; returns the number claimed. The conditional update
 * makes sure that only one instance claims a row.
 */
const claimDigests = async (ctx: WriteContext): Promise<number> => {
  const { db, now } = ctx
  const slots = new Map((await due(db, [now])).map((row) => [row.user_id, row.due_at]))
  if (slots.size === 0) return 0
  for (const { frequency, ids, next } of await nextDigests(ctx, [...slots.keys()])) {
    const claimed = await claim(db, ids, [now, frequency, next])
    if (frequency === 'never') continue
    for (const { user_id } of claimed) {
      await ctx.enqueue(DIGEST_JOB, { user_id, frequency, slot: slots.get(user_id) ?? now } satisfies DigestJob)
    }
  }
  return slots.size
}

/** Checks every minute for due digests and enqueues their jobs. Safe to run in several processes. */
export const createDigestScheduler = ({ database, log }: Services, write: Writer) => {
  /** Members up to this id are scheduled. Registration schedules new members, so only imported ones have to be found. */
  let scheduledUpTo = 0

  const scheduleUnscheduled = async (shouldContinue: () => boolean) => {
    const last = await newestAccount(database.read)
    for (let cursor = scheduledUpTo; cursor < last && shouldContinue(); ) {
      cursor = await write(null, async (ctx) => {
        const ids = await unscheduled(ctx.db, [cursor])
        await scheduleDigests(ctx, ids)
        return ids.length < BATCH ? last : ids.at(-1)!
      })
    }
    if (shouldContinue()) scheduledUpTo = last
  }

  const round = async (goesOn: () => boolean) => {
    await scheduleUnscheduled(goesOn)
    for (let taken = 1; taken > 0 && goesOn(); ) {
      taken = await write(null, async (ctx) => ((await tryLockName(ctx.db, LOCK)) ? claimDigests(ctx) : 0))
    }
  }

  const loop = createPeriodic({
    everyMs: MINUTE_MS,
    firstAfterMs: FIRST_AFTER_MS,
    run: round,
    onError: (error) => log.warn({ event: 'digest_scheduling_failed', err: error }, 'digest scheduling failed'),
  })

  return {
    /** Runs one round immediately, even after `stop`. */
    run: () => round(() => true),
    start: loop.start,
    stop: loop.stop,
  }
}

/** Hourly repair of digests that were scheduled while the clock was ahead; it also limits the time of their last digest to now. */
export const repairDigestSchedules: RecurringTask = {
  name: 'digests',
  run: async ({ database, clock }, write) => {
    let total = 0
    for (let moved = BATCH; moved === BATCH; total += moved) {
      const now = nowOf(clock)
      const ids = await scheduledTooLate(database.read, [shift(now, DAY_S + DST_MARGIN_S), shift(now, 7 * DAY_S + DST_MARGIN_S)])
      moved = ids.length
      if (moved === 0) continue
      await write(null, async (ctx) => {
        await clampSentAt(ctx.db, ids, [ctx.now])
        await scheduleDigests(ctx, ids)
      })
    }
    return total
  },
}

export type DigestScheduler = ReturnType<typeof createDigestScheduler>
