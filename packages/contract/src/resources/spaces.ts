import { type Route, route } from '../route.ts'
import {
  Anything,
  Count,
  Datetime,
  dataOf,
  Id,
  Message,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  Pagination,
  paginatorOf,
  paging,
  pathId,
} from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import {
  Lockscreen,
  LockscreenConfig,
  LockscreenSection,
  LockscreenSectionInput,
  SPACE_ROLES,
  SpaceLink,
  SpaceLinksInput,
  SpaceSettings,
  SpaceSettingsInput,
} from './space-settings.ts'

export const SPACE_TYPES = ['community', 'discussion'] as const
export const SPACE_PRIVACIES = ['public', 'private', 'secret'] as const
export const SPACE_STATUSES = ['published', 'draft', 'archived'] as const
export const MEMBERSHIP_STATUSES = ['active', 'pending', 'banned'] as const

/** Longest title and slug in characters, longest description in bytes of UTF-8. */
export const SPACE_TITLE_LENGTH = 194
export const SPACE_SLUG_LENGTH = 194
export const SPACE_DESCRIPTION_BYTES = 10_000

const yes = Type.Boolean()
export const SpacePermissions = named('SpacePermissions', {
  can_view_info: yes,
  can_view_posts: yes,
  can_view_members: yes,
  can_create_post: yes,
  can_comment: yes,
  can_react: yes,
  can_pin_post: yes,
  can_approve: yes,
  edit_any_feed: yes,
  delete_any_feed: yes,
  edit_any_comment: yes,
  delete_any_comment: yes,
  can_add_member: yes,
  can_remove_member: yes,
  community_moderator: yes,
  community_admin: yes,
  is_member: yes,
  is_pending: yes,
})

const Pivot = named('SpacePivot', { role: oneOf(SPACE_ROLES), status: oneOf(MEMBERSHIP_STATUSES) })

export const membershipRecord = {
  id: Id,
  space_id: Id,
  user_id: Id,
  role: oneOf(SPACE_ROLES),
  status: oneOf(MEMBERSHIP_STATUSES),
  joined_at: Datetime,
  updated_at: Datetime,
}

const record = {
  id: Id,
  created_by: nullable(Id),
  parent_id: nullable(Type.Integer({ ...Id, description: 'The group it stands in' })),
  title: Type.String(),
  slug: Type.String(),
  logo: Type.String({ description: 'URL, may be empty' }),
  cover_photo: Type.String({ description: 'URL, may be empty' }),
  description: Type.String({ description: 'As it was sent' }),
  description_rendered: Type.String({ description: 'Safe HTML' }),
  type: oneOf(SPACE_TYPES),
  privacy: oneOf(SPACE_PRIVACIES),
  status: oneOf(SPACE_STATUSES),
  serial: Type.Integer({ description: 'Place within its group' }),
  settings: SpaceSettings,
  members_count: Type.Integer({ minimum: 0, description: 'Active members; 0 where the space hides it from the caller' }),
  posts_count: Count,
  created_at: Datetime,
  updated_at: Datetime,
  is_member: Type.Boolean(),
  role: nullable(oneOf(SPACE_ROLES, { description: 'Of the caller; null for who is no active member' })),
  space_pivot: nullable(Pivot),
  permissions: SpacePermissions,
}

export const Space = named('Space', record)

const SpaceTopic = named('SpaceTopic', {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  color: Type.String(),
  icon: Type.String(),
  admin_only: oneOf(['yes', 'no']),
})

export const SpaceDetail = named('SpaceDetail', {
  ...record,
  creator: nullable(Type.Object({ id: Id, username: Type.String(), display_name: Type.String() })),
  membership: nullable(Type.Object(membershipRecord)),
  topics: Type.Array(SpaceTopic, { description: 'Active topics that are offered there, in their order' }),
  header_links: Type.Array(Type.Object({ title: Type.String(), route: Type.Object({ name: Type.String() }) })),
  lockscreen_config: nullable(LockscreenConfig),
})

