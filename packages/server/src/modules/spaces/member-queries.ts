import { FAR, fromNearerEnd } from '../../core/pagination.ts'
import {
  type Db,
  likeContaining,
  matchingUsers,
  matchingUsersOrEmails,
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

/** The space whose members are listed. */
interface MemberListSpace {
  readonly id: number
  /** Number of active members. */
  readonly members_count: number
}

/** Up to this size, a search checks each member's name instead of the search index. */
const SMALL_SPACE = 2000

type Value = string | number | null

/** A search of symbols only has no words, so it matches substrings of all names. */
const containsSymbols = (search: string, p: (value: Value) => string) => {
  const pattern = likeContaining(search)
  return `exists (select 1 from users v where v.id = m.user_id
    and (v.username like lower(${p(pattern)}) escape '\\' or lower(v.display_name) like lower(${p(pattern)}) escape '\\'))`
}

const condition = (
  db: Db,
  { id, members_count }: MemberListSpace,
  { status, role, search }: MemberFilter,
  p: (value: Value) => string,
): string => {
  const parts = [`m.space_id = ${p(id)}`, `m.status = ${p(status)}`]
  // Moderators and admins are few and have a partial index, which the first term makes usable.
  if (role) parts.push(role === 'member' ? `m.role = 'member'` : `m.role <> 'member' and m.role = ${p(role)}`)
  if (search) {
    const isLarge = status === 'active' && members_count > SMALL_SPACE
    parts.push((isLarge ? matchingUsers(db, search, p, 'm.user_id') : namesOf(search, p, 'm.user_id')) ?? containsSymbols(search, p))
  }
  return parts.join(' and ')
}

const pageSql = (
  db: Db,
  columns: string,
  space: MemberListSpace,
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

/** A page of members ordered by joining date. `total` is the size of the whole list; far pages are read from the nearer end. */
export const listMembers = async (
  db: Db,
  space: MemberListSpace,
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

const countSql = async (db: Db, space: MemberListSpace, filter: MemberFilter): Promise<number> => {
  const { values, p } = parameters()
  const text = `select count(*) as total from space_members m where ${condition(db, space, filter, p)}`
  const [row] = await runText<{ total: number }>(db, text, values)
  return row?.total ?? 0
}

const countLeaders = statementOne<{ n: number }>(
  `select count(*) as n from space_members m where m.space_id = $1 and m.status = 'active' and m.role <> 'member'`,
)

/** The size of the list: from the stored count if the filter allows, else counted. */
export const countMembers = async (db: Db, space: MemberListSpace, filter: MemberFilter): Promise<number> => {
  const { status, role, search } = filter
  if (status !== 'active' || search || (role && role !== 'member')) return countSql(db, space, filter)
  return role ? space.members_count - ((await countLeaders(db, [space.id]))?.n ?? 0) : space.members_count
}

const active = statementOne<{ id: number }>(`select id from users where id = $1 and status = 'active'`)
export const isActiveUser = async (db: Db, id: number): Promise<boolean> => (await active(db, [id])) !== undefined

interface FoundUser {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly avatar: string
}

interface UserSearch {
  readonly text: string
  /** Exclude members of this space and those banned from it. */
  readonly notIn?: number
  readonly byEmail: boolean
}

const SHORT_SEARCH = 2

/** Active accounts with this text in their name. */
export const searchUsers = (
  db: Db,
  { text, notIn, byEmail }: UserSearch,
  page: { limit: number; offset: number },
): Promise<FoundUser[]> => {
  const { values, p } = parameters()
  const emails = () => ` or u.id in (select e.id from users e where e.email like ${p(likeContaining(text.toLowerCase()))} escape '\\')`
  // So short a text is in many names, so scanning in name order fills a page quickly.
  const scanByName = () => `(${namesOf(text, p) ?? '1 = 0'}${byEmail ? emails() : ''})`
  const searchByIndex = () => (byEmail ? matchingUsersOrEmails(db, text, p) : (matchingUsers(db, text, p) ?? '1 = 0'))
  const matches = [...text].length <= SHORT_SEARCH ? scanByName() : searchByIndex()
  const outside =
    notIn === undefined
      ? ''
      : `and not exists (select 1 from space_members m where m.space_id = ${p(notIn)} and m.user_id = u.id and m.status <> 'pending')`
  const sql = `select u.id, u.username, u.display_name, u.email, u.avatar from users u where u.status = 'active' and ${matches} ${outside}
    order by u.username limit ${p(page.limit)} offset ${p(page.offset)}`
  return runText<FoundUser>(db, sql, values)
}
