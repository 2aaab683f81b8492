import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry } from '../source.ts'
import { skipped } from '../unreadable.ts'
import type { Context } from './context.ts'
import { validTime } from './times.ts'

export interface FriendRow {
  readonly id: number
  readonly is_confirmed: number | null
  readonly date_created: string | null
  /** Account ids; null for deleted accounts. */
  readonly initiator: number | null
  readonly friend: number | null
  readonly is_repeated: number
}

interface Times {
  readonly founded: string
}

/** A friendship becomes a follow in each direction; a friend request becomes a pending follow. */
const friendsOf = (row: FriendRow, { founded }: Times): Entry<'follows'>[] => {
  const left = (reason: string) => [skipped(`friends:${row.id}`, reason)]
  const { initiator, friend } = row
  if (initiator === null || friend === null) return left('one of the two accounts does not exist in the source')
  if (initiator === friend) return left('the account is a friend of itself')
  if (row.is_repeated) return left('another row has the same two accounts')
  const created_at = validTime(row.date_created) ?? founded
  const follow = (direction: string, follower: number, following: number, status: ArchiveRecord<'follows'>['status']) => ({
    id: `friends:${row.id}:${direction}`,
    follower: String(follower),
    following: String(following),
    status,
    created_at,
  })
  if (!row.is_confirmed) return [follow('to', initiator, friend, 'pending')]
  return [follow('to', initiator, friend, 'active'), follow('from', friend, initiator, 'active')]
}

/** A BuddyBoss follow. It has no date. */
export interface FollowRow {
  readonly id: number
  readonly leader: number | null
  readonly follower: number | null
  /** The later of the two registration times. */
  readonly registered: string | null
  /** Whether the two are friends, or an earlier row contains the same follow. */
  readonly is_repeated: number
  /** Whether the followed account has posts for friends, so that it must approve followers. */
  readonly is_private: number
}

export const followOf = (row: FollowRow, { founded }: Times): Entry<'follows'> => {
  const id = `follow:${row.id}`
  if (row.leader === null || row.follower === null) return skipped(id, 'one of the two accounts does not exist in the source')
  if (row.leader === row.follower) return skipped(id, 'the account follows itself')
  if (row.is_repeated) return skipped(id, 'the two are already friends, or another row has the same follow')
  return {
    id,
    follower: String(row.follower),
    following: String(row.leader),
    status: row.is_private ? 'pending' : 'active',
    created_at: validTime(row.registered) ?? founded,
  }
}

/** Prefers a confirmed friendship over requests, then the oldest row. Two accounts may have requests in both directions. */
const REPEATED = `exists (select 1 from bp_friends o where o.id <> f.id and (
    o.initiator_user_id = f.initiator_user_id and o.friend_user_id = f.friend_user_id
      and (coalesce(o.is_confirmed, 0) > coalesce(f.is_confirmed, 0) or (coalesce(o.is_confirmed, 0) = coalesce(f.is_confirmed, 0) and o.id < f.id))
    or o.initiator_user_id = f.friend_user_id and o.friend_user_id = f.initiator_user_id
      and o.is_confirmed and (not coalesce(f.is_confirmed, 0) or o.id < f.id)))`

const FRIENDS = `select f.id, f.is_confirmed, f.date_created, i.ID as initiator, o.ID as friend,
  ${REPEATED} as is_repeated
  from bp_friends f left join users i on i.ID = f.initiator_user_id left join users o on o.ID = f.friend_user_id order by f.id`

const FOLLOWS = `select f.id, l.ID as leader, o.ID as follower, max(l.user_registered, o.user_registered) as registered,
  exists (select 1 from private_person p where p.id = l.ID) as is_private,
  row_number() over (partition by f.leader_id, f.follower_id order by f.id) > 1
    or exists (select 1 from bp_friends x where x.initiator_user_id = f.follower_id and x.friend_user_id = f.leader_id)
    or exists (select 1 from bp_friends x where x.initiator_user_id = f.leader_id and x.friend_user_id = f.follower_id and x.is_confirmed)
    as is_repeated
  from bp_follow f left join users l on l.ID = f.leader_id left join users o on o.ID = f.follower_id order by f.id`

export function* readFollows({ staging, site }: Context): Generator<Entry<'follows'>> {
  for (const row of staging.rows<FriendRow>(FRIENDS)) yield* friendsOf(row, site)
  for (const row of staging.rows<FollowRow>(FOLLOWS)) yield followOf(row, site)
}

/** Number of entries. A confirmed friendship has two. */
export const FOLLOW_COUNT = `select (select coalesce(sum(case when is_confirmed and initiator is not null and friend is not null
    and initiator <> friend and not is_repeated then 2 else 1 end), 0) from (${FRIENDS})) + (select count(*) from bp_follow) as n`
