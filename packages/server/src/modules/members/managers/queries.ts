import type { ManagerRole } from '@lyceum/contract'
import { type Db, likeContaining, namesOf, parameters, runText, statement, statementIn, statementOne } from '../../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../view.ts'

export interface ManagerRecord {
  readonly id: number
  readonly user_id: number
  readonly role: ManagerRole
  readonly permissions: string
  readonly all_spaces: 0 | 1
  readonly status: 'active' | 'inactive'
  readonly assigned_by: number | null
  readonly created_at: string
  readonly updated_at: string
}

const COLUMNS = 'm.id, m.user_id, m.role, m.permissions, m.all_spaces, m.status, m.assigned_by, m.created_at, m.updated_at'

const byUser = statementOne<ManagerRecord>(`select ${COLUMNS} from managers m where m.user_id = $1`)
export const recordOf = (db: Db, userId: number) => byUser(db, [userId])

const spacesBy = statementIn<{ user_id: number; space_id: number }>(
  (list) => `select user_id, space_id from manager_spaces where user_id in (${list(1)}) order by user_id, space_id`,
)
/** The spaces of each record, by user id. */
export const spacesOf = async (db: Db, userIds: readonly number[]): Promise<ReadonlyMap<number, number[]>> => {
  const rows = userIds.length > 0 ? await spacesBy(db, userIds.length, userIds) : []
  return new Map([...Map.groupBy(rows, (row) => row.user_id)].map(([user, list]) => [user, list.map((row) => row.space_id)]))
}

const existing = statementIn<{ id: number }>((list) => `select id from spaces where id in (${list(1)})`)
export const spacesAmong = async (db: Db, ids: readonly number[]): Promise<Set<number>> =>
  new Set(ids.length > 0 ? (await existing(db, ids.length, ids)).map((row) => row.id) : [])

const account = statementOne<{ id: number }>(`select id from users where id = $1 and status <> 'deleted'`)
export const accountExists = async (db: Db, userId: number) => (await account(db, [userId])) !== undefined

const put = statement(
  `insert into managers (user_id, role, permissions, all_spaces, status, assigned_by, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)
   on conflict (user_id) do update set role = excluded.role, permissions = excluded.permissions, all_spaces = excluded.all_spaces,
     status = excluded.status, assigned_by = excluded.assigned_by, updated_at = excluded.updated_at`,
)
const clearSpaces = statement('delete from manager_spaces where user_id = $1')
const addSpace = statement('insert into manager_spaces (user_id, space_id) values ($1, $2) on conflict do nothing')

export interface ManagerFields {
  readonly role: ManagerRole
  readonly permissions: string
  /** null: everywhere. */
  readonly spaces: readonly number[] | null
  readonly status: 'active' | 'inactive'
}

export const putRecord = async (db: Db, userId: number, fields: ManagerFields, assignedBy: number, now: string): Promise<void> => {
  const { role, permissions, spaces, status } = fields
  await put(db, [userId, role, permissions, spaces ? 0 : 1, status, assignedBy, now])
  await clearSpaces(db, [userId])
  for (const space of spaces ?? []) await addSpace(db, [userId, space])
}

const drop = statement('delete from managers where user_id = $1')
export const dropRecord = (db: Db, userId: number) => drop(db, [userId])

interface ManagerFilter {
  readonly role?: ManagerRole | undefined
  readonly status?: 'active' | 'inactive' | undefined
  readonly search?: string | undefined
}

interface ManagerListRow extends ManagerRecord, PersonColumns {}

/** A page of the records, newest first, and their total. Managers are few, so counting them is cheap. */
export const listRecords = async (
  db: Db,
  { role, status, search }: ManagerFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ rows: ManagerListRow[]; total: number }> => {
  const { values, p } = parameters()
  const terms = [
    ...(role ? [`m.role = ${p(role)}`] : []),
    ...(status ? [`m.status = ${p(status)}`] : []),
    ...(search
      ? [`(${namesOf(search, p, 'm.user_id') ?? '1 = 0'} or u.email like ${p(likeContaining(search.toLowerCase()))} escape '\\')`]
      : []),
  ]
  // `cross` makes SQLite start with the few records.
  const from = `from managers m cross join users u where u.id = m.user_id${terms.map((term) => ` and ${term}`).join('')}`
  const [counted] = await runText<{ n: number }>(db, `select count(*) as n ${from}`, [...values])
  const text = `select ${COLUMNS}, ${PERSON_COLUMNS} ${from} order by m.id desc limit ${p(limit)} offset ${p(offset)}`
  return { rows: await runText<ManagerListRow>(db, text, values), total: counted?.n ?? 0 }
}
