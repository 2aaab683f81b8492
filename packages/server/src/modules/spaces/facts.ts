import { factsLoader, type Happened } from '../../jobs/index.ts'
import type { Membership } from './membership.ts'

/** What the projectors of an event need to know about a membership of a space that exists. */
export interface MembershipFacts {
  readonly space_id: number
  readonly user_id: number
  /** Who invited the member or approved the request. */
  readonly by_id: number | null
  readonly happened_at: string
  /** The membership now; null if it has ended. */
  readonly status: Membership['status'] | null
  readonly joined_at: string | null
  /** 0 if the account was deleted. */
  readonly has_account: 0 | 1
}

type MembershipEvent = Pick<Happened<'space.member_joined'> & Happened<'space.member_invited'>, 'approver_id' | 'inviter_id'> &
  Happened<'space.join_requested'>

/** Locks the members and spaces of memberships and loads their present state. No membership is changed without the lock of its space. */
export const loadMembershipFacts = factsLoader<MembershipEvent, MembershipFacts>({
  columns: { space_id: 'bigint', user_id: 'bigint', approver_id: 'bigint', inviter_id: 'bigint', happened_at: 'text' },
  locks: { users: (rows) => `select d.user_id from ${rows} d`, spaces: (rows) => `select d.space_id from ${rows} d` },
  select: (rows) => `select d.space_id, d.user_id, coalesce(d.approver_id, d.inviter_id) as by_id, d.happened_at, m.status, m.joined_at,
    case when u.status = 'deleted' then 0 else 1 end as has_account from ${rows} d join spaces s on s.id = d.space_id
    join users u on u.id = d.user_id left join space_members m on m.space_id = d.space_id and m.user_id = d.user_id`,
})
