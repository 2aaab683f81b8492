import type { AccountStatus, Language, MigrationSource } from '@lyceum/contract'
import type { ColumnType } from 'kysely'

// Columns with the same type of value on both databases. Ids and counts are integers.
type Numbers<Column extends string> = Record<Column, number>
type Texts<Column extends string> = Record<Column, string>
/** `YYYY-MM-DD HH:MM:SS` in UTC, as in the API. */
type Times<Column extends string> = Record<Column, string>
/** JSON as text, which SQL does not query. */
type Json<Column extends string> = Record<Column, string>
type Flags<Column extends string> = Record<Column, 0 | 1>
type Nullable<Columns> = { [Column in keyof Columns]: Columns[Column] | null }

/**
 * Contributions of a period. `post_reactions`, `post_comments`: reactions to and comments on the posts of that period, whenever they were made.
 * `comment_reactions`: reactions to the comments of that period.
 */
type Contributions = Numbers<'posts' | 'comments' | 'reactions' | 'post_reactions' | 'post_comments' | 'comment_reactions'>
/** Points in total and by source. */
type Scores = Numbers<'points' | 'posts' | 'comments' | 'reactions' | 'courses' | 'helpful'>

/** The rows of every table. */
export interface Tables {
  users: Numbers<'id' | 'total_points' | 'followers_count' | 'followings_count'> &
    Flags<'is_verified' | 'is_private'> &
    Texts<'username' | 'email' | 'display_name' | 'first_name' | 'last_name'> &
    Texts<'short_description' | 'location' | 'website' | 'avatar' | 'cover_photo'> &
    Json<'social_links' | 'badge_slugs'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Texts<'password_hash'> & Times<'last_activity'>> & { status: AccountStatus; lang: Language | '' }
  managers: Numbers<'id' | 'user_id'> &
    Flags<'all_spaces'> &
    Json<'permissions'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'assigned_by'>> & { role: 'admin' | 'manager' | 'moderator'; status: 'active' | 'inactive' }
  manager_spaces: Numbers<'user_id' | 'space_id'>
  /** `parent_id`: the application password that created it; both are revoked together. */
  application_passwords: Numbers<'id' | 'user_id'> &
    Texts<'name' | 'hash'> &
    Times<'created_at'> &
    Nullable<Numbers<'parent_id'> & Texts<'last_ip'> & Times<'last_used_at'>>
  sessions: Numbers<'id' | 'user_id'> & Texts<'token_hash' | 'ip' | 'user_agent'> & Times<'created_at' | 'last_used_at' | 'expires_at'>
  /**
   * One-time links: password reset, first setup, confirmation of a registration, change of the email address and its reversal. `email` is
   * the address that the last two set.
   */
  tokens: Texts<'hash'> &
    Times<'created_at' | 'expires_at'> &
    Nullable<Numbers<'user_id'> & Texts<'email'>> & { purpose: 'reset' | 'setup' | 'verify' | 'email' | 'undo' }
  /**
   * The username and address of an unconfirmed account. Its row in `users` has placeholders, so that it reserves neither. `browser_hash`:
   * hash of the cookie token of the browser that registered.
   */
  signups: Numbers<'user_id'> & Texts<'username' | 'email'> & Nullable<Texts<'browser_hash'>>
  /**
   * A failed sign-in, without the input. `user_id` is null if there is no such account. `network`: the client's address without its last
   * part.
   */
  sign_in_failures: Numbers<'id'> & Texts<'network'> & Times<'created_at'> & Nullable<Numbers<'user_id'>>
  settings: Texts<'key'> & Json<'value'> & Times<'updated_at'>
  events: Numbers<'id'> & Texts<'name'> & Json<'payload'> & Times<'created_at'> & Nullable<Numbers<'actor_id'>>
  /** An event whose listeners have not run yet. */
  pending_events: Numbers<'event_id'>
  /** `outgoing`: it makes outbound requests and runs outside of transactions. */
  jobs: Numbers<'id' | 'attempts'> &
    Flags<'outgoing'> &
    Texts<'name'> &
    Json<'payload'> &
    Times<'run_at' | 'created_at'> &
    Nullable<Numbers<'event_id'> & Texts<'last_error'>> & { status: 'ready' | 'parked' }
  /** `body`: the response, which is encrypted, since it can contain a secret that is shown once. */
  idempotency_keys: Numbers<'status'> & Texts<'scope' | 'key' | 'request_hash' | 'body'> & Times<'created_at'>

