import { type Db, statement, type Value } from '../../db/index.ts'
import { CHANGE_COLUMNS, type Change, createAccumulators, ROLLUPS, type RollupName } from './accumulators.ts'
import { recount } from './recompute.ts'
import { readState } from './rollup-state.ts'

type Row = Readonly<Record<string, string | number>>

/** Sums of the stored rows of a rollup, and the label of a row's key; rows without a label are not part of the sums. */
const sumsOf = (name: RollupName, keys: string, rest: string, label: (key: readonly Value[]) => string | null) => {
  const sums = ROLLUPS[name].counts.map((count) => `sum(${count}) as ${count}`).join(', ')
  return { name, label, stored: statement<Row>(`select ${keys}, ${sums} from ${ROLLUPS[name].table} where generation = $1 ${rest}`) }
}

/** Member rollups are compared in sums per member and per start, since there are very many. */
const SUMS = [
  sumsOf('members', '1 as span, 0 as start, user_id', 'and span = 1 group by user_id', ([span, , user]) =>
    span === 1 ? `person ${user}` : null,
  ),
  sumsOf('members', 'span, start, 0 as user_id', 'group by span, start', ([span, start]) => `${span} days from ${start}`),
  sumsOf('spaces', 'day, space_id', 'group by day, space_id', ([day, space]) => `space ${space} on ${day}`),
  sumsOf('hours', 'day, hour', 'group by day, hour', ([day, hour]) => `hour ${hour} on ${day}`),
]

const joinDays = statement<{ user_id: number; first: number; last: number }>(
  `select user_id, min(joined) as first, max(joined) as last from analytics_member_rollups where generation = $1 and span = 1 group by user_id`,
)
const pendingChanges = statement<Change>(`select ${CHANGE_COLUMNS} from analytics_outbox where id > 0`)

/**
 * Describes every rollup that differs from the counted rows: of each member, each day, week and month, each space and day, each hour.
 * Includes pending changes; stale rollups are not checked.
 */
export const findWrongRollups = async (db: Db): Promise<string[]> => {
  const { stale, generation, zone } = await readState(db)
  if (stale) return []
  const collected = createAccumulators(zone)
  /** Expected minus stored sums by label; zero if the rollups are correct. */
  const differences = new Map<string, number[]>()
  const add = (label: string | null, counts: readonly number[], sign: 1 | -1) => {
    if (label === null) return
    const sum = differences.get(label) ?? counts.map(() => 0)
    differences.set(
      label,
      sum.map((n, i) => n + sign * (counts[i] ?? 0)),
    )
  }
  /** Adds the accumulated counts and clears the accumulator. */
  const addCollected = (sign: 1 | -1) => {
    for (const { name, label } of SUMS) for (const { key, counts } of collected[name].values()) add(label(key), counts, sign)
    for (const { name } of SUMS) collected[name].clear()
  }
  const joined = new Map<number, number>()
  for await (const { changes, accounts } of recount(db)) {
    for (const change of changes) collected.add(change)
    addCollected(1)
    for (const [id, at] of accounts) joined.set(id, collected.dayOf(at))
  }
  for (const change of await pendingChanges(db)) collected.add(change)
  addCollected(-1)
  for (const { name, label, stored } of SUMS) {
    const { keys, counts } = ROLLUPS[name]
    for (const row of await stored(db, [generation])) {
      const key = keys.map((column) => row[column] ?? null)
      add(
        label(key),
        counts.map((count) => Number(row[count])),
        -1,
      )
    }
  }
  const misdated = (await joinDays(db, [generation])).filter(({ user_id, first, last }) => {
    const day = joined.get(user_id)
    return day !== undefined && (first !== day || last !== day)
  })
  return [
    ...[...differences].filter(([, counts]) => counts.some((n) => n !== 0)).map(([label]) => label),
    ...misdated.map(({ user_id, first }) => `person ${user_id} since ${first}`),
  ]
}
