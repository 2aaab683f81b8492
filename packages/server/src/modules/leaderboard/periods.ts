import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { RecurringTask } from '../../core/module.ts'
import { besideRead } from '../../core/read-guard.ts'
import { type Database, type Db, lockPeople, needsPrimary, statement, statementIn, statementOne } from '../../db/index.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { dayOf } from '../settings/index.ts'
import { dayAfter, PARTS, windowsOn } from './rules.ts'

/** People whose sums one write fills in. */
const PEOPLE_AT_ONCE = 200
const ROWS_AT_ONCE = 500
/** The chore comes every hour, and may take its time. */
const AHEAD_S = 4 * 3600

const open = statement(
  `insert into score_periods (name, first_day, last_day, state) values ($1, $2, $3, 'filling') on conflict (name) do nothing`,
)
const filling = statement<{ id: number }>(`select id from score_periods where state = 'filling'`)
const isReady = statement(`update score_periods set state = 'ready' where id = $1 and state = 'filling'`)
const past = statement<{ id: number }>(`update score_periods set state = 'leaving' where name <> 'all_time' and last_day < $1 returning id`)
const dropSums = statement<{ user_id: number }>(
  `delete from period_scores where (user_id, period_id, space_id) in
   (select s.user_id, s.period_id, s.space_id from period_scores s where s.period_id = $1 limit ${ROWS_AT_ONCE}) returning user_id`,
)
const dropWindow = statement('delete from score_periods where id = $1')
const peopleAfter = statement<{ id: number }>(`select id from users where id > $1 order by id limit ${PEOPLE_AT_ONCE}`)

const summed = ['points', ...PARTS]
const SUMS = summed.map((part) => `sum(d.${part})`).join(', ')
const REPLACE = summed.map((part) => `${part} = excluded.${part}`).join(', ')

/** Sums of these people in the windows that are being filled, made from their days. */
const fill = statementIn(
  (list) => `insert into period_scores (user_id, period_id, space_id, ${summed.join(', ')})
   select d.user_id, w.id, d.space_id, ${SUMS} from daily_scores d join score_periods w on d.day >= w.first_day and d.day <= w.last_day
   where w.state = 'filling' and d.user_id in (${list(1)}) group by d.user_id, w.id, d.space_id
   on conflict (user_id, period_id, space_id) do update set ${REPLACE}`,
)

/**
 * Fills in the sums of new windows. From the moment that a window stands every row of the ledger is added to it; whoever had points before is
 * held while his sums are made, so that none of his is missed or counted twice.
 */
const fillWindows = async (database: Database): Promise<number> => {
  const windows = await filling(database.read)
  if (windows.length === 0) return 0
  for (let after = 0; ; ) {
    const people = (await peopleAfter(database.read, [after])).map((row) => row.id)
    const end = people.at(-1)
    if (end === undefined) break
    // Few lengths, so that few texts are prepared.
    const chunkPadded = [...people, ...Array.from({ length: PEOPLE_AT_ONCE - people.length }, () => 0)]
    await database.write(async (db) => {
      await lockPeople(db, people)
      await fill(db, chunkPadded.length, chunkPadded)
    })
    after = end
  }
  for (const { id } of windows) await database.write((db) => isReady(db, [id]))
  return windows.length
}

const sweepWindows = async (database: Database, today: string): Promise<number> => {
  let total = 0
  // Yesterday's stay a while: a clock, or the time zone of the community, may be put back.
  for (const { id } of await database.write((db) => past(db, [dayAfter(today, -1)]))) {
    for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE; total += removed)
      removed = (await database.write((db) => dropSums(db, [id]))).length
    await database.write((db) => dropWindow(db, [id]))
  }
  return total
}

type Place = Pick<Services, 'database' | 'clock'>

/** Begins the windows of today and tomorrow; today. */
const openWindows = async ({ database, clock }: Place): Promise<string> => {
  const today = await dayOf(database.read, nowOf(clock))
  // Every window costs a little with all that is earned: those of the next day are made when it is near.
  const wanted = new Map([...windowsOn(today), ...windowsOn(await dayOf(database.read, shift(nowOf(clock), AHEAD_S)))])
  await database.write(async (db) => {
    for (const [name, { first, last }] of wanted) await open(db, [name, first, last])
  })
  return today
}

