import { api, MENTION_SUGGESTIONS, type ResponseOf } from '@lyceum/contract'
import { may } from '../../../auth/authenticate.ts'
import { cachedAggregate } from '../../../cache/cached.ts'
import { callerResponse } from '../../../cache/caller-response.ts'
import type { Track } from '../../../cache/index.ts'
import { secondsSince } from '../../../cache/json-fragments.ts'
import { shift } from '../../../core/clock.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { newSinceOf, pageOf, paginator } from '../../../core/pagination.ts'
import { readPipeline } from '../../../core/read-pipeline.ts'
import type { Handlers, Input } from '../../../http/pipeline/route-handlers.ts'
import { isWaiting } from '../../accounts/index.ts'
import { followsAmong } from '../../followers/index.ts'
import { readPage } from '../../settings/index.ts'
import { loadSpace, namedSpace } from '../../spaces/index.ts'
import { seesActivity } from '../profile-access.ts'
import { viewMember } from '../view.ts'
import { changeAccount } from './account-status.ts'
import {
  activeAmong,
  completeMention,
  countMembers,
  countSeenSince,
  type DirectorySpace,
  joinedSince,
  listMembers,
  type MemberFilter,
  memberById,
  type Seen,
  searchMembers,
  seenSince,
} from './queries.ts'
import { contributors } from './top-contributors.ts'

type Query = Input<typeof api.members.list>['query']

const cachedList = callerResponse<ResponseOf<typeof api.members.list>>(api.members.list)

const ONLINE_MINUTES = 15
const MIN_SEARCH_LENGTH = 2

const searchOf = ({ search }: Query): string | undefined => {
  const text = search?.trim()
  if (!text) return undefined
  if ([...text].length < MIN_SEARCH_LENGTH) throw new ApiError('invalid_search', { data: { field: 'search' } })
  return text
}

const requestedSpace = async (ctx: ReadRequest, query: Query): Promise<DirectorySpace | undefined> => {
  const space = await namedSpace(ctx, query, 'viewMembers')
  return space && loadSpace(ctx.db, space.id, ctx.actor.id)
}

/** The community may limit the directory to moderators. @throws rest_forbidden */
const assertDirectoryVisible = async ({ db, actor }: ReadRequest) => {
  if (actor.role === 'member' && (await readPage(db, 'privacy')).members_page_status === 'admin_only') throw new ApiError('rest_forbidden')
}

/** Suggestions for a mention, in place of a page. */
const findMentioned = async (ctx: ReadRequest, query: Query) => {
  const space = await requestedSpace(ctx, query)
  const part = (query.mention ?? '').replace(/^@/, '').trim()
  const rows = await completeMention(ctx.db, { part, exceptId: ctx.actor.id, space }, MENTION_SUGGESTIONS)
  return { rows, total: rows.length, page: { page: 1, per_page: MENTION_SUGGESTIONS } }
}

const findMembers = async (ctx: ReadRequest, query: Query, track: Track) => {
  const { db, actor } = ctx
  await assertDirectoryVisible(ctx)
  const { status = 'active', role, order = 'desc' } = query
  // The order would reveal the times.
  const { orderby: asked = query.updated_since ? 'updated_at' : 'created_at' } = query
  const orderby = asked === 'last_seen' && !(await seesActivity(ctx)) ? 'created_at' : asked
  if (status !== 'active' && actor.role === 'member') throw new ApiError('rest_forbidden')
  if (isWaiting(status) && !may(actor, 'manage_members', null)) throw new ApiError('rest_forbidden')
  const search = searchOf(query)
  const filter: MemberFilter = {
    status,
    role,
    search,
    byEmail: actor.role === 'admin',
    space: await requestedSpace(ctx, query),
    newSince: newSinceOf(query),
  }
  const isRecent = query.since !== undefined || query.updated_since !== undefined
  const by = { by: orderby, direction: order }
  // Other orders and filters depend on members who are not on the page.
  if (search || orderby !== 'created_at' || role || filter.space || isRecent) track.skip()
  track.tag('people', 'settings')
  if (search) return { ...(await searchMembers(db, filter, by, pageOf(query))), page: {} }
  // The size of the whole directory is requested often and rarely changes.
  const count = () => countMembers(db, filter)
  const total = await (role || filter.space || isRecent
    ? count()
    : cachedAggregate(ctx, `members ${status}`, (counting) => {
        counting.tag('people')
        return count()
      }))
  return { rows: await listMembers(db, filter, by, pageOf(query), total), total, page: {} }
}