  space_groups: Numbers<'id' | 'position'> & Texts<'title' | 'slug' | 'description'> & Json<'settings'> & Times<'created_at' | 'updated_at'>
  /** `parent_id`: the space's group. `posts_count`: listed feeds, public and private. */
  spaces: Numbers<'id' | 'position' | 'members_count' | 'posts_count'> &
    Texts<'title' | 'slug' | 'logo' | 'cover_photo' | 'description' | 'type'> &
    Json<'settings' | 'lockscreen'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'created_by' | 'parent_id'>> & { privacy: 'public' | 'private' | 'secret'; status: 'published' | 'draft' | 'archived' }
  space_members: Numbers<'id' | 'space_id' | 'user_id'> &
    Times<'joined_at' | 'updated_at'> & { role: 'member' | 'moderator' | 'admin'; status: 'active' | 'pending' | 'banned' }

  /**
   * `published_at`: when it was first published; newest-first lists sort by it. `active_at`: last comment or edit; `new_activity` lists
   * sort by it. `lesson_id`: the lesson whose discussion it is; such a feed is not listed. `listed`: it is published and not expired, so
   * lists contain it; writes and the expiry job update this. `edited_at`: the last change of its content after publication.
   * `edited_by_moderator`: someone other than the author made that change.
   */
  feeds: Numbers<'id' | 'user_id' | 'comments_count' | 'reactions_count' | 'priority'> &
    Flags<'is_sticky' | 'listed' | 'edited_by_moderator'> &
    Texts<'title' | 'slug' | 'message' | 'message_rendered' | 'type' | 'content_type'> &
    Json<'meta'> &
    Times<'created_at' | 'updated_at' | 'published_at' | 'active_at'> &
    Nullable<
      Numbers<'parent_id' | 'space_id' | 'lesson_id'> & Texts<'featured_image'> & Times<'expired_at' | 'scheduled_at' | 'edited_at'>
    > & { privacy: 'public' | 'private'; status: 'published' | 'draft' | 'scheduled' | 'pending' | 'spam' }
  /** Number of listed feeds per space (0: without a space) and privacy, so that list totals need no count. */
  listed_feed_counts: Numbers<'space_id' | 'feeds_count'> & { privacy: 'public' | 'private' }
  feed_links: Numbers<'id' | 'position'> & Flags<'enabled' | 'new_tab'> & Texts<'title' | 'url' | 'icon'>
  /** Denormalized votes per survey option. The feed's `meta` contains the definition. */
  survey_options: Numbers<'feed_id' | 'votes'> & Texts<'slug'>
  /** `voters`: number of members who voted. */
  surveys: Numbers<'feed_id' | 'voters'>
  /** `slot`: 0 for a single choice, or else the option's position; a member has one vote per slot. */
  survey_votes: Numbers<'feed_id' | 'user_id' | 'slot'> & Texts<'option_slug'> & Times<'created_at'>
  /** `helpful_at`, `helpful_by`: when it was marked as helpful, and by whom. */
  comments: Numbers<'id' | 'user_id' | 'post_id' | 'reactions_count'> &
    Flags<'is_sticky' | 'edited_by_moderator'> &
    Texts<'message' | 'message_rendered' | 'type' | 'content_type'> &
    Json<'meta'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'parent_id' | 'helpful_by'> & Times<'helpful_at' | 'edited_at'>> & { status: 'published' | 'pending' | 'spam' }
  /**
   * The content of a feed or comment before someone other than its author edited it. `feed_id`: the feed, or the feed of the comment.
   * `editor_id` is null if the account was deleted. `title` is empty for comments.
   */
  content_revisions: Numbers<'id' | 'feed_id' | 'author_id'> &
    Texts<'reason' | 'title' | 'message' | 'content_type'> &
    Json<'meta'> &
    Times<'created_at'> &
    Nullable<Numbers<'comment_id' | 'editor_id'>>
  /** A reaction to a feed has no comment_id; one to a comment has the comment's feed_id too. */
  reactions: Numbers<'id' | 'user_id' | 'feed_id'> &
    Texts<'type' | 'ip_address'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'comment_id'>>
  bookmarks: Numbers<'id' | 'user_id' | 'feed_id'> & Times<'created_at'>
  activities: Numbers<'id' | 'user_id' | 'object_id'> &
    Texts<'action_type' | 'object_type'> &
    Json<'meta'> &
    Times<'created_at'> &
    Nullable<Numbers<'space_id' | 'feed_id' | 'comment_id'>>

