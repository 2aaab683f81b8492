import { route } from '../route.ts'
import { Count, Datetime, Id, Message, named, nullable, oneOf, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { SpaceGroupSettings, SpaceGroupSettingsInput } from './space-settings.ts'
import { SPACE_PRIVACIES, SPACE_SLUG_LENGTH, SPACE_STATUSES, SPACE_TITLE_LENGTH, SPACE_TYPES } from './spaces.ts'

const group = {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  serial: Type.Integer(),
  settings: SpaceGroupSettings,
  spaces_count: Type.Integer({ minimum: 0, description: 'Number of spaces in the group that the caller can see.' }),
  created_at: Datetime,
  updated_at: Datetime,
}

/** A space in the navigation. */
const Entry = named('SpaceListItem', {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  serial: Type.Integer(),
  parent_id: nullable(Id),
  type: oneOf(SPACE_TYPES),
  privacy: oneOf(SPACE_PRIVACIES),
  status: oneOf(SPACE_STATUSES),
  logo: Type.String(),
  emoji: Type.String(),
  shape_svg: Type.String(),
  members_count: Count,
  posts_count: Count,
  is_member: Type.Boolean(),
})

const Group = named('SpaceGroup', group)

const Title = Type.String({ minLength: 1, maxLength: SPACE_TITLE_LENGTH })
const Slug = Type.String({ maxLength: SPACE_SLUG_LENGTH, pattern: '^[A-Za-z0-9_-]*$' })
const Description = Type.String({ maxLength: 10_000 })
const ids = () => Type.Array(Id, { minItems: 1, maxItems: 1000 })
const GroupId = Type.Integer({ ...Id, minimum: 0, description: 'Id of the group; 0 for none.' })

const onlyAdmins = { access: 'admin', forbidden: 'permission_denied' } as const

export const spaceGroups = {
  list: route({
    method: 'GET',
    path: '/spaces/space_groups',
    access: 'member',
    summary: 'List space groups',
    query: Type.Object({
      with_spaces: Type.Optional(Type.Boolean({ default: true })),
      include_empty: Type.Optional(Type.Boolean({ default: false })),
    }),
    response: Type.Object({
      groups: Type.Array(Type.Object({ ...group, spaces: Type.Optional(Type.Array(Entry)) })),
      orphaned_spaces: Type.Array(Entry, { description: 'Spaces that belong to no group.' }),
    }),
  }),
  create: route({
    method: 'POST',
    path: '/spaces/space_groups',
    ...onlyAdmins,
    summary: 'Create a space group',
    body: Type.Object({
      title: Title,
      slug: Type.Optional(Slug),
      description: Type.Optional(Description),
      settings: Type.Optional(SpaceGroupSettingsInput),
    }),
    response: Type.Object({ message: Type.String(), space_group: Group }),
    status: 201,
    errors: ['duplicate_slug'],
  }),
  update: route({
    method: 'PUT',
    path: '/spaces/space_groups/{group_id}',
    ...onlyAdmins,
    summary: 'Update a space group',
    params: pathId('group_id'),
    body: Type.Object({
      title: Type.Optional(Title),
      description: Type.Optional(Description),
      settings: Type.Optional(SpaceGroupSettingsInput),
    }),
    response: Type.Object({ message: Type.String(), space_group: Group }),
    errors: ['not_found'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/spaces/space_groups/{group_id}',
    ...onlyAdmins,
    summary: 'Delete a space group',
    params: pathId('group_id'),
    response: Message,
    errors: ['not_found'],
  }),
  reorder: route({
    method: 'PATCH',
    path: '/spaces/space_groups/re-index',
    ...onlyAdmins,
    summary: 'Reorder space groups',
    body: Type.Object({ group_ids: ids() }),
    response: Message,
    errors: ['not_found'],
  }),
  reorderSpaces: route({
    method: 'PATCH',
    path: '/spaces/space_groups/re-index-spaces',
    ...onlyAdmins,
    summary: 'Reorder spaces',
    body: Type.Object({ space_ids: ids(), group_id: Type.Optional(GroupId) }),
    response: Message,
    errors: ['not_found'],
  }),
  moveSpace: route({
    method: 'PATCH',
    path: '/spaces/space_groups/move-space',
    ...onlyAdmins,
    summary: 'Move a space to a group',
    body: Type.Object({ space_id: Id, group_id: GroupId, serial: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })) }),
    response: Type.Object({
      message: Type.String(),
      space: Type.Object({ id: Id, title: Type.String(), group_id: GroupId, serial: Type.Integer() }),
    }),
    errors: ['not_found'],
  }),
} as const
