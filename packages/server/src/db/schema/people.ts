import type { Generated } from 'kysely'
import type { Datetime, Flag, Json } from './types.ts'

/** A follower; `updated_at`: when a pending request was accepted. */
export interface FollowerRow {
  id: Generated<number>
  follower_id: number
  following_id: number
  status: 'active' | 'pending'
  created_at: Datetime
  updated_at: Datetime
}

/** The name index: every suffix of every word of a member's names. */
export interface UserNameTokenRow {
  token: string
  user_id: number
  /** 1: the whole word. */
  is_whole_word: Flag
}

export interface NotificationRow {
  id: Generated<number>
  user_id: number
  type: string
  /** Such as `new_reaction:feed:7`: notifications with the same key are merged. */
  dedup_key: string
  /** 1 while further actors are added to this row; always 1 for types that are not grouped. */
  is_open: Generated<Flag>
  object_id: number
  object_type: string
  space_id: number | null
  feed_id: number | null
  /** The comment that it is about; its actors can have other comments. */
  comment_id: number | null
  meta: Generated<Json>
  is_read: Generated<Flag>
  read_at: Datetime | null
  /** 1: the recipient deleted it. */
  removed: Generated<Flag>
  created_at: Datetime
  updated_at: Datetime
}

/** The actor of a notification, and the comment that they wrote. */
export interface NotificationActorRow {
  id: Generated<number>
  notification_id: number
  actor_id: number
  comment_id: number | null
  created_at: Datetime
}

/** Only the settings that a member has changed; the others have their defaults. */
export interface NotificationPreferencesRow {
  user_id: number
  email: Generated<Json>
  push: Generated<Json>
  digest_frequency: 'daily' | 'weekly' | 'never' | null
  updated_at: Datetime
}

/** When a member's next digest is due. */
export interface DigestScheduleRow {
  user_id: number
  /** The frequency when it was scheduled; members without digests are checked again every week. */
  frequency: 'daily' | 'weekly' | 'never'
  sent_at: Datetime | null
  due_at: Datetime
}

/** Delivery of a notification by mail and push, at most once. */
export interface NotificationDeliveryRow {
  notification_id: number
  user_id: number
  /** When its mail was counted against the hourly limit; null: it was not, or there is no mail. */
  mail_claimed_at: Datetime | null
  mailed_at: Datetime | null
  /** When the last push message was due, or the next one is. */
  push_at: Datetime | null
}

export interface PushSubscriptionRow {
  id: Generated<number>
  user_id: number
  endpoint: string
  p256dh: string
  auth: string
  user_agent: Generated<string>
  created_at: Datetime
  last_used_at: Datetime | null
  session_id: number | null
}

/** A reserved username; the owner is null after a deletion. */
export interface FormerUsernameRow {
  username_hash: string
  user_id: number | null
  until: Datetime
}

export interface TopicRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  color: Generated<string>
  icon: Generated<string>
  parent_id: number | null
  /** 1: only moderators can use it. */
  admin_only: Generated<Flag>
  /** 1: available everywhere; 0: only in the spaces of topic_spaces. */
  is_global: Generated<Flag>
  status: Generated<'active' | 'inactive'>
  position: number
  /** Number of listed feeds with it. */
  posts_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
}

/** A space where a topic is available that is not global. */
export interface TopicSpaceRow {
  topic_id: number
  space_id: number
}

export interface FeedTopicRow {
  feed_id: number
  topic_id: number
  /** Order within the feed. */
  position: number
  /** Copied from the feed, so that an index has the feeds of a topic in order. */
  published_at: Datetime
}

/** Additional data of a scheduled feed. */
export interface ScheduledPostRow {
  feed_id: number
  timezone: string
  auto_publish: Generated<Flag>
  notification_sent: Generated<Flag>
}

export interface MediaRow {
  id: Generated<number>
  /** Random part of its URL. */
  key: string
  user_id: number
  file_name: string
  file_type: string
  file_size: number
  width: number | null
  height: number | null
  store: 'disk' | 's3'
  path: string
  thumbnail_path: string | null
  object_source: Generated<'feed' | 'comment' | 'profile' | 'space' | 'course' | 'lesson'>
  object_id: number | null
  status: Generated<'uploaded' | 'active' | 'deleted'>
  created_at: Datetime
  updated_at: Datetime
}
