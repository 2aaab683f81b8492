import { ACCOUNT_ROLES } from '../permissions.ts'
import { route } from '../route.ts'
import { Count, Datetime, FlagInput, Id, messageAnd, named, nullable, oneOf, paginatorOf, paging } from '../shapes/common.ts'
import { SocialLinks } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { Comment } from './comments.ts'
import { ACCOUNT_STATUSES } from './members.ts'
import { LINK_PROVIDERS, type LinkProvider } from './settings-page-shapes.ts'
import { Space } from './spaces.ts'

/** Longest description in bytes of UTF-8, longest place in characters. */
export const BIO_BYTES = 5000
export const LOCATION_LENGTH = 200
/** Most spaces that the list of somebody's holds. */
export const PROFILE_SPACES = 1000

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
  status: oneOf(ACCOUNT_STATUSES, { description: 'Others than active ones are shown to moderators only' }),
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

export const ProfileComment = named('ProfileComment', {
  ...Comment.properties,
  post: Type.Object({ id: Id, title: Type.String(), slug: Type.String(), permalink: Type.String() }),
})

const text = (description?: string) => Type.Optional(nullable(Type.String(description ? { description } : {})))
const link = text('An http(s) address; empty takes it away')
const picture = text('An http(s) address, or that of an uploaded file; empty takes it away')

const username = Type.Object({ username: Type.String() })
const errors = ['invalid_username', 'user_not_found'] as const

export const profiles = {
  get: route({
    method: 'GET',
    path: '/profile/{username}',
    access: 'member',
    summary: 'Read a profile; `me` is the caller’s own',
    params: username,
    response: Type.Object({ profile: Profile }),
    errors,
  }),
  update: route({
    method: 'POST',
    path: '/profile/{username}',
    access: 'member',
    summary: 'Change one’s own profile',
    description:
      'Only what is sent changes. `social_links` are merged by key, an empty one is taken away. A profile that stops being private accepts everybody who has asked to follow.',
    params: username,
    body: Type.Object({
      display_name: Type.Optional(Type.String()),
      first_name: text(),
      last_name: text(),
      bio: text(`Markdown, at most ${BIO_BYTES} bytes`),
      short_description: text('Another name of `bio`'),
      location: text(`At most ${LOCATION_LENGTH} characters`),
      website: link,
      social_links: Type.Optional(
        Type.Object(Object.fromEntries(LINK_PROVIDERS.map((site) => [site, link])) as Record<LinkProvider, typeof link>, {
          description: 'Sites that the community offers',
        }),
      ),
      avatar: picture,
      cover_photo: picture,
      is_private: Type.Optional(FlagInput),
      settings: Type.Optional(Type.Object({ is_private: Type.Optional(FlagInput) })),
    }),
    wrapper: 'data',
    response: messageAnd(Type.Object({ id: Id, display_name: Type.String(), bio: Type.String(), updated_at: Datetime })),
    errors: [...errors, 'rest_forbidden', 'invalid_url'],
    fieldErrors: { website: 'invalid_url', avatar: 'invalid_url', cover_photo: 'invalid_url', social_links: 'invalid_url' },
  }),
  comments: route({
    method: 'GET',
    path: '/profile/{username}/comments',
    access: 'member',
    summary: 'What somebody has commented, newest first',
    description: 'Published comments on feeds that the caller finds in lists.',
    params: username,
    query: Type.Object(paging(20)),
    response: Type.Object({ comments: paginatorOf(ProfileComment) }),
    errors,
  }),
  spaces: route({
    method: 'GET',
    path: '/profile/{username}/spaces',
    access: 'member',
    summary: 'The spaces that somebody is in, by title',
    description: `At most ${PROFILE_SPACES}: public ones, unless only administrators see who is in them, and others whose members the caller may see. A private profile shows them to its owner and moderators only; others get an empty list.`,
    params: username,
    response: Type.Object({ spaces: Type.Array(Space) }),
    errors,
  }),
} as const
