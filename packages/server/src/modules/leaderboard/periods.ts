import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { RecurringTask } from '../../core/module.ts'
import { besideRead } from '../../core/read-guard.ts'
import {
  batchStatement,
  type Database,
  type Db,
  lockUsers,
  needsPrimary,
  statement,
  statementIn,
  statementRowCount,
  statementValues,
} from '../../db/index.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { coalesce } from '../../util/coalesce.ts'
import { shiftDay } from '../../util/days.ts'
import { pagesById } from '../../util/pages-by-id.ts'
import { withTimeout } from '../../util/with-timeout.ts'
import { dayOf } from '../settings/index.ts'
import { insertInto, periodsFrom } from './aggregate-sql.ts'
import { periodsOn, ROLLING_DAYS } from './period-spans.ts'

/** Users whose scores one write fills. */
const USERS_PER_BATCH = 200
const ROWS_PER_BATCH = 500
/** The task runs hourly and may be late. */
const OPEN_AHEAD_S = 4 * 3600

const insertPeriod = statement(
  `insert into score_periods (name, first_day, last_day, state) values ($1, $2, $3, 'filling') on conflict (name) do nothing`,
)
const periodsToFill = statementValues<number>(`select id from score_periods where state = 'filling'`)
const markReady = statement(`update score_periods set state = 'ready' where id = $1 and state = 'filling'`)
const markPast = statementValues<number>(
  `update score_periods set state = 'leaving' where name <> 'all_time' and last_day < $1 returning id`,
)
const deleteScores = statementRowCount(
  `delete from period_scores where (user_id, period_id, space_id) in
   (select s.user_id, s.period_id, s.space_id from period_scores s where s.period_id = $1 limit ${ROWS_PER_BATCH}) returning user_id`,
)
const deletePeriod = statement('delete from score_periods where id = $1')
const usersAfter = statement<{ id: number }>(`select id from users where id > $1 order by id limit ${USERS_PER_BATCH}`)

/** Computes the scores of these users in the periods being filled from their daily scores. */
const fillScores = batchStatement({ id: 'bigint' }, (rows) =>
  insertInto('period_scores', periodsFrom(` and d.user_id in (select p.id from ${rows} p)`, `'filling'`), 'replace'),
)

/**
 * Fills the scores of new periods. Once a period exists, every new ledger row is added to it. Users with earlier points are locked while
 * their scores are computed, so no row is missed or counted twice.
 */
const fillPeriods = async (database: Database): Promise<void> => {
  const periods = await periodsToFill(database.read)
  if (periods.length === 0) return
  for await (const users of pagesById(USERS_PER_BATCH, (after) => usersAfter(database.read, [after]))) {
    const ids = users.map(({ id }) => id)
    await database.write(async (db) => {
      await lockUsers(db, ids)
      await fillScores(db, ids)
    })
  }
  for (const id of periods) await database.write((db) => markReady(db, [id]))
}

const deletePastPeriods = async (database: Database, today: string): Promise<number> => {
  let total = 0
  // Yesterday's periods are kept, in case the clock or the time zone of the community is set back.
  for (const id of await database.write((db) => markPast(db, [shiftDay(today, -1)]))) {
    for (let removed = ROWS_PER_BATCH; removed === ROWS_PER_BATCH; total += removed)
      removed = await database.write((db) => deleteScores(db, [id]))
    await database.write((db) => deletePeriod(db, [id]))
  }
  return total
}

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

const createUpdates = (services: Services) =>
  coalesce(async (): Promise<number> => {
    const today = await openPeriods(services)
    await fillPeriods(services.database)
    return deletePastPeriods(services.database, today)
  })

/**
 * Opens and fills the periods of today and tomorrow and deletes past ones. Returns the number of deleted rows. Concurrent calls share a run
 * that starts after them.
 */
export const updatePeriods = ({ stateOf }: Pick<Services, 'stateOf'>): Promise<number> => stateOf(createUpdates)()

export const periodsTask: RecurringTask = { name: 'leaderboard-windows', run: updatePeriods }

export const periodsJob = outgoing<object>('leaderboard.openWindows', (services) => updatePeriods(services).then(() => {}))

/** A new time zone may start another day. */
export const periodsListener = on('settings.changed', 'leaderboard.openWindows', (ctx) => ctx.enqueue(periodsJob.name, {}))

/** The newest readable period of a group; period names are the group, a colon and a day. */
const lastReady = statementValues<number>(
  `select id from score_periods where name > $1 and name < $2 and state = 'ready' order by last_day desc limit 1`,
)
const TIMEOUT_S = 10
/** Timeout if an older period can be used instead. */
const SHORT_TIMEOUT_S = 2

const previousPeriodOf = async (db: Db, name: string): Promise<number | undefined> => {
  const [group = ''] = name.split(':')
  return Object.hasOwn(ROLLING_DAYS, group) ? (await lastReady(db, [`${group}:`, `${group};`]))[0] : undefined
}

const ready = statementIn<{ id: number; name: string }>(
  (list) => `select id, name from score_periods where state = 'ready' and name in (${list})`,
)

const readyPeriods = async (db: Db, names: readonly string[]): Promise<Map<string, number>> =>
  new Map((await ready(db, names)).map(({ id, name }) => [name, id]))

/**
 * The missing period of that name. Periods are opened before their day: at startup, hourly, and when settings change. If the clock has
 * jumped and the period is missing, the read starts the update and waits; meanwhile rolling groups use their previous period.
 * @throws service_unavailable if that takes too long and there is no previous period; the update continues
 */
const missingPeriod = async (services: Pick<Services, 'stateOf'>, db: Db, name: string): Promise<number> => {
  needsPrimary(db)
  const previous = await previousPeriodOf(db, name)
  const timeoutMs = (previous === undefined ? TIMEOUT_S : SHORT_TIMEOUT_S) * 1000
  const work = besideRead(() => updatePeriods(services))
  const isDone = (await withTimeout(work, timeoutMs, null)) !== null
  if (!isDone) work.catch(() => {})
  const id = (isDone ? (await readyPeriods(db, [name])).get(name) : undefined) ?? previous
  if (id === undefined) throw new ApiError('service_unavailable', { data: { retry_after: TIMEOUT_S } })
  return id
}

export const periodsNamed = async (services: Pick<Services, 'stateOf'>, db: Db, names: readonly string[]): Promise<number[]> => {
  const known = await readyPeriods(db, names)
  const ids: number[] = []
  for (const name of names) ids.push(known.get(name) ?? (await missingPeriod(services, db, name)))
  return ids
}
