import { route } from '../route.ts'
import {
  Count,
  Datetime,
  Id,
  Message,
  messageAnd,
  named,
  nullable,
  Order,
  oneOf,
  Pagination,
  paging,
  spaceFilter,
} from '../shapes/common.ts'
import { CurrentUserFollows, Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { SPACE_ROLES } from './space-settings.ts'
import { MEMBERSHIP_STATUSES, membershipRecord, spaceSlug } from './spaces.ts'

/** Maximum number of users in a bulk request. */
export const BULK_MEMBERS = 200

export const SpaceMember = named('SpaceMember', { ...membershipRecord, xprofile: Xprofile })

const memberPath = Type.Object({ ...spaceSlug.properties, user_id: Id })
const Role = Type.Optional(oneOf(SPACE_ROLES, { default: 'member' }))
const StatusChanged = messageAnd(Type.Object({ user_id: Id, status: oneOf(MEMBERSHIP_STATUSES) }))

export const spaceMembers = {
  join: route({
    method: 'POST',
    path: '/spaces/{space_slug}/join',
    access: 'member',
    summary: 'Join a space',
    params: spaceSlug,
    response: messageAnd(
      Type.Object({
        status: oneOf(['active', 'pending']),
        space_id: Type.Optional(Id),
        user_id: Type.Optional(Id),
        role: Type.Optional(oneOf(SPACE_ROLES)),
        joined_at: Type.Optional(Datetime),
      }),
    ),
    errors: ['space_not_found', 'already_member', 'rest_forbidden'],
  }),
  leave: route({
    method: 'POST',
    path: '/spaces/{space_slug}/leave',
    access: 'member',
    summary: 'Leave a space',
    params: spaceSlug,
    response: Message,
    errors: ['space_not_found', 'not_member'],
  }),
  list: route({
    method: 'GET',
    path: '/spaces/{space_slug}/members',
    access: 'member',
    summary: 'List members of a space',
    description:
      'Visibility of the members is a setting of the space. Join requests and bans are visible only to those who manage members.',
    params: spaceSlug,
    query: Type.Object({
      ...paging(20),
      role: Type.Optional(oneOf(SPACE_ROLES)),
      status: Type.Optional(oneOf(MEMBERSHIP_STATUSES, { default: 'active' })),
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Only members whose name contains this text.' })),
      orderby: Type.Optional(oneOf(['joined_at', 'created_at'], { default: 'joined_at' })),
      order: Type.Optional(Order),
    }),
    response: Type.Object({
      data: Type.Array(SpaceMember),
      meta: Pagination,
      current_user_follows: CurrentUserFollows,
      pending_count: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Number of open join requests; present for those who manage members.' }),
      ),
    }),
    errors: ['space_not_found', 'rest_forbidden'],
  }),
  add: route({
    method: 'POST',
    path: '/spaces/{space_slug}/members',
    access: 'member',
    summary: 'Add a member to a space',
    params: spaceSlug,
    body: Type.Object({ user_id: Id, role: Role, status: Type.Optional(oneOf(['active', 'pending'], { default: 'active' })) }),
    response: messageAnd(
      Type.Object({
        id: Id,
        space_id: Id,
        user_id: Id,
        role: oneOf(SPACE_ROLES),
        status: oneOf(MEMBERSHIP_STATUSES),
        joined_at: Datetime,
      }),
    ),
    status: 201,
    errors: ['space_not_found', 'user_not_found', 'already_member', 'rest_forbidden'],
  }),
  bulkAdd: route({
    method: 'POST',
    path: '/spaces/{space_slug}/members/bulk-add',
    access: 'member',
    summary: 'Add members in bulk',
    description: `Adds up to ${BULK_MEMBERS} users. Existing and banned members are skipped; unknown users count as failed.`,
    params: spaceSlug,
    body: Type.Object({ user_ids: Type.Array(Id), role: Role }),
    response: Type.Object({
      message: Type.String(),
      added: Count,
      skipped: Count,
      failed: Count,
      processed: Count,
      total: Count,
      has_more: Type.Boolean(),
      next_offset: nullable(Count),
    }),
    errors: ['space_not_found', 'body_too_large', 'rest_forbidden'],
  }),
  update: route({
    method: 'PUT',
    path: '/spaces/{space_slug}/members/{user_id}',
    access: 'member',
    summary: 'Update a member of a space',
    params: memberPath,
    body: Type.Object({ role: Type.Optional(oneOf(SPACE_ROLES)), status: Type.Optional(oneOf(['active', 'banned'])) }),
    response: messageAnd(Type.Object({ user_id: Id, role: oneOf(SPACE_ROLES), status: oneOf(MEMBERSHIP_STATUSES), updated_at: Datetime })),
    errors: ['space_not_found', 'member_not_found', 'cannot_remove_self', 'missing_required_field', 'rest_forbidden'],
  }),
  remove: route({
    method: 'POST',
    path: '/spaces/{space_slug}/members/remove',
    access: 'member',
    summary: 'Remove a member from a space',
    params: spaceSlug,
    body: Type.Object({ user_id: Id }),
    response: Message,
    errors: ['space_not_found', 'member_not_found', 'cannot_remove_self', 'rest_forbidden'],
  }),
  removeByPath: route({
    method: 'DELETE',
    path: '/spaces/{space_slug}/members/{user_id}',
    access: 'member',
    summary: 'Remove a member from a space by path',
    params: memberPath,
    response: Message,
    errors: ['space_not_found', 'member_not_found', 'cannot_remove_self', 'rest_forbidden'],
  }),
  ban: route({
    method: 'POST',
    path: '/spaces/{space_slug}/members/{user_id}/ban',
    access: 'member',
    summary: 'Ban a member from a space',
    params: memberPath,
    response: StatusChanged,
    errors: ['space_not_found', 'member_not_found', 'cannot_remove_self', 'rest_forbidden'],
  }),
  unban: route({
    method: 'POST',
    path: '/spaces/{space_slug}/members/{user_id}/unban',
    access: 'member',
    summary: 'Unban a member of a space',
    params: memberPath,
    response: StatusChanged,
    errors: ['space_not_found', 'member_not_found', 'rest_forbidden'],
  }),
  searchUsers: route({
    method: 'GET',
    path: '/spaces/users/search',
    access: 'member',
    summary: 'Search users to add',
    description: 'With `space_id`, its members are omitted. Email addresses are searched and returned for administrators only.',
    query: Type.Object({
      q: Type.String({ minLength: 1, maxLength: 200 }),
      ...spaceFilter('Omit members of this space.'),
      ...paging(10),
    }),
    response: Type.Object({
      data: Type.Array(
        Type.Object({ id: Id, username: Type.String(), display_name: Type.String(), email: Type.String(), avatar: Type.String() }),
      ),
    }),
    errors: ['space_not_found', 'rest_forbidden'],
  }),
} as const
