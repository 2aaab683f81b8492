import { type Db, runText } from '../../server/src/db/index.ts'
import { type Call, isAcknowledged, type Seen } from './load.ts'

/** Violations; all empty after a successful run. */
export interface Verdict {
  /** Acknowledged but missing. */
  readonly lost: readonly string[]
  /** Stored more than once, or under another id than in the response. */
  readonly doubled: readonly string[]
  /** Unexpected responses with their counts. */
  readonly odd: readonly string[]
  /** Rejections without Retry-After. */
  readonly bare: number
  /** Responses that took too long. */
  readonly late: readonly string[]
  /** Number of forbidden objects shown. */
  readonly shown: number
  /** Announced more than once, or never. */
  readonly wrongActivities: readonly string[]
}

export const SOUND: Verdict = { lost: [], doubled: [], odd: [], bare: 0, late: [], shown: 0, wrongActivities: [] }

/** The stored data: ids by text, and the number of activities per post and comment. */
export interface Stored {
  readonly ids: ReadonlyMap<string, readonly number[]>
  readonly activities: ReadonlyMap<string, number>
}

export interface Bounds {
  /** Status and code pairs that are allowed besides success and expected errors. */
  readonly refusals: readonly string[]
  readonly withinMs: number
}

export const readStored = async (db: Db): Promise<Stored> => {
  const rows = await runText<{ message: string; id: number }>(
    db,
    'select message, id from feeds union all select message, id from comments',
    [],
  )
  const told = await runText<{ name: string; n: number }>(
    db,
    `select action_type || ' ' || object_id as name, count(*) as n from activities
     where action_type in ('post_created', 'comment_added') group by action_type, object_id`,
    [],
  )
  const ids = new Map<string, number[]>()
  for (const { message, id } of rows) ids.set(message, [...(ids.get(message) ?? []), id])
  return { ids, activities: new Map(told.map(({ name, n }) => [name, Number(n)])) }
}

const isExpected = ({ what, status, code }: Call, refusals: readonly string[]) => {
  if (what === 'secret' && status === 404) return true
  return status === 200 || status === 201 || refusals.includes(`${status} ${code}`)
}

const counted = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} × ${name}`)

export const judge = ({ writes, calls }: Seen, { ids, activities }: Stored, { refusals, withinMs }: Bounds): Verdict => {
  const idsOf = (text: string) => ids.get(text) ?? []
  const activitiesOf = (kind: 'post' | 'comment', id: number) =>
    activities.get(`${kind === 'post' ? 'post_created' : 'comment_added'} ${id}`) ?? 0
  return {
    lost: writes.filter((write) => isAcknowledged(write) && idsOf(write.text).length === 0).map(({ text }) => text),
    doubled: writes
      .filter(({ text, ids: answered }) => new Set([...idsOf(text), ...answered]).size > 1 || idsOf(text).length > 1)
      .map(({ text }) => text),
    odd: counted(
      calls
        .filter((call) => !isExpected(call, refusals))
        .map(({ what, status, code }) => `${what}: ${status || 'no answer'} ${code}`.trim()),
    ),
    bare: calls.filter(({ status, retryAfter }) => status === 503 && !retryAfter).length,
    late: calls.filter(({ ms }) => ms > withinMs).map(({ what, status, ms }) => `${what}: ${status} after ${Math.round(ms)} ms`),
    shown: calls.filter(({ what, status }) => what === 'secret' && status === 200).length,
    wrongActivities: writes
      .flatMap(({ kind, text }) => idsOf(text).map((id) => ({ text, n: activitiesOf(kind, id) })))
      .filter(({ n }) => n !== 1)
      .map(({ text, n }) => `${n} activities of ${text}`),
  }
}
