import { type api, type BodyOf, DEFAULT_PERMISSIONS, type ManagerRole, PERMISSIONS, type Permission } from '@lyceum/contract'
import type { WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { lockName } from '../../../db/index.ts'
import { dropManager, MANAGERS_LOCK, requireAnotherAdmin } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'
import { accountExists, type ManagerFields, type ManagerRecord, putRecord, recordOf, spacesAmong, spacesOf } from './queries.ts'

type ManagerInput = Partial<BodyOf<typeof api.managers.save>>

/** Permissions without duplicates, in the order of the contract. */
const sortPermissions = (given: readonly Permission[]): Permission[] => PERMISSIONS.filter((permission) => given.includes(permission))

const checkedSpaces = async ({ db }: WriteRequest, given: readonly number[] | null): Promise<number[] | null> => {
  if (!given) return null
  const ids = [...new Set(given)].sort((a, b) => a - b)
  const known = await spacesAmong(db, ids)
  const missing = ids.filter((id) => !known.has(id))
  if (missing.length > 0) throw new ApiError('invalid_data', { data: { errors: { spaces: `there is no space ${missing.join(', ')}` } } })
  return ids
}

const permissionsFor = (role: ManagerRole, given: readonly Permission[] | null | undefined, kept?: readonly Permission[]): Permission[] => {
  if (role === 'admin') return [...PERMISSIONS]
  return sortPermissions(given ?? kept ?? DEFAULT_PERMISSIONS[role])
}

/** Changes of manager records are serialized, so that a decision is never based on an outdated role. */
const lockRecord = async ({ db }: WriteRequest, userId: number): Promise<ManagerRecord | undefined> => {
  await lockName(db, MANAGERS_LOCK)
  return recordOf(db, [userId])
}

const lockExistingRecord = async (ctx: WriteRequest, userId: number): Promise<ManagerRecord> => {
  const record = await lockRecord(ctx, userId)
  if (!record) throw new ApiError('user_not_found')
  return record
}

const store = async (ctx: WriteRequest, userId: number, fields: ManagerFields): Promise<void> => {
  await putRecord(ctx.db, userId, fields, ctx.actor.id, ctx.now)
  await ctx.emit('manager.changed', { user_id: userId })
  const { role, status, spaces } = fields
  const details = { role, status, spaces, permissions: JSON.parse(fields.permissions) as Permission[] }
  await audit(ctx, 'manager.saved', { object_type: 'user', object_id: userId, details })
}

/** Whether an administrator with these fields would no longer be one. */
const losesAdmin = (fields: Pick<ManagerFields, 'role' | 'status'>): boolean => fields.role !== 'admin' || fields.status !== 'active'

/**
 * Creates or replaces a manager record from the body and the defaults of the role. @returns whether it is new
 * @throws user_not_found, last_admin, invalid_data
 */
export const saveManager = async (
  ctx: WriteRequest,
  userId: number,
  input: ManagerInput & { readonly role: ManagerRole },
): Promise<boolean> => {
  const { role, permissions, status = 'active' } = input
  if (!(await accountExists(ctx.db, [userId]))) throw new ApiError('user_not_found')
  const before = await lockRecord(ctx, userId)
  if (losesAdmin({ role, status })) await requireAnotherAdmin(ctx.db, userId)
  const spaces = role === 'admin' ? null : await checkedSpaces(ctx, input.spaces ?? null)
  await store(ctx, userId, { role, permissions: JSON.stringify(permissionsFor(role, permissions)), spaces, status })
  return before === undefined
}

/** @throws user_not_found without a record, last_admin, invalid_data */
export const changeManager = async (ctx: WriteRequest, userId: number, input: ManagerInput): Promise<void> => {
  const before = await lockExistingRecord(ctx, userId)
  const { role = before.role, status = before.status } = input
  if (losesAdmin({ role, status })) await requireAnotherAdmin(ctx.db, userId)
  const kept = role === before.role ? (JSON.parse(before.permissions) as Permission[]) : undefined
  const permissions = permissionsFor(role, input.permissions, kept)
  const heldSpaces = before.all_spaces ? null : ((await spacesOf(ctx.db, [userId])).get(userId) ?? [])
  const spaces = role === 'admin' ? null : input.spaces === undefined ? heldSpaces : await checkedSpaces(ctx, input.spaces)
  await store(ctx, userId, { role, permissions: JSON.stringify(permissions), spaces, status })
}

/** @throws user_not_found without a record, last_admin */
export const removeManager = async (ctx: WriteRequest, userId: number): Promise<void> => {
  await lockExistingRecord(ctx, userId)
  await requireAnotherAdmin(ctx.db, userId)
  await dropManager(ctx.db, [userId])
  await ctx.emit('manager.changed', { user_id: userId })
  await audit(ctx, 'manager.removed', { object_type: 'user', object_id: userId })
}
