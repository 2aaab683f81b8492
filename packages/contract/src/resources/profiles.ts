import { Type } from 'typebox'
import { ACCOUNT_ROLES } from '../permissions.ts'
import { route } from '../route.ts'
import { Count, Datetime, Id, named, nullable, oneOf } from '../shapes/common.ts'
import { SocialLinks } from '../shapes/xprofile.ts'

const ProfileNav = named('ProfileNav', {
  slug: Type.String(),
  title: Type.String(),
  url: Type.String(),
  route: Type.Object({ name: Type.String() }),
})

export const Profile = named('Profile', {
  id: Id,
  user_id: Id,
  username: Type.String(),
  display_name: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String({ description: 'Empty for everybody but oneself and administrators' }),
  avatar: Type.String({ description: 'URL, may be empty' }),
  cover_photo: Type.String({ description: 'URL, may be empty' }),
  bio: Type.String({ description: 'The same as short_description' }),
  short_description: Type.String(),
  short_description_rendered: Type.String({ description: 'Safe HTML' }),
  location: Type.String(),
  website: Type.String(),
  social_links: SocialLinks,
  status: oneOf(['active', 'suspended', 'banned'], { description: 'Others than active ones are shown to moderators only' }),
  role: oneOf(ACCOUNT_ROLES),
  is_verified: Type.Integer({ minimum: 0, maximum: 1 }),
  is_private: Type.Boolean(),
  badge_slugs: Type.Array(Type.String()),
  badges: Type.Array(Type.String()),
  stats: Type.Object({
    posts_count: Type.Integer({ minimum: 0, description: 'Those that the caller may see, counted up to 1000' }),
    comments_count: Type.Integer({ minimum: 0, description: 'Those that the caller may see, counted up to 1000' }),
    member_since: Datetime,
  }),
  total_points: Type.Integer(),
  compilation_score: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of the profile that is filled in' }),
  followers_count: Count,
  followings_count: Count,
  created_at: Datetime,
  last_activity: nullable(Datetime),
  last_seen: nullable(Datetime),
  can_change_username: Type.Boolean(),
  can_change_email: Type.Boolean(),
  canViewUserSpaces: Type.Boolean(),
  profile_navs: Type.Array(ProfileNav),
  profile_nav_actions: Type.Array(ProfileNav),
})

export const profiles = {
  get: route({
    method: 'GET',
    path: '/profile/{username}',
    access: 'member',
    summary: 'Read a profile; `me` is the caller’s own',
    params: Type.Object({ username: Type.String() }),
    response: Type.Object({ profile: Profile }),
    errors: ['invalid_username', 'user_not_found'],
  }),
} as const
