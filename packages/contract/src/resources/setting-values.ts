import type { Static, TBoolean, TOptional, TSchema, TUnsafe } from 'typebox'
import { LANGUAGES } from '../constants.ts'
import { FEATURES, type Feature, GIF_LANGUAGES, GIF_RATINGS } from '../features.ts'
import { LIMIT_NAMES, LimitsConfig } from '../limits.ts'
import { named, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { TopicConfig } from './topics.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2563eb'] })
const flag = Type.Boolean()
const switches = Type.Object(Object.fromEntries(FEATURES.map((feature) => [feature, flag])) as Record<Feature, TBoolean>, {
  additionalProperties: false,
})

/** Settings by group and key. `GET /settings/{key}` returns their descriptions. */
export const SETTING_GROUPS = {
  general: {
    site_name: name,
    site_description: text(1000),
    language: oneOf(LANGUAGES),
    timezone: text(100),
    date_format: name,
    time_format: name,
  },
  registration: { allow_registration: flag, require_email_verification: flag, approval_required: flag, default_role: oneOf(['member']) },
  content: {
    allow_comments: flag,
    allow_reactions: flag,
    moderate_posts: flag,
    moderate_comments: flag,
    spam_protection: flag,
    auto_approve_trusted_users: flag,
  },
  notifications: {
    enable_email_notifications: flag,
    enable_push_notifications: flag,
    digest_frequency: oneOf(['daily', 'weekly', 'never']),
  },
  email: { admin_email: text(254), from_name: text(100), from_email: text(254) },
  appearance: { primary_color: color, secondary_color: color, logo_url: text(2048), favicon_url: text(2048), custom_css: text(50_000) },
  integrations: { gif_rating: oneOf(GIF_RATINGS), gif_language: oneOf(GIF_LANGUAGES) },
  features: { features: switches, topics: TopicConfig },
  limits: { limits: LimitsConfig },
} as const

export type SettingGroup = keyof typeof SETTING_GROUPS
export const SETTING_GROUP_NAMES = Object.keys(SETTING_GROUPS) as SettingGroup[]

type Groups = typeof SETTING_GROUPS
type Merged<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type All = Merged<Groups[SettingGroup]>
export type SettingSchemas = { readonly [K in keyof All]: All[K] extends TSchema ? All[K] : never }
export const SETTING_SCHEMAS = Object.assign({}, ...Object.values(SETTING_GROUPS)) as SettingSchemas

export type SettingValue<K extends keyof SettingSchemas> = Static<SettingSchemas[K]>

const DEFAULT_FEATURES = Object.fromEntries(FEATURES.map((feature) => [feature, feature !== 'gif'])) as Record<Feature, boolean>

const DEFAULT_TOPICS: SettingValue<'topics'> = {
  enabled: true,
  required_for_posts: false,
  allow_multiple: true,
  max_topics_per_post: 5,
  max_topics_per_space: 20,
  user_can_create: false,
  display_on_feed: true,
  display_style: 'badge',
}

const DEFAULT_LIMITS = Object.fromEntries(
  LIMIT_NAMES.map((name) => [name, (LimitsConfig.properties[name] as { default?: number }).default ?? 0]),
) as SettingValue<'limits'>

/** The default, label and description of each setting. */
export const SETTINGS: { readonly [K in keyof SettingSchemas]: readonly [fallback: SettingValue<K>, label: string, description: string] } =
  {
    site_name: ['Lyceum', 'Name', 'Name of the community, also used in emails'],
    site_description: ['', 'Description', 'Short description of the community'],
    language: ['en', 'Language', 'Language of mail and push messages to people who have chosen none'],
    timezone: ['UTC', 'Time zone', 'Time zone in which days and weeks begin'],
    date_format: ['YYYY-MM-DD', 'Date format', 'Format of dates'],
    time_format: ['HH:mm', 'Time format', 'Format of times'],

    allow_registration: [true, 'Open registration', 'Whether anyone can register'],
    require_email_verification: [false, 'Email confirmation', 'Whether new members must confirm their email address'],
    approval_required: [false, 'Approval of registrations', 'Whether new members need approval by an administrator'],
    default_role: ['member', 'Role', 'Role of new members'],

    allow_comments: [true, 'Comments', 'Whether feeds can have comments'],
    allow_reactions: [true, 'Reactions', 'Whether feeds and comments can have reactions'],
    moderate_posts: [false, 'Approval of feeds', 'Whether new feeds need approval by a moderator'],
    moderate_comments: [false, 'Approval of comments', 'Whether new comments need approval by a moderator'],
    spam_protection: [true, 'Spam filter', 'Whether likely spam is queued for review'],
    auto_approve_trusted_users: [true, 'Trust', 'Whether content of trusted members is never queued'],

    enable_email_notifications: [true, 'Mail', 'Whether notifications are sent by email'],
    enable_push_notifications: [true, 'Push messages', 'Whether notifications are sent as push messages'],
    digest_frequency: ['weekly', 'Digest', 'Default frequency of digests'],

    admin_email: ['', 'Administrator', 'Contact address for members; may be empty'],
    from_name: ['', 'Sender', 'Name of the sender of emails; empty for the server configuration'],
    from_email: ['', 'Sender address', 'Email address of the sender; empty for the server configuration'],

    primary_color: ['#256150', 'Main color', 'As #rrggbb'],
    secondary_color: ['#64748b', 'Second color', 'As #rrggbb'],
    logo_url: ['', 'Logo', 'URL of an image; may be empty'],
    favicon_url: ['', 'Icon', 'URL of an image; may be empty'],
    custom_css: ['', 'Custom CSS', 'CSS that is added to the pages of the web app'],

    gif_rating: ['g', 'GIF rating', 'Default content rating of GIF searches'],
    gif_language: ['en', 'GIF language', 'Default language of GIF searches'],

    features: [DEFAULT_FEATURES, 'Features', 'Features that are enabled'],
    topics: [DEFAULT_TOPICS, 'Topics', 'Settings of topics'],

    limits: [DEFAULT_LIMITS, 'Limits', 'Rate limits and quotas; moderators and administrators are exempt'],
  }

/** Settings by key. The server validates each value, so that an error can name the setting. */
export const settingChanges = Object.fromEntries(
  Object.entries(SETTING_SCHEMAS as unknown as Record<string, { type?: string; enum?: readonly string[] }>).map(
    ([key, { type, enum: values }]) => [
      key,
      Type.Optional(Type.Unsafe({ description: values ? `One of ${values.join(', ')}.` : `A value of type ${type}.` })),
    ],
  ),
) as unknown as { readonly [K in keyof SettingSchemas]: TOptional<TUnsafe<Partial<Static<SettingSchemas[K]>>>> }

type Shaped = { readonly [G in SettingGroup]: TOptional<ReturnType<typeof Type.Object<Groups[G]>>> }
export const SettingsByGroup = named(
  'SettingsByGroup',
  Object.fromEntries(Object.entries(SETTING_GROUPS).map(([group, keys]) => [group, Type.Optional(Type.Object(keys))])) as unknown as Shaped,
)
