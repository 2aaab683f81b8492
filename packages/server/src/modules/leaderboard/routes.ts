import type { api } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Handlers, Input } from '../../platform/http/handlers.ts'
import { seesActivity } from '../members/index.ts'
import { dayOf, readPage } from '../settings/index.ts'
import { spaceFor } from '../spaces/index.ts'
import { countedLevels, listLevels, pointsConfig, saveLevels } from './levels.ts'
import { achievementsOf, type Board, placeOn, topOf } from './queries.ts'
import { rankOf } from './ranks.ts'
import { type Group, windowName } from './rules.ts'
import { TITLES, viewCountedLevel, viewEntry } from './view.ts'
import { windowNamed } from './windows.ts'

const DEFAULT_LIMIT = 50
const GROUPS: readonly Group[] = ['7_days', '30_days', 'all_time']

/** Who is on the board may be for moderators alone. @throws rest_forbidden */
const checkOpen = async ({ db, actor }: AskedRead) => {
  if (actor.role === 'member' && (await readPage(db, 'privacy')).leaderboard_members_visibility === 'admin_only')
    throw new ApiError('rest_forbidden')
}

const list = async (ctx: AskedRead, { query }: Input<typeof api.leaderboard.list>) => {
  const { db, actor, now, services } = ctx
  await checkOpen(ctx)
  const { period = 'all_time', limit = DEFAULT_LIMIT, space_id, include_current_user = true } = query
  if (space_id !== undefined) await spaceFor(ctx, space_id, 'read')
  const today = await dayOf(db, now)
  const groups: readonly Group[] = period === 'all_time' ? GROUPS : [period, ...GROUPS]
  const boards: Board[] = []
  for (const group of groups) boards.push({ window: await windowNamed(services, db, windowName(group, today)), spaceId: space_id ?? 0 })
  const board = boards[groups.indexOf(period)]
  const [levels, own, ...tops] = await Promise.all([
    listLevels(db),
    include_current_user && board ? placeOn(db, board, actor.id, (score) => rankOf(services.database, db, board, score, now)) : undefined,
    ...boards.map((one) => topOf(db, one, limit)),
  ])
  const people = new Set([...tops.flat().map((row) => row.user_id), ...(own ? [actor.id] : [])])
  const achievements = await achievementsOf(db, [...people])
  const told = await seesActivity(ctx)
  const seen = (row: Parameters<typeof viewEntry>[0]) => (told || row.user_id === actor.id ? row : { ...row, u_last_activity: null })
  const view = (row: Parameters<typeof viewEntry>[0]) => viewEntry(seen(row), { levels, achievements: achievements.get(row.user_id) ?? [] })
  return {
    leaderboard: groups.map((key, i) => ({
      title: TITLES[key],
      key,
      items: (tops[i] ?? []).map((row, place) => ({ ...view(row), rank: place + 1 })),
    })),
    ...(own && { current_user: { ...view(own.person), rank: own.rank } }),
  }
}

export const leaderboardHandlers: Handlers<typeof api.leaderboard> = { list }

const levelsOf = async ({ db }: Pick<AskedRead, 'db'>) => {
  const levels = await countedLevels(db)
  return { levels: levels.map(viewCountedLevel), points_config: await pointsConfig(db) }
}

export const levelHandlers: Handlers<typeof api.leaderboardLevels> = {
  list: levelsOf,
  save: async (ctx, { body }) => {
    await saveLevels(ctx, body)
    return { message: 'Saved.', ...(await levelsOf(ctx)) }
  },
}
