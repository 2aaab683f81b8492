import { statementOne, type UserRow } from '../../db/index.ts'

/** An account without its password, and its role as a manager. */
export type ProfileRow = Readonly<Omit<UserRow, 'password_hash'>> & { readonly manager_role: string | null }

const PROFILE = `select u.id, u.username, u.email, u.display_name, u.first_name, u.last_name, u.short_description, u.location, u.website, u.avatar,
   u.cover_photo, u.social_links, u.badge_slugs, u.is_verified, u.is_private, u.status, u.total_points, u.followers_count,
   u.followings_count, u.created_at, u.updated_at, u.last_activity, m.role as manager_role
   from users u left join managers m on m.user_id = u.id and m.status = 'active'`

export const profileByName = statementOne<ProfileRow>(`${PROFILE} where u.username = $1`)
export const profileById = statementOne<ProfileRow>(`${PROFILE} where u.id = $1`)
