import type { FollowRelationship, Infer } from '@lyceum/contract'
import { pick } from '../../util/pick.ts'
import { type PersonColumns, viewXprofile } from '../members/view.ts'
import type { Follow, ListedFollow, Side } from './queries.ts'

export const viewFollow = (row: Follow) => pick(row, 'id', 'follower_id', 'following_id', 'status', 'created_at')

const viewUser = (id: number, row: PersonColumns) => ({
  id,
  username: row.u_username,
  display_name: row.u_display_name,
  avatar: row.u_avatar,
})

export const viewRelationship = (row: ListedFollow, side: Side): Infer<typeof FollowRelationship> => {
  const shown = side === 'followers' ? row.follower_id : row.following_id
  const user = viewUser(shown, row)
  return {
    ...viewFollow(row),
    xprofile: viewXprofile({ ...row, user_id: shown }),
    ...(side === 'followers' ? { follower: user } : { following: user }),
  }
}

export const viewRequest = (row: ListedFollow) => ({
  ...pick(row, 'id', 'follower_id', 'status', 'created_at'),
  follower: viewUser(row.follower_id, row),
})