const memberPage = readPipeline({
  skeleton: (ctx, query: Query, track) => {
    if (query.mention === undefined) return findMembers(ctx, query, track)
    track.skip()
    return findMentioned(ctx, query)
  },
  hydrate: async (ctx, found, track) => {
    track.tag(...found.rows.flatMap(({ user_id }) => [`profile:${user_id}`, `user:${user_id}`]))
    return { ...found, follows: await followsAmong(ctx, found.rows), showLastActivity: await seesActivity(ctx) }
  },
  filter: ({ actor }, { rows, showLastActivity, ...found }) => ({
    ...found,
    rows: rows.map((row) => (showLastActivity || row.user_id === actor.id ? row : { ...row, u_last_activity: null })),
  }),
  present: ({ request }, { rows, total, page, follows }, query) => ({
    members: paginator(request.url, { ...query, ...page }, rows.map(viewMember), total),
    current_user_follows: follows,
    execution_time: secondsSince(request.startedAt),
  }),
})

const summaryOf = ({ id, username, display_name, avatar }: Seen) => ({ id, username, display_name, avatar })

const viewSeen = (row: Seen, since: string) => ({
  ...summaryOf(row),
  last_seen: row.last_activity,
  is_online: row.last_activity !== null && row.last_activity >= since,
})

export const directoryHandlers: Handlers<typeof api.members> = {
  list: (ctx, { query }) => cachedList(ctx, query, (track) => memberPage(ctx, query, track)),

  // The caller counts as active, although that is recorded later.
  active: async (ctx, { query: { per_page: perPage = 10, minutes = ONLINE_MINUTES } }) => {
    const { db, now, actor } = ctx
    await assertDirectoryVisible(ctx)
    const showLastActivity = await seesActivity(ctx)
    const since = shift(now, -minutes * 60)
    const [[me], rows, total] = await Promise.all([
      activeAmong(db, [actor.id]),
      showLastActivity ? seenSince(db, since, actor.id, perPage - 1) : [],
      showLastActivity ? countSeenSince(db, since, actor.id) : 0,
    ])
    const people = me ? [{ ...me, last_activity: now }, ...rows] : rows
    return { data: people.map((row) => viewSeen(row, since)), meta: { total_online: me ? total + 1 : total } }
  },

  newest: async (ctx, { query: { per_page: perPage = 10, days = 7 } }) => {
    const { db, now } = ctx
    await assertDirectoryVisible(ctx)
    const showLastActivity = await seesActivity(ctx)
    const online = shift(now, -ONLINE_MINUTES * 60)
    const rows = await joinedSince(db, shift(now, -days * 24 * 3600), perPage)
    return {
      data: rows.map((row) => ({
        ...viewSeen(showLastActivity ? row : { ...row, last_activity: null }, online),
        created_at: row.created_at,
      })),
    }
  },

  topContributors: async (ctx, { query: { per_page: perPage = 10, period = 'month', metric = 'posts' } }) => {
    await assertDirectoryVisible(ctx)
    const all = await contributors(ctx, period, metric)
    // Some may have been suspended since the count.
    const candidates = all.slice(0, perPage * 2).map(({ userId }) => userId)
    const people = new Map((await activeAmong(ctx.db, candidates)).map((row) => [row.id, row]))
    const shown = all.flatMap((who) => {
      const person = people.get(who.userId)
      return person ? [{ ...who, person }] : []
    })
    return {
      data: shown.slice(0, perPage).map(({ person, posts, comments, reactions }, i) => ({
        ...summaryOf(person),
        stats: { posts_count: posts, comments_count: comments, reactions_received: reactions },
        rank: i + 1,
      })),
    }
  },

  update: async (ctx, { params, body }) => {
    await changeAccount(ctx, params.user_id, body)
    const member = await memberById(ctx.db, [params.user_id])
    if (!member) throw new ApiError('user_not_found')
    return { message: 'The member was updated.', member: viewMember(member) }
  },
}
