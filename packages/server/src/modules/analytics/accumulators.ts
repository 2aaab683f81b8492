import { chunkPadded, type Db, insertRows, runText, statementIn, type Value } from '../../db/index.ts'
import { clockOf, numberOfDay, SPAN_NUMBERS, SPANS, startOf } from './date-buckets.ts'

/** Counts per member, in the order of the columns. */
export const MEMBER_COUNTS = ['posts', 'comments', 'reactions', 'post_reactions', 'post_comments', 'comment_reactions'] as const
const SPACE_COUNTS = ['posts', 'comments', 'reactions', 'joins'] as const
const HOUR_COUNTS = ['posts', 'comments', 'reactions', 'members'] as const

/** Something that happened, or with negative counts, was undone. */
export interface Change {
  readonly at: string
  readonly user_id: number | null
  readonly space_id: number | null
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly post_reactions: number
  readonly post_comments: number
  readonly comment_reactions: number
  readonly joins: number
  readonly members: number
}

interface Rollup {
  readonly key: readonly Value[]
  readonly counts: number[]
}

/** Rollup rows by key. */
type Rollups = Map<string, Rollup>

const add = (sums: Rollups, key: readonly Value[], by: readonly number[]) => {
  if (by.every((n) => n === 0)) return
  const text = key.join(' ')
  const sum = sums.get(text)
  if (!sum) sums.set(text, { key, counts: [...by] })
  else for (const [i, n] of by.entries()) sum.counts[i] = (sum.counts[i] ?? 0) + n
}

/** Accumulates changes by the days and hours of a time zone. */
export const createAccumulators = (zone: string) => {
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
  const members: Rollups = new Map()
  const spaces: Rollups = new Map()
  const hours: Rollups = new Map()
  return {
    members,
    spaces,
    hours,
    /** The day as a number. */
    dayOf: (at: string) => numberOfDay(clock(at).day),
    add: (change: Change) => {
      const { day, hour } = clock(change.at)
      const { posts, comments, reactions, user_id, space_id } = change
      const by = MEMBER_COUNTS.map((name) => change[name])
      if (user_id !== null) for (const [span, start] of startsOf(day)) add(members, [span, start, user_id], by)
      if (space_id !== null) add(spaces, [day, space_id], [posts, comments, reactions, change.joins])
      add(hours, [day, hour], [posts, comments, reactions, change.members])
    },
  }
}

export type Accumulators = ReturnType<typeof createAccumulators>

const accounts = statementIn<{ id: number; created_at: string }>((list) => `select id, created_at from users where id in (${list(1)})`)

/** The days on which accounts were created; deleted accounts have none. */
const signupDays = async (db: Db, ids: readonly number[], dayOf: Accumulators['dayOf']): Promise<Map<number, number>> => {
  const days = new Map<number, number>()
  for (const part of chunkPadded(ids)) for (const row of await accounts(db, part.length, part)) days.set(row.id, dayOf(row.created_at))
  return days
}

interface Target {
  readonly table: string
  readonly keys: readonly string[]
  readonly counts: readonly string[]
}

const SPACES: Target = { table: 'analytics_space_rollups', keys: ['generation', 'day', 'space_id'], counts: SPACE_COUNTS }
const HOURS: Target = { table: 'analytics_hourly_rollups', keys: ['generation', 'day', 'hour'], counts: HOUR_COUNTS }
const MEMBERS: Target = { table: 'analytics_member_rollups', keys: ['generation', 'span', 'start', 'user_id'], counts: MEMBER_COUNTS }

const MAX_ROWS = 128

/** Adds to existing rows or inserts them, and deletes rows whose counts become zero. `extraColumn` is set only on insert. */
const upsert = async (
  db: Db,
  { table, keys, counts }: Target,
  rows: readonly Rollup[],
  extraColumn?: { name: string; of: (sum: Rollup) => Value },
) => {
  const columns = [...keys, ...(extraColumn ? [extraColumn.name] : []), ...counts]
  for (let at = 0; at < rows.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(rows.length - at, MAX_ROWS)))
    const part = rows.slice(at, at + size)
    const values = part.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`)
    await runText(
      db,
      `insert into ${table} (${columns.join(', ')}) values ${values.join(', ')} on conflict (${keys.join(', ')})
       do update set ${counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`,
      part.flatMap((sum) => [...sum.key, ...(extraColumn ? [extraColumn.of(sum)] : []), ...sum.counts]),
    )
    at += size
  }
  const empty = `delete from ${table} where ${keys.map((key, i) => `${key} = $${i + 1}`).join(' and ')} and ${counts.map((name) => `${name} = 0`).join(' and ')}`
  for (const sum of rows) if (sum.counts.some((n) => n < 0)) await runText(db, empty, sum.key)
}

const nonZero = (sums: Rollups, generation: number): Rollup[] =>
  [...sums.values()].filter((sum) => sum.counts.some((n) => n !== 0)).map(({ key, counts }) => ({ key: [generation, ...key], counts }))

/** Adds the accumulated changes to the rollups. */
export const addToRollups = async (db: Db, generation: number, sums: Accumulators): Promise<void> => {
  const members = nonZero(sums.members, generation)
  const days = await signupDays(db, [...new Set(members.map(({ key }) => key[3] as number))], sums.dayOf)
  await upsert(db, MEMBERS, members, { name: 'joined', of: ({ key }) => days.get(key[3] as number) ?? 0 })
  await upsert(db, SPACES, nonZero(sums.spaces, generation))
  await upsert(db, HOURS, nonZero(sums.hours, generation))
}

/** Inserts member rollups of a generation that is not readable yet. The caller then clears the accumulator. */
export const insertMembers = async (db: Db, generation: number, sums: Accumulators, joined: ReadonlyMap<number, number>): Promise<void> => {
  const rows = nonZero(sums.members, generation).map(({ key, counts }) => [...key, joined.get(key[3] as number) ?? 0, ...counts])
  await insertRows(db, MEMBERS.table, [...MEMBERS.keys, 'joined', ...MEMBERS.counts], rows)
}

/** Inserts for space and hourly rollups, in batches small enough for one write. */
export const batchesOfSpacesAndHours = (generation: number, sums: Accumulators, size: number): ((db: Db) => Promise<void>)[] =>
  [
    { target: SPACES, rows: nonZero(sums.spaces, generation) },
    { target: HOURS, rows: nonZero(sums.hours, generation) },
  ].flatMap(({ target, rows }) =>
    Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => (db: Db) => {
      const part = rows.slice(i * size, (i + 1) * size)
      return insertRows(
        db,
        target.table,
        [...target.keys, ...target.counts],
        part.map(({ key, counts }) => [...key, ...counts]),
      )
    }),
  )
