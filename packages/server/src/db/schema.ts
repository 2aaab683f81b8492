import type {
  AnalyticsHourlyRollupRow,
  AnalyticsMemberRollupRow,
  AnalyticsOutboxRow,
  AnalyticsSpaceRollupRow,
  AnalyticsStateRow,
} from './schema/analytics.ts'
import type {
  ActivityRow,
  BookmarkRow,
  CommentRow,
  ContentRevisionRow,
  FeedLinkRow,
  FeedRow,
  ListedFeedCountRow,
  ReactionRow,
  SurveyOptionRow,
  SurveyRow,
  SurveyVoteRow,
} from './schema/conversation.ts'
import type {
  CourseCategoryRow,
  CourseCompletionRow,
  CoursePrerequisiteRow,
  CourseRow,
  CourseSectionRow,
  EnrolmentRow,
  LessonCompletionRow,
  LessonRow,
  QuizAttemptRow,
  QuizRow,
  QuizVersionRow,
} from './schema/learning.ts'
import type { AuditLogRow, ModerationConfigRow, ModerationHoldRow, ReportRow } from './schema/moderation.ts'
import type {
  DigestScheduleRow,
  FeedTopicRow,
  FollowerRow,
  FormerUsernameRow,
  MediaRow,
  NotificationActorRow,
  NotificationDeliveryRow,
  NotificationPreferencesRow,
  NotificationRow,
  PushSubscriptionRow,
  ScheduledPostRow,
  TopicRow,
  TopicSpaceRow,
  UserNameTokenRow,
} from './schema/people.ts'
import type {
  ApplicationPasswordRow,
  EventRow,
  IdempotencyKeyRow,
  JobRow,
  ManagerRow,
  ManagerSpaceRow,
  PendingEventRow,
  SessionRow,
  SettingRow,
  SignInFailureRow,
  SignupRow,
  TokenRow,
  UserRow,
} from './schema/platform.ts'
import type {
  AchievementRow,
  ContributionCountRow,
  DailyScoreRow,
  LeaderboardLevelRow,
  PeriodScoreRow,
  PointsConfigRow,
  PointsLedgerRow,
  ScorePeriodRow,
  UnfoldedPointsRow,
} from './schema/points.ts'
import type { DataExportRow } from './schema/privacy.ts'
import type { SpaceGroupRow, SpaceMemberRow, SpaceRow } from './schema/spaces.ts'
import type { WebhookDeliveryRow, WebhookEventRow, WebhookRow } from './schema/webhooks.ts'

export type * from './schema/analytics.ts'
export type * from './schema/conversation.ts'
export type * from './schema/learning.ts'
export type * from './schema/moderation.ts'
export type * from './schema/people.ts'
export type * from './schema/platform.ts'
export type * from './schema/points.ts'
export type * from './schema/privacy.ts'
export type * from './schema/spaces.ts'
export type * from './schema/webhooks.ts'

/** Every table and its row type; the row types are in `schema/`. */
export interface Schema {
  users: UserRow
  managers: ManagerRow
  manager_spaces: ManagerSpaceRow
  application_passwords: ApplicationPasswordRow
  sessions: SessionRow
  tokens: TokenRow
  signups: SignupRow
  settings: SettingRow
  sign_in_failures: SignInFailureRow
  events: EventRow
  pending_events: PendingEventRow
  jobs: JobRow
  idempotency_keys: IdempotencyKeyRow
  space_groups: SpaceGroupRow
  spaces: SpaceRow
  space_members: SpaceMemberRow
  feeds: FeedRow
  listed_feed_counts: ListedFeedCountRow
  feed_links: FeedLinkRow
  surveys: SurveyRow
  survey_options: SurveyOptionRow
  survey_votes: SurveyVoteRow
  comments: CommentRow
  content_revisions: ContentRevisionRow
  reactions: ReactionRow
  bookmarks: BookmarkRow
  activities: ActivityRow
  followers: FollowerRow
  notifications: NotificationRow
  notification_actors: NotificationActorRow
  notification_preferences: NotificationPreferencesRow
  user_name_tokens: UserNameTokenRow
  digest_schedules: DigestScheduleRow
  notification_deliveries: NotificationDeliveryRow
  push_subscriptions: PushSubscriptionRow
  former_usernames: FormerUsernameRow
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
  course_completions: CourseCompletionRow
  lesson_completions: LessonCompletionRow
  quizzes: QuizRow
  quiz_versions: QuizVersionRow
  quiz_attempts: QuizAttemptRow
  audit_log: AuditLogRow
  reports: ReportRow
  moderation_holds: ModerationHoldRow
  moderation_config: ModerationConfigRow
  analytics_state: AnalyticsStateRow
  analytics_outbox: AnalyticsOutboxRow
  analytics_member_rollups: AnalyticsMemberRollupRow
  analytics_space_rollups: AnalyticsSpaceRollupRow
  analytics_hourly_rollups: AnalyticsHourlyRollupRow
  webhooks: WebhookRow
  webhook_events: WebhookEventRow
  webhook_deliveries: WebhookDeliveryRow
  points_ledger: PointsLedgerRow
  points_unfolded: UnfoldedPointsRow
  daily_scores: DailyScoreRow
  score_periods: ScorePeriodRow
  period_scores: PeriodScoreRow
  contribution_counts: ContributionCountRow
  points_config: PointsConfigRow
  leaderboard_levels: LeaderboardLevelRow
  achievements: AchievementRow
  data_exports: DataExportRow
}
