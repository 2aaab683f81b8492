import type { Feature } from '../features.ts'
import type { PointKind } from '../resources/leaderboard.ts'
import type { LinkProvider } from '../resources/settings-page-shapes.ts'

export type Texts = Readonly<Record<string, string>>

export const textsOf = <K extends string>(names: Readonly<Record<K, string>>, text: (name: string) => string): Texts =>
  Object.fromEntries(Object.entries<string>(names).map(([key, name]) => [key, text(name)]))

export const NETWORKS: Readonly<Record<LinkProvider, string>> = {
  instagram: 'Instagram',
  twitter: 'X (Twitter)',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  fb: 'Facebook',
  blue_sky: 'Bluesky',
  tiktok: 'TikTok',
  pinterest: 'Pinterest',
  telegram: 'Telegram',
  snapchat: 'Snapchat',
  reddit: 'Reddit',
  twitch: 'Twitch',
  vk: 'VK',
  github: 'GitHub',
  mastodon: 'Mastodon',
}

const FEATURE_NAMES: Readonly<Record<Feature, string>> = {
  followers: 'following other members',
  quizzes: 'quizzes',
  moderation: 'reports and moderation',
  managers: 'manager records',
  gif: 'GIF search',
  leaderboard: 'the leaderboard',
  analytics: 'analytics',
  topics: 'topics',
  webhooks: 'webhooks',
  scheduled_posts: 'scheduled posts',
}

export const CONTRIBUTIONS: Readonly<Record<PointKind, string>> = {
  post_created: 'a feed',
  comment_made: 'a comment',
  reaction_received: 'a received reaction',
  course_completed: 'a completed course',
  helpful_vote: 'a comment marked as helpful',
  profile_completed: 'completing the profile, once',
  daily_login: 'the first activity of a day',
  space_joined: 'joining a space',
}

export const MAILS = {
  welcome: 'welcome email',
  verify_email: 'email that confirms an address',
  reset_password: 'email that resets a password',
  password_changed: 'notice of a changed password',
  email_changed: 'notice of a changed email address',
  rejected: 'notice of a rejected registration',
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
export const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

export const featureTexts: Texts = {
  ...textsOf(FEATURE_NAMES, (name) => `Whether ${name} can be used.`),
  gif_enabled: 'An alias of `gif`.',
}
export const LOCKSCREEN = {
  message: 'Text of the lock screen.',
  enabled: 'Whether the lock screen is shown.',
  type: 'Type of the lock screen.',
}
export const menuItem = {
  title: 'Label of the entry.',
  slug: 'Identifier of the entry.',
  is_system: 'Whether the entry is built in.',
}
export const notificationTypes = {
  new_comment: 'Whether to notify about comments and replies.',
  new_reaction: 'Whether to notify about reactions.',
  new_follower: 'Whether to notify about followers.',
  mention: 'Whether to notify about mentions.',
  space_invite: 'Whether to notify about invitations to spaces.',
}
export const mailText = {
  subject: 'Subject of the email; empty for the default.',
  intro: 'First paragraph of the email; empty for the default.',
}

export const STORAGE = {
  driver: 'Where files are stored: a local directory or S3.',
  bucket: 'Name of the S3 bucket; empty for local storage.',
  endpoint_url: 'URL of the S3 endpoint; empty for local storage.',
  region: 'S3 region; empty for local storage.',
}

export const LOCKSCREEN_SECTION = {
  name: 'Name of the section.',
  type: 'Type of the section.',
  hidden: 'Whether the section is hidden.',
  new_tab: 'Whether the button opens a new tab.',
}

export const META = { survey: 'The survey with its results.', gif: 'The GIF.', preview: 'The link preview.' }

export const META_INPUT = {
  survey: 'A survey; null to remove it.',
  gif: 'A GIF; null to remove it.',
  preview: 'A link preview; null to remove it.',
}

export const FEED_INPUT = {
  auto_publish: 'Whether a scheduled feed is published automatically; otherwise the author receives a reminder. Default: true.',
  privacy: 'Visibility of the feed; default: `public`.',
  status: 'Status of the feed; default: `published`.',
  expired_at: 'Time after which the feed is no longer listed; null for never.',
  featured_image: 'URL of an image; null for none.',
  title: 'Title of the feed; null for none.',
}
