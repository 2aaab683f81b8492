/** Status and default message of each error code. Handlers can use a more specific message. */
const table = {
  // any operation
  rest_forbidden: [403, 'You are not allowed to do this.'],
  rest_cookie_invalid_nonce: [403, 'The nonce is missing, expired or belongs to another session.'],
  account_suspended: [403, 'This account is suspended.'],
  account_banned: [403, 'This account is banned.'],
  pro_feature_required: [403, 'This feature is disabled.'],
  rest_no_route: [404, 'This route does not exist.'],
  not_found: [404, 'This object does not exist or you cannot see it.'],
  method_not_allowed: [405, 'This path does not support this method.'],
  invalid_parameter: [400, 'A query or path parameter is invalid.'],
  missing_required_field: [400, 'A required field is missing.'],
  invalid_data: [400, 'The body is invalid.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_url: [400, 'A URL is invalid.'],
  conflict: [409, 'The request conflicts with another request.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  misdirected_request: [421, 'This server does not serve this host.'],
  idempotency_mismatch: [422, 'This idempotency key was used for a different request.'],
  rate_limit_exceeded: [429, 'Too many requests. Try again later.'],
  internal_error: [500, 'An internal error occurred.'],
  service_unavailable: [503, 'The service is temporarily unavailable. Try again later.'],
  storage_full: [503, 'The storage is full. Only reading is possible.'],

  // imports
  invalid_items: [400, 'An item to import is missing or unknown.'],
  migration_in_progress: [409, 'An import is running. Wait until it ends.'],
  source_not_ready: [400, 'Upload a file or name a site first.'],

  // accounts
  registration_closed: [403, 'Registration is closed.'],
  invalid_username: [400, 'A username must have 3 to 30 characters: a-z, 0-9, _ and -.'],
  username_taken: [400, 'This username is already taken.'],
  invalid_email: [400, 'The email address is invalid.'],
  email_taken: [400, 'This email address is already in use.'],
  weak_password: [400, 'This password is too weak.'],
  wrong_password: [400, 'The password is incorrect.'],
  password_required: [403, 'Your account password is required.'],
  invalid_token: [400, 'The link is invalid or has expired.'],
  setup_done: [409, 'The first administrator already exists.'],
  application_password_not_found: [404, 'This application password does not exist.'],
  last_admin: [409, 'The community needs at least one administrator.'],
  user_not_found: [404, 'This user does not exist or you cannot see them.'],

  // spaces
  space_not_found: [404, 'This space does not exist or you cannot see it.'],
  duplicate_slug: [400, 'This slug is already taken.'],
  already_member: [400, 'This user is already a member.'],
  not_member: [400, 'You are not a member of this space.'],
  member_not_found: [404, 'This user is not a member of the space.'],
  cannot_remove_self: [400, 'You cannot remove yourself. Leave the space instead.'],
  permission_denied: [403, 'You are not allowed to manage this.'],

  // content
  feed_not_found: [404, 'This feed does not exist or you cannot see it.'],
  invalid_content: [400, 'The text is missing or too long.'],
  invalid_scheduled_time: [400, 'A scheduled feed requires a scheduled_at in the future.'],
  comment_not_found: [404, 'This comment does not exist or you cannot see it.'],
  parent_not_found: [404, 'The comment to reply to does not exist or you cannot see it.'],
  feed_locked: [403, 'Comments are closed.'],
  content_not_found: [404, 'This feed or comment does not exist or you cannot see it.'],
  invalid_reaction_type: [400, 'The reaction type must be one of like, love, laugh, wow, sad, angry.'],
  reaction_not_found: [404, 'This reaction does not exist or you cannot see it.'],
  already_bookmarked: [400, 'This feed is already bookmarked.'],
  bookmark_not_found: [404, 'This feed is not bookmarked.'],
  survey_not_found: [404, 'This feed has no survey.'],
  survey_closed: [400, 'The survey has ended.'],
  invalid_option: [400, 'This survey does not have this option.'],

  // members
  already_following: [400, 'You already follow this member or have requested to.'],
  cannot_follow_self: [400, 'You cannot follow yourself.'],
  not_following: [400, 'You do not follow this member.'],
  request_not_found: [404, 'This request does not exist.'],
  notification_not_found: [404, 'This notification does not exist.'],
  subscription_not_found: [404, 'This subscription does not exist.'],
  invalid_search: [400, 'The search text must have at least 2 characters.'],
  invalid_filter: [400, 'A filter is invalid.'],
  topic_required: [400, 'A feed in this place requires a topic.'],

  // courses
  course_not_found: [404, 'This course does not exist or you cannot see it.'],
  section_not_found: [404, 'This section does not exist.'],
  lesson_not_found: [404, 'This lesson does not exist or you cannot see it.'],
  lesson_locked: [403, 'This lesson is locked.'],
  invalid_difficulty: [400, 'The difficulty must be one of beginner, intermediate, advanced.'],
  already_enrolled: [400, 'This user is already enrolled.'],
  not_enrolled: [403, 'You are not enrolled in this course.'],
  prerequisites_missing: [403, 'Other courses must be completed first.'],
  course_not_complete: [400, 'The course is not completed yet.'],
  certificate_not_found: [404, 'This certificate does not exist or was revoked.'],
  quiz_not_found: [404, 'This quiz does not exist or you cannot see it.'],
  invalid_answers: [400, 'Some questions have no answer.'],
  max_attempts_reached: [403, 'No attempts are left.'],
  already_submitted: [409, 'This quiz is already passed or waits for grading.'],

  // administration
  invalid_reason: [400, 'The reason must be one of spam, harassment, hate_speech, inappropriate, misinformation, violence, other.'],
  invalid_role: [400, 'The role must be one of admin, manager, moderator.'],
  missing_query: [400, 'The search text is missing.'],
  invalid_api_key: [401, 'The GIF provider rejected the API key.'],
  gif_disabled: [403, 'GIF search is disabled.'],
  leaderboard_disabled: [404, 'The leaderboard is disabled.'],
  invalid_period: [400, 'The period must be one of all_time, this_month, this_week, today.'],
  setting_not_found: [404, 'This setting does not exist.'],
  invalid_setting_key: [400, 'This setting does not exist.'],
  invalid_value: [400, 'The value of the setting is invalid.'],
  email_not_verified: [403, 'Confirm your email address first.'],
  account_pending: [403, 'This account is waiting for approval.'],
  export_not_found: [404, 'This data export does not exist.'],

  // media
  media_not_found: [404, 'This file does not exist or you cannot see it.'],
  storage_quota_exceeded: [413, 'Your storage quota is exceeded. Delete files you no longer need.'],
  file_too_large: [413, 'The file is too large.'],
  invalid_file_type: [400, 'This file type is not supported.'],
  preview_not_found: [404, 'No preview was found for this URL.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof table

export const ERRORS: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = table
