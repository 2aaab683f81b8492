import type { Generated } from 'kysely'
import type { Datetime, Flag, Json } from './types.ts'

/** Who follows whom; `updated_at` is when a pending one became active. */
export interface FollowerRow {
  id: Generated<number>
  follower_id: number
  following_id: number
  status: 'active' | 'pending'
  created_at: Datetime
  updated_at: Datetime
}

/** What people can be found by: each word of their names, and what is left of it from each of its characters on. */
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
  /** What it is about, such as `new_reaction:feed:7`: two of them with the same subject are one. */
  dedup_key: string
  /** 1 while a further cause goes into this row; of what is not grouped for good. */
  is_open: Generated<Flag>
  object_id: number
  object_type: string
  space_id: number | null
  feed_id: number | null
  /** The comment that it is about, beside that of its causes. */
  comment_id: number | null
  meta: Generated<Json>
  is_read: Generated<Flag>
  read_at: Datetime | null
  /** 1: the recipient deleted it. */
  removed: Generated<Flag>
  created_at: Datetime
  updated_at: Datetime
}

/** Why somebody is notified: who did it, and the comment it was done with. */
export interface NotificationActorRow {
  id: Generated<number>
  notification_id: number
  actor_id: number
  comment_id: number | null
  created_at: Datetime
}

/** Only what a member changed; the rest is as it is by default. */
export interface NotificationPreferencesRow {
  user_id: number
  email: Generated<Json>
  push: Generated<Json>
  digest_frequency: 'daily' | 'weekly' | 'never' | null
  updated_at: Datetime
}

/** When somebody's next digest is due. */
export interface DigestScheduleRow {
  user_id: number
  /** As it was when it was planned; who gets none is looked at again every week. */
  frequency: 'daily' | 'weekly' | 'never'
  sent_at: Datetime | null
  due_at: Datetime
}

/** That a notification is told by mail and to devices, once. */
export interface NotificationDeliveryRow {
  notification_id: number
  user_id: number
  /** When its mail was counted against what a member gets in an hour; null: it was not, or there is none. */
  mail_claimed_at: Datetime | null
  mailed_at: Datetime | null
  /** When its last push message was due, or the next one is. */
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

/** A username that nobody else may take until then; its owner is null after a deletion. */
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
  /** 1: only moderators may pick it. */
  admin_only: Generated<Flag>
  /** 1: offered in every place; 0: only in the spaces of topic_spaces, and nowhere once these are gone. */
  is_global: Generated<Flag>
  status: Generated<'active' | 'inactive'>
  position: number
  /** Listed feeds that carry it. */
  posts_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
}

/** Spaces that offer a topic which is not offered everywhere. */
export interface TopicSpaceRow {
  topic_id: number
  space_id: number
}

export interface FeedTopicRow {
  feed_id: number
  topic_id: number
  /** Order within the feed. */
  position: number
  /** That of the feed, while it is listed: the newest feeds of a topic come out of an index in their order. */
  published_at: Datetime
}

/** What a scheduled feed knows beside its moment. */
export interface ScheduledPostRow {
  feed_id: number
  timezone: string
  auto_publish: Generated<Flag>
  notification_sent: Generated<Flag>
}

export interface MediaRow {
  id: Generated<number>
  /** Stands in its address; cannot be guessed. */
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
