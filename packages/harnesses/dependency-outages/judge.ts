import { type Db, runText } from '../../server/src/db/index.ts'
import { type Call, isAcknowledged, type Seen } from './load.ts'

/** What must not be; all of it is empty after a run that went well. */
export interface Verdict {
  /** Acknowledged, and not there. */
  readonly lost: readonly string[]
  /** There more than once, or under another id than it was answered with. */
  readonly doubled: readonly string[]
  /** Answers that nobody may get, with how often. */
  readonly odd: readonly string[]
  /** Refusals that do not say when to come back. */
  readonly bare: number
  /** Answers that took longer than any may. */
  readonly late: readonly string[]
  /** What is not for them, and was shown. */
  readonly shown: number
  /** Told of more than once, or never. */
  readonly mistold: readonly string[]
}

export const SOUND: Verdict = { lost: [], doubled: [], odd: [], bare: 0, late: [], shown: 0, mistold: [] }

/** What is stored: ids by text, and how often an activity tells of each post and comment. */
export interface Stored {
  readonly ids: ReadonlyMap<string, readonly number[]>
  readonly told: ReadonlyMap<string, number>
}

export interface Bounds {
  /** Statuses with their codes that may be answered beside successes and what is asked for in vain. */
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
  return { ids, told: new Map(told.map(({ name, n }) => [name, Number(n)])) }
}

const isExpected = ({ what, status, code }: Call, refusals: readonly string[]) => {
  if (what === 'secret' && status === 404) return true
  return status === 200 || status === 201 || refusals.includes(`${status} ${code}`)
}

const counted = (names: readonly string[]): string[] =>
  [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${all.length} × ${name}`)

export const judge = ({ writes, calls }: Seen, { ids, told }: Stored, { refusals, withinMs }: Bounds): Verdict => {
  const idsOf = (text: string) => ids.get(text) ?? []
  const tellsOf = (kind: 'post' | 'comment', id: number) => told.get(`${kind === 'post' ? 'post_created' : 'comment_added'} ${id}`) ?? 0
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
    mistold: writes
      .flatMap(({ kind, text }) => idsOf(text).map((id) => ({ text, n: tellsOf(kind, id) })))
      .filter(({ n }) => n !== 1)
      .map(({ text, n }) => `${text} is told of ${n} times`),
  }
}
