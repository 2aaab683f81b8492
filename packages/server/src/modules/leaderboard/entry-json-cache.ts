import { type Infer, LeaderboardEntry } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { tagOf, unpooledBytes } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { lazy } from '../../util/lazy.ts'
import { listLevels } from './levels.ts'
import { achievementsOf, type Board, listedMembers, type VersionedBoardRow } from './queries.ts'
import { viewEntry } from './view.ts'

/** JSON of an entry and its hash. The object is the same while the entry is unchanged. */
export interface CachedEntry {
  readonly json: Buffer
  readonly tag: string
}

/** The top rows of a board, as visible to the caller. */
export interface BoardTop {
  readonly board: Board
  readonly rows: readonly VersionedBoardRow[]
}

const MAX_ENTRIES = 5000
const MAX_CACHE_BYTES = 8 * 2 ** 20
const serializer = lazy(() => fastJsonStringify(LeaderboardEntry as object) as (entry: Infer<typeof LeaderboardEntry>) => string)

const keyOf = ({ periodId, spaceId }: Board, row: VersionedBoardRow) =>
  `${periodId} ${spaceId} ${row.user_id} ${row.u_last_activity === null}`

/** All values of an entry that come from its board. Its other values come from rows with cache tags. */
const versionOf = (row: VersionedBoardRow, version: string | null, rank: number): string =>
  `${version} ${rank} ${row.points} ${row.posts} ${row.comments} ${row.reactions} ${row.courses} ${row.helpful} ${row.u_last_activity} ` +
  `${row.posts_count} ${row.comments_count} ${row.reactions_count} ${row.courses_count}`

const withoutUsers = (tops: readonly BoardTop[], ids: ReadonlySet<number>): BoardTop[] =>
  tops.map(({ board, rows }) => ({ board, rows: rows.filter((row) => !ids.has(row.user_id)) }))

/**
 * JSON of the entries of some boards. An entry is cached until the shown data of the user or their scores change. `since` is the cache
 * revision from before the boards were read.
 */
export const cachedEntries = async (ctx: ReadRequest, tops: readonly BoardTop[], since: number): Promise<CachedEntry[][]> => {
  const { db } = ctx
  const cache = ctx.services.caches.of<CachedEntry>('leaderboard-entries', MAX_ENTRIES, MAX_CACHE_BYTES)
  const found = tops.map(({ board, rows }) => rows.map((row, i) => cache.get(keyOf(board, row), since, versionOf(row, row.version, i + 1))))
  const missing = new Set(tops.flatMap(({ rows }, at) => rows.filter((_, i) => !found[at]?.[i]).map((row) => row.user_id)))
  if (missing.size === 0) return found as CachedEntry[][]
  const ids = [...missing]
  const [people, achievements, levels] = await Promise.all([listedMembers(db, ids), achievementsOf(db, ids), listLevels(db)])
  // Someone may have been suspended or deleted since the board was read; the others move up.
  const delisted = new Set(ids.filter((id) => !people.has(id)))
  if (delisted.size > 0) return cachedEntries(ctx, withoutUsers(tops, delisted), since)
  return tops.map(({ board, rows }, at) =>
    rows.map((row, i) => {
      const known = found[at]?.[i]
      const person = people.get(row.user_id)
      if (known || !person) return known as CachedEntry
      const reached = { levels, achievements: achievements.get(row.user_id) ?? [] }
      const json = unpooledBytes(serializer()({ ...viewEntry({ ...person, ...row }, reached), rank: i + 1 }))
      const text = { json, tag: tagOf(json) }
      const subjects = [`user:${row.user_id}`, `achieved:${row.user_id}`, 'levels']
      cache.set(keyOf(board, row), text, subjects, since, versionOf(row, person.version, i + 1))
      return text
    }),
  )
}
