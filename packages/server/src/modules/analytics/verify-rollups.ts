import { type Db, statement } from '../../db/index.ts'
import { type Accumulators, type Change, createAccumulators, MEMBER_COUNTS } from './accumulators.ts'
import { recount } from './recompute.ts'
import { readState } from './rollup-state.ts'

type CountedRow<K extends string> = Readonly<Record<K, string | number>> & Readonly<Record<string, string | number>>

const sums = MEMBER_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')
const people = statement<CountedRow<'user_id' | 'first' | 'last'>>(
  `select user_id, min(joined) as first, max(joined) as last, ${sums} from analytics_member_rollups where generation = $1 and span = 1 group by user_id`,
)
const times = statement<CountedRow<'span' | 'start'>>(
  `select span, start, ${sums} from analytics_member_rollups where generation = $1 group by span, start`,
)
const spaces = statement<CountedRow<'day' | 'space_id'>>(
  'select day, space_id, posts, comments, reactions, joins from analytics_space_rollups where generation = $1',
)
const hours = statement<CountedRow<'day' | 'hour'>>(
  'select day, hour, posts, comments, reactions, members from analytics_hourly_rollups where generation = $1',
)
const pendingChanges = statement<Change>(
  `select at, user_id, space_id, posts, comments, reactions, post_reactions, post_comments, comment_reactions, joins, members
   from analytics_outbox where id > 0`,
)

const MEMBER_COLUMNS = [...MEMBER_COUNTS]
const SPACE_COLUMNS = ['posts', 'comments', 'reactions', 'joins']
const HOUR_COLUMNS = ['posts', 'comments', 'reactions', 'members']

/** Expected minus stored sums; zero if the rollups are correct. */
const createDifferences = () => {
  const sumsByKey = new Map<string, number[]>()
  const add = (key: string, counts: readonly number[], sign: 1 | -1) => {
    const sum = sumsByKey.get(key) ?? counts.map(() => 0)
    counts.forEach((n, i) => {
      sum[i] = (sum[i] ?? 0) + sign * n
    })
    sumsByKey.set(key, sum)
  }
  return {
    row: (key: string, row: CountedRow<never>, names: readonly string[]) =>
      add(
        key,
        names.map((name) => Number(row[name])),
        -1,
      ),
    /** Adds the accumulated counts and clears the accumulator. */
    addAll: (collected: Accumulators, sign: 1 | -1) => {
      for (const { key, counts } of collected.members.values()) {
        const [span, start, user] = key
        if (span === 1) add(`person ${user}`, counts, sign)
        add(`${span} days from ${start}`, counts, sign)
      }
      for (const { key, counts } of collected.spaces.values()) add(`space ${key[1]} on ${key[0]}`, counts, sign)
      for (const { key, counts } of collected.hours.values()) add(`hour ${key[1]} on ${key[0]}`, counts, sign)
      for (const one of [collected.members, collected.spaces, collected.hours]) one.clear()
    },
    nonZeroKeys: () => [...sumsByKey].filter(([, counts]) => counts.some((n) => n !== 0)).map(([key]) => key),
  }
}

/**
 * Describes every rollup that differs from the counted rows: of each member, each day, week and month, each space and day, each hour.
 * Includes pending changes; stale rollups are not checked.
 */
export const findWrongRollups = async (db: Db): Promise<string[]> => {
  const { stale, generation, zone } = await readState(db)
  if (stale) return []
  const collected = createAccumulators(zone)
  const differences = createDifferences()
  const joined = new Map<number, number>()
  for await (const { changes, accounts } of recount(db)) {
    for (const change of changes) collected.add(change)
    differences.addAll(collected, 1)
    for (const [id, at] of accounts) joined.set(id, collected.dayOf(at))
  }
  for (const change of await pendingChanges(db)) collected.add(change)
  differences.addAll(collected, -1)
  const misdated: string[] = []
  for (const row of await people(db, [generation])) {
    differences.row(`person ${row.user_id}`, row, MEMBER_COLUMNS)
    const day = joined.get(Number(row.user_id))
    if (day !== undefined && (row.first !== day || row.last !== day)) misdated.push(`person ${row.user_id} since ${row.first}`)
  }
  for (const row of await times(db, [generation])) differences.row(`${row.span} days from ${row.start}`, row, MEMBER_COLUMNS)
  for (const row of await spaces(db, [generation])) differences.row(`space ${row.space_id} on ${row.day}`, row, SPACE_COLUMNS)
  for (const row of await hours(db, [generation])) differences.row(`hour ${row.hour} on ${row.day}`, row, HOUR_COLUMNS)
  return [...differences.nonZeroKeys(), ...misdated]
}
