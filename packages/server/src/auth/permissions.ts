import type { Permission } from '@lyceum/contract'
import type { Actor } from '../core/context.ts'

type Who = Pick<Actor, 'permissions' | 'managedSpaces'>

/**
 * Whether a manager record grants this permission in a space. Outside spaces, only records that are not limited to spaces grant
 * permissions.
 */
export const may = ({ permissions, managedSpaces }: Who, permission: Permission, spaceId: number | null): boolean =>
  permissions.has(permission) && (managedSpaces === null || (spaceId !== null && managedSpaces.includes(spaceId)))

export const mayAny = (actor: Who, permissions: readonly Permission[], spaceId: number | null): boolean =>
  permissions.some((permission) => may(actor, permission, spaceId))

/** Permissions for work inside spaces. They include reading the content of the spaces of the record. */
export const SPACE_STAFF = [
  'manage_feeds',
  'manage_comments',
  'manage_spaces',
  'manage_space_members',
  'moderate_spaces',
  'resolve_reports',
] as const

/** Whether the actor may read everything published in a space without being a member. Null stands for content outside spaces. */
export const isStaff = (actor: Who, spaceId: number | null): boolean => mayAny(actor, SPACE_STAFF, spaceId)

/** Whether the actor is staff in every space. */
export const isStaffEverywhere = (actor: Who): boolean =>
  actor.managedSpaces === null && SPACE_STAFF.some((permission) => actor.permissions.has(permission))

/** Spaces of a limited manager record; empty for everyone else. */
export const staffSpaces = (actor: Who): readonly number[] =>
  actor.managedSpaces !== null && SPACE_STAFF.some((permission) => actor.permissions.has(permission)) ? actor.managedSpaces : []
