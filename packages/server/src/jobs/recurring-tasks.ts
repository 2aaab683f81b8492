import { nowOf, shift } from '../core/clock.ts'
import type { Services, Writer } from '../core/context.ts'
import type { RecurringTask as ModuleTask } from '../core/module.ts'
import { type Db, statement } from '../db/index.ts'
import { RETENTION_S } from '../http/requests/idempotency.ts'
import { createPeriodic } from '../util/periodic.ts'

const HOUR_MS = 3_600_000
const FIRST_AFTER_MS = 60_000
/** Less than an hour, so that a round that starts slightly early is not skipped. */
const TURN_S = 3000
/** Retention of events in seconds; long enough to investigate incidents. */
const EVENTS_S = 30 * 24 * 3600
const SIGN_IN_FAILURES_S = 30 * 24 * 3600
/** Maximum number of rows per write, so that requests do not wait long for it. */
const BATCH = 500

interface RecurringTask {
  readonly name: string
  /** Retention of rows in seconds. */
  readonly olderThanS: number
  readonly sweep: (db: Db, values: readonly [before: string]) => Promise<unknown[]>
}

/** A statement that deletes a batch of the rows of this condition. */
const deletion = (table: string, key: string, where: string) =>
  statement(`delete from ${table} where (${key}) in (select ${key} from ${table} where ${where} limit ${BATCH}) returning ${key}`)

/**
 * No link is valid for longer. A longer validity comes from a clock that has since been set back, and the link must not become valid again.
 */
const LONGEST_LINK_S = 8 * 24 * 3600
const sweepTokens = deletion('tokens', 'hash', 'expires_at <= $1 or expires_at > $2')
const SETTLED = 'created_at <= $1 and not exists (select 1 from pending_events p where p.event_id = events.id)'

const PURGES: readonly RecurringTask[] = [
  { name: 'sessions', olderThanS: 0, sweep: deletion('sessions', 'id', 'expires_at <= $1') },
  { name: 'tokens', olderThanS: 0, sweep: (db, [before]) => sweepTokens(db, [before, shift(before, LONGEST_LINK_S)]) },
  { name: 'idempotency_keys', olderThanS: RETENTION_S, sweep: deletion('idempotency_keys', 'scope, key', 'created_at <= $1') },
  { name: 'sign_in_failures', olderThanS: SIGN_IN_FAILURES_S, sweep: deletion('sign_in_failures', 'id', 'created_at <= $1') },
  { name: 'former_usernames', olderThanS: 0, sweep: statement('delete from former_usernames where until <= $1 returning user_id') },
  { name: 'events', olderThanS: EVENTS_S, sweep: deletion('events', 'id', SETTLED) },
]

/**
 * Purges expired sessions, one-time links, idempotency records and events, and runs the recurring tasks of the modules. Runs hourly;
 * concurrent runs of several processes are harmless.
 */
export const createTaskRunner = (services: Services, write: Writer, recurringTasks: readonly ModuleTask[] = []) => {
  const { database, clock, log, limiter } = services

  const sweepAll = async ({ name, olderThanS, sweep }: RecurringTask, shouldContinue: () => boolean) => {
    const before = shift(nowOf(clock), -olderThanS)
    let total = 0
    for (let removed = BATCH; removed === BATCH && shouldContinue(); total += removed) {
      removed = (await database.write((db) => sweep(db, [before]), 'background')).length
    }
    if (total > 0) log.info({ event: 'rows_purged', table: name, rows: total }, 'expired rows purged')
  }

  const sweepModule = async ({ name, run: work }: ModuleTask) => {
    const total = await work(services, write)
    if (total > 0) log.info({ event: 'recurring_task_done', task: name, removed: total }, 'recurring task done')
  }

  /** A failing task does not stop the rest. */
  const run = async (shouldContinue: () => boolean) => {
    const failures: unknown[] = []
    for (const work of [
      ...PURGES.map((purge) => () => sweepAll(purge, shouldContinue)),
      ...recurringTasks.map((task) => () => sweepModule(task)),
    ]) {
      if (!shouldContinue()) break
      await work().catch((error) => failures.push(error))
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} recurring tasks failed`)
  }

  /** Of instances that share Redis, the first in an hour runs the tasks. */
  const runInTurn = async (shouldContinue: () => boolean) => {
    if ((await limiter.hit('maintenance', 1, TURN_S)).allowed) await run(shouldContinue)
  }

  const loop = createPeriodic({
    everyMs: HOUR_MS,
    firstAfterMs: FIRST_AFTER_MS,
    run: runInTurn,
    onError: (error) => log.warn({ event: 'maintenance_failed', err: error }, 'maintenance failed'),
  })

  return {
    /** Runs one round now. */
    run: () => run(() => true),
    start: loop.start,
    stop: loop.stop,
  }
}

export type TaskRunner = ReturnType<typeof createTaskRunner>
