import { api } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { type SentAnswer, splitAt, tagOf } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ownConcat } from '../../http/responses/unpooled-buffer.ts'
import { lazy } from '../../util/lazy.ts'
import { type EntryText, entryTexts, type Top } from './entry-json-cache.ts'
import { type Board, topOf } from './queries.ts'
import type { Group } from './rules.ts'
import { TITLES } from './view.ts'

/** Which boards are shown, and how. */
export interface Shown {
  readonly groups: readonly Group[]
  readonly boards: readonly Board[]
  readonly limit: number
  /** Whether the caller is told when others were last here. */
  readonly told: boolean
}

/** Boards as they are sent, but for what is the caller's own, and who stands on them. */
interface Boards {
  readonly sent: SentAnswer
  readonly listed: ReadonlySet<number>
}

const KEPT = 64
const MAX_CACHE_BYTES = 10 * 2 ** 20

const COMMA = Buffer.from(',')

const response = api.leaderboard.list.response.properties.leaderboard
const serializer = lazy(() => fastJsonStringify(api.leaderboard.list.response as object))
const groupSerializer = lazy(() => fastJsonStringify(response.items as object))

/** JSON around the entries of a group. */
const aroundGroup = (group: Group) => splitAt(groupSerializer()({ title: TITLES[group], key: group, items: [] }), 'items')

/** All groups, and the answer around them up to its closing brace. */
const join = (groups: readonly Group[], texts: readonly (readonly EntryText[])[]): SentAnswer => {
  const [head, rest] = splitAt(serializer()({ leaderboard: [] }), 'leaderboard')
  const pieces = groups.flatMap((group, i) => {
    const [before, after] = aroundGroup(group)
    const items = (texts[i] ?? []).flatMap(({ json }, place) => (place === 0 ? [json] : [COMMA, json]))
    return [...(i === 0 ? [] : [COMMA]), Buffer.from(before), ...items, Buffer.from(after)]
  })
  const tags = groups.map((group, i) => aroundGroup(group).join('') + (texts[i] ?? []).map(({ tag }) => tag).join(''))
  return {
    beginning: ownConcat([Buffer.from(head), ...pieces, Buffer.from(rest.slice(0, -1))]),
    tag: tagOf([head, ...tags, rest].join('')),
  }
}

interface Joined {
  readonly parts: readonly EntryText[]
  readonly sent: SentAnswer
}

/** The same text again as long as it is made of the same entries. */
const joined = (ctx: ReadRequest, key: string, groups: readonly Group[], texts: readonly (readonly EntryText[])[], since: number) => {
  const kept = ctx.services.caches.of<Joined>('leaderboard-texts', KEPT, MAX_CACHE_BYTES)
  const parts = texts.flat()
  const known = kept.get(key, since)
  if (known?.parts.length === parts.length && known.parts.every((part, i) => part === parts[i])) return known.sent
  const sent = join(groups, texts)
  kept.set(key, { parts, sent }, [], since, null, 2 * sent.beginning.length)
  return sent
}

const cacheOf = ({ services: { caches } }: ReadRequest) => caches.of<Boards>('leaderboards', KEPT, MAX_CACHE_BYTES)

/** The boards that are kept by a key, if they are so still. */
export const keptBoards = (ctx: ReadRequest, key: string, since: number): SentAnswer | undefined => cacheOf(ctx).get(key, since)?.sent

/** `own`: who is told when he was last here himself, though others are not. */
const read = async (ctx: ReadRequest, key: string, shown: Shown, own: number | null, since: number): Promise<Boards> => {
  const { groups, boards, limit, told } = shown
  const tops = await Promise.all(
    boards.map(async (board): Promise<Top> => {
      const rows = await topOf(ctx.db, board, limit)
      return { board, rows: told ? rows : rows.map((row) => (row.user_id === own ? row : { ...row, u_last_activity: null })) }
    }),
  )
  const listed = new Set(tops.flatMap(({ rows }) => rows.map((row) => row.user_id)))
  const sent = joined(ctx, key, groups, await entryTexts(ctx, tops, since), since)
  return { sent, listed }
}

const keyOf = ({ groups, boards, limit, told }: Shown): string =>
  `${boards.map(({ window, spaceId }, i) => `${groups[i]} ${window} ${spaceId}`).join(' ')} ${limit} ${told}`

/**
 * These boards, and the key that they are kept by where changes are told exactly: until anybody earns something, comes, goes or is suspended,
 * or something is changed about those who stand on them.
 */
export const boardsFor = async (ctx: ReadRequest, shown: Shown, since: number): Promise<{ key: string; sent: SentAnswer }> => {
  const cache = cacheOf(ctx)
  const make = async (key: string, own: number | null): Promise<Boards> => {
    const known = cache.get(key, since)
    if (known) return known
    const boards = await read(ctx, key, shown, own, since)
    const kind = shown.told || own !== null ? 'profile' : 'user'
    const subjects = ['points', 'people', 'levels', ...[...boards.listed].map((id) => `${kind}:${id}`)]
    cache.set(key, boards, subjects, since, null, boards.sent.beginning.length)
    return boards
  }
  const key = keyOf(shown)
  const boards = await make(key, null)
  const { id } = ctx.actor
  if (shown.told || !boards.listed.has(id)) return { key, sent: boards.sent }
  const ownKey = `${key} ${id}`
  return { key: ownKey, sent: (await make(ownKey, id)).sent }
}
