import { api, type ResponseOf } from '@lyceum/contract'
import type { AskedRead } from '../../platform/context.ts'
import { ApiError, invalidParameter } from '../../platform/errors.ts'
import type { Handlers, Input } from '../../platform/http/handlers.ts'
import { keptAnswers } from '../../platform/http/kept-answers.ts'
import { pageOf } from '../../platform/pagination.ts'
import { profileAbilities, seesActivity } from '../members/index.ts'
import { readPage, spanOfDays } from '../settings/index.ts'
import { loadSpace, spaceAbilities } from '../spaces/index.ts'
import { type ActivityList, countActivities, listActivities, loadPerson, subjectsOf } from './queries.ts'
import { viewActivity, viewTicker } from './view.ts'

const TICKER_LENGTH = 20

type Query = Input<typeof api.activities.list>['query']

/** Whether the caller may see a person's history. @throws 404 not_found where there is no such person for him */
const seesHistory = async ({ db, actor }: AskedRead, userId: number): Promise<boolean> => {
  const person = await loadPerson(db, userId, actor.id)
  if (!person || !profileAbilities(actor, person, await readPage(db, 'privacy')).view) throw new ApiError('not_found')
  return person.is_private === 0 || person.followed === 1 || person.id === actor.id || actor.role !== 'member'
}

/** In which spaces somebody is may be for moderators alone. */
const hidesJoins = async ({ db, actor }: AskedRead): Promise<boolean> =>
  actor.role === 'member' && (await readPage(db, 'privacy')).user_space_visibility === 'admin_only'

/** Whether the caller sees what is in a space. @throws 404 not_found where there is no such space for him */
const readsSpace = async ({ db, actor }: AskedRead, spaceId: number): Promise<boolean> => {
  const space = await loadSpace(db, spaceId, actor.id)
  const can = space && spaceAbilities(actor, space)
  if (!can?.view) throw new ApiError('not_found')
  return can.read
}

const checkContext = (query: Query): void => {
  for (const name of ['user', 'space'] as const) {
    const id = `context[${name}_id]` as const
    if (query['context[type]'] === name && query[id] === undefined) throw invalidParameter(id, `is required for a context of type ${name}`)
  }
}

/** Callers whose pages are kept. */
const KEPT = 500
const keptList = keptAnswers<ResponseOf<typeof api.activities.list>>('activities', KEPT, api.activities.list.response)

/** Activities tell of everybody, so that whatever happens may show in them. */
const makeList = async (ctx: AskedRead, query: Query) => {
  const { db, actor, services } = ctx
  const { 'context[user_id]': userId, 'context[space_id]': spaceId, page = 1, per_page = 20 } = query
  const span = await spanOfDays(db, query)
  const inSpace = spaceId === undefined || (await readsSpace(ctx, spaceId))
  const ofPerson = userId === undefined || (await seesHistory(ctx, userId))
  const list: ActivityList = { userId, spaceId, ...span, withoutJoins: await hidesJoins(ctx) }
  const [rows, total] =
    inSpace && ofPerson
      ? await Promise.all([listActivities(db, actor, list, pageOf({ page, per_page })), countActivities(db, actor, list)])
      : [[], 0]
  const told = await seesActivity(ctx)
  const data = rows.map((row) =>
    viewActivity(told || row.user_id === actor.id ? row : { ...row, u_last_activity: null }, services.origin()),
  )
  const answer = { activities: { data, total, per_page, current_page: page }, after_contents: '', before_contents: '' }
  return { answer, subjects: ['activities', 'settings', ...rows.flatMap(subjectsOf)] }
}

export const activityHandlers: Handlers<typeof api.activities> = {
  list: (ctx, { query }) => {
    checkContext(query)
    return keptList(ctx, query, () => makeList(ctx, query))
  },

  ticker: async (ctx) => {
    const { db, actor, now, services } = ctx
    const rows = await listActivities(db, actor, { withoutJoins: await hidesJoins(ctx) }, { limit: TICKER_LENGTH })
    return { activities: rows.map((row) => viewTicker(row, services.origin(), now)) }
  },
}
