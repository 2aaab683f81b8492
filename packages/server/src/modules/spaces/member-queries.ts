import { containing, type Db, parameters, runText, statementOne } from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'
import type { Membership } from './membership.ts'

export type MemberRow = Membership & PersonColumns

export interface MemberFilter {
  readonly status: Membership['status']
  readonly role?: Membership['role']
  /** Part of a name. */
  readonly search?: string
}

const condition = (spaceId: number, { status, role, search }: MemberFilter, p: (value: string | number) => string): string => {
  const parts = [`m.space_id = ${p(spaceId)}`, `m.status = ${p(status)}`]
  // Moderators and admins are few and have an index of their own, which the first term makes usable.
  if (role) parts.push(role === 'member' ? `m.role = 'member'` : `m.role <> 'member' and m.role = ${p(role)}`)
  if (search) {
    const pattern = containing(search)
    parts.push(`(u.username like lower(${p(pattern)}) escape '\\' or lower(u.display_name) like lower(${p(pattern)}) escape '\\')`)
  }
  return parts.join(' and ')
}

const TABLES = 'space_members m join users u on u.id = m.user_id'

/** The SQL of one page of a space's members, in the order in which they joined. */
export const membersPageSql = (
  spaceId: number,
  filter: MemberFilter,
  direction: 'asc' | 'desc',
  page: { limit: number; offset: number },
) => {
  const { values, p } = parameters()
  const text = `select m.*, ${PERSON_COLUMNS} from ${TABLES} where ${condition(spaceId, filter, p)}
    order by m.joined_at ${direction}, m.id ${direction} limit ${p(page.limit)} offset ${p(page.offset)}`
  return { text, values }
}

export const listMembers = (db: Db, ...what: Parameters<typeof membersPageSql>): Promise<MemberRow[]> => {
  const { text, values } = membersPageSql(...what)
  return runText<MemberRow>(db, text, values)
}

export const countMembers = async (db: Db, spaceId: number, filter: MemberFilter): Promise<number> => {
  const { values, p } = parameters()
  const tables = filter.search ? TABLES : 'space_members m'
  const [row] = await runText<{ total: number }>(
    db,
    `select count(*) as total from ${tables} where ${condition(spaceId, filter, p)}`,
    values,
  )
  return row?.total ?? 0
}

const active = statementOne<{ id: number }>(`select id from users where id = $1 and status = 'active'`)
export const isActiveUser = async (db: Db, id: number): Promise<boolean> => (await active(db, [id])) !== undefined

export interface FoundUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly avatar: string
}

export interface UserSearch {
  readonly text: string
  /** Leave out who is in this space, or banned from it. */
  readonly notIn?: number
  readonly byEmail: boolean
}

/** Active accounts with this text in their name. */
export const searchUsers = (
  db: Db,
  { text, notIn, byEmail }: UserSearch,
  page: { limit: number; offset: number },
): Promise<FoundUser[]> => {
  const { values, p } = parameters()
  const pattern = containing(text)
  const names = ['u.username', 'lower(u.display_name)', ...(byEmail ? ['u.email'] : [])]
  const matches = names.map((name) => `${name} like lower(${p(pattern)}) escape '\\'`).join(' or ')
  const outside =
    notIn === undefined
      ? ''
      : `and not exists (select 1 from space_members m where m.space_id = ${p(notIn)} and m.user_id = u.id and m.status <> 'pending')`
  const sql = `select u.id, u.username, u.display_name, u.email, u.avatar from users u where u.status = 'active' and (${matches}) ${outside}
    order by u.username limit ${p(page.limit)} offset ${p(page.offset)}`
  return runText<FoundUser>(db, sql, values)
}
