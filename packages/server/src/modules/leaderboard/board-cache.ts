import { api } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { type SerializedResponse, splitAt, tagOf, unpooledConcat } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { lazy } from '../../util/lazy.ts'
import { type BoardTop, type CachedEntry, cachedEntries } from './entry-json-cache.ts'
import { type Board, topRows } from './queries.ts'
import type { Group } from './rules.ts'
import { TITLES } from './view.ts'

/** The boards of a response and their options. */
export interface BoardSelection {
  readonly groups: readonly Group[]
  readonly boards: readonly Board[]
  readonly limit: number
  /** Whether the caller may see the last activity of others. */
  readonly showsActivity: boolean
}

/** The response without the caller's own part, and the users it lists. */
interface CachedBoards {
  readonly response: SerializedResponse
  readonly listed: ReadonlySet<number>
}

const MAX_ENTRIES = 64
const MAX_CACHE_BYTES = 10 * 2 ** 20

const COMMA = Buffer.from(',')

const response = api.leaderboard.list.response.properties.leaderboard
const serializer = lazy(() => fastJsonStringify(api.leaderboard.list.response as object))
const groupSerializer = lazy(() => fastJsonStringify(response.items as object))

/** JSON around the entries of a group. */
const aroundGroup = (group: Group) => splitAt(groupSerializer()({ title: TITLES[group], key: group, items: [] }), 'items')

/** Joins all groups and the response around them, up to its closing brace. */
const joinGroups = (groups: readonly Group[], texts: readonly (readonly CachedEntry[])[]): SerializedResponse => {
  const [head, rest] = splitAt(serializer()({ leaderboard: [] }), 'leaderboard')
  const pieces = groups.flatMap((group, i) => {
    const [before, after] = aroundGroup(group)
    const items = (texts[i] ?? []).flatMap(({ json }, place) => (place === 0 ? [json] : [COMMA, json]))
    return [...(i === 0 ? [] : [COMMA]), Buffer.from(before), ...items, Buffer.from(after)]
  })
  const tags = groups.map((group, i) => aroundGroup(group).join('') + (texts[i] ?? []).map(({ tag }) => tag).join(''))
  return {
    beginning: unpooledConcat([Buffer.from(head), ...pieces, Buffer.from(rest.slice(0, -1))]),
    tag: tagOf([head, ...tags, rest].join('')),
  }
}

interface JoinedResponse {
  readonly parts: readonly CachedEntry[]
  readonly response: SerializedResponse
}

/** Reuses the joined response while it consists of the same entries. */
const joinedResponse = (
  ctx: ReadRequest,
  key: string,
  groups: readonly Group[],
  texts: readonly (readonly CachedEntry[])[],
  since: number,
) => {
  const kept = ctx.services.caches.of<JoinedResponse>('leaderboard-texts', MAX_ENTRIES, MAX_CACHE_BYTES)
  const parts = texts.flat()
  const known = kept.get(key, since)
  if (known?.parts.length === parts.length && known.parts.every((part, i) => part === parts[i])) return known.response
  const response = joinGroups(groups, texts)
  kept.set(key, { parts, response }, [], since, null, 2 * response.beginning.length)
  return response
}

const cacheOf = ({ services: { caches } }: ReadRequest) => caches.of<CachedBoards>('leaderboards', MAX_ENTRIES, MAX_CACHE_BYTES)

/** The cached boards with this key, if still valid. */
export const cachedBoards = (ctx: ReadRequest, key: string, since: number): SerializedResponse | undefined =>
  cacheOf(ctx).get(key, since)?.response

/** `ownId`: a user who may see their own last activity, but not that of others. */
const read = async (ctx: ReadRequest, key: string, shown: BoardSelection, ownId: number | null, since: number): Promise<CachedBoards> => {
  const { groups, boards, limit, showsActivity } = shown
  const tops = await Promise.all(
    boards.map(async (board): Promise<BoardTop> => {
      const rows = await topRows(ctx.db, board, limit)
      return { board, rows: showsActivity ? rows : rows.map((row) => (row.user_id === ownId ? row : { ...row, u_last_activity: null })) }
    }),
  )
  const listed = new Set(tops.flatMap(({ rows }) => rows.map((row) => row.user_id)))
  const response = joinedResponse(ctx, key, groups, await cachedEntries(ctx, tops, since), since)
  return { response, listed }
}

const keyOf = ({ groups, boards, limit, showsActivity }: BoardSelection): string =>
  `${boards.map(({ periodId, spaceId }, i) => `${groups[i]} ${periodId} ${spaceId}`).join(' ')} ${limit} ${showsActivity}`

/** The boards and their cache key. Cached until anyone earns points, joins, leaves or is suspended, or a listed user changes. */
export const boardsFor = async (
  ctx: ReadRequest,
  shown: BoardSelection,
  since: number,
): Promise<{ key: string; response: SerializedResponse }> => {
  const cache = cacheOf(ctx)
  const make = async (key: string, ownId: number | null): Promise<CachedBoards> => {
    const known = cache.get(key, since)
    if (known) return known
    const boards = await read(ctx, key, shown, ownId, since)
    const kind = shown.showsActivity || ownId !== null ? 'profile' : 'user'
    const subjects = ['points', 'people', 'levels', ...[...boards.listed].map((id) => `${kind}:${id}`)]
    cache.set(key, boards, subjects, since, null, boards.response.beginning.length)
    return boards
  }
  const key = keyOf(shown)
  const boards = await make(key, null)
  const { id } = ctx.actor
  if (shown.showsActivity || !boards.listed.has(id)) return { key, response: boards.response }
  const ownKey = `${key} ${id}`
  return { key: ownKey, response: (await make(ownKey, id)).response }
}
