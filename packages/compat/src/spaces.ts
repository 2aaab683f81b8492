import { type Answer, type Context, type Handler, type Handlers, named, saving } from './operations.ts'
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

const isKnown = (error: unknown) => (error as { code?: unknown }).code === 'already_member'

/** Adding someone who is or wants to be a member changes their role, or admits them. */
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

/** Spaces and courses, for choosing among them. */
const places: Handler = async ({ call }) => {
  const { spaces } = await call('spaces.all', { query: { per_page: 100 } })
  const { courses } = await call('courses.list', { query: { per_page: 100 } })
  return { all_spaces: [...spaces.data, ...courses.data] }
}

export const spaceHandlers: Handlers = {
  'GET /spaces/{space_slug}/by-slug': named('spaces.bySlug', ['space']),
  'GET /spaces/{space_id}/by-id': named('spaces.byId', ['space']),
  'POST /spaces': saveSpace('spaces.create'),
  'PUT /spaces/{space_slug}/by-slug': saveSpace('spaces.updateBySlug'),
  'PUT /spaces/{space_id}/by-id': saveSpace('spaces.updateById'),
  'POST /spaces/{space_slug}/join': join,
  'POST /spaces/{space_slug}/members': addMember,
  'POST /spaces/space_groups': group('spaceGroups.create'),
  'PUT /spaces/space_groups/{group_id}': group('spaceGroups.update'),
  'GET /spaces/space_groups': ({ call, query }) => call('spaceGroups.list', { query: { include_empty: true, ...query } }),
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
