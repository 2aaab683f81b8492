import { FAR, fromNearerEnd } from '../../core/pagination.ts'
import {
  containsText,
  countRows,
  type Db,
  likeContaining,
  matchingUsers,
  matchingUsersOrEmails,
  namesOf,
  type PageWindow,
  type Placeholder,
  type SpaceRow,
  selectRows,
  statementIn,
  statementNumber,
  type UserRow,
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

/** The space whose members are listed, with the number of active ones. */
type MemberListSpace = Pick<SpaceRow, 'id' | 'members_count'>

/** Up to this size, a search checks each member's name instead of the search index. */
const SMALL_SPACE = 2000

/** A search of symbols only has no words, so it matches substrings of all names. */
const containsSymbols = (search: string, p: Placeholder) =>
  `exists (select 1 from users v where v.id = m.user_id and ${containsText(search, p, 'v.username', 'v.display_name')})`

const condition = (db: Db, { id, members_count }: MemberListSpace, { status, role, search }: MemberFilter, p: Placeholder): string => {
  const parts = [`m.space_id = ${p(id)}`, `m.status = ${p(status)}`]
  // Moderators and admins are few and have a partial index, which the first term makes usable.
  if (role) parts.push(role === 'member' ? `m.role = 'member'` : `m.role <> 'member' and m.role = ${p(role)}`)
  if (search) {
    const isLarge = status === 'active' && members_count > SMALL_SPACE
    parts.push((isLarge ? matchingUsers(db, search, p, 'm.user_id') : namesOf(search, p, 'm.user_id')) ?? containsSymbols(search, p))
  }
  return parts.join(' and ')
}

const ROW = `m.*, ${PERSON_COLUMNS}`
const WITH_PERSON = 'space_members m join users u on u.id = m.user_id'
const byIds = statementIn<MemberRow>((list) => `select ${ROW} from ${WITH_PERSON} where m.id in (${list})`)

/** A page of members ordered by joining date. `total` is the size of the whole list; far pages are read from the nearer end. */
export const listMembers = async (
  db: Db,
  space: MemberListSpace,
  filter: MemberFilter,
  direction: 'asc' | 'desc',
  window: PageWindow,
  total: number,
): Promise<MemberRow[]> => {
  const page =
    (order: 'asc' | 'desc', { limit, offset }: PageWindow) =>
    (p: Placeholder) =>
      `where ${condition(db, space, filter, p)} order by m.joined_at ${order}, m.id ${order} limit ${p(limit)} offset ${p(offset)}`
  if (window.offset < FAR) return selectRows<MemberRow>(db, (p) => `select ${ROW} from ${WITH_PERSON} ${page(direction, window)(p)}`)
  const { reversed, ...near } = fromNearerEnd(window, total)
  const nearer = page(reversed === (direction === 'desc') ? 'asc' : 'desc', near)
  const ids = (await selectRows<{ id: number }>(db, (p) => `select m.id from space_members m ${nearer(p)}`)).map(({ id }) => id)
  const rows = new Map((await byIds(db, ids)).map((row) => [row.id, row]))
  return (reversed ? ids.toReversed() : ids).flatMap((id) => rows.get(id) ?? [])
}

const countLeaders = statementNumber(
  `select count(*) as n from space_members m where m.space_id = $1 and m.status = 'active' and m.role <> 'member'`,
)

/** The size of the list: from the stored count if the filter allows, else counted. */
export const countMembers = async (db: Db, space: MemberListSpace, filter: MemberFilter): Promise<number> => {
  const { status, role, search } = filter
  if (status !== 'active' || search || (role && role !== 'member'))
    return countRows(db, (p) => `space_members m where ${condition(db, space, filter, p)}`)
  return role ? space.members_count - (await countLeaders(db, [space.id])) : space.members_count
}

type FoundUser = Pick<UserRow, 'id' | 'username' | 'display_name' | 'email' | 'avatar'>

interface UserSearch {
  readonly text: string
  /** Exclude members of this space and those banned from it. */
  readonly notIn?: number
  readonly byEmail: boolean
}

const SHORT_SEARCH = 2

export const searchUsers = (db: Db, { text, notIn, byEmail }: UserSearch, page: PageWindow): Promise<FoundUser[]> =>
  selectRows<FoundUser>(db, (p) => {
    const emails = () => ` or u.id in (select e.id from users e where e.email like ${p(likeContaining(text.toLowerCase()))} escape '\\')`
    // So short a text is in many names, so scanning in name order fills a page quickly.
    const scanByName = () => `(${namesOf(text, p) ?? '1 = 0'}${byEmail ? emails() : ''})`
    const searchByIndex = () => (byEmail ? matchingUsersOrEmails(db, text, p) : (matchingUsers(db, text, p) ?? '1 = 0'))
    const matches = [...text].length <= SHORT_SEARCH ? scanByName() : searchByIndex()
    const outside =
      notIn === undefined
        ? ''
        : `and not exists (select 1 from space_members m where m.space_id = ${p(notIn)} and m.user_id = u.id and m.status <> 'pending')`
    return `select u.id, u.username, u.display_name, u.email, u.avatar from users u where u.status = 'active' and ${matches} ${outside}
      order by u.username limit ${p(page.limit)} offset ${p(page.offset)}`
  })