  /** `updated_at`: when a pending request was accepted. */
  followers: Numbers<'id' | 'follower_id' | 'following_id'> & Times<'created_at' | 'updated_at'> & { status: 'active' | 'pending' }
  /** The name index: every suffix of every word of a member's names. `is_whole_word`: it is the whole word. */
  user_name_tokens: Numbers<'user_id'> & Flags<'is_whole_word'> & Texts<'token'>
  /**
   * `dedup_key`: such as `new_reaction:feed:7`: notifications with the same key are merged. `is_open`: further actors are added to this
   * row; always 1 for types that are not grouped. `comment_id`: the comment that it is about; its actors can have other comments.
   * `removed`: the recipient deleted it.
   */
  notifications: Numbers<'id' | 'user_id' | 'object_id'> &
    Flags<'is_open' | 'is_read' | 'removed'> &
    Texts<'type' | 'dedup_key' | 'object_type'> &
    Json<'meta'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'space_id' | 'feed_id' | 'comment_id'> & Times<'read_at'>>
  /** The actor of a notification, and the comment that they wrote. */
  notification_actors: Numbers<'id' | 'notification_id' | 'actor_id'> & Times<'created_at'> & Nullable<Numbers<'comment_id'>>
  /** Only the settings that a member has changed; the others have their defaults. */
  notification_preferences: Numbers<'user_id'> &
    Json<'email' | 'push'> &
    Times<'updated_at'> & { digest_frequency: 'daily' | 'weekly' | 'never' | null }
  /** When a member's next digest is due. `frequency` is that of the schedule; members without digests are checked again every week. */
  digest_schedules: Numbers<'user_id'> & Times<'due_at'> & Nullable<Times<'sent_at'>> & { frequency: 'daily' | 'weekly' | 'never' }
  /**
   * Delivery of a notification by mail and push, at most once. `mail_claimed_at`: when its mail was counted against the hourly limit.
   * `push_at`: when the last push message was due, or the next one is.
   */
  notification_deliveries: Numbers<'notification_id' | 'user_id'> & Nullable<Times<'mail_claimed_at' | 'mailed_at' | 'push_at'>>
  push_subscriptions: Numbers<'id' | 'user_id'> &
    Texts<'endpoint' | 'p256dh' | 'auth' | 'user_agent'> &
    Times<'created_at'> &
    Nullable<Numbers<'session_id'> & Times<'last_used_at'>>
  /** A reserved username; the owner is null after a deletion. */
  former_usernames: Texts<'username_hash'> & Times<'until'> & Nullable<Numbers<'user_id'>>
  /**
   * `admin_only`: only moderators can use it. `is_global`: it is available everywhere, otherwise only in the spaces of topic_spaces.
   * `posts_count`: number of listed feeds with it.
   */
  topics: Numbers<'id' | 'position' | 'posts_count'> &
    Flags<'admin_only' | 'is_global'> &
    Texts<'title' | 'slug' | 'description' | 'color' | 'icon'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'parent_id'>> & { status: 'active' | 'inactive' }
  /** A space where a topic is available that is not global. */
  topic_spaces: Numbers<'topic_id' | 'space_id'>
  /** `position`: order within the feed. `published_at`: copied from the feed, so that an index has the feeds of a topic in order. */
  feed_topics: Numbers<'feed_id' | 'topic_id' | 'position'> & Times<'published_at'>
  /** Additional data of a scheduled feed. */
  scheduled_posts: Numbers<'feed_id'> & Flags<'auto_publish' | 'notification_sent'> & Texts<'timezone'>
  /** `key`: random part of its URL. */
  media: Numbers<'id' | 'user_id' | 'file_size'> &
    Texts<'key' | 'file_name' | 'file_type' | 'path'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'width' | 'height' | 'object_id'> & Texts<'thumbnail_path'>> & {
      store: 'disk' | 's3'
      object_source: 'feed' | 'comment' | 'profile' | 'space' | 'course' | 'lesson'
      status: 'uploaded' | 'active' | 'deleted'
    }

