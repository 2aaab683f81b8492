import type { AccountStatus } from '@lyceum/contract'
import { type Db, statementOne } from '../../db/index.ts'

/** An account with the columns that its profile needs. */
export interface ProfileRow {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly display_name: string
  readonly first_name: string
  readonly last_name: string
  readonly short_description: string
  readonly location: string
  readonly website: string
  readonly avatar: string
  readonly cover_photo: string
  readonly social_links: string
  readonly badge_slugs: string
  readonly is_verified: 0 | 1
  readonly is_private: 0 | 1
  readonly status: AccountStatus
  readonly total_points: number
  readonly followers_count: number
  readonly followings_count: number
  readonly created_at: string
  readonly updated_at: string
  readonly last_activity: string | null
  readonly manager_role: string | null
}

const PROFILE = `select u.id, u.username, u.email, u.display_name, u.first_name, u.last_name, u.short_description, u.location, u.website, u.avatar,
   u.cover_photo, u.social_links, u.badge_slugs, u.is_verified, u.is_private, u.status, u.total_points, u.followers_count,
   u.followings_count, u.created_at, u.updated_at, u.last_activity, m.role as manager_role
   from users u left join managers m on m.user_id = u.id and m.status = 'active'`

const byName = statementOne<ProfileRow>(`${PROFILE} where u.username = $1`)
export const profileByName = (db: Db, username: string) => byName(db, [username])

const byId = statementOne<ProfileRow>(`${PROFILE} where u.id = $1`)
export const profileById = (db: Db, userId: number) => byId(db, [userId])
