import type { Generated } from 'kysely'
import type { Datetime, Flag, Json } from './types.ts'

export interface FeedRow {
  id: Generated<number>
  user_id: number
  parent_id: number | null
  title: Generated<string>
  slug: string
  message: string
  message_rendered: string
  type: Generated<string>
  content_type: Generated<string>
  space_id: number | null
  privacy: Generated<'public' | 'private'>
  status: Generated<'published' | 'draft' | 'scheduled' | 'pending' | 'spam'>
  featured_image: string | null
  meta: Generated<Json>
  is_sticky: Generated<Flag>
  comments_count: Generated<number>
  reactions_count: Generated<number>
  priority: Generated<number>
  expired_at: Datetime | null
  scheduled_at: Datetime | null
  created_at: Datetime
  updated_at: Datetime
  /** When it was first published; newest-first lists sort by it. */
  published_at: Datetime
  /** Last comment or edit; `new_activity` lists sort by it. */
  active_at: Datetime
  /** The lesson whose discussion it is; such a feed is not listed. */
  lesson_id: Generated<number | null>
  /** 1 while it is published and not expired; only these feeds are in lists. Updated by writes and by the expiry job. */
  listed: Generated<Flag>
  /** The last change of its content after publication; null: none. */
  edited_at: Generated<Datetime | null>
  /** Whether someone other than the author made that change. */
  edited_by_moderator: Generated<Flag>
}

/** Number of listed feeds per space (0: without a space) and privacy, so that list totals need no count. */
export interface ListedFeedCountRow {
  space_id: number
  privacy: 'public' | 'private'
  feeds_count: number
}

export interface FeedLinkRow {
  id: Generated<number>
  title: string
  url: string
  icon: string
  enabled: Flag
  new_tab: Flag
  position: number
}

/** Denormalized votes per survey option. The feed's `meta` contains the definition. */
export interface SurveyOptionRow {
  feed_id: number
  slug: string
  votes: Generated<number>
}

export interface SurveyRow {
  feed_id: number
  /** Number of members who voted. */
  voters: Generated<number>
}

export interface SurveyVoteRow {
  feed_id: number
  user_id: number
  /** 0 for a single choice, or else the option's position; a member has one vote per slot. */
  slot: number
  option_slug: string
  created_at: Datetime
}

export interface CommentRow {
  id: Generated<number>
  user_id: number
  post_id: number
  parent_id: number | null
  message: string
  message_rendered: string
  type: Generated<string>
  content_type: Generated<string>
  status: Generated<'published' | 'pending' | 'spam'>
  reactions_count: Generated<number>
  is_sticky: Generated<Flag>
  meta: Generated<Json>
  created_at: Datetime
  updated_at: Datetime
  /** When it was marked as helpful, and by whom. */
  helpful_at: Generated<Datetime | null>
  helpful_by: Generated<number | null>
  /** As in feeds. */
  edited_at: Generated<Datetime | null>
  edited_by_moderator: Generated<Flag>
}

/** The content of a feed or comment before someone other than its author edited it. */
export interface ContentRevisionRow {
  id: Generated<number>
  /** The feed, or the feed of the comment. */
  feed_id: number
  comment_id: number | null
  author_id: number
  /** null: the account was deleted. */
  editor_id: number | null
  reason: string
  /** Empty for comments. */
  title: string
  message: string
  content_type: string
  meta: Json
  created_at: Datetime
}

/** A reaction to a feed has no comment_id; one to a comment has the comment's feed_id too. */
export interface ReactionRow {
  id: Generated<number>
  user_id: number
  feed_id: number
  comment_id: number | null
  type: string
  ip_address: string
  created_at: Datetime
  updated_at: Datetime
}

export interface BookmarkRow {
  id: Generated<number>
  user_id: number
  feed_id: number
  created_at: Datetime
}

export interface ActivityRow {
  id: Generated<number>
  user_id: number
  action_type: string
  object_id: number
  object_type: string
  space_id: number | null
  feed_id: number | null
  comment_id: number | null
  meta: Generated<Json>
  created_at: Datetime
}
