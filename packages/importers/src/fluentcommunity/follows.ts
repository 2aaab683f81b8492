import { type Community, countOf, type KindReader, personId, skipped } from './community.ts'
import { timesOf } from './spaces.ts'

export interface FollowRow {
  readonly id: number
  readonly follower_id: number | null
  readonly followed_id: number | null
  readonly created_at: string | null
  readonly updated_at: string | null
  readonly people: number
  readonly again: number
}

export const followOf = (community: Community, row: FollowRow) => {
  if (row.people < 2) return skipped(row.id, 'one of the two accounts does not exist in the source')
  if (row.follower_id === row.followed_id) return skipped(row.id, 'the account follows itself')
  if (row.again === 1) return skipped(row.id, 'it duplicates an earlier row')
  return {
    id: `${row.follower_id}-${row.followed_id}`,
    follower: personId(row.follower_id),
    following: personId(row.followed_id),
    status: 'active' as const,
    created_at: timesOf(community, 'fcom_followers', row).created_at,
  }
}

/** Rows with level 0 are blocks, not follows. */
const FOLLOWS = 'from fcom_followers f where coalesce(f.level, 1) > 0'
const ROWS = `select f.*, (select count(*) from imported_people p where p.id in (f.follower_id, f.followed_id)) + (f.follower_id = f.followed_id) people,
  exists (select 1 from fcom_followers o where o.follower_id = f.follower_id and o.followed_id = f.followed_id and coalesce(o.level, 1) > 0 and o.id < f.id) again
  ${FOLLOWS} order by f.id`

export const follows: KindReader<'follows'> = {
  table: 'fcom_followers',
  count: (community) => countOf(community, FOLLOWS),
  read: function* (community) {
    for (const row of community.staging.rows<FollowRow>(ROWS)) yield followOf(community, row)
  },
}
