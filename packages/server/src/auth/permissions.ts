import type { Permission } from '@lyceum/contract'
import type { Actor } from '../core/context.ts'

type Who = Pick<Actor, 'permissions' | 'managedSpaces'>

/** Whether a manager record allows this in that space; outside of spaces only records that are limited to none do. */
export const may = ({ permissions, managedSpaces }: Who, permission: Permission, spaceId: number | null): boolean =>
  permissions.has(permission) && (managedSpaces === null || (spaceId !== null && managedSpaces.includes(spaceId)))

export const mayAny = (actor: Who, permissions: readonly Permission[], spaceId: number | null): boolean =>
  permissions.some((permission) => may(actor, permission, spaceId))

/** Permissions whose holders work inside spaces, and therefore read what is in the spaces of their record. */
export const SPACE_STAFF = [
  'manage_feeds',
  'manage_comments',
  'manage_spaces',
  'manage_space_members',
  'moderate_spaces',
  'resolve_reports',
] as const

/** Reads everything that is published in that space (null: outside of spaces), without being a member. */
export const isStaff = (actor: Who, spaceId: number | null): boolean => mayAny(actor, SPACE_STAFF, spaceId)

/** Staff of every space. */
export const isStaffEverywhere = (actor: Who): boolean =>
  actor.managedSpaces === null && SPACE_STAFF.some((permission) => actor.permissions.has(permission))

/** The spaces a limited staff record covers; empty for everybody else. */
export const staffSpaces = (actor: Who): readonly number[] =>
  actor.managedSpaces !== null && SPACE_STAFF.some((permission) => actor.permissions.has(permission)) ? actor.managedSpaces : []
