import type { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { type PageQuery, pageOf, pagination, paginator } from '../../core/pagination.ts'
import { type Handlers, messageAfter } from '../../http/pipeline/route-handlers.ts'
import { profileFor } from '../members/index.ts'
import { relationshipsFor } from './access.ts'
import { approve, follow, reject, removeFollower, unfollow } from './commands.ts'
import {
  countFollows,
  countInactive,
  type FollowList,
  type FollowStatus,
  findFollow,
  followsAmong,
  listFollows,
  type Side,
} from './queries.ts'
import { viewFollow, viewRelationship, viewRequest } from './view.ts'

/** Rows and total of a list. `storedCount` is the stored number of active follows. */
const readList = async ({ db }: ReadRequest, list: FollowList, page: PageQuery, storedCount?: number) => {
  const [rows, size, inactive] = await Promise.all([
    listFollows(db, list, pageOf(page)),
    storedCount ?? countFollows(db, list),
    list.includeInactive ? 0 : countInactive(db, list),
  ])
  return { rows, total: Math.max(0, size - inactive) }
}

const seesInactive = ({ actor }: ReadRequest) => actor.role !== 'member'

const readSide = async (ctx: ReadRequest, side: Side, username: string, query: PageQuery & { readonly status?: FollowStatus }) => {
  const { status = 'active' } = query
  const profile = status === 'active' ? await relationshipsFor(ctx, username) : await profileFor(ctx, username)
  const hidden = status === 'pending' && profile.id !== ctx.actor.id
  const list = { side, userId: profile.id, status, includeInactive: seesInactive(ctx) }
  const storedCount = side === 'followers' ? profile.followers_count : profile.followings_count
  const { rows, total } = hidden ? { rows: [], total: 0 } : await readList(ctx, list, query, status === 'active' ? storedCount : undefined)
  const items = rows.map((row) => viewRelationship(row, side))
  const follows = await followsAmong(
    ctx,
    items.map(({ xprofile }) => xprofile),
  )
  return { page: paginator(ctx.request.url, { ...query }, items, total), current_user_follows: follows }
}

export const followerHandlers: Handlers<typeof api.followers> = {
  follow: async (ctx, { params }) => {
    const created = await follow(ctx, params.username)
    if (created.status === 'active') return { message: 'You now follow this member.', data: viewFollow(created) }
    ctx.setNotCreated()
    return { message: 'Your request was sent.', data: { status: created.status } }
  },
  unfollow: (ctx, { params }) => messageAfter(unfollow(ctx, params.username), 'You no longer follow this member.'),
  removeFollower: (ctx, { params }) => messageAfter(removeFollower(ctx, params.username), 'This member no longer follows you.'),

  followers: async (ctx, { params, query }) => {
    const { page, ...rest } = await readSide(ctx, 'followers', params.username, query)
    return { followers: page, ...rest }
  },
  followings: async (ctx, { params, query }) => {
    const { page, ...rest } = await readSide(ctx, 'followings', params.username, query)
    return { followings: page, ...rest }
  },
  status: async (ctx, { params }) => {
    const { id } = await profileFor(ctx, params.username)
    const [mine, theirs] = await Promise.all([findFollow(ctx.db, [ctx.actor.id, id]), findFollow(ctx.db, [id, ctx.actor.id])])
    const is_following = mine?.status === 'active'
    return {
      data: {
        is_following,
        status: mine?.status ?? '',
        ...(is_following && { followed_at: mine.updated_at }),
        is_followed_by: theirs?.status === 'active',
      },
    }
  },

  requests: async (ctx, { query }) => {
    const list = { side: 'followers', userId: ctx.actor.id, status: 'pending', includeInactive: seesInactive(ctx) } as const
    const page = { per_page: 100, ...query }
    const { rows, total } = await readList(ctx, list, page)
    return { data: rows.map(viewRequest), meta: pagination(total, page.page, page.per_page) }
  },
  approve: async (ctx, { params }) => {
    const { id, status } = await approve(ctx, params.request_id)
    return { message: 'This member now follows you.', data: { id, status } }
  },
  reject: (ctx, { params }) => messageAfter(reject(ctx, params.request_id), 'The request was rejected.'),
}