  course_categories: Numbers<'id'> & Texts<'title' | 'slug'>
  /**
   * `content`: safe HTML. `price`: a decimal number as text. `sections_count`: published sections. `lessons_count`: published lessons in
   * published sections, the basis of progress.
   */
  courses: Numbers<'id' | 'position' | 'sections_count' | 'lessons_count' | 'students_count'> &
    Texts<'title' | 'slug' | 'description' | 'content' | 'featured_image' | 'logo' | 'cover_photo' | 'duration' | 'price'> &
    Json<'settings' | 'lockscreen'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'category_id' | 'instructor_id' | 'created_by'> & Times<'published_at'>> & {
      status: 'draft' | 'published' | 'archived'
      privacy: 'public' | 'private' | 'secret'
      course_type: 'self_paced' | 'structured' | 'scheduled'
      difficulty: 'beginner' | 'intermediate' | 'advanced'
    }
  /** A course that must be completed before enrolling in another. */
  course_prerequisites: Numbers<'course_id' | 'required_id'>
  /** When it unlocks: in a structured course `days_after` the enrolment, in a scheduled course at `scheduled_at`. */
  course_sections: Numbers<'id' | 'course_id' | 'position' | 'days_after'> &
    Texts<'title' | 'slug'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Times<'scheduled_at'>> & { status: 'draft' | 'published' | 'archived' }
  /** `feed_id`: the feed of its comments. `position`: its position in the whole course. `content`: safe HTML. */
  lessons: Numbers<'id' | 'course_id' | 'section_id' | 'position'> &
    Flags<'is_preview'> &
    Texts<'slug' | 'title' | 'video_url' | 'duration' | 'content'> &
    Json<'resources' | 'settings'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'feed_id'>> & { type: 'lesson' | 'quiz'; status: 'draft' | 'published' | 'archived' }
  /** `enrolled_epoch`: `enrolled_at` in seconds. `progress`: percentage of the published lessons. `completed_at`: of the first completion. */
  enrolments: Numbers<'id' | 'course_id' | 'user_id' | 'enrolled_epoch' | 'completed_lessons' | 'progress'> &
    Times<'enrolled_at'> &
    Nullable<Numbers<'added_by' | 'last_lesson_id'> & Times<'last_accessed_at' | 'completed_at'>>
  /**
   * The first completion of a course; it outlives the enrolment. `certificate_at` is null while the certificate is not valid, since the
   * member is not enrolled or has not completed the course; `certificate_code` is kept, so that it never changes.
   */
  course_completions: Numbers<'course_id' | 'user_id'> &
    Times<'completed_at'> &
    Nullable<Texts<'certificate_code'> & Times<'certificate_at'>>
  lesson_completions: Numbers<'user_id' | 'lesson_id' | 'course_id'> & Times<'completed_at'>
  /** `version_id`: the current questions. `max_attempts`: 0 for unlimited. `time_limit`: seconds; 0 for none. */
  quizzes: Numbers<'lesson_id' | 'passing_score' | 'max_attempts' | 'time_limit'> &
    Flags<'show_correct_answers' | 'randomize_questions'> &
    Times<'updated_at'> &
    Nullable<Numbers<'version_id'>>
  quiz_versions: Numbers<'id' | 'lesson_id'> & Json<'questions'> & Times<'created_at'>
  /** `question_order`: question ids in the order of this attempt. `grades`: manual grades by question. `time_spent`: seconds. */
  quiz_attempts: Numbers<'id' | 'user_id' | 'course_id' | 'lesson_id' | 'version_id' | 'attempt_number' | 'time_spent'> &
    Numbers<'points_earned' | 'points_possible' | 'total_questions' | 'correct_answers' | 'passing_score'> &
    Flags<'passed' | 'late'> &
    Texts<'feedback'> &
    Json<'question_order' | 'answers' | 'grades'> &
    Times<'started_at'> &
    Nullable<Numbers<'score' | 'graded_by'> & Times<'submitted_at' | 'graded_at'>> & { status: 'in_progress' | 'completed' | 'graded' }

