import { type api, type BodyOf, DEFAULT_PERMISSIONS, type ManagerRole, PERMISSIONS, type Permission } from '@lyceum/contract'
import type { WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import { lockName } from '../../../db/index.ts'
import { MANAGERS_LOCK, requireAnotherAdmin } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'
import { accountExists, dropRecord, type ManagerFields, type ManagerRecord, putRecord, recordOf, spacesAmong, spacesOf } from './queries.ts'

export type ManagerInput = Partial<BodyOf<typeof api.managers.save>>

/** Permissions in the order of the contract, each once. */
const inOrder = (given: readonly Permission[]): Permission[] => PERMISSIONS.filter((permission) => given.includes(permission))

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
  return inOrder(given ?? kept ?? DEFAULT_PERMISSIONS[role])
}

/** Records change one after the other, so that nobody is lowered by who was told that he is no administrator yet. */
const hold = async ({ db }: WriteRequest, userId: number): Promise<ManagerRecord | undefined> => {
  await lockName(db, MANAGERS_LOCK)
  return recordOf(db, userId)
}

const held = async (ctx: WriteRequest, userId: number): Promise<ManagerRecord> => {
  const record = await hold(ctx, userId)
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

/** Whoever administers now would no longer. */
const steppingDown = (fields: Pick<ManagerFields, 'role' | 'status'>): boolean => fields.role !== 'admin' || fields.status !== 'active'

/**
 * Gives a record, or replaces the one there is with what is sent and the defaults of the role.
 * @returns whether there was none
 * @throws user_not_found, last_admin, invalid_data
 */
export const saveManager = async (
  ctx: WriteRequest,
  userId: number,
  input: ManagerInput & { readonly role: ManagerRole },
): Promise<boolean> => {
  const { role, permissions, status = 'active' } = input
  if (!(await accountExists(ctx.db, userId))) throw new ApiError('user_not_found')
  const before = await hold(ctx, userId)
  if (steppingDown({ role, status })) await requireAnotherAdmin(ctx.db, userId)
  const spaces = role === 'admin' ? null : await checkedSpaces(ctx, input.spaces ?? null)
  await store(ctx, userId, { role, permissions: JSON.stringify(permissionsFor(role, permissions)), spaces, status })
  return before === undefined
}

/** @throws user_not_found where there is no record, last_admin, invalid_data */
export const changeManager = async (ctx: WriteRequest, userId: number, input: ManagerInput): Promise<void> => {
  const before = await held(ctx, userId)
  const { role = before.role, status = before.status } = input
  if (steppingDown({ role, status })) await requireAnotherAdmin(ctx.db, userId)
  const kept = role === before.role ? (JSON.parse(before.permissions) as Permission[]) : undefined
  const permissions = permissionsFor(role, input.permissions, kept)
  const heldSpaces = before.all_spaces ? null : ((await spacesOf(ctx.db, [userId])).get(userId) ?? [])
  const spaces = role === 'admin' ? null : input.spaces === undefined ? heldSpaces : await checkedSpaces(ctx, input.spaces)
  await store(ctx, userId, { role, permissions: JSON.stringify(permissions), spaces, status })
}

/** @throws user_not_found where there is no record, last_admin */
export const removeManager = async (ctx: WriteRequest, userId: number): Promise<void> => {
  await held(ctx, userId)
  await requireAnotherAdmin(ctx.db, userId)
  await dropRecord(ctx.db, userId)
  await ctx.emit('manager.changed', { user_id: userId })
  await audit(ctx, 'manager.removed', { object_type: 'user', object_id: userId })
}
