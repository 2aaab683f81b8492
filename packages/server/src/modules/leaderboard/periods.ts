import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { RecurringTask } from '../../core/module.ts'
import { besideRead } from '../../core/read-guard.ts'
import { type Database, type Db, lockUsers, needsPrimary, statement, statementIn, statementOne } from '../../db/index.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { dayOf } from '../settings/index.ts'
import { addDays, PARTS, periodsOn } from './rules.ts'

/** Users whose scores one write fills. */
const USERS_PER_BATCH = 200
const ROWS_PER_BATCH = 500
/** The task runs hourly and may be late. */
const OPEN_AHEAD_S = 4 * 3600

const insertPeriod = statement(
  `insert into score_periods (name, first_day, last_day, state) values ($1, $2, $3, 'filling') on conflict (name) do nothing`,
)
const periodsToFill = statement<{ id: number }>(`select id from score_periods where state = 'filling'`)
const markReady = statement(`update score_periods set state = 'ready' where id = $1 and state = 'filling'`)
const markPast = statement<{ id: number }>(
  `update score_periods set state = 'leaving' where name <> 'all_time' and last_day < $1 returning id`,
)
const deleteScores = statement<{ user_id: number }>(
  `delete from period_scores where (user_id, period_id, space_id) in
   (select s.user_id, s.period_id, s.space_id from period_scores s where s.period_id = $1 limit ${ROWS_PER_BATCH}) returning user_id`,
)
const deletePeriod = statement('delete from score_periods where id = $1')
const usersAfter = statement<{ id: number }>(`select id from users where id > $1 order by id limit ${USERS_PER_BATCH}`)

const SCORE_COLUMNS = ['points', ...PARTS]
const SUMS = SCORE_COLUMNS.map((part) => `sum(d.${part})`).join(', ')
const REPLACE = SCORE_COLUMNS.map((part) => `${part} = excluded.${part}`).join(', ')

/** Computes the scores of these users in the periods being filled from their daily scores. */
const fillScores = statementIn(
  (list) => `insert into period_scores (user_id, period_id, space_id, ${SCORE_COLUMNS.join(', ')})
   select d.user_id, w.id, d.space_id, ${SUMS} from daily_scores d join score_periods w on d.day >= w.first_day and d.day <= w.last_day
   where w.state = 'filling' and d.user_id in (${list(1)}) group by d.user_id, w.id, d.space_id
   on conflict (user_id, period_id, space_id) do update set ${REPLACE}`,
)

/**
 * Fills the scores of new periods. Once a period exists, every new ledger row is added to it. Users with earlier points are locked while
 * their scores are computed, so no row is missed or counted twice.
 */
const fillPeriods = async (database: Database): Promise<number> => {
  const windows = await periodsToFill(database.read)
  if (windows.length === 0) return 0
  for (let after = 0; ; ) {
    const people = (await usersAfter(database.read, [after])).map((row) => row.id)
    const end = people.at(-1)
    if (end === undefined) break
    // Padded to one length, so that a single statement is prepared.
    const chunkPadded = [...people, ...Array.from({ length: USERS_PER_BATCH - people.length }, () => 0)]
    await database.write(async (db) => {
      await lockUsers(db, people)
      await fillScores(db, chunkPadded.length, chunkPadded)
    })
    after = end
  }
  for (const { id } of windows) await database.write((db) => markReady(db, [id]))
  return windows.length
}

const deletePastPeriods = async (database: Database, today: string): Promise<number> => {
  let total = 0
  // Yesterday's periods are kept, in case the clock or the time zone of the community is set back.
  for (const { id } of await database.write((db) => markPast(db, [addDays(today, -1)]))) {
    for (let removed = ROWS_PER_BATCH; removed === ROWS_PER_BATCH; total += removed)
      removed = (await database.write((db) => deleteScores(db, [id]))).length
    await database.write((db) => deletePeriod(db, [id]))
  }
  return total
}

type PeriodServices = Pick<Services, 'database' | 'clock' | 'stateOf'>

