import { chunkPadded, type Db, insertRows, runText, statementIn, type Value } from '../../db/index.ts'
import { clockOf, numberOfDay, SPAN_NUMBERS, SPANS, startOf } from './date-buckets.ts'

/** What is counted of one person, in the order of the columns. */
export const PERSON_COUNTS = ['posts', 'comments', 'reactions', 'post_reactions', 'post_comments', 'comment_reactions'] as const
const SPACE_COUNTS = ['posts', 'comments', 'reactions', 'joins'] as const
const HOUR_COUNTS = ['posts', 'comments', 'reactions', 'members'] as const

/** Something that happened, or (negative) did not. */
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

interface Sum {
  readonly key: readonly Value[]
  readonly counts: number[]
}

/** Sums under their key. */
type Sums = Map<string, Sum>

const add = (sums: Sums, key: readonly Value[], by: readonly number[]) => {
  if (by.every((n) => n === 0)) return
  const text = key.join(' ')
  const sum = sums.get(text)
  if (!sum) sums.set(text, { key, counts: [...by] })
  else for (const [i, n] of by.entries()) sum.counts[i] = (sum.counts[i] ?? 0) + n
}

/** Collects changes by the days and hours of a zone. */
export const createSums = (zone: string) => {
  const clock = clockOf(zone)
  /** Span and first day of what a day belongs to: there are few days, and millions of changes. */
  const known = new Map<string, readonly (readonly [span: number, start: number])[]>()
  const startsOf = (day: string) => {
    const found = known.get(day)
    if (found) return found
    const made = SPANS.map((span) => [SPAN_NUMBERS[span], numberOfDay(startOf(span, day))] as const)
    known.set(day, made)
    return made
  }
  const members: Sums = new Map()
  const spaces: Sums = new Map()
  const hours: Sums = new Map()
  return {
    members,
    spaces,
    hours,
    /** The day as a number. */
    dayOf: (at: string) => numberOfDay(clock(at).day),
    add: (change: Change) => {
      const { day, hour } = clock(change.at)
      const { posts, comments, reactions, user_id, space_id } = change
      const by = PERSON_COUNTS.map((name) => change[name])
      if (user_id !== null) for (const [span, start] of startsOf(day)) add(members, [span, start, user_id], by)
      if (space_id !== null) add(spaces, [day, space_id], [posts, comments, reactions, change.joins])
      add(hours, [day, hour], [posts, comments, reactions, change.members])
    },
  }
}

export type AllSums = ReturnType<typeof createSums>

const accounts = statementIn<{ id: number; created_at: string }>((list) => `select id, created_at from users where id in (${list(1)})`)

/** On which days accounts were made; those that are gone have none. */
const joinedDays = async (db: Db, ids: readonly number[], dayOf: AllSums['dayOf']): Promise<Map<number, number>> => {
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
const MEMBERS: Target = { table: 'analytics_member_rollups', keys: ['generation', 'span', 'start', 'user_id'], counts: PERSON_COUNTS }

const MOST_ROWS = 128

/** Adds to rows that may be there, and removes those that come to nothing. `extra`: a column that is set where a row is made. */
const put = async (db: Db, { table, keys, counts }: Target, rows: readonly Sum[], extra?: { name: string; of: (sum: Sum) => Value }) => {
  const columns = [...keys, ...(extra ? [extra.name] : []), ...counts]
  for (let at = 0; at < rows.length; ) {
    const size = 2 ** Math.floor(Math.log2(Math.min(rows.length - at, MOST_ROWS)))
    const part = rows.slice(at, at + size)
    const values = part.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`)
    await runText(
      db,
      `insert into ${table} (${columns.join(', ')}) values ${values.join(', ')} on conflict (${keys.join(', ')})
       do update set ${counts.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`,
      part.flatMap((sum) => [...sum.key, ...(extra ? [extra.of(sum)] : []), ...sum.counts]),
    )
    at += size
  }
  const empty = `delete from ${table} where ${keys.map((key, i) => `${key} = $${i + 1}`).join(' and ')} and ${counts.map((name) => `${name} = 0`).join(' and ')}`
  for (const sum of rows) if (sum.counts.some((n) => n < 0)) await runText(db, empty, sum.key)
}

const changed = (sums: Sums, generation: number): Sum[] =>
  [...sums.values()].filter((sum) => sum.counts.some((n) => n !== 0)).map(({ key, counts }) => ({ key: [generation, ...key], counts }))

/** Adds what was collected to the figures. */
export const addSums = async (db: Db, generation: number, sums: AllSums): Promise<void> => {
  const members = changed(sums.members, generation)
  const days = await joinedDays(db, [...new Set(members.map(({ key }) => key[3] as number))], sums.dayOf)
  await put(db, MEMBERS, members, { name: 'joined', of: ({ key }) => days.get(key[3] as number) ?? 0 })
  await put(db, SPACES, changed(sums.spaces, generation))
  await put(db, HOURS, changed(sums.hours, generation))
}

/** Writes figures of people that nobody has seen yet; the collection is empty afterwards. */
export const insertMembers = async (db: Db, generation: number, sums: AllSums, joined: ReadonlyMap<number, number>): Promise<void> => {
  const rows = changed(sums.members, generation).map(({ key, counts }) => [...key, joined.get(key[3] as number) ?? 0, ...counts])
  await insertRows(db, MEMBERS.table, [...MEMBERS.keys, 'joined', ...MEMBERS.counts], rows)
}

/** The same for spaces and hours, in portions that a write may take. */
export const portionsOfPlaces = (generation: number, sums: AllSums, size: number): ((db: Db) => Promise<void>)[] =>
  [
    { target: SPACES, rows: changed(sums.spaces, generation) },
    { target: HOURS, rows: changed(sums.hours, generation) },
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
