import type { Generated } from 'kysely'

/**
 * Row types. They mean the same on SQLite and PostgreSQL: ids and counts are integers, switches are 0 or 1,
 * datetimes are the wire's text (`YYYY-MM-DD HH:MM:SS`, UTC), JSON is text that is never queried inside.
 */
type Flag = 0 | 1
type Datetime = string
type Json = string

export interface UserRow {
  id: Generated<number>
  username: string
  email: string
  password_hash: string | null
  display_name: string
  first_name: Generated<string>
  last_name: Generated<string>
  short_description: Generated<string>
  location: Generated<string>
  website: Generated<string>
  avatar: Generated<string>
  cover_photo: Generated<string>
  social_links: Generated<Json>
  badge_slugs: Generated<Json>
  is_verified: Generated<Flag>
  is_private: Generated<Flag>
  status: Generated<'active' | 'suspended' | 'banned'>
  total_points: Generated<number>
  followers_count: Generated<number>
  followings_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
  last_activity: Datetime | null
}

export interface ManagerRow {
  id: Generated<number>
  user_id: number
  role: 'admin' | 'manager' | 'moderator'
  permissions: Json
  all_spaces: Flag
  status: Generated<'active' | 'inactive'>
  assigned_by: number | null
  created_at: Datetime
  updated_at: Datetime
}

export interface ManagerSpaceRow {
  user_id: number
  space_id: number
}

export interface ApplicationPasswordRow {
  id: Generated<number>
  user_id: number
  name: string
  hash: string
  created_at: Datetime
  last_used_at: Datetime | null
  last_ip: string | null
}

export interface SessionRow {
  id: Generated<number>
  user_id: number
  token_hash: string
  created_at: Datetime
  last_used_at: Datetime
  expires_at: Datetime
  ip: string
  user_agent: string
}

/** One-time links: password reset, first set-up, change of e-mail. */
export interface TokenRow {
  hash: string
  purpose: 'reset' | 'setup'
  user_id: number | null
  created_at: Datetime
  expires_at: Datetime
}

export interface SettingRow {
  key: string
  value: Json
  updated_at: Datetime
}

export interface EventRow {
  id: Generated<number>
  name: string
  actor_id: number | null
  payload: Json
  created_at: Datetime
}

export interface JobRow {
  id: Generated<number>
  event_id: number | null
  name: string
  /** 1: it talks to the outside and runs without a transaction. */
  outgoing: Generated<Flag>
  payload: Json
  run_at: Datetime
  attempts: Generated<number>
  status: Generated<'ready' | 'parked'>
  last_error: string | null
  created_at: Datetime
}

export interface IdempotencyKeyRow {
  scope: string
  key: string
  request_hash: string
  status: number
  /** The answer, sealed: it may hold a secret that is shown once. */
  body: string
  created_at: Datetime
}

export interface SpaceGroupRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  serial: number
  settings: Json
  created_at: Datetime
  updated_at: Datetime
}

export interface SpaceRow {
  id: Generated<number>
  created_by: number | null
  /** The space's group. */
  parent_id: number | null
  title: string
  slug: string
  logo: Generated<string>
  cover_photo: Generated<string>
  description: Generated<string>
  type: Generated<string>
  privacy: Generated<'public' | 'private' | 'secret'>
  status: Generated<'published' | 'draft' | 'archived'>
  serial: number
  settings: Json
  lockscreen: Generated<Json>
  members_count: Generated<number>
  /** Listed feeds, of whatever privacy. */
  posts_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
}

export interface SpaceMemberRow {
  id: Generated<number>
  space_id: number
  user_id: number
  role: Generated<'member' | 'moderator' | 'admin'>
  status: Generated<'active' | 'pending' | 'banned'>
  joined_at: Datetime
  updated_at: Datetime
}

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
  /** When it was first published; the order of every newest-first list. */
  published_at: Datetime
  /** Last comment or edit; the order of new_activity. */
  active_at: Datetime
  /** The lesson that it belongs to; such a feed is in no list. */
  lesson_id: Generated<number | null>
  /** 1 while it is published and not expired: the rows that lists hold. Kept by writes and by the expiry job. */
  listed: Generated<Flag>
}

