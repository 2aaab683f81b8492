import { PROFILE_ADDRESSES } from '@lyceum/contract'
import type { Answer, Context, Fields, Handler, Handlers } from './operations.ts'
import { pivotOf } from './spaces.ts'
import { fieldsOf, isFields, onePage, paginator, table, textOf, without } from './values.ts'

const SORTS = table<string>({ last_activity: 'last_seen', display_name: 'display_name', created_at: 'created_at' })
const STATUSES = table<string>({ blocked: 'banned', deactivated: 'suspended' })

/** Maps `sort_by`, `sort_dir` and statuses of people lists. */
const peopleQuery = ({ query }: Context): Fields => {
  const { sort_by, sort_dir, status, ...rest } = query
  return {
    ...rest,
    orderby: rest['orderby'] ?? SORTS[sort_by ?? ''],
    order: rest['order'] ?? (sort_dir === undefined ? undefined : sort_dir.toLowerCase()),
    status: STATUSES[status ?? ''] ?? status,
  }
}

/** A person in WordPress's user format. */
export const userOf = ({
  user_id,
  username,
  display_name,
  avatar,
}: Pick<Answer<'members.list'>['members']['data'][number], 'user_id' | 'username' | 'display_name' | 'avatar'>) => ({
  ID: user_id,
  id: user_id,
  user_id,
  user_login: username,
  username,
  display_name,
  avatar,
  photo: avatar,
})

/** GET users by `search`; requires the permission to list members. */
export const findUsers = async ({ call, query }: Context) => {
  const { members } = await call('members.list', { query: { search: query['search'], page: query['page'], per_page: query['per_page'] } })
  return { ...members, data: members.data.map(userOf) }
}

const profileOf = async ({ call }: Context, username: unknown) => {
  const { profile } = await call('profiles.get', { params: { username } })
  return {
    ...profile,
    has_custom_avatar: profile.avatar !== '',
    headline: '',
    is_restricted: false,
    can_change_password: true,
  }
}

const ADDRESSES = table(PROFILE_ADDRESSES)

/** Profile links: URLs, or usernames on known sites. */
const linksOf = (links: unknown): Fields => {
  if (!isFields(links)) return {}
  const entries = Object.entries(links).map(([site, value]) => {
    const start = ADDRESSES[site]
    return [site, start && /^@?[^\s/@:]+$/.test(textOf(value)) ? start + encodeURIComponent(textOf(value).replace('@', '')) : value]
  })
  return { social_links: Object.fromEntries(entries) }
}

const saveProfile: Handler = async (ctx) => {
  const { call, params, body } = ctx
  const sent: Fields = { ...without(body, 'data', 'query_timestamp'), ...fieldsOf(body['data']) }
  const changes = { ...without(sent, 'query_timestamp', 'user_id'), ...linksOf(sent['social_links']) }
  const answer = await call('profiles.update', { params, body: changes })
  return { ...answer, profile: await profileOf(ctx, 'me') }
}

/** The relationship with a member after a change. */
const followed = async (ctx: Context, answer: { message: string; data?: Fields }) => {
  const { username } = ctx.params
  const { data: status } = await ctx.call('followers.status', { params: { username } })
  const profile = await profileOf(ctx, username)
  const { user_id, display_name, avatar, followers_count, followings_count, short_description } = profile
  return {
    ...answer,
    follow:
      status.status === '' ? null : { followed_id: user_id, ...answer.data, level: status.is_following ? 1 : 0, status: status.status },
    xprofile: { user_id, username: profile.username, display_name, avatar, short_description, followers_count, followings_count },
  }
}

const toggleFollow: Handler = async (ctx) => {
  const { username } = ctx.params
  const { data } = await ctx.call('followers.status', { params: { username } })
  return followed(ctx, await ctx.call(data.status === '' ? 'followers.follow' : 'followers.unfollow', { params: { username } }))
}

