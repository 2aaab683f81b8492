import { api, MENTION_SUGGESTIONS, type ResponseOf } from '@lyceum/contract'
import { may } from '../../../auth/authenticate.ts'
import { cachedAggregate } from '../../../cache/cached.ts'
import { callerResponse } from '../../../cache/caller-response.ts'
import type { Track } from '../../../cache/index.ts'
import { secondsSince } from '../../../cache/json-fragments.ts'
import { shift } from '../../../core/clock.ts'
import type { ReadRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { pageOf, paginator } from '../../../core/pagination.ts'
import type { Handlers, Input } from '../../../http/pipeline/route-handlers.ts'
import { isWaiting } from '../../accounts/index.ts'
import { readPage } from '../../settings/index.ts'
import { namedSpace } from '../../spaces/index.ts'
import { seesActivity } from '../profile-access.ts'
import { type MemberColumns, viewMember } from '../view.ts'
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

type ListInput = Input<typeof api.members.list>

const cachedList = callerResponse<ResponseOf<typeof api.members.list>>(api.members.list)

const ONLINE_MINUTES = 15
const MIN_SEARCH_LENGTH = 2

const searchOf = ({ search }: ListInput['query']): string | undefined => {
  const text = search?.trim()
  if (!text) return undefined
  if ([...text].length < MIN_SEARCH_LENGTH) throw new ApiError('invalid_search', { data: { field: 'search' } })
  return text
}

/** The space that the list is limited to; the caller must be allowed to see its members. */
const requestedSpace = (ctx: ReadRequest, query: ListInput['query']): Promise<DirectorySpace | undefined> =>
  namedSpace(ctx, query, 'viewMembers')

/** Members, with their last activity if the caller may see it. */
const viewMembers = async (ctx: ReadRequest, rows: readonly MemberColumns[]) => {
  const all = rows.map(viewMember)
  return (await seesActivity(ctx)) ? all : all.map((one) => (one.user_id === ctx.actor.id ? one : { ...one, last_activity: null }))
}

const listResponse = async (ctx: ReadRequest, query: ListInput['query'], rows: readonly MemberColumns[], total: number) => ({
  members: paginator(ctx.request.url, query, await viewMembers(ctx, rows), total),
  execution_time: secondsSince(ctx.request.startedAt),
})

const complete = async (ctx: ReadRequest, query: ListInput['query']) => {
  const space = await requestedSpace(ctx, query)
  const part = (query.mention ?? '').replace(/^@/, '').trim()
  const rows = await completeMention(ctx.db, { part, exceptId: ctx.actor.id, space }, MENTION_SUGGESTIONS)
  return listResponse(ctx, { ...query, page: 1, per_page: MENTION_SUGGESTIONS }, rows, rows.length)
}

/** The community may limit the directory to moderators. @throws rest_forbidden */
const assertDirectoryVisible = async ({ db, actor }: ReadRequest) => {
  if (actor.role === 'member' && (await readPage(db, 'privacy')).members_page_status === 'admin_only') throw new ApiError('rest_forbidden')
}

const list = async (ctx: ReadRequest, query: ListInput['query'], track: Track) => {
  const { db, actor } = ctx
  if (query.mention !== undefined) {
    track.skip()
    return complete(ctx, query)
  }
  await assertDirectoryVisible(ctx)
  const { status = 'active', role, order = 'desc' } = query
  const tellsWhen = await seesActivity(ctx)
  // The order would reveal the times.
  const orderby = !tellsWhen && query.orderby === 'last_seen' ? 'created_at' : (query.orderby ?? 'created_at')
  if (status !== 'active' && actor.role === 'member') throw new ApiError('rest_forbidden')
  if (isWaiting(status) && !may(actor, 'manage_members', null)) throw new ApiError('rest_forbidden')
  const search = searchOf(query)
  const filter: MemberFilter = { status, role, search, byEmail: actor.role === 'admin', space: await requestedSpace(ctx, query) }
  const by = { by: orderby, direction: order }
  if (search) {
    const found = await searchMembers(db, filter, by, pageOf(query))
    track.skip()
    return listResponse(ctx, query, found.rows, found.total)
  }
  // The size of the whole directory is requested often and rarely changes.
  const count = () => countMembers(db, filter)
  const total = await (role || filter.space
    ? count()
    : cachedAggregate(ctx, `members ${status}`, (counting) => {
        counting.tag('people')
        return count()
      }))
  const rows = await listMembers(db, filter, by, pageOf(query), total)
  // Other orders and filters depend on members who are not on the page.
  if (orderby === 'created_at' && !role && !filter.space) track.tag(...tagsOf(rows))
  else track.skip()
  return listResponse(ctx, query, rows, total)
}

/** Cache tags of a page of members ordered by joining date. */
const tagsOf = (rows: readonly MemberColumns[]): string[] => [
  'people',
  'settings',
  ...rows.flatMap(({ user_id }) => [`profile:${user_id}`, `account:${user_id}`]),
]

const summaryOf = ({ id, username, display_name, avatar }: Seen) => ({ id, username, display_name, avatar })

const viewSeen = (row: Seen, since: string) => ({
  ...summaryOf(row),
  last_seen: row.last_activity,
  is_online: row.last_activity !== null && row.last_activity >= since,
})

export const directoryHandlers: Handlers<typeof api.members> = {
  list: (ctx, { query }) => cachedList(ctx, query, (track) => list(ctx, query, track)),

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
    const people = new Map(
      (
        await activeAmong(
          ctx.db,
          all.slice(0, perPage * 2).map(({ userId }) => userId),
        )
      ).map((row) => [row.id, row]),
    )
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
    const member = await memberById(ctx.db, params.user_id)
    if (!member) throw new ApiError('user_not_found')
    return { message: 'The member was updated.', member: viewMember(member) }
  },
}
