import type { ACCOUNT_STATUSES, AccountRole, MEMBER_ORDERS } from '@lyceum/contract'
import { FAR, fromNearerEnd, type NewSince } from '../../../core/pagination.ts'
import {
  countRows,
  type Db,
  matchingUsers,
  matchingUsersOrEmails,
  namesStartingWith,
  type PageWindow,
  type Placeholder,
  selectRows,
  statementIn,
  statementOne,
  type UserRow,
} from '../../../db/index.ts'
import { MEMBER_COLUMNS, type MemberColumns } from '../view.ts'

type OrderName = (typeof MEMBER_ORDERS)[number]
type Status = (typeof ACCOUNT_STATUSES)[number]
/** Each order has an index. */
const ORDERS: Readonly<Record<OrderName, string>> = {
  created_at: 'u.created_at',
  display_name: 'u.display_name',
  last_seen: `coalesce(u.last_activity, '')`,
  updated_at: 'u.updated_at',
}

export interface DirectorySpace {
  readonly id: number
  /** Number of active members. */
  readonly members_count: number
}

export interface MemberFilter {
  readonly status: Status
  readonly role?: AccountRole | undefined
  readonly space?: DirectorySpace | undefined
  readonly search?: string | undefined
  readonly newSince?: NewSince
  /** The search includes email addresses. */
  readonly byEmail?: boolean
}

const ROLES: Readonly<Record<AccountRole, string>> = {
  member: `not exists (select 1 from managers g where g.user_id = u.id and g.status = 'active')`,
  moderator: `u.id in (select g.user_id from managers g where g.status = 'active' and g.role <> 'admin')`,
  admin: `u.id in (select g.user_id from managers g where g.status = 'active' and g.role = 'admin')`,
}

/** Members of a smaller space are scanned one by one; in a larger one, enough members are found in any order. */
const SMALL_SPACE = 500

const isMemberOf = (space: DirectorySpace, p: Placeholder, who = 'u.id') =>
  `exists (select 1 from space_members k where k.space_id = ${p(space.id)} and k.user_id = ${who} and k.status = 'active')`
const inMembersOf = (space: DirectorySpace, p: Placeholder, who = 'u.id') =>
  `${who} in (select k.user_id from space_members k where k.space_id = ${p(space.id)} and k.status = 'active')`

const matching = (db: Db, search: string, byEmail: boolean, p: Placeholder): string =>
  byEmail ? matchingUsersOrEmails(db, search, p) : (matchingUsers(db, search, p) ?? '1 = 0')

const condition = (db: Db, { status, role, space, search, newSince, byEmail = false }: MemberFilter, p: Placeholder): string =>
  [
    // Inactive accounts are few and have a partial index, which the first condition makes usable.
    status === 'active' ? `u.status = 'active'` : `u.status <> 'active' and u.status = ${p(status)}`,
    ...(newSince?.since ? [`u.created_at >= ${p(newSince.since)}`] : []),
    ...(newSince?.updatedSince ? [`u.updated_at >= ${p(newSince.updatedSince)}`] : []),
    ...(role ? [ROLES[role]] : []),
    ...(space ? [(search || space.members_count > SMALL_SPACE ? isMemberOf : inMembersOf)(space, p)] : []),
    ...(search ? [matching(db, search, byEmail, p)] : []),
  ].join(' and ')

interface Direction {
  readonly by: OrderName
  readonly direction: 'asc' | 'desc'
}

const orderBy = ({ by, direction }: Direction) => `${ORDERS[by]} ${direction}, u.id ${direction}`

