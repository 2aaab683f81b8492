import { type Answer, type Context, type Handler, type Handlers, type Membership, named, saving } from './operations.ts'
import { wordpressUser } from './records/index.ts'
import { isFields, listOf } from './values.ts'

const spaceOf = async ({ call }: Context, space_id: unknown) => (await call('spaces.byId', { params: { space_id } })).data

const saveSpace = (operation: 'spaces.create' | 'spaces.updateBySlug' | 'spaces.updateById'): Handler => {
  const save = saving('space', spaceOf)(operation)
  return async (ctx) => {
    const saved = (await save(ctx)) as { readonly space: Answer<'spaces.byId'>['data'] }
    return { ...saved, redirect_url: `${ctx.origin}/spaces/${saved.space.slug}` }
  }
}

const join: Handler = async (ctx) => {
  const answer = await ctx.call('spaceMembers.join', { params: ctx.params })
  const { status, space_id, user_id, role, joined_at } = answer.data
  return { ...answer, membership: { space_id, user_id, role: role ?? 'member', status, created_at: joined_at } }
}

type Space = Answer<'spaces.all'>['spaces']['data'][number]

/** A membership as the `pivot` of its space or member. */
export const pivotOf = ({ space_id, user_id, role, status, joined_at }: Membership) => ({
  space_id: String(space_id),
  user_id: String(user_id),
  role,
  status,
  created_at: joined_at,
})

/** Topics; empty if the feature is disabled. */
const topicsOf = ({ call }: Context) =>
  call('topics.list').then(
    ({ topics }) => topics,
    () => [],
  )

const headerLinks = ({ permissions }: Pick<Space, 'permissions'>) => [
  { title: 'Posts', route: { name: 'space_feeds' } },
  ...(permissions.can_view_members ? [{ title: 'Members', route: { name: 'space_members' } }] : []),
]

/** Adds the caller's membership, topics and links to spaces. */
const furnished = async <S extends Pick<Space, 'id' | 'permissions'>>(ctx: Context, spaces: readonly S[]) => {
  const memberships = new Map((await ctx.memberships(ctx.myId)).map((membership) => [membership.space_id, membership]))
  const user = wordpressUser((await ctx.call('profiles.get', { params: { username: 'me' } })).profile)
  const topics = await topicsOf(ctx)
  return spaces.map((space) => {
    const membership = memberships.get(space.id)
    return {
      ...space,
      membership: membership ? { ...membership, ...user, pivot: pivotOf(membership) } : null,
      topics: topics
        .filter(({ space_ids: [...ids] }) => ids.length === 0 || ids.includes(space.id))
        .map((topic) => ({ ...topic, space_ids: topic.space_ids.map(String) })),
      header_links: headerLinks(space),
    }
  })
}

const one =
  (operation: 'spaces.bySlug' | 'spaces.byId'): Handler =>
  async (ctx) => {
    const { data } = await ctx.call(operation, { params: ctx.params })
    const [space] = await furnished(ctx, [data])
    return { data: space, space }
  }

const MOST_PAGES = 10

const everySpace = async ({ call }: Context) => {
  const spaces: Space[] = []
  for (let page = 1, last = 1; page <= Math.min(last, MOST_PAGES); page++) {
    const answer = (await call('spaces.all', { query: { per_page: 100, page } })).spaces
    spaces.push(...answer.data)
    last = answer.last_page
  }
  return spaces
}

const groups: Handler = async (ctx) => {
  const answer = await ctx.call('spaceGroups.list', { query: { include_empty: true, ...ctx.query } })
  const { origin } = ctx
  const complete = new Map((await furnished(ctx, await everySpace(ctx))).map((space) => [space.id, space]))
  const inside = <S extends { readonly id: number; readonly slug: string }>(spaces: readonly S[] = []) =>
    spaces.map((space) => ({ ...space, ...complete.get(space.id), permalink: `${origin}/spaces/${space.slug}` }))
  return {
    groups: answer.groups.map((group) => ({
      ...group,
      created_by: '0',
      parent_id: null,
      logo: null,
      cover_photo: null,
      type: 'space_group',
      privacy: 'public',
      status: 'active',
      serial: String(group.serial),
      spaces: inside(group.spaces),
    })),
    orphaned_spaces: inside(answer.orphaned_spaces),
  }
}

