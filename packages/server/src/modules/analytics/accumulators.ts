import { batchStatement, type Db, insertRows, statementIn, type Tables, type Value } from '../../db/index.ts'
import { SPANS, startOf } from '../../util/days.ts'
import { clockOf, numberOfDay, SPAN_NUMBERS } from './date-buckets.ts'

export const MEMBER_COUNTS = ['posts', 'comments', 'reactions', 'post_reactions', 'post_comments', 'comment_reactions'] as const

/** The tables of rollups and their keys besides the generation. Columns of `fixed` are set only when a row is inserted. */
export const ROLLUPS = {
  members: { table: 'analytics_member_rollups', keys: ['span', 'start', 'user_id'], fixed: ['joined'], counts: MEMBER_COUNTS },
  spaces: { table: 'analytics_space_rollups', keys: ['day', 'space_id'], fixed: [], counts: ['posts', 'comments', 'reactions', 'joins'] },
  hours: { table: 'analytics_hourly_rollups', keys: ['day', 'hour'], fixed: [], counts: ['posts', 'comments', 'reactions', 'members'] },
} as const
export type RollupName = keyof typeof ROLLUPS
const NAMES = ['members', 'spaces', 'hours'] as const

/** Something that happened, or with negative counts, was undone. */
export type Change = Omit<Tables['analytics_outbox'], 'id'>
export const CHANGE_COLUMNS = ['at', 'user_id', 'space_id', ...MEMBER_COUNTS, 'joins', 'members'].join(', ')

interface Rollup {
  readonly key: readonly Value[]
  readonly counts: number[]
}

const countsOf = (name: RollupName, change: Change): number[] => ROLLUPS[name].counts.map((column) => change[column])

const add = (sums: Map<string, Rollup>, key: readonly Value[], by: readonly number[]) => {
  if (by.every((n) => n === 0)) return
  const text = key.join(' ')
  const sum = sums.get(text)
  if (!sum) sums.set(text, { key, counts: [...by] })
  else for (const [i, n] of by.entries()) sum.counts[i] = (sum.counts[i] ?? 0) + n
}

/** Accumulates changes by the days and hours of a time zone, for all rollups or some of them. */
export const createAccumulators = (zone: string, names: readonly RollupName[] = NAMES) => {
  const clock = clockOf(zone)
  /** Starts of the spans that a day belongs to. There are few days and millions of changes. */
  const startsByDay = new Map<string, readonly (readonly [span: number, start: number])[]>()
  const startsOf = (day: string) => {
    const found = startsByDay.get(day)
    if (found) return found
    const made = SPANS.map((span) => [SPAN_NUMBERS[span], numberOfDay(startOf(span, day))] as const)
    startsByDay.set(day, made)
    return made
  }
  const [ofMembers, ofSpaces, ofHours] = NAMES.map((name) => names.includes(name))
  const sums: Record<RollupName, Map<string, Rollup>> = { members: new Map(), spaces: new Map(), hours: new Map() }
  return {
    ...sums,
    dayOf: (at: string) => numberOfDay(clock(at).day),
    add: (change: Change) => {
      const { day, hour } = clock(change.at)
      const { user_id, space_id } = change
      if (ofMembers && user_id !== null) {
        const by = countsOf('members', change)
        for (const [span, start] of startsOf(day)) add(sums.members, [span, start, user_id], by)
      }
      if (ofSpaces && space_id !== null) add(sums.spaces, [day, space_id], countsOf('spaces', change))
      if (ofHours) add(sums.hours, [day, hour], countsOf('hours', change))
    },
  }
}

export type Accumulators = ReturnType<typeof createAccumulators>

const accounts = statementIn<{ id: number; created_at: string }>((list) => `select id, created_at from users where id in (${list})`)

/** The days on which accounts were created; deleted accounts have none. */
const signupDays = async (db: Db, { members, dayOf }: Accumulators): Promise<Map<number, number>> => {
  const ids = new Set([...members.values()].map(({ key }) => key[2] as number))
  return new Map((await accounts(db, [...ids])).map(({ id, created_at }) => [id, dayOf(created_at)]))
}

/** The rows to store, without those whose counts are all zero. `joined`: the days of the members' registrations. */
const rowsOf = (name: RollupName, generation: number, sums: Accumulators, joined: ReadonlyMap<number, number>): Value[][] =>
  [...sums[name].values()]
    .filter(({ counts }) => counts.some((n) => n !== 0))
    .map(({ key, counts }) => [generation, ...key, ...(name === 'members' ? [joined.get(key[2] as number) ?? 0] : []), ...counts])

const columnsOf = (name: RollupName): string[] => ['generation', ...ROLLUPS[name].keys, ...ROLLUPS[name].fixed, ...ROLLUPS[name].counts]

const updatesOf = (name: RollupName) => {
  const { table, counts } = ROLLUPS[name]
  const columns = columnsOf(name)
  const types = Object.fromEntries(columns.map((column) => [column, column === 'day' ? ('text' as const) : ('bigint' as const)]))
  const keys = ['generation', ...ROLLUPS[name].keys].join(', ')
  return {
    /** Adds to existing rows or inserts them. */
    upsert: batchStatement(
      types,
      (rows) => `insert into ${table} (${columns.join(', ')}) select ${columns.join(', ')} from ${rows} d where 1 = 1 on conflict (${keys})
        do update set ${counts.map((count) => `${count} = ${table}.${count} + excluded.${count}`).join(', ')}`,
    ),
    deleteEmpty: batchStatement(
      types,
      (rows) =>
        `delete from ${table} where (${keys}) in (select ${keys} from ${rows} d) and ${counts.map((count) => `${count} = 0`).join(' and ')}`,
    ),
  }
}
const UPDATES = { members: updatesOf('members'), spaces: updatesOf('spaces'), hours: updatesOf('hours') }

export const addToRollups = async (db: Db, generation: number, sums: Accumulators): Promise<void> => {
  const joined = await signupDays(db, sums)
  for (const name of NAMES) {
    const rows = rowsOf(name, generation, sums, joined)
    if (rows.length === 0) continue
    await UPDATES[name].upsert(db, rows)
    const decreased = rows.filter((row) => row.some((value) => typeof value === 'number' && value < 0))
    if (decreased.length > 0) await UPDATES[name].deleteEmpty(db, decreased)
  }
}

/**
 * Writes that add the accumulated rows to a generation that is not readable yet, at most `size` rows each. The rows of members are complete:
 * they are inserted.
 */
export const additionsOf = (
  name: RollupName,
  generation: number,
  sums: Accumulators,
  joined: ReadonlyMap<number, number>,
  size: number,
) => {
  const rows = rowsOf(name, generation, sums, joined)
  return Array.from({ length: Math.max(1, Math.ceil(rows.length / size)) }, (_, i) => async (db: Db) => {
    const some = rows.slice(i * size, (i + 1) * size)
    if (name === 'members') await insertRows(db, ROLLUPS[name].table, columnsOf(name), some)
    else await UPDATES[name].upsert(db, some)
  })
}
