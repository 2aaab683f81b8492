import { type api, BULK_MEMBERS } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type Handlers, messageAfter } from '../../http/pipeline/route-handlers.ts'
import { pick } from '../../util/pick.ts'
import { followsAmong } from '../followers/index.ts'
import { viewXprofile } from '../members/view.ts'
import { namedSpace, type SpaceNamed, spaceAbilities, spaceFor } from './access.ts'
import { addMember, addMembers, changeMember, join, leave, removeMember, unban } from './member-commands.ts'
import { countMembers, listMembers, type MemberFilter, type MemberRow, searchUsers } from './member-queries.ts'
import type { Membership } from './membership.ts'

const viewMembership = (row: Membership) => pick(row, 'id', 'space_id', 'user_id', 'role', 'status', 'joined_at', 'updated_at')

const viewMember = (row: MemberRow) => ({ ...viewMembership(row), xprofile: viewXprofile(row) })

const remove = async (ctx: WriteRequest, slug: string, userId: number) => {
  await removeMember(ctx, slug, userId)
  return { message: 'The member was removed.' }
}

/** The space whose members are excluded; requires the right to manage its members, or without a space those of all. */
const excludedSpaceId = async (ctx: ReadRequest, named: SpaceNamed): Promise<number | undefined> => {
  const space = await namedSpace(ctx, named, 'manageMembers')
  if (!space && !may(ctx.actor, 'manage_space_members', null) && !may(ctx.actor, 'manage_spaces', null))
    throw new ApiError('rest_forbidden')
  return space?.id
}

export const spaceMemberHandlers: Handlers<typeof api.spaceMembers> = {
  join: async (ctx, { params }) => {
    const { status, space_id, user_id, role, joined_at } = await join(ctx, params.space_slug)
    if (status !== 'active') return { message: 'Your request was sent.', data: { status: 'pending' } }
    return { message: 'You joined the space.', data: { status, space_id, user_id, role, joined_at } }
  },
  leave: (ctx, { params }) => messageAfter(leave(ctx, params.space_slug), 'You have left the space.'),

  list: async (ctx, { params, query }) => {
    const { role, status = 'active', order = 'desc' } = query
    const space = await spaceFor(ctx, params.space_slug, status === 'active' ? 'viewMembers' : 'manageMembers')
    const filter: MemberFilter = { role, status, search: query.search?.trim() }
    const [total, pending] = await Promise.all([
      countMembers(ctx.db, space, filter),
      spaceAbilities(ctx.actor, space).manageMembers ? countMembers(ctx.db, space, { status: 'pending' }) : undefined,
    ])
    const rows = await listMembers(ctx.db, space, filter, order, pageOf(query), total)
    return {
      data: rows.map(viewMember),
      meta: pagination(total, query.page, query.per_page),
      current_user_follows: await followsAmong(ctx, rows),
      ...(pending !== undefined && { pending_count: pending }),
    }
  },

  add: async (ctx, { params, body: { user_id: userId, role = 'member', status = 'active' } }) => {
    const member = await addMember(ctx, params.space_slug, userId, { role, status })
    return { message: 'The member was added.', data: viewMembership(member) }
  },

  bulkAdd: async (ctx, { params, body: { user_ids: ids, role = 'member' } }) => {
    if (ids.length > BULK_MEMBERS) throw new ApiError('body_too_large', { message: `At most ${BULK_MEMBERS} users can be added at once.` })
    const counts = await addMembers(ctx, params.space_slug, ids, role)
    const total = new Set(ids).size
    return { message: `${counts.added} added.`, ...counts, processed: total, total, has_more: false, next_offset: null }
  },

  update: async (ctx, { params, body }) => {
    if (body.role === undefined && body.status === undefined) {
      throw new ApiError('missing_required_field', { message: 'role is required.', data: { field: 'role' } })
    }
    const { user_id, role, status, updated_at } = await changeMember(ctx, params.space_slug, params.user_id, body)
    return { message: 'The member was updated.', data: { user_id, role, status, updated_at } }
  },

  remove: (ctx, { params, body }) => remove(ctx, params.space_slug, body.user_id),
  removeByPath: (ctx, { params }) => remove(ctx, params.space_slug, params.user_id),

  ban: async (ctx, { params }) => {
    const { user_id, status } = await changeMember(ctx, params.space_slug, params.user_id, { status: 'banned' })
    return { message: 'The member was banned.', data: { user_id, status } }
  },
  unban: async (ctx, { params }) => {
    const { user_id, status } = await unban(ctx, params.space_slug, params.user_id)
    return { message: 'The member was unbanned.', data: { user_id, status } }
  },

  searchUsers: async (ctx, { query }) => {
    const notIn = await excludedSpaceId(ctx, query)
    const isAdmin = ctx.actor.role === 'admin'
    const users = await searchUsers(ctx.db, { text: query.q.trim(), notIn, byEmail: isAdmin }, pageOf(query))
    return { data: users.map((user) => ({ ...user, email: isAdmin || user.id === ctx.actor.id ? user.email : '' })) }
  },
}