/** Listed feeds per space (0: without a space) and privacy, so that lists know their total without counting. */
export interface FeedCountRow {
  space_id: number
  privacy: 'public' | 'private'
  listed: number
}

export interface FeedLinkRow {
  id: Generated<number>
  title: string
  url: string
  icon: string
  enabled: Flag
  new_tab: Flag
  serial: number
}

/** Kept counts of a survey: votes per option. The definition stands in the feed's meta. */
export interface SurveyOptionRow {
  feed_id: number
  slug: string
  votes: Generated<number>
}

export interface SurveyRow {
  feed_id: number
  /** Number of people who voted. */
  voters: Generated<number>
}

export interface SurveyVoteRow {
  feed_id: number
  user_id: number
  /** 0 for a single choice, else the option's position: one vote a member and slot. */
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
}

/** A reaction to a feed has no comment_id; one to a comment carries the comment's feed as well. */
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

/** What people can be found by: each word of their names, and what is left of it from each of its characters on. */
export interface PersonNameRow {
  part: string
  user_id: number
  /** 1: the whole word. */
  head: Flag
}

/** Who follows whom; `updated_at` is when a pending one became active. */
export interface FollowerRow {
  id: Generated<number>
  follower_id: number
  following_id: number
  status: 'active' | 'pending'
  created_at: Datetime
  updated_at: Datetime
}

