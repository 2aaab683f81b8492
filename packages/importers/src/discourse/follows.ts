import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Community } from './community.ts'

interface Row {
  readonly follower_id: number
  readonly user_id: number
  readonly created_at: string | null
  readonly accounts: number
}

const FOLLOWS = `select f.follower_id, f.user_id, min(f.created_at) as created_at,
    (select count(*) from account where id in (f.follower_id, f.user_id)) as accounts
  from user_followers f group by f.follower_id, f.user_id order by f.follower_id, f.user_id`

export const countFollows = ({ staging }: Community): number => staging.get<{ n: number }>(`select count(*) as n from (${FOLLOWS})`)?.n ?? 0

/** Follows, from the follow plugin. */
export function* readFollows({ staging, earliest }: Community): Generator<Entry<'follows'>> {
  for (const { follower_id, user_id, created_at, accounts } of staging.rows<Row>(FOLLOWS)) {
    const id = `${follower_id}:${user_id}`
    if (accounts < 2) yield leftOut(id, 'its account does not exist in the source')
    else
      yield {
        id,
        follower: String(follower_id),
        following: String(user_id),
        status: 'active',
        created_at: datetimeFromText(created_at) ?? earliest,
      }
  }
}