/** What can be said about a space by whoever runs it. */
const writable = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: SPACE_TITLE_LENGTH })),
  slug: Type.Optional(Type.String({ maxLength: SPACE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$', description: 'a-z, 0-9, - and _; unique' })),
  description: Type.Optional(nullable(Type.String({ description: `HTML, at most ${SPACE_DESCRIPTION_BYTES} bytes` }))),
  logo: Type.Optional(nullable(Type.String())),
  cover_photo: Type.Optional(nullable(Type.String())),
  type: Type.Optional(oneOf(SPACE_TYPES)),
  privacy: Type.Optional(oneOf(SPACE_PRIVACIES)),
  status: Type.Optional(oneOf(SPACE_STATUSES)),
  parent_id: Type.Optional(nullable(Type.Integer({ ...Id, minimum: 0, description: 'A group; null or 0: none' }))),
  settings: Type.Optional(SpaceSettingsInput),
  meta_settings: Type.Optional(nullable(Anything)),
  topic_ids: Type.Optional(
    Type.Array(Id, { maxItems: 1000, description: 'Topics to be offered there, beside those that are offered everywhere' }),
  ),
}

const spaceId = pathId('space_id')
export const spaceSlug = Type.Object({ space_slug: Type.String({ maxLength: 300 }) })

const Updated = messageAnd(Type.Object({ id: Id, title: Type.String(), slug: Type.String(), updated_at: Datetime }))
const updating = {
  access: 'member',
  body: Type.Object(writable),
  wrapper: 'data',
  response: Updated,
  errors: ['space_not_found', 'duplicate_slug', 'invalid_url', 'rest_forbidden'],
} as const satisfies Partial<Route>

const search = Type.Optional(Type.String({ maxLength: 200, description: 'Part of title or description' }))
const SORTS = ['alphabetical', 'oldest', 'latest'] as const

export const spaces = {
  list: route({
    method: 'GET',
    path: '/spaces',
    access: 'member',
    summary: 'List the spaces that the caller may see',
    query: Type.Object({
      ...paging(20),
      type: Type.Optional(oneOf(SPACE_TYPES)),
      privacy: Type.Optional(oneOf(SPACE_PRIVACIES)),
      status: Type.Optional(oneOf(SPACE_STATUSES, { default: 'published' })),
      parent_id: Type.Optional(Type.Integer({ ...Id, minimum: 0, description: 'A group; 0: without one' })),
      search,
      orderby: Type.Optional(oneOf(['serial', 'title', 'created_at'], { default: 'serial' })),
      order: Type.Optional(Order),
    }),
    response: Type.Object({ spaces: Type.Array(Space), pagination: Pagination }),
  }),
  discover: route({
    method: 'GET',
    path: '/spaces/discover',
    access: 'member',
    summary: 'Public and private spaces, and the secret ones that the caller is in',
    query: Type.Object({
      ...paging(20),
      search,
      type: Type.Optional(oneOf(['all', 'joined'])),
      sort_by: Type.Optional(oneOf(SORTS, { default: 'alphabetical' })),
    }),
    response: Type.Object({ spaces: paginatorOf(Space), execution_time: Type.Number({ description: 'Seconds' }) }),
  }),
  all: route({
    method: 'GET',
    path: '/spaces/all-spaces',
    access: 'member',
    summary: 'Every space that the caller may see, whatever its status',
    query: Type.Object({ ...paging(20), search, sort_by: Type.Optional(oneOf(SORTS, { default: 'alphabetical' })) }),
    response: Type.Object({ spaces: paginatorOf(Space) }),
  }),
  bySlug: route({
    method: 'GET',
    path: '/spaces/{space_slug}/by-slug',
    access: 'member',
    summary: 'Read a space by its slug',
    params: spaceSlug,
    response: dataOf(SpaceDetail),
    errors: ['space_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/spaces/{space_id}/by-id',
    access: 'member',
    summary: 'Read a space by its id',
    params: spaceId,
    response: dataOf(SpaceDetail),
    errors: ['space_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/spaces',
    access: 'manage_spaces',
    summary: 'Make a space; its creator becomes an admin of it',
    body: Type.Object({ ...writable, title: Type.String({ minLength: 1, maxLength: SPACE_TITLE_LENGTH }) }),
    wrapper: 'space',
    response: messageAnd(
      Type.Object({
        id: Id,
        title: Type.String(),
        slug: Type.String(),
        privacy: oneOf(SPACE_PRIVACIES),
        status: oneOf(SPACE_STATUSES),
        created_at: Datetime,
      }),
    ),
    status: 201,
    errors: ['duplicate_slug', 'invalid_url', 'rest_forbidden'],
  }),
  updateBySlug: route({
    method: 'PUT',
    path: '/spaces/{space_slug}/by-slug',
    summary: 'Change a space by its slug',
    description: 'Only what is sent changes; `settings` are merged by key.',
    params: spaceSlug,
    ...updating,
  }),
  updateById: route({
    method: 'PUT',
    path: '/spaces/{space_id}/by-id',
    summary: 'Change a space by its id',
    description: 'Only what is sent changes; `settings` are merged by key.',
    params: spaceId,
    ...updating,
  }),
  remove: route({
    method: 'DELETE',
    path: '/spaces/{space_slug}',
    access: 'member',
    summary: 'Delete a space with everything in it',
    params: spaceSlug,
    response: Message,
    errors: ['space_not_found', 'rest_forbidden'],
  }),
  removeById: route({
    method: 'DELETE',
    path: '/spaces/{space_id}/by-id',
    access: 'member',
    summary: 'Delete a space with everything in it, by its id',
    params: spaceId,
    response: Message,
    errors: ['space_not_found', 'rest_forbidden'],
  }),
  lockscreens: route({
    method: 'GET',
    path: '/spaces/{space_slug}/lockscreens',
    access: 'member',
    summary: 'What a private space shows to those who are not in it; to all others but who runs it nothing',
    params: spaceSlug,
    response: Type.Object({
      lockscreen: Type.Array(LockscreenSection),
      enabled: Type.Boolean({ description: 'Whether it is on, by its own `enabled` or by `custom_lock_screen` of the space' }),
    }),
    errors: ['space_not_found'],
  }),
  saveLockscreens: route({
    method: 'PUT',
    path: '/spaces/{space_slug}/lockscreens',
    access: 'member',
    summary: 'Set the lock screen; `lockscreen` replaces its sections',
    params: spaceSlug,
    body: Type.Object({
      enabled: Type.Boolean(),
      type: Type.Optional(oneOf(['membership', 'payment', 'custom'])),
      conditions: Type.Optional(Anything),
      message: Type.Optional(Type.String({ maxLength: 5000, description: 'Plain text' })),
      button_text: Type.Optional(Type.String({ maxLength: 200, description: 'Plain text' })),
      button_url: Type.Optional(Type.String({ maxLength: 2048 })),
      lockscreen: Type.Optional(Type.Array(LockscreenSectionInput, { maxItems: 20 })),
    }),
    response: Type.Object({ message: Type.String(), lockscreen: Lockscreen }),
    errors: ['space_not_found', 'invalid_url', 'rest_forbidden'],
  }),
  saveLinks: route({
    method: 'POST',
    path: '/spaces/{space_slug}/links',
    access: 'member',
    summary: 'Replace the links in the head of a space',
    params: spaceSlug,
    body: Type.Object({ links: SpaceLinksInput }),
    response: Type.Object({ message: Type.String(), links: Type.Array(SpaceLink) }),
    errors: ['space_not_found', 'invalid_url', 'rest_forbidden'],
  }),
  metaSettings: route({
    method: 'GET',
    path: '/spaces/{space_slug}/meta-settings',
    access: 'member',
    summary: 'Fields that extensions keep with a space',
    params: spaceSlug,
    response: Type.Object({ meta_settings: nullable(Anything) }),
    errors: ['space_not_found', 'rest_forbidden'],
  }),
} as const