/** Opens the periods of today and tomorrow. Returns today. */
export const openPeriods = async ({ database, clock }: Pick<Services, 'database' | 'clock'>): Promise<string> => {
  const today = await dayOf(database.read, nowOf(clock))
  // Every open period makes each award slightly more expensive, so tomorrow's are opened only when it is near.
  const wanted = new Map([...periodsOn(today), ...periodsOn(await dayOf(database.read, shift(nowOf(clock), OPEN_AHEAD_S)))])
  await database.write(async (db) => {
    for (const [name, { first, last }] of wanted) await insertPeriod(db, [name, first, last])
  })
  return today
}

const updateOnce = async (services: PeriodServices): Promise<number> => {
  const { database } = services
  const today = await openPeriods(services)
  await fillPeriods(database)
  return deletePastPeriods(database, today)
}

const createUpdates = (): { running: Promise<number> | null } => ({ running: null })

/**
 * Opens and fills the periods of today and tomorrow and deletes past ones. Returns the number of deleted rows. Concurrent calls share one
 * run.
 */
export const updatePeriods = (services: PeriodServices): Promise<number> => {
  const updates = services.stateOf(createUpdates)
  updates.running ??= updateOnce(services).finally(() => {
    updates.running = null
  })
  return updates.running
}

export const periodsTask: RecurringTask = { name: 'leaderboard-windows', run: updatePeriods }

export const periodsJob = outgoing<object>('leaderboard.openWindows', (services) => updatePeriods(services).then(() => {}))

/** A new time zone may start another day. */
export const periodsListener = on('settings.changed', 'leaderboard.openWindows', (ctx) => ctx.enqueue(periodsJob.name, {}))

const readyPeriod = statementOne<{ id: number }>(`select id from score_periods where name = $1 and state = 'ready'`)

/** The newest readable period of a group; period names are the group, a colon and a day. */
const lastReady = statementOne<{ id: number }>(
  `select id from score_periods where name > $1 and name < $2 and state = 'ready' order by last_day desc limit 1`,
)
/** Groups whose period moves every day: yesterday's is nearly the same. */
const ROLLING_GROUPS: ReadonlySet<string> = new Set(['7_days', '30_days'])

const TIMEOUT_S = 10
/** Timeout if an older period can be used instead. */
const SHORT_TIMEOUT_S = 2

/** The latest readable period of a rolling group. */
const previousPeriodOf = async (db: Db, name: string): Promise<number | undefined> => {
  const [group = ''] = name.split(':')
  return ROLLING_GROUPS.has(group) ? (await lastReady(db, [`${group}:`, `${group};`]))?.id : undefined
}

/**
 * The readable period of that name. Periods are opened before their day: at startup, hourly, and when settings change. If the clock has
 * jumped and the period is missing, the read starts the update and waits; meanwhile rolling groups use their previous period.
 * @throws service_unavailable if that takes too long and there is no previous period; the update continues
 */
const periodNamed = async (services: PeriodServices, db: Db, name: string): Promise<number> => {
  // A running update may have started on the day before.
  for (let tries = 0; tries < 3; tries++) {
    const found = await readyPeriod(db, [name])
    if (found) return found.id
    needsPrimary(db)
    const previous = await previousPeriodOf(db, name)
    const work = besideRead(() => updatePeriods(services))
    const timeoutMs = (previous === undefined ? TIMEOUT_S : SHORT_TIMEOUT_S) * 1000
    if ((await withTimeout(work, timeoutMs, null)) !== null) continue
    work.catch(() => {})
    if (previous !== undefined) return previous
    break
  }
  throw new ApiError('service_unavailable', { data: { retry_after: TIMEOUT_S } })
}

const allReady = statementIn<{ id: number; name: string }>(
  (list) => `select id, name from score_periods where state = 'ready' and name in (${list(1)})`,
)

/** The readable periods of these names. */
export const periodsNamed = async (services: PeriodServices, db: Db, names: readonly string[]): Promise<number[]> => {
  const known = new Map((await allReady(db, names.length, names)).map(({ id, name }) => [name, id]))
  const ids: number[] = []
  for (const name of names) ids.push(known.get(name) ?? (await periodNamed(services, db, name)))
  return ids
}