/** The same for whoever is alone with the data: `fill` makes the sums of all windows. */
export const fillNewWindows = async (place: Place, fill: () => Promise<void>): Promise<void> => {
  await openWindows(place)
  await fill()
  for (const { id } of await filling(place.database.read)) await place.database.write((db) => isReady(db, [id]))
}

const keepOnce = async (place: Place): Promise<number> => {
  const { database } = place
  const today = await openWindows(place)
  await fillWindows(database)
  return sweepWindows(database, today)
}

const underWay = new WeakMap<Database, Promise<number>>()

/**
 * Makes the sums that the leaderboard of today and tomorrow is read from, and removes those of days gone by; how many of these. Who asks
 * while it is being done shares in it.
 */
export const keepWindows = (place: Place): Promise<number> => {
  const { database } = place
  const present = underWay.get(database)
  if (present !== undefined) return present
  const work = keepOnce(place).finally(() => underWay.delete(database))
  underWay.set(database, work)
  return work
}

export const windowsChore: RecurringTask = { name: 'leaderboard-windows', run: keepWindows }

export const windowsJob = outgoing<object>('leaderboard.openWindows', (services) => keepWindows(services).then(() => {}))

/** Another time zone may have begun another day. */
export const windowsListener = on('settings.changed', 'leaderboard.openWindows', (ctx) => ctx.enqueue(windowsJob.name, {}))

const ready = statementOne<{ id: number }>(`select id from score_periods where name = $1 and state = 'ready'`)

/** The newest window of a group that can be read: its name is that of the group, a colon and a day. */
const lastReady = statementOne<{ id: number }>(
  `select id from score_periods where name > $1 and name < $2 and state = 'ready' order by last_day desc limit 1`,
)
/** Groups whose days move on by one every day: that of yesterday says nearly the same. */
const ROLLING: ReadonlySet<string> = new Set(['7_days', '30_days'])

const PATIENCE_S = 10
/** The same where there is an older window to answer with. */
const SHORT_PATIENCE_S = 2

/** Whether the work ended before nobody waits for it any longer. */
const endsSoon = (work: Promise<unknown>, patience: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, patience * 1000, false)
  })
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}

/** What a rolling group was when it was summed up last. */
const formerOf = async (db: Db, name: string): Promise<number | undefined> => {
  const [group = ''] = name.split(':')
  return ROLLING.has(group) ? (await lastReady(db, [`${group}:`, `${group};`]))?.id : undefined
}

/**
 * The window of that name, whose sums can be read. Servers open windows before their day begins: at their start, every hour, and when the settings
 * change. Where the clock has jumped there is none yet: the read sets that work off and waits for it, and until it is done the last seven or
 * thirty days are those before.
 * @throws service_unavailable where that takes long and nothing is there before; it goes on meanwhile
 */
export const windowNamed = async (place: Place, db: Db, name: string): Promise<number> => {
  // What is under way may have begun on the day before.
  for (let tries = 0; tries < 3; tries++) {
    const found = await ready(db, [name])
    if (found) return found.id
    needsPrimary(db)
    const former = await formerOf(db, name)
    const work = besideRead(() => keepWindows(place))
    if (await endsSoon(work, former === undefined ? PATIENCE_S : SHORT_PATIENCE_S)) continue
    work.catch(() => {})
    if (former !== undefined) return former
    break
  }
  throw new ApiError('service_unavailable', { data: { retry_after: PATIENCE_S } })
}

const allReady = statementIn<{ id: number; name: string }>(
  (list) => `select id, name from score_periods where state = 'ready' and name in (${list(1)})`,
)

/** The same of several. */
export const windowsNamed = async (place: Place, db: Db, names: readonly string[]): Promise<number[]> => {
  const known = new Map((await allReady(db, names.length, names)).map(({ id, name }) => [name, id]))
  const ids: number[] = []
  for (const name of names) ids.push(known.get(name) ?? (await windowNamed(place, db, name)))
  return ids
}
