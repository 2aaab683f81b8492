import { api, type ResponseOf } from '@lyceum/contract'
import { callerResponse } from '../../cache/caller-response.ts'
import type { ReadRequest } from '../../core/context.ts'
import { ApiError, invalidParameter } from '../../core/errors.ts'
import { pageOf } from '../../core/pagination.ts'
import { readPipeline } from '../../core/read-pipeline.ts'
import type { Handlers, Input } from '../../http/pipeline/route-handlers.ts'
import { profileAbilities, seesActivity } from '../members/index.ts'
import { readPage, spanOfDays } from '../settings/index.ts'
import { loadSpaceAccess, spaceAbilities } from '../spaces/index.ts'
import { type ActivityList, countActivities, listActivities, loadPerson, NO_ROWS, tagsOf } from './queries.ts'
import { viewActivity, viewTicker } from './view.ts'

const TICKER_LENGTH = 20

type Query = Input<typeof api.activities.list>['query']

/** Whether the caller may see a member's history. @throws 404 not_found if the member is hidden from the caller */
const seesHistory = async ({ db, actor }: ReadRequest, userId: number): Promise<boolean> => {
  const person = await loadPerson(db, userId, actor.id)
  if (!person || !profileAbilities(actor, person, await readPage(db, 'privacy')).view) throw new ApiError('not_found')
  return person.is_private === 0 || person.followed === 1 || person.id === actor.id || actor.role !== 'member'
}

/** Whether the community limits space memberships to moderators. */
const hidesJoins = async ({ db, actor }: ReadRequest): Promise<boolean> =>
  actor.role === 'member' && (await readPage(db, 'privacy')).user_space_visibility === 'admin_only'

/** The requested space, and whether the caller may read its content. @throws 404 not_found if it is hidden from the caller */
const requestedSpace = async ({ db, actor }: ReadRequest, query: Query): Promise<{ id: number; read: boolean } | undefined> => {
  const id = query['context[space_id]'] ?? query.space_id
  const key = query.space ?? id
  if (key === undefined) return undefined
  const space = await loadSpaceAccess(db, key, actor.id)
  const can = space && spaceAbilities(actor, space)
  if (!space || !can?.view) throw new ApiError('not_found')
  if (id !== undefined && id !== space.id) throw invalidParameter('space_id', 'does not match space')
  return { id: space.id, read: can.read }
}

const checkContext = (query: Query): void => {
  const { 'context[type]': type, 'context[user_id]': userId, 'context[space_id]': id, space_id: other = id, space } = query
  if (type === 'user' && userId === undefined) throw invalidParameter('context[user_id]', 'is required for a context of type user')
  if (type === 'space' && (id ?? other ?? space) === undefined)
    throw invalidParameter('context[space_id]', 'is required for a context of type space')
  if (id !== undefined && id !== other) throw invalidParameter('space_id', 'does not match context[space_id]')
}

const cachedList = callerResponse<ResponseOf<typeof api.activities.list>>(api.activities.list)

/** GET /activities. Tagged with `activities`, because any event can change a list. */
const activityPage = readPipeline({
  skeleton: async (ctx, query: Query, track) => {
    const { db, actor } = ctx
    const { 'context[user_id]': userId, page = 1, per_page = 20 } = query
    track.cover('visibility')
    track.tag('activities', 'settings')
    const period = await spanOfDays(db, query)
    const space = await requestedSpace(ctx, query)
    const showsMember = userId === undefined || (await seesHistory(ctx, userId))
    if (space?.read === false || !showsMember) return { rows: [], total: 0 }
    const list: ActivityList = { userId, spaceId: space?.id, ...period, hideJoins: await hidesJoins(ctx) }
    const [rows, total] = await Promise.all([listActivities(db, actor, list, pageOf({ page, per_page })), countActivities(db, actor, list)])
    return { rows, total }
  },
  hydrate: async (ctx, { rows, total }, track) => {
    track.tag(...NO_ROWS, ...rows.flatMap(tagsOf))
    return { rows, total, showLastActivity: await seesActivity(ctx) }
  },
  filter: ({ actor }, { rows, total, showLastActivity }) => ({
    total,
    rows: rows.map((row) => (showLastActivity || row.user_id === actor.id ? row : { ...row, u_last_activity: null })),
  }),
  present: ({ services }, { rows, total }, { page = 1, per_page = 20 }) => {
    const data = rows.map((row) => viewActivity(row, services.origin()))
    return { activities: { data, total, per_page, current_page: page }, after_contents: '', before_contents: '' }
  },
})

export const activityHandlers: Handlers<typeof api.activities> = {
  list: (ctx, { query }) => {
    checkContext(query)
    return cachedList(ctx, query, (track) => activityPage(ctx, query, track))
  },

  ticker: async (ctx) => {
    const { db, actor, now, services } = ctx
    const rows = await listActivities(db, actor, { hideJoins: await hidesJoins(ctx) }, { limit: TICKER_LENGTH, offset: 0 })
    return { activities: rows.map((row) => viewTicker(row, services.origin(), now)) }
  },
}
