import { type Infer, LeaderboardEntry } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { tagOf } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ownBytes } from '../../http/responses/unpooled-buffer.ts'
import { lazy } from '../../util/lazy.ts'
import { listLevels } from './levels.ts'
import { achievementsOf, type Board, listedAmong, type PlacedRow } from './queries.ts'
import { viewEntry } from './view.ts'

/** JSON of an entry, with its hash. It is the same object as long as the entry is the same. */
export interface EntryText {
  readonly json: Buffer
  readonly tag: string
}

/** The first ones of a board, as the caller is told of them. */
export interface Top {
  readonly board: Board
  readonly rows: readonly PlacedRow[]
}

const KEPT = 5000
const MAX_CACHE_BYTES = 8 * 2 ** 20
const serializer = lazy(() => fastJsonStringify(LeaderboardEntry as object) as (entry: Infer<typeof LeaderboardEntry>) => string)

const keyOf = ({ window, spaceId }: Board, row: PlacedRow) => `${window} ${spaceId} ${row.user_id} ${row.u_last_activity === null}`

/** Everything in an entry that its board tells: the rest is made from rows whose changes are told. */
const stampOf = (row: PlacedRow, version: string | null, rank: number): string =>
  `${version} ${rank} ${row.points} ${row.posts} ${row.comments} ${row.reactions} ${row.courses} ${row.helpful} ${row.u_last_activity} ` +
  `${row.posts_count} ${row.comments_count} ${row.reactions_count} ${row.courses_count}`

const withoutThem = (tops: readonly Top[], ids: ReadonlySet<number>): Top[] =>
  tops.map(({ board, rows }) => ({ board, rows: rows.filter((row) => !ids.has(row.user_id)) }))

/**
 * The entries of some boards as JSON. Each is kept until what it shows of the person changes, or what he has on that board. `since`: the
 * caches' moment before the boards were read.
 */
export const entryTexts = async (ctx: ReadRequest, tops: readonly Top[], since: number): Promise<EntryText[][]> => {
  const { db } = ctx
  const kept = ctx.services.caches.of<EntryText>('leaderboard-entries', KEPT, MAX_CACHE_BYTES)
  const found = tops.map(({ board, rows }) => rows.map((row, i) => kept.get(keyOf(board, row), since, stampOf(row, row.version, i + 1))))
  const missing = new Set(tops.flatMap(({ rows }, at) => rows.filter((_, i) => !found[at]?.[i]).map((row) => row.user_id)))
  if (missing.size === 0) return found as EntryText[][]
  const ids = [...missing]
  const [people, achievements, levels] = await Promise.all([listedAmong(db, ids), achievementsOf(db, ids), listLevels(db)])
  // Somebody may have left the board's sight since it was read: then the others move up.
  const gone = new Set(ids.filter((id) => !people.has(id)))
  if (gone.size > 0) return entryTexts(ctx, withoutThem(tops, gone), since)
  return tops.map(({ board, rows }, at) =>
    rows.map((row, i) => {
      const known = found[at]?.[i]
      const person = people.get(row.user_id)
      if (known || !person) return known as EntryText
      const reached = { levels, achievements: achievements.get(row.user_id) ?? [] }
      const json = ownBytes(serializer()({ ...viewEntry({ ...person, ...row }, reached), rank: i + 1 }))
      const text = { json, tag: tagOf(json) }
      const subjects = [`user:${row.user_id}`, `achieved:${row.user_id}`, 'levels']
      kept.set(keyOf(board, row), text, subjects, since, stampOf(row, person.version, i + 1))
      return text
    }),
  )
}