  /** An administrative action. Rows are append-only, and outlive the account that they name. `actor_id` is null for the server. */
  audit_log: Numbers<'id'> &
    Texts<'action' | 'object_type' | 'ip_address' | 'request_id'> &
    Json<'details'> &
    Times<'created_at'> &
    Nullable<Numbers<'actor_id' | 'object_id'>>
  /**
   * `reporter_id` is null if the account was deleted. `space_id`: the space of the object. `lesson_id`: the lesson on which it was a
   * comment. `title`, `excerpt`: the text of the object when it was reported.
   */
  reports: Numbers<'id' | 'reported_user_id' | 'object_id'> &
    Texts<'reason' | 'description' | 'moderator_note' | 'action_taken' | 'title' | 'excerpt'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<Numbers<'reporter_id' | 'space_id' | 'lesson_id' | 'moderator_id'>> & {
      object_type: 'feed' | 'comment' | 'user'
      status: 'pending' | 'reviewed' | 'resolved' | 'dismissed'
    }
  /** Why a feed, or one of its comments, is pending or spam. */
  moderation_holds: Numbers<'id' | 'feed_id'> & Texts<'reason'> & Json<'details'> & Times<'created_at'> & Nullable<Numbers<'comment_id'>>
  /** One row: the configuration of automatic moderation and reports. */
  moderation_config: Numbers<'id'> & Json<'value'> & Times<'updated_at'>

  /**
   * `generation`: the valid generation of rollups; a rebuild fills the next one. `zone`: the time zone of their days. `stale`: they must
   * be rebuilt from the source rows.
   */
  analytics_state: Numbers<'id' | 'generation'> & Flags<'stale'> & Texts<'zone'> & Nullable<Times<'rebuilding_until'>>
  /** A change of counts that the rollups do not include yet; triggers write it in the transaction of the change. */
  analytics_outbox: Contributions & Numbers<'id' | 'joins' | 'members'> & Times<'at'> & Nullable<Numbers<'user_id' | 'space_id'>>
  /**
   * Contributions of one member in a day (span 1), week (7) or month (30). `start`: its first day; `joined`: the day of the registration.
   * Days are numbers such as 20260310, since there are very many of these rows.
   */
  analytics_member_rollups: Contributions & Numbers<'generation' | 'start' | 'user_id' | 'joined'> & { span: 1 | 7 | 30 }
  analytics_space_rollups: Numbers<'posts' | 'comments' | 'reactions' | 'generation' | 'space_id' | 'joins'> & Texts<'day'>
  /** The whole community in one hour of a day; `members`: new members. */
  analytics_hourly_rollups: Numbers<'posts' | 'comments' | 'reactions' | 'generation' | 'hour' | 'members'> & Texts<'day'>

