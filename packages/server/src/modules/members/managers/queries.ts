import type { api, QueryOf } from '@lyceum/contract'
import {
  type Db,
  likeContaining,
  type ManagerRow,
  namesOf,
  type PageWindow,
  selectPage,
  statement,
  statementExists,
  statementIn,
  statementOne,
} from '../../../db/index.ts'
import { putManager } from '../../accounts/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../view.ts'

export type ManagerRecord = ManagerRow

export const recordOf = statementOne<ManagerRecord>('select * from managers where user_id = $1')

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

export const accountExists = statementExists(`select id from users where id = $1 and status <> 'deleted'`)

const clearSpaces = statement('delete from manager_spaces where user_id = $1')
const addSpace = statement('insert into manager_spaces (user_id, space_id) values ($1, $2) on conflict do nothing')

export interface ManagerFields extends Pick<ManagerRecord, 'role' | 'permissions' | 'status'> {
  /** null: everywhere. */
  readonly spaces: readonly number[] | null
}

export const putRecord = async (db: Db, userId: number, fields: ManagerFields, assignedBy: number, now: string): Promise<void> => {
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
