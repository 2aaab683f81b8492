import { LANGUAGES } from '../constants.ts'
import { ACCOUNT_ROLES } from '../permissions.ts'
import { route } from '../route.ts'
import { Count, Datetime, FlagInput, Id, messageAnd, named, nullable, oneOf, paginatorOf, paging } from '../shapes/common.ts'
import { SocialLinks } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { CommentInFeed } from './comments.ts'
import { ACCOUNT_STATUSES } from './members.ts'
import { LINK_PROVIDERS, type LinkProvider } from './settings-page-shapes.ts'
import { Space } from './spaces.ts'

/** Maximum length of the description in bytes of UTF-8, and of the location in characters. */
export const BIO_BYTES = 5000
export const LOCATION_LENGTH = 200
/** Maximum number of spaces in the list of a member. */
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
  email: Type.String({ description: 'The email address; empty unless the caller is the owner or an administrator.' }),
  avatar: Type.String({ description: 'URL of the avatar; may be empty.' }),
  cover_photo: Type.String({ description: 'URL of the cover image; may be empty.' }),
  bio: Type.String({ description: 'An alias of `short_description`.' }),
  short_description: Type.String(),
  short_description_rendered: Type.String({ description: 'The description as sanitized HTML.' }),
  location: Type.String(),
  lang: oneOf(['', ...LANGUAGES], {
    description:
      'Language in which the member gets mail and push messages; empty for the setting `language` of the community, and unless the caller is the owner or an administrator.',
  }),
  website: Type.String(),
  social_links: SocialLinks,
  status: oneOf(ACCOUNT_STATUSES, { description: 'Status of the account; accounts that are not active are visible only to moderators.' }),
  role: oneOf(ACCOUNT_ROLES),
  is_verified: Type.Integer({ minimum: 0, maximum: 1 }),
  is_private: Type.Boolean(),
  badge_slugs: Type.Array(Type.String()),
  badges: Type.Array(Type.String()),
  stats: Type.Object({
    posts_count: Type.Integer({ minimum: 0, description: 'Number of feeds that the caller can see, up to 1000.' }),
    comments_count: Type.Integer({ minimum: 0, description: 'Number of comments that the caller can see, up to 1000.' }),
    member_since: Datetime,
  }),
  total_points: Type.Integer(),
  compilation_score: Type.Integer({ minimum: 0, maximum: 100, description: 'How much of the profile is filled in, in percent.' }),
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

const text = (description?: string) => Type.Optional(nullable(Type.String(description ? { description } : {})))
const link = text('An http(s) URL; empty to remove it.')
const picture = text('An http(s) URL or the URL of an uploaded file; empty to remove it.')

const username = Type.Object({ username: Type.String() })
const errors = ['invalid_username', 'user_not_found'] as const

export const profiles = {
  get: route({
    method: 'GET',
    path: '/profile/{username}',
    access: 'member',
    summary: 'Get a profile',
    params: username,
    response: Type.Object({ profile: Profile }),
    errors,
  }),
  update: route({
    method: 'POST',
    path: '/profile/{username}',
    access: 'member',
    summary: 'Update the own profile',
    description:
      'Only the fields that are sent change. `social_links` are merged by key; an empty value removes a link. If the profile stops being private, all pending follow requests are approved.',
    params: username,
    body: Type.Object({
      display_name: Type.Optional(Type.String()),
      first_name: text(),
      last_name: text(),
      bio: text(`The description as Markdown, at most ${BIO_BYTES} bytes.`),
      short_description: text('An alias of `bio`.'),
      location: text(`The location, at most ${LOCATION_LENGTH} characters.`),
      lang: Type.Optional(
        nullable(oneOf(['', ...LANGUAGES], { description: 'Language of mail and push messages; empty for that of the community.' })),
      ),
      website: link,
      social_links: Type.Optional(
        Type.Object(Object.fromEntries(LINK_PROVIDERS.map((site) => [site, link])) as Record<LinkProvider, typeof link>, {
          description: 'Links to the social networks that the community offers.',
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
    summary: 'List comments of a member',
    description: 'Returns published comments on feeds that the caller can see in lists, newest first.',
    params: username,
    query: Type.Object(paging(20)),
    response: Type.Object({ comments: paginatorOf(CommentInFeed) }),
    errors,
  }),
  spaces: route({
    method: 'GET',
    path: '/profile/{username}/spaces',
    access: 'member',
    summary: 'List spaces of a member',
    description: `Returns at most ${PROFILE_SPACES} spaces, by title: public ones, unless only administrators can see their members, and others whose members the caller can see. The spaces of a private profile are visible only to its owner and to moderators; others get an empty list.`,
    params: username,
    response: Type.Object({ spaces: Type.Array(Space) }),
    errors,
  }),
} as const