const isKnown = (error: unknown) => (error as { code?: unknown }).code === 'already_member'

/** Adds a member. For existing members, changes the role; for requests, accepts them. */
const addMember: Handler = async ({ call, params, body }) => {
  const { user_id, role = 'member' } = body
  try {
    return await call('spaceMembers.add', { params, body: { ...body, role } })
  } catch (error) {
    if (!isKnown(error)) throw error
    return call('spaceMembers.update', { params: { ...params, user_id }, body: { role, status: 'active' } })
  }
}

/** `{id: position}`, or a list of ids in order. */
const inOrder = (indexes: unknown): unknown[] =>
  isFields(indexes)
    ? Object.entries(indexes)
        .sort(([, a], [, b]) => Number(a) - Number(b))
        .map(([id]) => Number(id))
    : listOf(indexes).map(Number)

const group =
  (operation: 'spaceGroups.create' | 'spaceGroups.update'): Handler =>
  async ({ call, params, body }) => {
    const answer = await call(operation, { params, body })
    return { ...answer, group: answer.space_group }
  }

/** Spaces and courses for select fields. */
const places: Handler = async ({ call }) => {
  const { spaces } = await call('spaces.all', { query: { per_page: 100 } })
  const { courses } = await call('courses.list', { query: { per_page: 100 } })
  return { all_spaces: [...spaces.data, ...courses.data] }
}

export const spaceHandlers: Handlers = {
  'GET /spaces/{space_slug}/by-slug': one('spaces.bySlug'),
  'GET /spaces/{space_id}/by-id': one('spaces.byId'),
  'GET /spaces/all-spaces': async (ctx) => {
    const { spaces } = await ctx.call('spaces.all', { query: ctx.query })
    return { spaces: { ...spaces, data: await furnished(ctx, spaces.data) } }
  },
  'POST /spaces': saveSpace('spaces.create'),
  'PUT /spaces/{space_slug}/by-slug': saveSpace('spaces.updateBySlug'),
  'PUT /spaces/{space_id}/by-id': saveSpace('spaces.updateById'),
  'POST /spaces/{space_slug}/join': join,
  'POST /spaces/{space_slug}/members': addMember,
  'POST /spaces/space_groups': group('spaceGroups.create'),
  'PUT /spaces/space_groups/{group_id}': group('spaceGroups.update'),
  'GET /spaces/space_groups': groups,
  'PATCH /spaces/space_groups/re-index': ({ call, body }) =>
    call('spaceGroups.reorder', { body: { group_ids: body['group_ids'] ?? inOrder(body['indexes']) } }),
  'PATCH /spaces/space_groups/re-index-spaces': ({ call, body }) =>
    call('spaceGroups.reorderSpaces', { body: { space_ids: body['space_ids'] ?? inOrder(body['indexes']), group_id: body['group_id'] } }),
  'GET /admin/all_space_courses': places,
  'GET /admin/topics': async (ctx) => {
    const { call, query } = ctx
    const answer = await call('adminTopics.list', { query })
    const all_spaces = (await call('spaces.all', { query: { per_page: 100 } })).spaces.data
    return { ...answer, all_spaces }
  },
  'POST /admin/topics': named('adminTopics.create', ['topic']),
  'PUT /admin/topics/{topic_id}': named('adminTopics.update', ['topic']),
  'GET /admin/topics/config': named('adminTopics.config', ['config']),
  'POST /admin/topics/config': named('adminTopics.saveConfig', ['config']),
  'GET /spaces': ({ call, query }) => call('spaces.list', { query: { per_page: 100, ...query } }),
}
