import type { TOptional, TString } from 'typebox'
import { Type } from '../typebox.ts'
import { Datetime, Id, named, nullable } from './common.ts'

/** Social networks that a community can offer in addition to the five default ones. */
export const MORE_SITES = [
  'blue_sky',
  'tiktok',
  'pinterest',
  'telegram',
  'snapchat',
  'reddit',
  'twitch',
  'vk',
  'github',
  'mastodon',
] as const
export type MoreSite = (typeof MORE_SITES)[number]

export const SocialLinks = named('SocialLinks', {
  twitter: Type.String(),
  youtube: Type.String(),
  linkedin: Type.String(),
  fb: Type.String(),
  instagram: Type.String(),
  ...(Object.fromEntries(MORE_SITES.map((site) => [site, Type.Optional(Type.String())])) as Record<MoreSite, TOptional<TString>>),
})

/** The user summary that is embedded in other objects. */
export const Xprofile = named('Xprofile', {
  user_id: Id,
  total_points: Type.Integer(),
  is_verified: Type.Integer({ minimum: 0, maximum: 1 }),
  status: Type.String({ examples: ['active'] }),
  display_name: Type.String(),
  username: Type.String(),
  avatar: Type.String({ description: 'URL of the avatar; may be empty.' }),
  created_at: Datetime,
  short_description: Type.String(),
  meta: Type.Object({
    website: Type.String(),
    cover_photo: Type.String(),
    social_links: SocialLinks,
    badge_slug: Type.Array(Type.String()),
  }),
  badge: Type.Null(),
})

/** Which of the listed members the caller follows. */
export const CurrentUserFollows = Type.Unsafe<Record<string, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'The members on this page whom the caller follows: a map of user id to 1.',
})

/** The user summary with the last activity, for activities and member lists. */
export const ActiveXprofile = named('ActiveXprofile', { ...Xprofile.properties, last_activity: nullable(Datetime) })