const membersBy = statementIn<MemberColumns>((list) => `select ${MEMBER_COLUMNS} from users u where u.id in (${list})`)
const byIds = async (db: Db, ids: readonly number[]): Promise<MemberColumns[]> => {
  const found = new Map((await membersBy(db, ids)).map((row) => [row.user_id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** A page of the list, which has `total` members. */
export const listMembers = async (
  db: Db,
  filter: MemberFilter,
  order: Direction,
  window: PageWindow,
  total: number,
): Promise<MemberColumns[]> => {
  const page =
    (columns: string, by: string, { limit, offset }: PageWindow) =>
    (p: Placeholder) =>
      `select ${columns} from users u where ${condition(db, filter, p)} order by ${by} limit ${p(limit)} offset ${p(offset)}`
  if (window.offset < FAR) return selectRows<MemberColumns>(db, page(MEMBER_COLUMNS, orderBy(order), window))
  const { reversed, ...near } = fromNearerEnd(window, total)
  const direction = reversed === (order.direction === 'desc') ? 'asc' : 'desc'
  const ids = (await selectRows<{ id: number }>(db, page('u.id', orderBy({ ...order, direction }), near))).map(({ id }) => id)
  return byIds(db, reversed ? ids.toReversed() : ids)
}

/** A page of search results and their total number, from a single pass over the matches. */
export const searchMembers = async (
  db: Db,
  filter: MemberFilter,
  order: Direction,
  { limit, offset }: PageWindow,
): Promise<{ rows: MemberColumns[]; total: number }> => {
  const by = orderBy(order)
  const hits = (p: Placeholder) => `select u.id as hit, count(*) over () as total from users u where ${condition(db, filter, p)}
    order by ${by} limit ${p(limit)} offset ${p(offset)}`
  const rows = await selectRows<MemberColumns & { total: number }>(
    db,
    (p) => `select ${MEMBER_COLUMNS}, h.total from (${hits(p)}) h join users u on u.id = h.hit order by ${by}`,
  )
  const [first] = rows
  return { rows, total: first?.total ?? (offset === 0 ? 0 : await countMembers(db, filter)) }
}

/** All accounts minus inactive ones: both counts read only indexes. */
const ACTIVE = `(select count(*) from users) - (select count(*) from users where status <> 'active')`
/** Managers are few. */
const STAFF = `(select count(*) from managers g where g.status = 'active'
  and exists (select 1 from users u where u.id = g.user_id and u.status = 'active'))`

const inactiveIn = (space: DirectorySpace, p: Placeholder) =>
  `(select count(*) from users u where u.status <> 'active' and ${isMemberOf(space, p)})`

/** SQL for a count from stored counts and small tables; null if the list must be counted. */
const cheapCount = ({ status, role, space, search, newSince }: MemberFilter, p: Placeholder): string | null => {
  if (status !== 'active' || search || newSince?.since || newSince?.updatedSince) return null
  if (space) return role ? null : `${p(space.members_count)} - ${inactiveIn(space, p)}`
  if (!role) return ACTIVE
  return role === 'member' ? `${ACTIVE} - ${STAFF}` : null
}

export const countMembers = async (db: Db, filter: MemberFilter): Promise<number> => {
  const count = (p: Placeholder) => cheapCount(filter, p) ?? `(select count(*) from users u where ${condition(db, filter, p)})`
  const [row] = await selectRows<{ n: number }>(db, (p) => `select ${count(p)} as n`)
  return row?.n ?? 0
}

export interface Completion {
  readonly part: string
  readonly exceptId: number
  readonly space?: DirectorySpace | undefined
}

const membersOnly = (space: DirectorySpace | undefined, p: Placeholder, who: string) =>
  space ? ` and ${(space.members_count > SMALL_SPACE ? isMemberOf : inMembersOf)(space, p, who)}` : ''

/** A person may have several names with the same start, each in a row. */
const ROWS_PER_PERSON = 4
/** A part this short matches only the start of words. */
const SHORT_PART = 2

const named = async (db: Db, { part, exceptId, space }: Completion, head: 0 | 1, limit: number): Promise<number[]> => {
  const rows = await selectRows<{ user_id: number }>(
    db,
    (p) => `select n.user_id from user_name_tokens n where ${namesStartingWith(part, p) ?? '1 = 0'} and n.is_whole_word = ${head}
      and n.user_id <> ${p(exceptId)}${membersOnly(space, p, 'n.user_id')}
      and exists (select 1 from users u where u.id = n.user_id and u.status = 'active')
      order by n.token, n.user_id limit ${p(limit * ROWS_PER_PERSON)}`,
  )
  return rows.map((row) => row.user_id)
}

/**
 * Suggestions for a mention: names with a word that starts with the part come first, whole words before longer ones. Without a part, the
 * most recently active.
 */
export const completeMention = async (db: Db, asked: Completion, limit: number): Promise<MemberColumns[]> => {
  const { part, exceptId, space } = asked
  if (part === '')
    return selectRows<MemberColumns>(
      db,
      (p) => `select ${MEMBER_COLUMNS} from users u where u.status = 'active' and u.id <> ${p(exceptId)}${membersOnly(space, p, 'u.id')}
        order by ${ORDERS.last_seen} desc, u.id desc limit ${p(limit)}`,
    )
  const first = await named(db, asked, 1, limit)
  const others = [...part].length > SHORT_PART && new Set(first).size < limit ? await named(db, asked, 0, limit) : []
  return byIds(db, [...new Set([...first, ...others])].slice(0, limit))
}

export type Seen = Pick<UserRow, 'id' | 'username' | 'display_name' | 'avatar' | 'last_activity' | 'created_at'>

const SEEN = 'u.id, u.username, u.display_name, u.avatar, u.last_activity, u.created_at'

const seen = (since: string, exceptId: number, p: Placeholder) =>
  `coalesce(u.last_activity, '') >= ${p(since)} and u.status = 'active' and u.id <> ${p(exceptId)}`

/** Active members, except one, seen since then; most recent first. */
export const seenSince = (db: Db, since: string, exceptId: number, limit: number) =>
  selectRows<Seen>(
    db,
    (p) => `select ${SEEN} from users u where ${seen(since, exceptId, p)} order by ${ORDERS.last_seen} desc, u.id desc limit ${p(limit)}`,
  )

export const countSeenSince = (db: Db, since: string, exceptId: number) => countRows(db, (p) => `users u where ${seen(since, exceptId, p)}`)

/** Active members who joined since then, newest first. */
export const joinedSince = (db: Db, since: string, limit: number) =>
  selectRows<Seen>(
    db,
    (p) => `select ${SEEN} from users u where u.created_at >= ${p(since)} and u.status = 'active'
      order by u.created_at desc, u.id desc limit ${p(limit)}`,
  )

export const activeAmong = statementIn<Seen>((list) => `select ${SEEN} from users u where u.id in (${list}) and u.status = 'active'`)

export const memberById = statementOne<MemberColumns>(`select ${MEMBER_COLUMNS} from users u where u.id = $1`)