  /**
   * One award of points, or its reversal. Rows are append-only. `dedup_key`: such as `post_created:feed:7`; at most one row with a key is
   * not reversed. `day`: `YYYY-MM-DD` in the community's time zone. A reversal has the day of the row that it reverses.
   */
  points_ledger: Numbers<'id' | 'user_id' | 'points'> &
    Texts<'kind' | 'dedup_key' | 'event_key' | 'day'> &
    Times<'created_at'> &
    Nullable<Numbers<'space_id' | 'feed_id' | 'comment_id' | 'reverses'>>
  /** A user whose aggregates lack their ledger rows from `from_id` on. */
  points_unfolded: Numbers<'user_id' | 'from_id'>
  /** `space_id`: 0 for the whole community. */
  daily_scores: Scores & Numbers<'user_id' | 'space_id'> & Texts<'day'>
  /**
   * A range of days with scores: they can be read while it is ready, and are deleted while it is leaving. `name`: such as
   * `7_days:2026-11-20`, by its last day; or `all_time`.
   */
  score_periods: Numbers<'id'> & Texts<'name' | 'first_day' | 'last_day'> & { state: 'filling' | 'ready' | 'leaving' }
  period_scores: Scores & Numbers<'user_id' | 'period_id' | 'space_id'>
  /** Number of contributions that earn points, by kind. */
  contribution_counts: Numbers<'user_id' | 'posts' | 'comments' | 'reactions' | 'courses'>
  points_config: Numbers<'points'> & Texts<'kind'>
  leaderboard_levels: Numbers<'id' | 'min_points' | 'max_points' | 'position'> &
    Texts<'title' | 'slug' | 'description' | 'badge_icon' | 'badge_color'> &
    Json<'perks'>
  achievements: Numbers<'id' | 'user_id'> & Texts<'code'> & Times<'earned_at'> & Nullable<Numbers<'level_id'>>

  /**
   * A record of an imported community, or with the kind `names` a name by which its texts mention someone. `local_id`: its row here; null if
   * it has none with an id. `hash`: of the record. `fingerprint`: of the row as the import stored it; empty if the import must not change the
   * row. `unresolved`: it names something that was not imported yet.
   */
  import_map: Texts<'source' | 'kind' | 'foreign_id' | 'hash' | 'fingerprint'> & Flags<'unresolved'> & Nullable<Numbers<'local_id'>>
  /** The path of an address at an imported community, and what was there. */
  redirects: Texts<'path' | 'source'> &
    Nullable<Numbers<'user_id' | 'space_id' | 'feed_id' | 'comment_id' | 'topic_id' | 'course_id' | 'lesson_id' | 'media_id'>>
  /** A further name of a member, in lower case, by which texts mention them. */
  username_aliases: Numbers<'user_id'> & Texts<'alias'>

  /** A backup of this database. `alive_at`: the last report of the process that makes it. `failures`: failed ones until then. */
  backups: Numbers<'id' | 'size' | 'failures'> &
    Flags<'encrypted'> &
    Texts<'name'> &
    Times<'created_at' | 'alive_at'> &
    Nullable<Texts<'error'> & Times<'proven_at'>> & { kind: 'scheduled' | 'before-upgrade'; status: 'running' | 'complete' | 'failed' }

  /** A site from which to import; the password is encrypted. */
  import_sites: Texts<'url' | 'username' | 'password'> & { source: MigrationSource }
  /** An uploaded file to import. */
  import_files: Numbers<'id' | 'size'> &
    Texts<'file_name' | 'path'> &
    Times<'created_at'> & { source: MigrationSource; store: 'disk' | 's3' }
  /** An import that an administrator started. `claimed`: a process runs it, which last reported at `alive_at`. */
  import_runs: Numbers<'id'> &
    Flags<'dry_run' | 'claimed'> &
    Json<'items' | 'map' | 'progress'> &
    Times<'started_at' | 'alive_at'> &
    Nullable<Numbers<'started_by'> & Json<'results'> & Texts<'error'> & Times<'completed_at'>> & {
      source: MigrationSource
      status: 'in_progress' | 'completed' | 'failed'
    }
  /** A record that an import skipped, or failed to import. */
  import_report: Numbers<'id' | 'run_id'> & Texts<'item' | 'foreign_id' | 'reason'> & { outcome: 'skipped' | 'failed' }

  /**
   * An archive of a member's data. `requested_by`: the member or an administrator; null if the account was deleted. `key`: random part of
   * its URL. `store`: storage of the archive. `tries`: number of attempts. `locked_until`: end of the lease of the process that creates it.
   */
  data_exports: Numbers<'id' | 'user_id' | 'tries'> &
    Texts<'key'> &
    Times<'created_at'> &
    Nullable<Numbers<'requested_by' | 'size'> & Texts<'path'> & Times<'locked_until' | 'completed_at' | 'expires_at'>> & {
      status: 'pending' | 'ready' | 'failed' | 'expired'
      store: 'disk' | 's3'
    }

