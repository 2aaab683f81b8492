import { FEATURES, type Feature, LIMIT_NAMES, LimitsConfig, type SettingSchemas } from '@lyceum/contract'
import type { Static } from 'typebox'
import { isHttpUrl } from '../../content/url.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { cssProblem } from './validate-css.ts'

type Value<K extends keyof SettingSchemas> = Static<SettingSchemas[K]>

interface Definition<K extends keyof SettingSchemas = keyof SettingSchemas> {
  readonly label: string
  readonly description: string
  /** What holds until it is set. */
  readonly fallback: Value<K>
  /** What the schema cannot say: what is wrong, in words, or null. */
  readonly problem?: (value: Value<K>) => string | null
}

const setting = <K extends keyof SettingSchemas>(
  _key: K,
  fallback: Value<K>,
  label: string,
  description: string,
  problem?: Definition<K>['problem'],
): Definition<K> => ({ fallback, label, description, ...(problem && { problem }) })

export const SITE_PATH = /^\/(?![/\\])[^\s\\]*$/
const address = (value: string) =>
  value === '' || isHttpUrl(value) || SITE_PATH.test(value) ? null : 'must be empty, a web address or a path on this site'
const mailAddress = (value: string) => (value === '' || isMailAddress(value) ? null : 'must be empty or an e-mail address')
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

/** What each setting is called and what holds until it is set. A new setting is one line here and one among the contract's shapes. */
export const SETTINGS = {
  site_name: setting('site_name', 'Lyceum', 'Name', 'Name of the community, also in mail'),
  site_description: setting('site_description', '', 'Description', 'What the community is about'),
  timezone: setting('timezone', 'UTC', 'Time zone', 'Where days and weeks begin', timeZone),
  date_format: setting('date_format', 'YYYY-MM-DD', 'Date format', 'How dates are shown'),
  time_format: setting('time_format', 'HH:mm', 'Time format', 'How times are shown'),

  allow_registration: setting('allow_registration', true, 'Open registration', 'People may make accounts themselves'),
  require_email_verification: setting('require_email_verification', false, 'Verify addresses', 'New members confirm their e-mail address'),
  approval_required: setting('approval_required', false, 'Approve members', 'New members wait for an administrator'),
  default_role: setting('default_role', 'member', 'Role', 'What new members are'),

  allow_comments: setting('allow_comments', true, 'Comments', 'Feeds can be commented on'),
  allow_reactions: setting('allow_reactions', true, 'Reactions', 'Feeds and comments can be reacted to'),
  moderate_posts: setting('moderate_posts', false, 'Moderate feeds', 'New feeds wait for a moderator'),
  moderate_comments: setting('moderate_comments', false, 'Moderate comments', 'New comments wait for a moderator'),
  spam_protection: setting('spam_protection', true, 'Spam protection', 'What looks like spam is held back'),
  auto_approve_trusted_users: setting('auto_approve_trusted_users', true, 'Trust', 'What trusted members write is never held back'),

  enable_email_notifications: setting('enable_email_notifications', true, 'Mail', 'Notifications are sent by mail'),
  enable_push_notifications: setting('enable_push_notifications', true, 'Push messages', 'Notifications are pushed to devices'),
  digest_frequency: setting('digest_frequency', 'weekly', 'Digest', 'How often who has not chosen gets it'),

  admin_email: setting('admin_email', '', 'Administrator', 'Where members can write to; may be empty', mailAddress),
  from_name: setting('from_name', '', 'Sender', 'Name of the sender of mail; empty: as the server is configured'),
  from_email: setting('from_email', '', 'Sender’s address', 'Empty: as the server is configured', mailAddress),

  primary_color: setting('primary_color', '#256150', 'Main colour', 'As #rrggbb'),
  secondary_color: setting('secondary_color', '#64748b', 'Second colour', 'As #rrggbb'),
  logo_url: setting('logo_url', '', 'Logo', 'Address of a picture; may be empty', address),
  favicon_url: setting('favicon_url', '', 'Icon', 'Address of a picture; may be empty', address),
  custom_css: setting('custom_css', '', 'Style sheet', 'Added to the pages of the web app', cssProblem),

  gif_rating: setting('gif_rating', 'g', 'GIF rating', 'What a search for GIFs shows that asks for no other'),
  gif_language: setting('gif_language', 'en', 'GIF language', 'In which GIFs are searched for'),

  features: setting('features', DEFAULT_FEATURES, 'Features', 'What is switched on'),
  topics: setting('topics', DEFAULT_TOPICS, 'Topics', 'How topics are used'),

  limits: setting('limits', DEFAULT_LIMITS, 'Limits', 'Limits against abuse; moderators and administrators are exempt'),
} as const satisfies { readonly [K in keyof SettingSchemas]: Definition<K> }

export type SettingKey = keyof SettingSchemas
export type SettingValue<K extends SettingKey> = Value<K>
