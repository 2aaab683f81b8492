import { MANAGER_ROLES, PERMISSIONS } from '../permissions.ts'
import { type Route, route } from '../route.ts'
import { Datetime, Id, IdOrZero, Message, named, nullable, oneOf, Pagination, paging, pathId } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

export const MANAGER_STATUSES = ['active', 'inactive'] as const
/** Maximum number of spaces that a manager record can be limited to. */
export const MAX_MANAGED_SPACES = 1000

const Permissions = Type.Array(oneOf(PERMISSIONS))
const Spaces = nullable(Type.Array(Id))

const fields = {
  id: Id,
  user_id: Id,
  role: oneOf(MANAGER_ROLES),
  permissions: Permissions,
  spaces: Type.Unsafe<number[] | null>({
    ...Spaces,
    description: 'Ids of the spaces to which the permissions are limited; null for no limit.',
  }),
  status: oneOf(MANAGER_STATUSES),
  assigned_by: IdOrZero,
  created_at: Datetime,
  updated_at: Datetime,
}

/** A manager record: role, permissions and spaces. */
export const Manager = named('Manager', fields)

const writable = {
  role: oneOf(MANAGER_ROLES),
  permissions: Type.Optional(
    nullable(
      Type.Array(oneOf(PERMISSIONS), {
        maxItems: 100,
        description: 'The permissions; default: those of the role. An administrator always has all permissions.',
      }),
    ),
  ),
  spaces: Type.Optional(
    nullable(
      Type.Array(Id, {
        maxItems: MAX_MANAGED_SPACES,
        description: 'Ids of the spaces to which the permissions are limited; null for no limit. Administrators are never limited.',
      }),
    ),
  ),
  status: Type.Optional(oneOf(MANAGER_STATUSES)),
}

const administered = { access: 'admin', feature: 'managers' } as const satisfies Partial<Route>
const userId = pathId('user_id')

export const managers = {
  list: route({
    method: 'GET',
    path: '/admin/managers',
    ...administered,
    summary: 'List managers',
    query: Type.Object({
      ...paging(20),
      role: Type.Optional(oneOf(MANAGER_ROLES)),
      status: Type.Optional(oneOf(MANAGER_STATUSES)),
      search: Type.Optional(
        Type.String({ maxLength: 200, description: 'Only managers whose username, name or email address contains this text.' }),
      ),
    }),
    queryErrors: { role: 'invalid_role' },
    response: Type.Object({ managers: Type.Array(Type.Object({ ...fields, xprofile: Xprofile })), pagination: Pagination }),
  }),
  save: route({
    method: 'POST',
    path: '/admin/managers',
    ...administered,
    summary: 'Create or replace a manager',
    description: 'Returns 200 if a manager record exists: it keeps its id; fields that are not sent take the defaults of the role.',
    body: Type.Object({ user_id: Id, ...writable }),
    fieldErrors: { role: 'invalid_role' },
    response: Type.Object({ ...fields, message: Type.String() }),
    status: 201,
    alternateStatus: 200,
    errors: ['user_not_found', 'last_admin'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/managers/{user_id}',
    ...administered,
    summary: 'Update a manager',
    description: 'Only the fields that are sent change. With a new role and without permissions, the defaults of that role apply.',
    params: userId,
    body: Type.Object({ ...writable, role: Type.Optional(writable.role) }),
    fieldErrors: { role: 'invalid_role' },
    response: Type.Object({ ...fields, message: Type.String() }),
    errors: ['user_not_found', 'last_admin'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/managers/{user_id}',
    ...administered,
    summary: 'Remove a manager',
    params: userId,
    response: Message,
    errors: ['user_not_found', 'last_admin'],
  }),
} as const
