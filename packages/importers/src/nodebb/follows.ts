import { datetimeOf } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'

interface Row {
  readonly follower: number
  readonly following: number
  readonly since: number | null
  readonly accounts: number
}

const FOLLOWS = `select f.follower, f.following, f.since, (select count(*) from account where uid in (f.follower, f.following)) as accounts
  from (select cast(substr(_key, 11) as integer) as follower, cast(value as integer) as following, score as since from zset
    where _key >= 'following:0' and _key < 'following::') f order by f.follower, f.following`

export const countFollows = ({ staging }: Forum): number =>
  staging.get<{ n: number }>(`select count(*) as n from zset where _key >= 'following:0' and _key < 'following::'`)?.n ?? 0

const follow = ({ earliest }: Forum, { follower, following, since, accounts }: Row): Entry<'follows'> => {
  const id = `${follower}:${following}`
  if (accounts < 2) return leftOut(id, follower === following ? 'the account follows itself' : 'its account does not exist in the source')
  return { id, follower: String(follower), following: String(following), status: 'active', created_at: datetimeOf(since) ?? earliest }
}

export function* readFollows(forum: Forum): Generator<Entry<'follows'>> {
  for (const row of forum.staging.rows<Row>(FOLLOWS)) yield follow(forum, row)
}
