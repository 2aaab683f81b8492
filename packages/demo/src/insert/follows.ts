import { insertRows } from '../../../server/src/db/index.ts'
import type { Follow } from '../plan/rows.ts'
import type { WriteLimit } from './pace.ts'
import { moment, placeOf, raise, recordActivities, type Scene, tally } from './placed.ts'

export const FOLLOW = ['follower_id', 'following_id', 'status', 'created_at', 'updated_at']

export const insertFollows = (pace: WriteLimit, follows: readonly Follow[], { placed }: Scene) =>
  pace(follows, {
    kind: 'follows',
    write: async (db, piece) => {
      const rows = piece.map(({ follower, following, created_at }) => ({
        follower: placeOf(placed.users, follower),
        following: placeOf(placed.users, following),
        at: moment(created_at),
      }))
      await insertRows(
        db,
        'followers',
        FOLLOW,
        rows.map(({ follower, following, at }) => [follower, following, 'active', at, at]),
      )
      await raise(
        db,
        ['users', 'followers_count'],
        tally(rows, ({ following }) => following),
      )
      await raise(
        db,
        ['users', 'followings_count'],
        tally(rows, ({ follower }) => follower),
      )
      await recordActivities(
        db,
        rows.map(({ follower, following, at }) => ({ user: follower, action: 'follow_user', on: ['user', following], space: null, at })),
      )
    },
  })
