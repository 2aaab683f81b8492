import type { Entry } from '../source.ts'
import { skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { validTime } from './times.ts'

/** A membership, or a request to join. */
export interface MemberRow {
  readonly id: number
  readonly group_id: number
  readonly user_id: number
  /** Ids of the group and the account; null if deleted. */
  readonly space: number | null
  readonly person: number | null
  readonly is_admin: number | null
  readonly is_mod: number | null
  readonly is_confirmed: number | null
  readonly is_banned: number | null
  readonly inviter_id: number | null
  /** Time of joining, or of the request to join. */
  readonly joined: string | null
  readonly date_modified: string | null
  /** Lower bounds for the time of joining. */
  readonly registered: string | null
  readonly founded: string | null
  /** Whether another row for the same group and person takes precedence. */
  readonly is_repeated: number
}

/** The reason to skip a row whose group or account does not exist; null if both exist. */
const missing = ({ space, person }: MemberRow): string | null => {
  if (space === null) return 'its group does not exist in the source'
  return person === null ? 'its account does not exist in the source' : null
}

const roleOf = ({ is_admin, is_mod }: MemberRow) => (is_admin ? 'admin' : is_mod ? 'moderator' : 'member')

/** `request` marks rows of `bp_invitations`. Before version 5, requests were unconfirmed members without an inviter. */
export const membershipOf = (row: MemberRow, site: { readonly founded: string }, request = false): Entry<'memberships'> => {
  const id = request ? `request:${row.id}` : String(row.id)
  const reason = missing(row)
  if (reason) return skipped(id, reason)
  if (row.is_repeated) return skipped(id, 'another row has the same group and account')
  if (!request && !row.is_confirmed && !row.is_banned && row.inviter_id) return skipped(id, 'it is a pending invitation, not a membership')
  const active = !request && row.is_confirmed
  return {
    id,
    space: String(row.space),
    person: String(row.person),
    role: request ? 'member' : roleOf(row),
    status: row.is_banned ? 'banned' : active ? 'active' : 'pending',
    joined_at: validTime(row.joined, row.date_modified, row.founded, row.registered) ?? site.founded,
  }
}

const OTHERS = `g.id as space, u.ID as person, u.user_registered as registered, g.date_created as founded
  from MEMBERS m left join bp_groups g on g.id = m.group_id left join users u on u.ID = m.user_id`
const from = (table: string) => OTHERS.replace('MEMBERS', table)

/** Of several rows for a group and a person, a ban takes precedence, then the highest role. */
const MEMBERS = `select m.id, m.group_id, m.user_id, m.is_admin, m.is_mod, m.is_confirmed, m.is_banned, m.inviter_id, m.date_modified,
  (select meta_value from bp_groups_membermeta j where j.member_id = m.id and j.meta_key = 'joined_date' limit 1) as joined,
  row_number() over (partition by m.group_id, m.user_id
    order by m.is_banned desc, m.is_confirmed desc, m.is_admin desc, m.is_mod desc, m.id) > 1 as is_repeated, ${from('bp_groups_members')}
  order by m.id`

export const ARE_REQUESTS = `type = 'request' and accepted = 0 and class like '%group%'`

const REQUESTS = `select m.id, m.group_id, m.user_id, null as is_admin, null as is_mod, null as is_confirmed, null as is_banned,
  null as inviter_id, m.date_modified, null as joined,
  exists (select 1 from bp_groups_members o where o.group_id = m.group_id and o.user_id = m.user_id and (o.is_confirmed or o.is_banned
    or not o.inviter_id)) or row_number() over (partition by m.group_id, m.user_id order by m.id) > 1 as is_repeated,
  ${from(`(select id, item_id as group_id, user_id, date_modified from bp_invitations where ${ARE_REQUESTS})`)}
  order by m.id`

export function* readMemberships({ staging, site }: Context): Generator<Entry<'memberships'>> {
  for (const row of staging.rows<MemberRow>(MEMBERS)) yield membershipOf(row, site)
  for (const row of staging.rows<MemberRow>(REQUESTS)) yield membershipOf(row, site, true)
}
