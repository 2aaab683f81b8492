import { FEATURES, type Feature, LIMIT_NAMES, LimitsConfig, type SettingSchemas } from '@lyceum/contract'
import type { Static } from 'typebox'
import { isHttpUrl } from '../../content/url.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { cssProblem } from './validate-css.ts'

type Value<K extends keyof SettingSchemas> = Static<SettingSchemas[K]>

/** The last entry validates beyond the schema: it returns a description of the problem, or null. */
type Definition<K extends keyof SettingSchemas = keyof SettingSchemas> = readonly [
  fallback: Value<K>,
  label: string,
  description: string,
  problem?: (value: Value<K>) => string | null,
]

export const SITE_PATH = /^\/(?![/\\])[^\s\\]*$/
const address = (value: string) =>
  value === '' || isHttpUrl(value) || SITE_PATH.test(value) ? null : 'must be empty, a URL or a path on this site'
const mailAddress = (value: string) => (value === '' || isMailAddress(value) ? null : 'must be empty or an email address')
const timeZone = (value: string) => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return null
  } catch {
    return 'must be a time zone such as Europe/Berlin'
  }
}

const DEFAULT_FEATURES = Object.fromEntries(FEATURES.map((feature) => [feature, feature !== 'gif'])) as Record<Feature, boolean>

const DEFAULT_TOPICS: Value<'topics'> = {
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
) as Value<'limits'>

/** Defaults, labels and descriptions. A new setting takes an entry here and one in the contract's schemas. */
export const SETTINGS = {
  site_name: ['Lyceum', 'Name', 'Name of the community, also used in emails'],
  site_description: ['', 'Description', 'Short description of the community'],
  timezone: ['UTC', 'Time zone', 'Time zone in which days and weeks begin', timeZone],
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

  admin_email: ['', 'Administrator', 'Contact address for members; may be empty', mailAddress],
  from_name: ['', 'Sender', 'Name of the sender of emails; empty for the server configuration'],
  from_email: ['', 'Sender address', 'Email address of the sender; empty for the server configuration', mailAddress],

  primary_color: ['#256150', 'Main color', 'As #rrggbb'],
  secondary_color: ['#64748b', 'Second color', 'As #rrggbb'],
  logo_url: ['', 'Logo', 'URL of an image; may be empty', address],
  favicon_url: ['', 'Icon', 'URL of an image; may be empty', address],
  custom_css: ['', 'Custom CSS', 'CSS that is added to the pages of the web app', cssProblem],

  gif_rating: ['g', 'GIF rating', 'Default content rating of GIF searches'],
  gif_language: ['en', 'GIF language', 'Default language of GIF searches'],

  features: [DEFAULT_FEATURES, 'Features', 'Features that are enabled'],
  topics: [DEFAULT_TOPICS, 'Topics', 'Settings of topics'],

  limits: [DEFAULT_LIMITS, 'Limits', 'Rate limits and quotas; moderators and administrators are exempt'],
} as const satisfies { readonly [K in keyof SettingSchemas]: Definition<K> }

export type SettingKey = keyof SettingSchemas
export type SettingValue<K extends SettingKey> = Value<K>
