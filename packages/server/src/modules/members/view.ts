import { type ActiveXprofile, type Infer, type Member, MORE_SITES, type SocialLinks, type Xprofile } from '@lyceum/contract'
import { accountRole } from '../../auth/authenticate.ts'
import type { UserRow } from '../../db/index.ts'

/** User columns for a summary, with a prefix so that they can be selected beside another table's. */
export const PERSON_COLUMNS = `u.username as u_username, u.display_name as u_display_name, u.avatar as u_avatar, u.total_points as u_total_points,
  u.is_verified as u_is_verified, u.status as u_status, u.created_at as u_created_at, u.short_description as u_short_description,
  u.website as u_website, u.cover_photo as u_cover_photo, u.social_links as u_social_links, u.badge_slugs as u_badge_slugs`

type UserColumns<Name extends keyof UserRow> = { readonly [Column in Name as `u_${Column}`]: UserRow[Column] }

export type PersonColumns = UserColumns<'username' | 'display_name' | 'avatar' | 'short_description' | 'website' | 'cover_photo'> &
  UserColumns<'social_links' | 'badge_slugs' | 'total_points' | 'is_verified' | 'status' | 'created_at'>

const STANDARD_SITES = ['twitter', 'youtube', 'linkedin', 'fb', 'instagram'] as const
const NO_LINKS = { twitter: '', youtube: '', linkedin: '', fb: '', instagram: '' }

/** The stored links: always the five standard sites, others only if set. */
export const viewSocialLinks = (stored: string): Infer<typeof SocialLinks> => {
  if (stored === '{}') return NO_LINKS
  const links = JSON.parse(stored) as Record<string, string>
  const standard = Object.fromEntries(STANDARD_SITES.map((name) => [name, links[name] ?? '']))
  const more = Object.fromEntries(MORE_SITES.filter((name) => links[name]).map((name) => [name, links[name]]))
  return { ...standard, ...more } as Infer<typeof SocialLinks>
}

export const viewBadges = (stored: string): string[] => (stored === '[]' ? [] : (JSON.parse(stored) as string[]))

/** The user summary that is embedded wherever a user is shown. */
export const viewXprofile = (row: PersonColumns & { user_id: number }): Infer<typeof Xprofile> => ({
  user_id: row.user_id,
  total_points: row.u_total_points,
  is_verified: row.u_is_verified,
  status: row.u_status,
  display_name: row.u_display_name,
  username: row.u_username,
  avatar: row.u_avatar,
  created_at: row.u_created_at,
  short_description: row.u_short_description,
  meta: {
    website: row.u_website,
    cover_photo: row.u_cover_photo,
    social_links: viewSocialLinks(row.u_social_links),
    badge_slug: viewBadges(row.u_badge_slugs),
  },
  badge: null,
})

/** The summary columns plus the time of the last activity. */
export const ACTIVE_PERSON_COLUMNS = `${PERSON_COLUMNS}, u.last_activity as u_last_activity`
export type ActivePersonColumns = PersonColumns & UserColumns<'last_activity'>

export const viewActiveXprofile = (row: ActivePersonColumns & { user_id: number }): Infer<typeof ActiveXprofile> => ({
  ...viewXprofile(row),
  last_activity: row.u_last_activity,
})

export const MEMBER_COLUMNS = `u.id as user_id, ${ACTIVE_PERSON_COLUMNS},
  (select g.role from managers g where g.user_id = u.id and g.status = 'active') as manager_role`
export interface MemberColumns extends ActivePersonColumns {
  readonly user_id: number
  readonly manager_role: string | null
}

export const viewMember = (row: MemberColumns): Infer<typeof Member> => ({
  ...viewActiveXprofile(row),
  role: accountRole(row.manager_role),
})