export interface NotificationRow {
  id: Generated<number>
  user_id: number
  type: string
  /** What it is about, such as `new_reaction:feed:7`: two of them with the same subject are one. */
  subject: string
  /** 1 while a further cause goes into this row; of what is not grouped for good. */
  open: Generated<Flag>
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
export interface NotificationCauseRow {
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
export interface DigestRow {
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
  everywhere: Generated<Flag>
  status: Generated<'active' | 'inactive'>
  serial: number
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
  place: number
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
  object_source: Generated<'feed' | 'comment' | 'profile' | 'space'>
  object_id: number | null
  status: Generated<'uploaded' | 'active' | 'deleted'>
  created_at: Datetime
  updated_at: Datetime
}

export interface CourseCategoryRow {
  id: Generated<number>
  title: string
  slug: string
}

export interface CourseRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  /** Safe HTML. */
  content: Generated<string>
  featured_image: Generated<string>
  logo: Generated<string>
  cover_photo: Generated<string>
  status: Generated<'draft' | 'published' | 'archived'>
  privacy: Generated<'public' | 'private' | 'secret'>
  course_type: Generated<'self_paced' | 'structured' | 'scheduled'>
  category_id: number | null
  difficulty: Generated<'beginner' | 'intermediate' | 'advanced'>
  duration: Generated<string>
  /** A decimal number as text. */
  price: Generated<string>
  instructor_id: number | null
  created_by: number | null
  serial: Generated<number>
  settings: Generated<Json>
  lockscreen: Generated<Json>
  /** Published ones. */
  sections_count: Generated<number>
  /** Published ones in published sections: what progress is measured by. */
  lessons_count: Generated<number>
  students_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
  published_at: Datetime | null
}

/** A course that must be completed before one enrols in another. */
export interface CoursePrerequisiteRow {
  course_id: number
  required_id: number
}

export interface CourseSectionRow {
  id: Generated<number>
  course_id: number
  title: string
  slug: string
  status: Generated<'draft' | 'published' | 'archived'>
  position: number
  /** In a structured course: days after enrolment at which it unlocks. */
  days_after: Generated<number>
  /** In a scheduled course: when it unlocks. */
  scheduled_at: Datetime | null
  created_at: Datetime
  updated_at: Datetime
}

export interface LessonRow {
  id: Generated<number>
  course_id: number
  section_id: number
  /** The feed that its comments stand under. */
  feed_id: number | null
  type: 'lesson' | 'quiz'
  status: Generated<'draft' | 'published' | 'archived'>
  /** Its place in the whole course. */
  position: number
  is_preview: Generated<Flag>
  slug: string
  title: string
  video_url: Generated<string>
  duration: Generated<string>
  resources: Generated<Json>
  settings: Generated<Json>
  created_at: Datetime
  updated_at: Datetime
  /** Safe HTML. */
  content: Generated<string>
}

export interface EnrolmentRow {
  id: Generated<number>
  course_id: number
  user_id: number
  enrolled_at: Datetime
  /** The same moment in seconds. */
  enrolled_epoch: number
  added_by: number | null
  last_accessed_at: Datetime | null
  last_lesson_id: number | null
  completed_lessons: Generated<number>
  /** Percentage of the published lessons. */
  progress: Generated<number>
  completed_at: Datetime | null
  certificate_code: string | null
  certificate_at: Datetime | null
}

export interface LessonCompletionRow {
  user_id: number
  lesson_id: number
  course_id: number
  completed_at: Datetime
}

export interface QuizRow {
  lesson_id: number
  /** The questions as they are now. */
  version_id: number | null
  passing_score: Generated<number>
  /** 0: unlimited. */
  max_attempts: Generated<number>
  /** Seconds; 0: none. */
  time_limit: Generated<number>
  show_correct_answers: Generated<Flag>
  randomize_questions: Generated<Flag>
  updated_at: Datetime
}

export interface QuizVersionRow {
  id: Generated<number>
  lesson_id: number
  questions: Json
  created_at: Datetime
}

export interface QuizAttemptRow {
  id: Generated<number>
  user_id: number
  course_id: number
  lesson_id: number
  version_id: number
  attempt_number: number
  status: 'in_progress' | 'completed' | 'graded'
  /** Ids of the questions in the order in which this attempt shows them. */
  question_order: Generated<Json>
  answers: Generated<Json>
  /** Grades given by hand, by question. */
  grades: Generated<Json>
  score: number | null
  points_earned: Generated<number>
  points_possible: Generated<number>
  total_questions: Generated<number>
  correct_answers: Generated<number>
  passed: Generated<Flag>
  passing_score: Generated<number>
  /** Seconds. */
  time_spent: Generated<number>
  late: Generated<Flag>
  started_at: Datetime
  submitted_at: Datetime | null
  graded_at: Datetime | null
  graded_by: number | null
  feedback: Generated<string>
}

export interface Schema {
  users: UserRow
  managers: ManagerRow
  manager_spaces: ManagerSpaceRow
  application_passwords: ApplicationPasswordRow
  sessions: SessionRow
  tokens: TokenRow
  settings: SettingRow
  events: EventRow
  jobs: JobRow
  idempotency_keys: IdempotencyKeyRow
  space_groups: SpaceGroupRow
  spaces: SpaceRow
  space_members: SpaceMemberRow
  feeds: FeedRow
  feed_counts: FeedCountRow
  feed_links: FeedLinkRow
  surveys: SurveyRow
  survey_options: SurveyOptionRow
  survey_votes: SurveyVoteRow
  comments: CommentRow
  reactions: ReactionRow
  bookmarks: BookmarkRow
  activities: ActivityRow
  followers: FollowerRow
  notifications: NotificationRow
  notification_causes: NotificationCauseRow
  notification_preferences: NotificationPreferencesRow
  person_names: PersonNameRow
  digests: DigestRow
  notification_deliveries: NotificationDeliveryRow
  push_subscriptions: PushSubscriptionRow
  topics: TopicRow
  topic_spaces: TopicSpaceRow
  feed_topics: FeedTopicRow
  scheduled_posts: ScheduledPostRow
  media: MediaRow
  course_categories: CourseCategoryRow
  courses: CourseRow
  course_prerequisites: CoursePrerequisiteRow
  course_sections: CourseSectionRow
  lessons: LessonRow
  enrolments: EnrolmentRow
  lesson_completions: LessonCompletionRow
  quizzes: QuizRow
  quiz_versions: QuizVersionRow
  quiz_attempts: QuizAttemptRow
}
