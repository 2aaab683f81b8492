import { type api, type BodyOf, DEFAULT_PERMISSIONS, type ManagerRole, PERMISSIONS, type Permission, type QueryOf } from '@lyceum/contract'
import type { WriteRequest } from '../../../core/context.ts'
import { ApiError } from '../../../core/errors.ts'
import {
  type Db,
  likeContaining,
  lockName,
  type ManagerRow,
  namesOf,
  type PageWindow,
  selectPage,
  statement,
  statementExists,
  statementIn,
  statementOne,
} from '../../../db/index.ts'
import { dropManager, MANAGERS_LOCK, putManager, requireAnotherAdmin } from '../../accounts/index.ts'
import { audit } from '../../audit/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../view.ts'

export type ManagerRecord = ManagerRow

export const recordOf = statementOne<ManagerRecord>('select * from managers where user_id = $1')

const spacesBy = statementIn<{ user_id: number; space_id: number }>(
  (list) => `select user_id, space_id from manager_spaces where user_id in (${list}) order by user_id, space_id`,
)
export const spacesOf = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> => {
  const rows = await spacesBy(db, userIds)
  return new Map([...Map.groupBy(rows, (row) => row.user_id)].map(([user, list]) => [user, list.map((row) => row.space_id)]))
}

const existing = statementIn<{ id: number }>((list) => `select id from spaces where id in (${list})`)
const spacesAmong = async (db: Db, ids: readonly number[]): Promise<Set<number>> => new Set((await existing(db, ids)).map((row) => row.id))

const accountExists = statementExists(`select id from users where id = $1 and status <> 'deleted'`)

const clearSpaces = statement('delete from manager_spaces where user_id = $1')
const addSpace = statement('insert into manager_spaces (user_id, space_id) values ($1, $2) on conflict do nothing')

export interface ManagerFields extends Pick<ManagerRecord, 'role' | 'permissions' | 'status'> {
  /** null: everywhere. */
  readonly spaces: readonly number[] | null
}

const putRecord = async (db: Db, userId: number, fields: ManagerFields, assignedBy: number, now: string): Promise<void> => {
  const { role, permissions, spaces, status } = fields
  await putManager(db, [userId, role, permissions, spaces ? 0 : 1, status, assignedBy, now])
  await clearSpaces(db, [userId])
  for (const space of spaces ?? []) await addSpace(db, [userId, space])
}

/** A page of the records, newest first, and their total. Managers are few, so counting them is cheap. */
export const listRecords = (db: Db, { role, status, search }: QueryOf<typeof api.managers.list>, page: PageWindow) =>
  selectPage<ManagerRecord & PersonColumns>(
    db,
    {
      columns: `m.*, ${PERSON_COLUMNS}`,
      // `cross` makes SQLite start with the few records.
      tables: 'managers m cross join users u',
      where: (p) => {
        const terms = ['u.id = m.user_id']
        if (role) terms.push(`m.role = ${p(role)}`)
        if (status) terms.push(`m.status = ${p(status)}`)
        const byName = search && (namesOf(search, p, 'm.user_id') ?? '1 = 0')
        if (search) terms.push(`(${byName} or u.email like ${p(likeContaining(search.toLowerCase()))} escape '\\')`)
        return terms.join(' and ')
      },
      order: 'm.id desc',
    },
    page,
  )

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
