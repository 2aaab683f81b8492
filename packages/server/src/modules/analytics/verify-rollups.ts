import { type Db, statement } from '../../db/index.ts'
import { type AllSums, type Change, createSums, PERSON_COUNTS } from './accumulators.ts'
import { recount } from './recompute.ts'
import { readState } from './rollup-state.ts'

type Counted<K extends string> = Readonly<Record<K, string | number>> & Readonly<Record<string, string | number>>

const sums = PERSON_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')
const people = statement<Counted<'user_id' | 'first' | 'last'>>(
  `select user_id, min(joined) as first, max(joined) as last, ${sums} from analytics_member_rollups where generation = $1 and span = 1 group by user_id`,
)
const times = statement<Counted<'span' | 'start'>>(
  `select span, start, ${sums} from analytics_member_rollups where generation = $1 group by span, start`,
)
const spaces = statement<Counted<'day' | 'space_id'>>(
  'select day, space_id, posts, comments, reactions, joins from analytics_space_rollups where generation = $1',
)
const hours = statement<Counted<'day' | 'hour'>>(
  'select day, hour, posts, comments, reactions, members from analytics_hourly_rollups where generation = $1',
)
const waiting = statement<Change>(
  `select at, user_id, space_id, posts, comments, reactions, post_reactions, post_comments, comment_reactions, joins, members
   from analytics_outbox where id > 0`,
)

const PERSON = [...PERSON_COUNTS]
const SPACE = ['posts', 'comments', 'reactions', 'joins']
const HOUR = ['posts', 'comments', 'reactions', 'members']

/** Sums whose right value is zero: what should be there less what is. */
const createDifferences = () => {
  const left = new Map<string, number[]>()
  const add = (key: string, counts: readonly number[], sign: 1 | -1) => {
    const sum = left.get(key) ?? counts.map(() => 0)
    counts.forEach((n, i) => {
      sum[i] = (sum[i] ?? 0) + sign * n
    })
    left.set(key, sum)
  }
  return {
    row: (key: string, row: Counted<never>, names: readonly string[]) =>
      add(
        key,
        names.map((name) => Number(row[name])),
        -1,
      ),
    /** Takes what was collected, and empties it. */
    take: (collected: AllSums, sign: 1 | -1) => {
      for (const { key, counts } of collected.members.values()) {
        const [span, start, user] = key
        if (span === 1) add(`person ${user}`, counts, sign)
        add(`${span} days from ${start}`, counts, sign)
      }
      for (const { key, counts } of collected.spaces.values()) add(`space ${key[1]} on ${key[0]}`, counts, sign)
      for (const { key, counts } of collected.hours.values()) add(`hour ${key[1]} on ${key[0]}`, counts, sign)
      for (const one of [collected.members, collected.spaces, collected.hours]) one.clear()
    },
    wrong: () => [...left].filter(([, counts]) => counts.some((n) => n !== 0)).map(([key]) => key),
  }
}

/**
 * Figures that are not what the rows come to, in words: of each person, each day, week and month, each space and day, each hour.
 * What still waits to be taken in counts; figures that are to be made anew are not looked at.
 */
export const wrongFigures = async (db: Db): Promise<string[]> => {
  const { stale, generation, zone } = await readState(db)
  if (stale) return []
  const collected = createSums(zone)
  const differences = createDifferences()
  const joined = new Map<number, number>()
  for await (const { changes, accounts } of recount(db)) {
    for (const change of changes) collected.add(change)
    differences.take(collected, 1)
    for (const [id, at] of accounts) joined.set(id, collected.dayOf(at))
  }
  for (const change of await waiting(db)) collected.add(change)
  differences.take(collected, -1)
  const misdated: string[] = []
  for (const row of await people(db, [generation])) {
    differences.row(`person ${row.user_id}`, row, PERSON)
    const day = joined.get(Number(row.user_id))
    if (day !== undefined && (row.first !== day || row.last !== day)) misdated.push(`person ${row.user_id} since ${row.first}`)
  }
  for (const row of await times(db, [generation])) differences.row(`${row.span} days from ${row.start}`, row, PERSON)
  for (const row of await spaces(db, [generation])) differences.row(`space ${row.space_id} on ${row.day}`, row, SPACE)
  for (const row of await hours(db, [generation])) differences.row(`hour ${row.hour} on ${row.day}`, row, HOUR)
  return [...differences.wrong(), ...misdated]
}
