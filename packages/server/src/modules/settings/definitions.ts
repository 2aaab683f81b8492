import { FEATURES, type Feature, TopicConfig } from '@lyceum/contract'
import { type Static, type TBoolean, type TSchema, Type } from 'typebox'
import { isHttpUrl } from '../../platform/content/url.ts'
import { isMailAddress } from '../../platform/mail/transport.ts'

export const GROUPS = ['general', 'registration', 'content', 'notifications', 'email', 'appearance', 'features'] as const
export type SettingGroup = (typeof GROUPS)[number]

interface Definition<S extends TSchema> {
  readonly group: SettingGroup
  readonly label: string
  readonly description: string
  readonly schema: S
  /** What holds until it is set. */
  readonly fallback: Static<S>
  /** What the schema cannot say: what is wrong, in words, or null. */
  readonly problem?: (value: Static<S>) => string | null
}

const setting = <S extends TSchema>(
  group: SettingGroup,
  schema: S,
  fallback: Static<S>,
  label: string,
  description: string,
  problem?: Definition<S>['problem'],
): Definition<S> => ({ group, schema, fallback, label, description, ...(problem && { problem }) })

const text = (maxLength: number) => Type.String({ maxLength })
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })
const flag = Type.Boolean()
const choice = <const V extends readonly string[]>(...values: V) => Type.Unsafe<V[number]>({ type: 'string', enum: [...values] })

const SITE_PATH = /^\/(?![/\\])[^\s\\]*$/
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

const features = Type.Object(Object.fromEntries(FEATURES.map((feature) => [feature, flag])) as Record<Feature, TBoolean>, {
  additionalProperties: false,
})
const DEFAULT_FEATURES = Object.fromEntries(FEATURES.map((feature) => [feature, feature !== 'gif'])) as Record<Feature, boolean>

const DEFAULT_TOPICS: Static<typeof TopicConfig> = {
  enabled: true,
  required_for_posts: false,
  allow_multiple: true,
  max_topics_per_post: 5,
  max_topics_per_space: 20,
  user_can_create: false,
  display_on_feed: true,
  display_style: 'badge',
}

/** Everything that an administrator can set: group, type and what holds until it is set. A new setting is one line here. */
export const SETTINGS = {
  site_name: setting('general', name, 'Lyceum', 'Name', 'Name of the community, also in mail'),
  site_description: setting('general', text(1000), '', 'Description', 'What the community is about'),
  timezone: setting('general', text(100), 'UTC', 'Time zone', 'Where days and weeks begin', timeZone),
  date_format: setting('general', name, 'YYYY-MM-DD', 'Date format', 'How dates are shown'),
  time_format: setting('general', name, 'HH:mm', 'Time format', 'How times are shown'),

  allow_registration: setting('registration', flag, true, 'Open registration', 'People may make accounts themselves'),
  require_email_verification: setting('registration', flag, false, 'Verify addresses', 'New members confirm their e-mail address'),
  approval_required: setting('registration', flag, false, 'Approve members', 'New members wait for an administrator'),
  default_role: setting('registration', choice('member'), 'member', 'Role', 'What new members are'),

  allow_comments: setting('content', flag, true, 'Comments', 'Feeds can be commented on'),
  allow_reactions: setting('content', flag, true, 'Reactions', 'Feeds and comments can be reacted to'),
  moderate_posts: setting('content', flag, false, 'Moderate feeds', 'New feeds wait for a moderator'),
  moderate_comments: setting('content', flag, false, 'Moderate comments', 'New comments wait for a moderator'),
  spam_protection: setting('content', flag, true, 'Spam protection', 'What looks like spam is held back'),
  auto_approve_trusted_users: setting('content', flag, true, 'Trust', 'What trusted members write is never held back'),

  enable_email_notifications: setting('notifications', flag, true, 'Mail', 'Notifications are sent by mail'),
  enable_push_notifications: setting('notifications', flag, true, 'Push messages', 'Notifications are pushed to devices'),
  digest_frequency: setting(
    'notifications',
    choice('daily', 'weekly', 'never'),
    'weekly',
    'Digest',
    'How often who has not chosen gets it',
  ),

  admin_email: setting('email', text(254), '', 'Administrator', 'Where members can write to; may be empty', mailAddress),
  from_name: setting('email', text(100), '', 'Sender', 'Name of the sender of mail; empty: as the server is configured'),
  from_email: setting('email', text(254), '', 'Sender’s address', 'Empty: as the server is configured', mailAddress),

  primary_color: setting('appearance', color, '#2563eb', 'Main colour', 'As #rrggbb'),
  secondary_color: setting('appearance', color, '#64748b', 'Second colour', 'As #rrggbb'),
  logo_url: setting('appearance', text(2048), '', 'Logo', 'Address of a picture; may be empty', address),
  favicon_url: setting('appearance', text(2048), '', 'Icon', 'Address of a picture; may be empty', address),
  custom_css: setting('appearance', text(50_000), '', 'Style sheet', 'Added to the pages of the web app'),

  features: setting('features', features, DEFAULT_FEATURES, 'Features', 'What is switched on'),
  topics: setting('features', TopicConfig, DEFAULT_TOPICS, 'Topics', 'How topics are used'),
} as const

export type SettingKey = keyof typeof SETTINGS
export type SettingValue<K extends SettingKey> = Static<(typeof SETTINGS)[K]['schema']>
