import { lazy } from '@lyceum/content/lazy'
import { api, type Infer, LeaderboardEntry } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { cached, defineCache, type Track } from '../../cache/index.ts'
import { type SerializedResponse, splitAt, tagOf, unpooledBytes } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { listLevels } from './levels.ts'
import type { Group } from './period-spans.ts'
import { achievementsOf, type Leaderboard, listedMembers, topRows } from './queries.ts'
import { TITLES, viewEntry } from './view.ts'

export interface LeaderboardSelection {
  readonly groups: readonly Group[]
  readonly boards: readonly Leaderboard[]
  readonly limit: number
  /** Whether the caller may see the last activity of others. */
  readonly showsActivity: boolean
}

/** The response without the caller's own part, and the users it lists. */
interface CachedLeaderboards {
  readonly response: SerializedResponse
  readonly listed: ReadonlySet<number>
}

/** Leaderboards for all callers, or for one who may see their own last activity. */
const leaderboardsCache = defineCache<CachedLeaderboards>({
  name: 'leaderboards',
  maxEntries: 64,
  maxBytes: 20 * 2 ** 20,
  weigh: ({ response }) => 2 * response.beginning.length,
})

const response = api.leaderboard.list.response.properties.leaderboard
const serializer = lazy(() => fastJsonStringify(api.leaderboard.list.response as object))
const groupSerializer = lazy(() => fastJsonStringify(response.items as object))
const entrySerializer = lazy(() => fastJsonStringify(LeaderboardEntry as object) as (entry: Infer<typeof LeaderboardEntry>) => string)

/** JSON of the entries of each leaderboard; `ownId`: a user who may see their own last activity, but not that of others. */
const entriesOf = async ({ db }: ReadRequest, { boards, limit, showsActivity }: LeaderboardSelection, ownId: number | null) => {
  const tops = await Promise.all(boards.map((board) => topRows(db, board, limit)))
  const ids = [...new Set(tops.flatMap((rows) => rows.map((row) => row.user_id)))]
  const [people, achievements, levels] = await Promise.all([
    listedMembers(db, ids, showsActivity || ownId !== null ? 'with' : 'without'),
    achievementsOf(db, ids),
    listLevels(db),
  ])
  const entries = tops.map((rows) =>
    rows
      // Someone may have been suspended or deleted since the leaderboard was read; the others move up.
      .flatMap((row) => {
        const person = people.get(row.user_id)
        return person ? [{ ...person, ...row }] : []
      })
      .map((row, i) => {
        const shown = showsActivity || row.user_id === ownId ? row : { ...row, u_last_activity: null }
        return entrySerializer()({ ...viewEntry(shown, levels, achievements.get(row.user_id)), rank: i + 1 })
      }),
  )
  return { entries, listed: new Set(people.keys()) }
}

const read = async (ctx: ReadRequest, shown: LeaderboardSelection, ownId: number | null, track: Track): Promise<CachedLeaderboards> => {
  const { entries, listed } = await entriesOf(ctx, shown, ownId)
  const kind = shown.showsActivity || ownId !== null ? 'profile' : 'user'
  track.tag('points', 'people', 'levels', ...[...listed].map((id) => `${kind}:${id}`))
  const [head, rest] = splitAt(serializer()({ leaderboard: [] }), 'leaderboard')
  const groups = shown.groups.map((group, i) => {
    const [before, after] = splitAt(groupSerializer()({ title: TITLES[group], key: group, items: [] }), 'items')
    return before + (entries[i] ?? []).join() + after
  })
  const text = head + groups.join() + rest.slice(0, -1)
  return { response: { beginning: unpooledBytes(text), tag: tagOf(text) }, listed }
}

const keyOf = ({ groups, boards, limit, showsActivity }: LeaderboardSelection): string =>
  `${boards.map(({ periodId, spaceId }, i) => `${groups[i]} ${periodId} ${spaceId}`).join(' ')} ${limit} ${showsActivity}`

/** Leaderboards up to the caller's own part. Cached until anyone earns points, joins, leaves or is suspended, or a listed user changes. */
export const leaderboardsFor = async (ctx: ReadRequest, shown: LeaderboardSelection): Promise<SerializedResponse> => {
  const key = keyOf(shown)
  const { id } = ctx.actor
  const boards = await cached(ctx, leaderboardsCache, key, (track) => read(ctx, shown, null, track))
  if (shown.showsActivity || !boards.listed.has(id)) return boards.response
  return (await cached(ctx, leaderboardsCache, `${key} ${id}`, (track) => read(ctx, shown, id, track))).response
}