  /**
   * `secret`: encrypted. `previous_secret`: the previous secret, encrypted, which also signs until `previous_until`. `headers`: JSON,
   * encrypted. `created_by`: the user whose permissions decide what is delivered. `all_content`: delivers everything that administrators
   * can see, while its creator is one. `failing_since`: since when every attempt has failed. `failures`: failed attempts since then.
   * `slow_failures`: failed attempts that timed out. `paused_until`: no attempts until then. `recheck_at`: when a job checks for deliveries
   * that senders have left.
   */
  webhooks: Numbers<'id' | 'retry_count' | 'failures' | 'slow_failures'> &
    Flags<'all_content'> &
    Texts<'name' | 'url' | 'secret' | 'headers'> &
    Times<'created_at' | 'updated_at'> &
    Nullable<
      Numbers<'created_by'> &
        Texts<'previous_secret' | 'last_error'> &
        Times<'previous_until' | 'last_triggered_at' | 'failing_since' | 'paused_until' | 'recheck_at'>
    > & { status: 'active' | 'inactive' }
  webhook_events: Numbers<'webhook_id'> & Texts<'event'>
  /**
   * `event`: its public name. `name`: its internal name. `payload`: ids only. `tries`: attempts since the event or the last manual
   * redelivery. `locked_until`: end of the sender's lease. `response_time`: milliseconds. `skipped`: not sent, since the webhook's creator
   * may not see its content.
   */
  webhook_deliveries: Numbers<'id' | 'webhook_id' | 'event_id' | 'attempts' | 'tries'> &
    Flags<'skipped'> &
    Texts<'event' | 'name'> &
    Json<'payload'> &
    Times<'occurred_at' | 'created_at'> &
    Nullable<
      Numbers<'actor_id' | 'response_code' | 'response_time'> & Texts<'last_error'> & Times<'next_try_at' | 'locked_until' | 'attempted_at'>
    > & { status: 'pending' | 'delivered' | 'failed' }
}

/** The columns of a row to insert are optional: the database has defaults for some, and refuses a row without the others. */
type Stored<Row> = { [Column in keyof Row]: ColumnType<Row[Column], Row[Column] | undefined> }

/** The tables for Kysely. */
export type Schema = { [Table in keyof Tables]: Stored<Tables[Table]> }

export type ApplicationPasswordRow = Tables['application_passwords']
export type AuditLogRow = Tables['audit_log']
export type BookmarkRow = Tables['bookmarks']
export type CommentRow = Tables['comments']
export type ContentRevisionRow = Tables['content_revisions']
export type CourseCategoryRow = Tables['course_categories']
export type CourseRow = Tables['courses']
export type CourseSectionRow = Tables['course_sections']
export type DataExportRow = Tables['data_exports']
export type EnrolmentRow = Tables['enrolments']
export type FeedRow = Tables['feeds']
export type FollowerRow = Tables['followers']
export type ImportRunRow = Tables['import_runs']
export type LessonRow = Tables['lessons']
export type ManagerRow = Tables['managers']
export type MediaRow = Tables['media']
export type NotificationDeliveryRow = Tables['notification_deliveries']
export type NotificationRow = Tables['notifications']
export type PushSubscriptionRow = Tables['push_subscriptions']
export type QuizAttemptRow = Tables['quiz_attempts']
export type QuizRow = Tables['quizzes']
export type ReactionRow = Tables['reactions']
export type ReportRow = Tables['reports']
export type SessionRow = Tables['sessions']
export type SignInFailureRow = Tables['sign_in_failures']
export type SpaceGroupRow = Tables['space_groups']
export type SpaceMemberRow = Tables['space_members']
export type SpaceRow = Tables['spaces']
export type TokenRow = Tables['tokens']
export type TopicRow = Tables['topics']
export type UserRow = Tables['users']
export type WebhookDeliveryRow = Tables['webhook_deliveries']
export type WebhookRow = Tables['webhooks']
