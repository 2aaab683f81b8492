import type { ArchiveKind } from '@lyceum/contract/archive'
import { batchStatement, type Db, insertRows, type Value } from '../../../server/src/db/index.ts'
import { type AddRows, type NewActivity, recordActivities } from '../bulk/activities.ts'
import { type Counters, createCounters } from '../bulk/counters.ts'
import type { Earned } from '../bulk/earned-points.ts'
import type { Run } from './run.ts'

/** Columns of `redirects` by kind. */
const REDIRECTED = {
  people: 'user_id',
  spaces: 'space_id',
  posts: 'feed_id',
  comments: 'comment_id',
  topics: 'topic_id',
  courses: 'course_id',
  lessons: 'lesson_id',
  media: 'media_id',
} as const satisfies Partial<Record<ArchiveKind, string>>
export type RedirectedKind = keyof typeof REDIRECTED

/** Collects writes for the end of a transaction, which may be repeated. */
export interface Slice {
  readonly db: Db
  readonly add: AddRows
  readonly counters: Counters
  readonly activities: NewActivity[]
  readonly earned: Earned[]
  /** Adds redirects for the source URLs of an object. */
  readonly redirect: (kind: RedirectedKind, id: number, urls: readonly string[] | undefined) => void
}

const redirectRows = (column: string) =>
  batchStatement(
    { path: 'text', id: 'bigint' },
    (rows) =>
      `insert into redirects (path, source, ${column}) select d.path, $2, d.id from ${rows} d where 1 = 1 on conflict (path, source) do nothing`,
  )
const insertRedirects = Object.fromEntries(Object.values(REDIRECTED).map((column) => [column, redirectRows(column)]))

/** Runs `work` and performs the collected writes, in the transaction of `db`. */
export const writeSlice = async (run: Run, db: Db, work: (slice: Slice) => Promise<void>): Promise<void> => {
  const counters = createCounters()
  const redirects = new Map<string, Map<string, Value>>()
  const slice: Slice = {
    db,
    add: (...rows) => insertRows(db, ...rows),
    counters,
    activities: [],
    earned: [],
    redirect: (kind, id, urls = []) => {
      const column = REDIRECTED[kind]
      const rows = redirects.get(column) ?? new Map<string, Value>()
      redirects.set(column, rows)
      for (const url of urls) {
        const [path] = run.addresses.paths(url)
        if (path !== undefined && !rows.has(path)) rows.set(path, id)
      }
    },
  }
  await work(slice)
  await run.earnings.add(db, slice.earned)
  await counters.flush(db)
  await recordActivities(slice.add, slice.activities)
  for (const [column, rows] of redirects) await insertRedirects[column]?.(db, [...rows] as [string, Value][], [run.name])
}
