import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { sentWithEnd } from '../../cache/json-fragments.ts'
import { standing } from '../../cache/response-cache.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { lazy } from '../../util/lazy.ts'
import { dayOf, readPage } from '../settings/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { boardsFor, keptBoards } from './board-cache.ts'
import { countedLevels, listLevels, pointsConfig, saveLevels } from './levels.ts'
import { windowsNamed } from './periods.ts'
import { achievementsOf, type Board, placeOn } from './queries.ts'
import { rankOf } from './rank.ts'
import { type Group, windowName } from './rules.ts'
import { viewCountedLevel, viewEntry } from './view.ts'

type Answer = ResponseOf<typeof api.leaderboard.list>
type Query = Input<typeof api.leaderboard.list>['query']

const DEFAULT_LIMIT = 50
const GROUPS: readonly Group[] = ['7_days', '30_days', 'all_time']
/** Most callers of whom it is kept where they stand. */
const KEPT = 5000

const ownSerializer = lazy(() => fastJsonStringify(api.leaderboard.list.response.properties.current_user as object))

/** Who is on the board may be for moderators alone, and when people were last here. @throws rest_forbidden */
const openness = async ({ db, actor }: ReadRequest): Promise<{ told: boolean }> => {
  if (actor.role !== 'member') return { told: true }
  const { leaderboard_members_visibility, show_last_activity } = await readPage(db, 'privacy')
  if (leaderboard_members_visibility === 'admin_only') throw new ApiError('rest_forbidden')
  return { told: show_last_activity === 'yes' }
}

/** The end of the answer, where it tells of the caller himself. */
const endFor = async ({ db, actor, now, services: { database } }: ReadRequest, board: Board): Promise<string> => {
  const own = await placeOn(db, board, actor.id, (score) => rankOf(database, db, board, score, now))
  if (!own) return '}'
  const [levels, achievements] = await Promise.all([listLevels(db), achievementsOf(db, [actor.id])])
  const reached = { levels, achievements: achievements.get(actor.id) ?? [] }
  return `,"current_user":${ownSerializer()({ ...viewEntry(own.person, reached), rank: own.rank })}}`
}

const make = async (ctx: ReadRequest, query: Query, today: string, since: number) => {
  const { db, services } = ctx
  const { told } = await openness(ctx)
  const { period = 'all_time', limit = DEFAULT_LIMIT, include_current_user = true } = query
  const spaceId = (await namedSpace(ctx, query, 'read'))?.id ?? 0
  const groups: readonly Group[] = period === 'all_time' ? GROUPS : [period, ...GROUPS]
  const names = groups.map((group) => windowName(group, today))
  const boards = (await windowsNamed(services, db, names)).map((window): Board => ({ window, spaceId }))
  const board = include_current_user ? boards[groups.indexOf(period)] : undefined
  const [{ key, sent }, end] = await Promise.all([boardsFor(ctx, { groups, boards, limit, told }, since), board ? endFor(ctx, board) : '}'])
  return { key, sent, end }
}

/** Where a caller stands, and the key of the boards that he is shown: these are the same for many, and large. */
interface Own {
  readonly key: string
  readonly end: string
}

/** What decides whether the caller is told of a board, and where he stands on it. */
const ownSubjects = (id: number) => ['points', 'people', 'levels', 'settings', 'sight', `account:${id}`, `member:${id}`, `profile:${id}`]

const list = async (ctx: ReadRequest, { query }: Input<typeof api.leaderboard.list>): Promise<Answer> => {
  const { db, actor, now, services } = ctx
  const since = services.caches.now()
  const kept = services.caches.of<Own>('leaderboard-places', KEPT)
  const today = await dayOf(db, now)
  const name = `${standing(actor)} ${today} ${JSON.stringify(query)}`
  const known = kept.get(name, since)
  const boards = known && keptBoards(ctx, known.key, since)
  if (boards) return sentWithEnd(boards, known.end, null)
  const { key, sent, end } = await make(ctx, query, today, since)
  kept.set(name, { key, end }, ownSubjects(actor.id), since)
  return sentWithEnd(sent, end, null)
}

export const leaderboardHandlers: Handlers<typeof api.leaderboard> = { list }

const levelsOf = async ({ db }: Pick<ReadRequest, 'db'>) => {
  const levels = await countedLevels(db)
  return { levels: levels.map(viewCountedLevel), points_config: await pointsConfig(db) }
}

export const levelHandlers: Handlers<typeof api.leaderboardLevels> = {
  list: levelsOf,
  save: async (ctx, { body }) => {
    await saveLevels(ctx, body)
    return { message: 'The levels and points were saved.', ...(await levelsOf(ctx)) }
  },
}
