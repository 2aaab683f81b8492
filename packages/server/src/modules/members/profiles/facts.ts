import type { Selectable } from 'kysely'
import type { UserRow } from '../../../db/index.ts'
import { factsLoader, type Happened } from '../../../jobs/index.ts'
import type { Fillable } from './completeness.ts'

/** What the projectors of an event need to know about an account. */
export interface UserFacts extends Fillable, Pick<Selectable<UserRow>, 'id' | 'username' | 'display_name' | 'status'> {
  readonly happened_at: string
  /** 0 if it was deleted. */
  readonly has_account: 0 | 1
  /** Whether it has an active manager record. */
  readonly is_manager: 0 | 1
}

/** Locks accounts and loads them. */
export const loadUserFacts = factsLoader<Happened<'user.profile_updated'>, UserFacts>({
  columns: { user_id: 'bigint', happened_at: 'text' },
  locks: { users: (rows) => `select d.user_id from ${rows} d` },
  select: (
    rows,
  ) => `select u.id, u.username, u.display_name, u.status, u.first_name, u.last_name, u.short_description, u.location, u.website,
    u.avatar, u.cover_photo, u.social_links, d.happened_at, case when u.status = 'deleted' then 0 else 1 end as has_account,
    case when m.user_id is null then 0 else 1 end as is_manager
    from ${rows} d join users u on u.id = d.user_id left join managers m on m.user_id = u.id and m.status = 'active'`,
})
