export { api } from './api.ts'
export {
  AUDIT_ACTIONS,
  type AuditAction,
  EDIT_REASON,
  LANGUAGES,
  type Language,
  MAIL_TYPES,
  NOTIFICATION_TYPES,
  type NotificationType,
  PUSH_TYPES,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from './constants.ts'
export { ERRORS, type ErrorCode } from './errors.ts'
export { type EventName, type EventPayload, events } from './events.ts'
export { disabledError, FEATURES, type Feature, Features, GIF_LANGUAGES, GIF_RATINGS } from './features.ts'
export { LIMIT_NAMES, type LimitName, LimitsConfig, WRITE_LIMITS, type WriteLimit, writeLimitOf } from './limits.ts'
export {
  ACCOUNT_ROLES,
  type AccountRole,
  DEFAULT_PERMISSIONS,
  MANAGER_ROLES,
  type ManagerRole,
  PERMISSIONS,
  type Permission,
} from './permissions.ts'
export { PASSWORD_NAME_LENGTH } from './resources/account.ts'
export { ACTION_TYPES, type ActionType, Activity, MAX_LISTED_ACTIVITIES } from './resources/activities.ts'
export { ANALYTICS_INTERVALS, ANALYTICS_LIMIT, MEMBER_METRICS, SPACE_METRICS } from './resources/analytics.ts'
export { AuditEntry, SignInFailure } from './resources/audit.ts'
export { DISPLAY_NAME_LENGTH, SessionUser } from './resources/auth.ts'
export { BOOKMARK_ORDERS, Bookmark, BookmarkWithFeed } from './resources/bookmarks.ts'
export { COMMENT_BYTES, COMMENT_IMAGES, COMMENT_ORDERS, COMMENT_STATUSES, Comment, CommentInFeed } from './resources/comments.ts'
export { CourseSection } from './resources/course-sections.ts'
export {
  COURSE_PREREQUISITES,
  COURSE_TYPES,
  CourseLockscreen,
  CourseLockscreenInput,
  CourseSettings,
  CourseSettingsInput,
} from './resources/course-settings.ts'
export {
  COURSE_CONTENT_BYTES,
  COURSE_DESCRIPTION_BYTES,
  COURSE_ORDERS,
  COURSE_SLUG_LENGTH,
  COURSE_STATUSES,
  COURSE_TITLE_LENGTH,
  Course,
  CourseDetail,
  DIFFICULTIES,
  STUDENT_ORDERS,
} from './resources/courses.ts'
export {
  CONTENT_TYPES,
  FEED_ORDERS,
  FEED_STATUSES,
  FEED_TYPES,
  Feed,
  MESSAGE_BYTES,
  MESSAGE_BYTES_RANGE,
  TITLE_LENGTH,
} from './resources/feeds.ts'
export { FOLLOW_STATUSES, FollowRelationship } from './resources/followers.ts'
export { GIF_QUERY_LENGTH, GIF_VARIANTS, Gif, MAX_GIFS } from './resources/gif.ts'
export {
  LEADERBOARD_GROUPS,
  LEADERBOARD_PERIODS,
  LEVEL_PERKS,
  LEVEL_TITLE_LENGTH,
  LeaderboardEntry,
  Level,
  MAX_LEVELS,
  MAX_POINTS,
  MAX_TOTAL_POINTS,
  POINT_KINDS,
  type PointKind,
  PointsConfig,
} from './resources/leaderboard.ts'
export {
  COURSE_LESSONS,
  LESSON_CONTENT_BYTES,
  LESSON_RESOURCES,
  LESSON_SLUG_LENGTH,
  LESSON_STATUSES,
  LESSON_TITLE_LENGTH,
  LESSON_TYPES,
  Lesson,
  LOCK_REASONS,
} from './resources/lessons.ts'
export { MANAGER_STATUSES, MAX_MANAGED_SPACES, Manager } from './resources/managers.ts'
export { MEDIA_SOURCES, MEDIA_TYPES, Media, type MediaSource, type MediaType, Preview, Upload } from './resources/media.ts'
export {
  ACCOUNT_STATUSES,
  type AccountStatus,
  BADGE_LENGTH,
  CONTRIBUTION_METRICS,
  CONTRIBUTION_PERIODS,
  MAX_BADGES,
  MAX_CONTRIBUTIONS_COUNTED,
  MEMBER_ORDERS,
  MENTION_SUGGESTIONS,
  Member,
} from './resources/members.ts'
export { MIGRATION_ALIASES, MIGRATION_ITEMS, MIGRATION_SOURCES, type MigrationItem, type MigrationSource } from './resources/migrations.ts'
export {
  BLOCKED_WORD_LENGTH,
  ModerationConfig,
  QUEUE_REASONS,
  QueuedContent,
  type QueueReason,
  REPORT_ACTIONS,
  REPORT_OBJECTS,
  REPORT_REASONS,
  REPORT_STATUSES,
  REPORT_TEXT_LENGTH,
  Report,
  type ReportAction,
} from './resources/moderation.ts'
export {
  DIGEST_FREQUENCIES,
  MAX_ACTORS_COUNTED,
  MAX_UNREAD_LISTED,
  Notification,
  NotificationPreferences,
} from './resources/notifications.ts'
export {
  DataExport,
  DELETION_CONTENTS,
  type DeletionContent,
  EXPORT_DAYS,
  EXPORT_STATUSES,
  MAX_EXPORTS_PER_DAY,
} from './resources/privacy.ts'
export { BIO_BYTES, LOCATION_LENGTH, PROFILE_SPACES, Profile } from './resources/profiles.ts'
export { Certificate, CourseProgress } from './resources/progress.ts'
export { PUSH_SUBSCRIPTIONS, PushSubscription } from './resources/push.ts'
export {
  ANSWER_BYTES,
  ATTEMPT_STATUSES,
  FEEDBACK_BYTES,
  MAX_TIME_SPENT,
  QUESTION_TYPES,
  QUIZ_LIMITS,
  type QuestionType,
  Quiz,
  QuizAnswerResult,
  QuizAttempt,
  QuizInput,
  QuizQuestion,
  QuizResultItem,
  QuizSubmission,
  TIME_LIMIT_TOLERANCE_S,
} from './resources/quizzes.ts'
export { REACTION_TYPES, Reaction, type ReactionType, ReactionWithProfile } from './resources/reactions.ts'
export { REASON_LENGTH, Registration } from './resources/registrations.ts'
export { ScheduledPost } from './resources/scheduled-posts.ts'
export {
  SETTING_GROUP_NAMES,
  SETTING_GROUPS,
  SETTING_SCHEMAS,
  SETTINGS,
  type SettingGroup,
  type SettingSchemas,
  type SettingValue,
} from './resources/setting-values.ts'
export { FeatureSettings, GIF_KEY_LENGTH, Setting } from './resources/settings.ts'
export {
  AuthPage,
  ColorPage,
  CustomizationPage,
  EmailPage,
  FollowersPage,
  GeneralPage,
  LINK_PROVIDERS,
  type LinkProvider,
  MAIL_TEXTS,
  MailTextsPage,
  MenuPage,
  PROFILE_ADDRESSES,
  PrivacyPage,
  SnippetsPage,
  USUAL_PROVIDERS,
  WelcomeBannerPage,
} from './resources/settings-page-shapes.ts'
export { BULK_MEMBERS, SpaceMember } from './resources/space-members.ts'
export {
  defaultsOf,
  Lockscreen,
  LockscreenSection,
  SPACE_ROLES,
  SpaceGroupSettings,
  SpaceGroupSettingsInput,
  SpaceLink,
  type SpaceRole,
  SpaceSettings,
  SpaceSettingsInput,
} from './resources/space-settings.ts'
export { SPACE_DESCRIPTION_BYTES, SPACE_SLUG_LENGTH, SPACE_TITLE_LENGTH, Space, SpaceDetail, SpacePermissions } from './resources/spaces.ts'
export { STREAM_EVENTS, type StreamEvent, type StreamEventName } from './resources/stream.ts'
export {
  TOPIC_DESCRIPTION_BYTES,
  TOPIC_ICON_LENGTH,
  TOPIC_SLUG_LENGTH,
  TOPIC_STYLES,
  TOPIC_TITLE_LENGTH,
  TOPICS_PER_POST,
  Topic,
  TopicConfig,
  TopicOption,
} from './resources/topics.ts'
export {
  DELIVERY_STATUSES,
  MAX_RETRIES,
  MAX_WEBHOOKS,
  PREVIOUS_SECRET_VALID_S,
  WEBHOOK_HEADERS,
  WEBHOOK_STATUSES,
  Webhook,
  WebhookDelivery,
} from './resources/webhooks.ts'
export type { Access, BodyOf, InputOf, Method, ParamsOf, QueryOf, ResponseOf, Route, Routes } from './route.ts'
export { type Infer, MAX_ID } from './shapes/common.ts'
export { ContentRevision, REVISED_FIELDS, type RevisedField } from './shapes/revisions.ts'
export { ActiveXprofile, MORE_SITES, SocialLinks, Xprofile } from './shapes/xprofile.ts'
