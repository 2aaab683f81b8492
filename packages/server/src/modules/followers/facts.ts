import { factsLoader } from '../../jobs/index.ts'
import type { Follow } from './queries.ts'

/** What the projectors of an event need to know about two people. `status` is null if the first neither follows the second nor asks to. */
export type FollowFacts = Pick<Follow, 'follower_id' | 'following_id'> & { readonly status: Follow['status'] | null }

/** Locks the people of follows and loads their present state. No follow is changed without these locks. */
export const loadFollowFacts = factsLoader<Pick<Follow, 'follower_id' | 'following_id'>, FollowFacts>({
  columns: { follower_id: 'bigint', following_id: 'bigint' },
  locks: { users: (rows) => `select d.follower_id from ${rows} d union select d.following_id from ${rows} d` },
  select: (rows) => `select d.follower_id, d.following_id, f.status from ${rows} d
    left join followers f on f.follower_id = d.follower_id and f.following_id = d.following_id`,
})
