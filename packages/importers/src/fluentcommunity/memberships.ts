import type { ArchiveRecord } from '@lyceum/contract/archive'
import { clean, countOf, type KindReader, personId, skipped } from './community.ts'

export interface MembershipRow {
  readonly id: number
  readonly space_id: number | null
  readonly user_id: number | null
  readonly status: string | null
  readonly role: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
  /** Whether the person and the space are imported. */
  readonly person: number
  readonly space: number
}

type Membership = ArchiveRecord<'memberships'>

const STATUSES: Readonly<Record<string, Membership['status']>> = {
  active: 'active',
  pending: 'pending',
  blocked: 'banned',
  banned: 'banned',
}
const ROLES: Readonly<Record<string, Membership['role']>> = { admin: 'admin', moderator: 'moderator' }

/** The reason to skip a row; null if it is imported. */
const reasonOf = (row: MembershipRow, before: MembershipRow | null): string | null => {
  if (row.person === 0) return 'its account does not exist in the source'
  if (row.space === 0) return 'its space does not exist in the source'
  if (STATUSES[clean(row.status)] === undefined) return `its status is ${clean(row.status) || 'empty'}`
  const isSame = before !== null && before.space_id === row.space_id && before.user_id === row.user_id
  return isSame ? 'another row has the same membership' : null
}

/** Groups the rows of a person in a space, the highest role first. */
const ROWS = `select m.*, exists (select 1 from imported_people p where p.id = m.user_id) person, s.id is not null space
  from fcom_space_user m left join fcom_spaces s on s.id = m.space_id where s.type = 'community' or s.id is null
  order by m.space_id, m.user_id, coalesce(m.status, '') <> 'active', m.role = 'admin' desc, m.role = 'moderator' desc, m.id`

export const memberships: KindReader<'memberships'> = {
  table: 'fcom_space_user',
  count: (community) =>
    countOf(community, "from fcom_space_user m left join fcom_spaces s on s.id = m.space_id where s.type = 'community' or s.id is null"),
  read: function* (community) {
    let before: MembershipRow | null = null
    for (const row of community.staging.rows<MembershipRow>(ROWS)) {
      const reason = reasonOf(row, before)
      before = row
      if (reason !== null) yield skipped(row.id, reason)
      else
        yield {
          id: `${row.space_id}-${row.user_id}`,
          space: String(row.space_id),
          person: personId(row.user_id),
          role: ROLES[clean(row.role)] ?? 'member',
          status: STATUSES[clean(row.status)] as Membership['status'],
          joined_at: community.created('fcom_space_user', row.id, row.created_at, row.updated_at),
        }
    }
  },
}
