import { FAR, fromNearerEnd } from '../../core/pagination.ts'
import {
  containing,
  type Db,
  matchingPeople,
  matchingPeopleOrEmails,
  namesOf,
  parameters,
  runText,
  statementIn,
  statementOne,
} from '../../db/index.ts'
import { PERSON_COLUMNS, type PersonColumns } from '../members/view.ts'
import type { Membership } from './membership.ts'

export type MemberRow = Membership & PersonColumns

export interface MemberFilter {
  readonly status: Membership['status']
  readonly role?: Membership['role']
  /** Part of a name. */
  readonly search?: string
}

/** The space that a list is about. */
export interface PlaceOfMembers {
  readonly id: number
  /** How many active members it has. */
  readonly members_count: number
}

/** The members of a smaller space are looked at one by one. */
const FEW = 2000

type Value = string | number | null

/** Signs alone are no word: they are looked for in every name. */
const withSigns = (search: string, p: (value: Value) => string) => {
  const pattern = containing(search)
  return `exists (select 1 from users v where v.id = m.user_id
    and (v.username like lower(${p(pattern)}) escape '\\' or lower(v.display_name) like lower(${p(pattern)}) escape '\\'))`
}

const condition = (
  db: Db,
  { id, members_count }: PlaceOfMembers,
  { status, role, search }: MemberFilter,
  p: (value: Value) => string,
): string => {
  const parts = [`m.space_id = ${p(id)}`, `m.status = ${p(status)}`]
  // Moderators and admins are few and have an index of their own, which the first term makes usable.
  if (role) parts.push(role === 'member' ? `m.role = 'member'` : `m.role <> 'member' and m.role = ${p(role)}`)
  if (search) {
    const isLarge = status === 'active' && members_count > FEW
    parts.push((isLarge ? matchingPeople(db, search, p, 'm.user_id') : namesOf(search, p, 'm.user_id')) ?? withSigns(search, p))
  }
  return parts.join(' and ')
}

const pageSql = (
  db: Db,
  columns: string,
  space: PlaceOfMembers,
  filter: MemberFilter,
  direction: 'asc' | 'desc',
  { limit, offset }: { readonly limit: number; readonly offset: number },
) => {
  const { values, p } = parameters()
  const from = `space_members m${columns === 'm.id' ? '' : ' join users u on u.id = m.user_id'}`
  const text = `select ${columns} from ${from} where ${condition(db, space, filter, p)}
    order by m.joined_at ${direction}, m.id ${direction} limit ${p(limit)} offset ${p(offset)}`
  return { text, values }
}

const ROW = `m.*, ${PERSON_COLUMNS}`
const byIds = statementIn<MemberRow>(
  (list) => `select ${ROW} from space_members m join users u on u.id = m.user_id where m.id in (${list(1)})`,
)

/** A page of the members of a space in the order in which they joined; there are `total` in the list. */
export const listMembers = async (
  db: Db,
  space: PlaceOfMembers,
  filter: MemberFilter,
  direction: 'asc' | 'desc',
  window: { readonly limit: number; readonly offset: number },
  total: number,
): Promise<MemberRow[]> => {
  if (window.offset < FAR) {
    const { text, values } = pageSql(db, ROW, space, filter, direction, window)
    return runText<MemberRow>(db, text, values)
  }
  const { reversed, ...near } = fromNearerEnd(window, total)
  const { text, values } = pageSql(db, 'm.id', space, filter, reversed === (direction === 'desc') ? 'asc' : 'desc', near)
  const ids = (await runText<{ id: number }>(db, text, values)).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = new Map((await byIds(db, ids.length, ids)).map((row) => [row.id, row]))
  return (reversed ? ids.toReversed() : ids).flatMap((id) => rows.get(id) ?? [])
}

const countSql = async (db: Db, space: PlaceOfMembers, filter: MemberFilter): Promise<number> => {
  const { values, p } = parameters()
  const text = `select count(*) as total from space_members m where ${condition(db, space, filter, p)}`
  const [row] = await runText<{ total: number }>(db, text, values)
  return row?.total ?? 0
}

const leaders = statementOne<{ n: number }>(
  `select count(*) as n from space_members m where m.space_id = $1 and m.status = 'active' and m.role <> 'member'`,
)

/** How many there are in a list: from what is kept and the few who lead, where it is not narrower. */
export const countMembers = async (db: Db, space: PlaceOfMembers, filter: MemberFilter): Promise<number> => {
  const { status, role, search } = filter
  if (status !== 'active' || search || (role && role !== 'member')) return countSql(db, space, filter)
  return role ? space.members_count - ((await leaders(db, [space.id]))?.n ?? 0) : space.members_count
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

const SHORT = 2

/** Active accounts with this text in their name. */
export const searchUsers = (
  db: Db,
  { text, notIn, byEmail }: UserSearch,
  page: { limit: number; offset: number },
): Promise<FoundUser[]> => {
  const { values, p } = parameters()
  const emails = () => ` or u.id in (select e.id from users e where e.email like ${p(containing(text.toLowerCase()))} escape '\\')`
  // So short a part is in many names: a page of them is soon met in their order.
  const soon = () => `(${namesOf(text, p) ?? '1 = 0'}${byEmail ? emails() : ''})`
  const found = () => (byEmail ? matchingPeopleOrEmails(db, text, p) : (matchingPeople(db, text, p) ?? '1 = 0'))
  const matches = [...text].length <= SHORT ? soon() : found()
  const outside =
    notIn === undefined
      ? ''
      : `and not exists (select 1 from space_members m where m.space_id = ${p(notIn)} and m.user_id = u.id and m.status <> 'pending')`
  const sql = `select u.id, u.username, u.display_name, u.email, u.avatar from users u where u.status = 'active' and ${matches} ${outside}
    order by u.username limit ${p(page.limit)} offset ${p(page.offset)}`
  return runText<FoundUser>(db, sql, values)
}
