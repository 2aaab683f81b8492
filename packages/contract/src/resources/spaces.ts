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

/** Maximum length of title and slug in characters, and of the description in bytes of UTF-8. */
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
  parent_id: nullable(Type.Integer({ ...Id, description: 'Id of the space group; null for none.' })),
  title: Type.String(),
  slug: Type.String(),
  logo: Type.String({ description: 'URL of the logo; may be empty.' }),
  cover_photo: Type.String({ description: 'URL of the cover image; may be empty.' }),
  description: Type.String({ description: 'The description, as submitted.' }),
  description_rendered: Type.String({ description: 'The description as sanitized HTML.' }),
  type: oneOf(SPACE_TYPES),
  privacy: oneOf(SPACE_PRIVACIES),
  status: oneOf(SPACE_STATUSES),
  serial: Type.Integer({ description: 'Position in its group.' }),
  settings: SpaceSettings,
  members_count: Type.Integer({ minimum: 0, description: 'Number of active members; 0 if the space hides it from the caller.' }),
  posts_count: Count,
  created_at: Datetime,
  updated_at: Datetime,
  is_member: Type.Boolean(),
  role: nullable(oneOf(SPACE_ROLES, { description: 'Role of the caller in the space; null if they are not an active member.' })),
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
  topics: Type.Array(SpaceTopic, { description: 'Active topics that are available in the space, in order.' }),
  header_links: Type.Array(Type.Object({ title: Type.String(), route: Type.Object({ name: Type.String() }) })),
  lockscreen_config: nullable(LockscreenConfig),
})

/** Fields that those who manage a space can set. */
const writable = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: SPACE_TITLE_LENGTH })),
  slug: Type.Optional(
    Type.String({ maxLength: SPACE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$', description: 'The unique slug: a-z, 0-9, - and _.' }),
  ),
  description: Type.Optional(nullable(Type.String({ description: `The description as HTML, at most ${SPACE_DESCRIPTION_BYTES} bytes.` }))),
  logo: Type.Optional(nullable(Type.String())),
  cover_photo: Type.Optional(nullable(Type.String())),
  type: Type.Optional(oneOf(SPACE_TYPES)),
  privacy: Type.Optional(oneOf(SPACE_PRIVACIES)),
  status: Type.Optional(oneOf(SPACE_STATUSES)),
  parent_id: Type.Optional(nullable(Type.Integer({ ...Id, minimum: 0, description: 'Id of the space group; null or 0 for none.' }))),
  settings: Type.Optional(SpaceSettingsInput),
  meta_settings: Type.Optional(nullable(Anything)),
  topic_ids: Type.Optional(
    Type.Array(Id, {
      maxItems: 1000,
      description: 'Ids of the topics to offer in the space, in addition to those that are available everywhere.',
    }),
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

const search = Type.Optional(Type.String({ maxLength: 200, description: 'Only spaces whose title or description contains this text.' }))
const SORTS = ['alphabetical', 'oldest', 'latest'] as const

export const spaces = {
  list: route({
    method: 'GET',
    path: '/spaces',
    access: 'member',
    summary: 'List spaces',
    query: Type.Object({
      ...paging(20),
      type: Type.Optional(oneOf(SPACE_TYPES)),
      privacy: Type.Optional(oneOf(SPACE_PRIVACIES)),
      status: Type.Optional(oneOf(SPACE_STATUSES, { default: 'published' })),
      parent_id: Type.Optional(
        Type.Integer({ ...Id, minimum: 0, description: 'Only spaces in this group; 0 for spaces without a group.' }),
      ),
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
    summary: 'Discover spaces',
    query: Type.Object({
      ...paging(20),
      search,
      type: Type.Optional(oneOf(['all', 'joined'])),
      sort_by: Type.Optional(oneOf(SORTS, { default: 'alphabetical' })),
    }),
    response: Type.Object({ spaces: paginatorOf(Space), execution_time: Type.Number({ description: 'Processing time in seconds.' }) }),
  }),
  all: route({
    method: 'GET',
    path: '/spaces/all-spaces',
    access: 'member',
    summary: 'List all visible spaces',
    query: Type.Object({ ...paging(20), search, sort_by: Type.Optional(oneOf(SORTS, { default: 'alphabetical' })) }),
    response: Type.Object({ spaces: paginatorOf(Space) }),
  }),
  bySlug: route({
    method: 'GET',
    path: '/spaces/{space_slug}/by-slug',
    access: 'member',
    summary: 'Get a space by slug',
    params: spaceSlug,
    response: dataOf(SpaceDetail),
    errors: ['space_not_found'],
  }),
  byId: route({
    method: 'GET',
    path: '/spaces/{space_id}/by-id',
    access: 'member',
    summary: 'Get a space by id',
    params: spaceId,
    response: dataOf(SpaceDetail),
    errors: ['space_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/spaces',
    access: 'manage_spaces',
    summary: 'Create a space',
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
    summary: 'Update a space by slug',
    description: 'Only the fields that are sent change; `settings` are merged by key.',
    params: spaceSlug,
    ...updating,
  }),
  updateById: route({
    method: 'PUT',
    path: '/spaces/{space_id}/by-id',
    summary: 'Update a space by id',
    description: 'Only the fields that are sent change; `settings` are merged by key.',
    params: spaceId,
    ...updating,
  }),
  remove: route({
    method: 'DELETE',
    path: '/spaces/{space_slug}',
    access: 'member',
    summary: 'Delete a space by slug',
    params: spaceSlug,
    response: Message,
    errors: ['space_not_found', 'rest_forbidden'],
  }),
  removeById: route({
    method: 'DELETE',
    path: '/spaces/{space_id}/by-id',
    access: 'member',
    summary: 'Delete a space by id',
    params: spaceId,
    response: Message,
    errors: ['space_not_found', 'rest_forbidden'],
  }),
  lockscreens: route({
    method: 'GET',
    path: '/spaces/{space_slug}/lockscreens',
    access: 'member',
    summary: 'Get the lock screen of a space',
    params: spaceSlug,
    response: Type.Object({
      lockscreen: Type.Array(LockscreenSection),
      enabled: Type.Boolean({
        description: 'Whether the lock screen is shown, because of its own `enabled` or of `custom_lock_screen` of the space.',
      }),
    }),
    errors: ['space_not_found'],
  }),
  saveLockscreens: route({
    method: 'PUT',
    path: '/spaces/{space_slug}/lockscreens',
    access: 'member',
    summary: 'Update the lock screen of a space',
    params: spaceSlug,
    body: Type.Object({
      enabled: Type.Boolean(),
      type: Type.Optional(oneOf(['membership', 'payment', 'custom'])),
      conditions: Type.Optional(Anything),
      message: Type.Optional(Type.String({ maxLength: 5000, description: 'Plain text below the heading.' })),
      button_text: Type.Optional(Type.String({ maxLength: 200, description: 'Label of the button, as plain text.' })),
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
    summary: 'Replace the header links of a space',
    params: spaceSlug,
    body: Type.Object({ links: SpaceLinksInput }),
    response: Type.Object({ message: Type.String(), links: Type.Array(SpaceLink) }),
    errors: ['space_not_found', 'invalid_url', 'rest_forbidden'],
  }),
  metaSettings: route({
    method: 'GET',
    path: '/spaces/{space_slug}/meta-settings',
    access: 'member',
    summary: 'Get extension fields of a space',
    params: spaceSlug,
    response: Type.Object({ meta_settings: nullable(Anything) }),
    errors: ['space_not_found', 'rest_forbidden'],
  }),
} as const