const relations =
  (side: 'followers' | 'followings', name: 'follower' | 'followed'): Handler =>
  async ({ call, params, query }) => {
    const answer = await call(`followers.${side}`, { params, query })
    const page = (answer as unknown as Readonly<Record<typeof side, Answer<'followers.followers'>['followers']>>)[side]
    const data = page.data.map(({ xprofile, ...row }) => ({ ...row, followed_id: row.following_id, level: 1, xprofile, [name]: xprofile }))
    return { ...answer, [side]: { ...page, data } }
  }

/** Courses of a person. They are available only for the caller. */
const coursesOf: Handler = async ({ call, params, me }) => {
  if (params['username'] !== 'me' && params['username'] !== me) return { courses: [] }
  const { courses } = await call('courses.mine', { query: { status: 'all', per_page: 100 } })
  return { courses: courses.data.map((course) => ({ ...course, pivot: { space_id: course.id, role: 'student', status: 'active' } })) }
}

const changePassword: Handler = async ({ call, params, body, me, refuse }) => {
  // The operation always applies to the caller, so reject other usernames.
  if (params['username'] !== 'me' && params['username'] !== me) throw refuse('rest_forbidden')
  return call('account.changePassword', { body: without(body, 'confirm_password') })
}

const spacesOf: Handler = async ({ call, params, memberships }) => {
  const { spaces } = await call('profiles.spaces', { params })
  const { user_id } = (await call('profiles.get', { params })).profile
  const pivots = new Map((await memberships(user_id)).map((membership) => [membership.space_id, pivotOf(membership)]))
  return { spaces: spaces.map((space) => ({ ...space, pivot: pivots.get(space.id) ?? null })) }
}

export const peopleHandlers: Handlers = {
  'GET /members': async (ctx) => ctx.call('members.list', { query: peopleQuery(ctx) }),
  'GET /profile/{username}': async (ctx) => ({ profile: await profileOf(ctx, ctx.params['username']) }),
  'POST /profile/{username}': saveProfile,
  'PUT /profile/{username}': saveProfile,
  'POST /profile/{username}/change-password': changePassword,
  'GET /profile/{username}/courses': coursesOf,
  'GET /profile/{username}/spaces': spacesOf,
  'GET /profile/{username}/memberships': async ({ call, params }) => ({
    memberships: (await call('profiles.spaces', { params })).spaces.map(({ id }) => id),
  }),
  'GET /profile/{username}/comments': async (ctx) => {
    const answer = await ctx.call('profiles.comments', { params: ctx.params, query: ctx.query })
    const { user_id, username, display_name, avatar } = await profileOf(ctx, ctx.params['username'])
    return { ...answer, xprofile: { user_id, username, display_name, avatar } }
  },
  'POST /profile/{username}/follow': async (ctx) => followed(ctx, await ctx.call('followers.follow', { params: ctx.params })),
  'POST /profile/{username}/unfollow': async (ctx) => followed(ctx, await ctx.call('followers.unfollow', { params: ctx.params })),
  'POST /profile/{username}/toggle-follow': toggleFollow,
  'GET /profile/{username}/followers': relations('followers', 'follower'),
  'GET /profile/{username}/followings': relations('followings', 'followed'),
  'GET /admin/users': async (ctx) => ({ users: await findUsers(ctx) }),
  'GET /spaces/users/search': async ({ call, query }) => {
    const { data } = await call('spaceMembers.searchUsers', { query: { ...query, q: query['q'] ?? query['search'] } })
    const users = data.map(({ id, username, display_name, email, avatar }) => ({
      ...userOf({ user_id: id, username, display_name, avatar }),
      user_email: textOf(email),
    }))
    return { data, users: onePage(users) }
  },
  'GET /spaces/{space_slug}/members': async (ctx) => {
    const { orderby: _orderby, ...query } = peopleQuery(ctx)
    const answer = await ctx.call('spaceMembers.list', { params: ctx.params, query })
    return { ...answer, members: paginator(answer.data, answer.meta), pending_count: answer.pending_count ?? 0 }
  },
}
