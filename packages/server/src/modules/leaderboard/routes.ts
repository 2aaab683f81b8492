import { lazy } from '@lyceum/content/lazy'
import { api, type ResponseOf } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { actorCacheKey } from '../../cache/caller-response.ts'
import { cached, defineCache } from '../../cache/index.ts'
import { sentWithEnd } from '../../cache/json-fragments.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { dayOf, readPage } from '../settings/index.ts'
import { namedSpace } from '../spaces/index.ts'
import { type LeaderboardSelection, leaderboardsFor } from './board-cache.ts'
import { listLevels, listLevelsWithCounts, pointsConfig, saveLevels } from './levels.ts'
import { type Group, periodName } from './period-spans.ts'
import { periodsNamed } from './periods.ts'
import { achievementsOf, type Leaderboard, positionOn } from './queries.ts'
import { rankOf } from './rank.ts'
import { viewEntry, viewLevel } from './view.ts'

type Answer = ResponseOf<typeof api.leaderboard.list>
type Query = Input<typeof api.leaderboard.list>['query']

const DEFAULT_LIMIT = 50
const GROUPS: readonly Group[] = ['7_days', '30_days', 'all_time']

/** Which leaderboards a caller is shown, and the end of the response with their own position. */
interface CallerPart {
  readonly shown: LeaderboardSelection
  readonly end: string
}

const callerParts = defineCache<CallerPart>({ name: 'leaderboard-callers', maxEntries: 5000 })

const ownSerializer = lazy(() => fastJsonStringify(api.leaderboard.list.response.properties.current_user as object))

/** Checks that the caller may see the leaderboard, and whether they may see last activity. @throws rest_forbidden */
const visibilityOptions = async ({ db, actor }: ReadRequest): Promise<{ showsActivity: boolean }> => {
  if (actor.role !== 'member') return { showsActivity: true }
  const { leaderboard_members_visibility, show_last_activity } = await readPage(db, 'privacy')
  if (leaderboard_members_visibility === 'admin_only') throw new ApiError('rest_forbidden')
  return { showsActivity: show_last_activity === 'yes' }
}

const endFor = async (ctx: ReadRequest, board: Leaderboard): Promise<string> => {
  const { db, actor } = ctx
  const own = await positionOn(db, board, actor.id, (score) => rankOf(ctx, board, score))
  if (!own) return '}'
  const [levels, achievements] = await Promise.all([listLevels(db), achievementsOf(db, [actor.id])])
  return `,"current_user":${ownSerializer()({ ...viewEntry(own.person, levels, achievements.get(actor.id)), rank: own.rank })}}`
}

const readCallerPart = async (ctx: ReadRequest, query: Query, today: string): Promise<CallerPart> => {
  const { db, services } = ctx
  const { showsActivity } = await visibilityOptions(ctx)
  const { period = 'all_time', limit = DEFAULT_LIMIT, include_current_user = true } = query
  const spaceId = (await namedSpace(ctx, query, 'read'))?.id ?? 0
  const groups: readonly Group[] = period === 'all_time' ? GROUPS : [period, ...GROUPS]
  const names = groups.map((group) => periodName(group, today))
  const boards = (await periodsNamed(services, db, names)).map((periodId): Leaderboard => ({ periodId, spaceId }))
  const board = include_current_user ? boards[groups.indexOf(period)] : undefined
  return { shown: { groups, boards, limit, showsActivity }, end: board ? await endFor(ctx, board) : '}' }
}

/** Cache tags of everything that decides whether the caller may see a leaderboard, and their position on it. */
const tagsFor = (id: number) => ['points', 'people', 'levels', 'settings', 'visibility', `account:${id}`, `member:${id}`, `profile:${id}`]

const list = async (ctx: ReadRequest, { query }: Input<typeof api.leaderboard.list>): Promise<Answer> => {
  const { db, actor, now, services } = ctx
  await services.points.catchUp()
  const today = await dayOf(db, now)
  const { shown, end } = await cached(ctx, callerParts, `${actorCacheKey(actor)} ${today} ${JSON.stringify(query)}`, (track) => {
    track.tag(...tagsFor(actor.id))
    return readCallerPart(ctx, query, today)
  })
  return sentWithEnd(await leaderboardsFor(ctx, shown), end, null)
}

export const leaderboardHandlers: Handlers<typeof api.leaderboard> = { list }

const levelsOf = async ({ db }: Pick<ReadRequest, 'db'>) => {
  const levels = await listLevelsWithCounts(db)
  return { levels: levels.map(viewLevel), points_config: await pointsConfig(db) }
}

export const levelHandlers: Handlers<typeof api.leaderboardLevels> = {
  list: async (ctx) => {
    await ctx.services.points.catchUp()
    return levelsOf(ctx)
  },
  save: async (ctx, { body }) => {
    await saveLevels(ctx, body)
    return { message: 'The levels and points were saved.', ...(await levelsOf(ctx)) }
  },
}
