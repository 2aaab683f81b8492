/** Every error code of the API: its status and the sentence that goes out unless a handler gives a better one. */
const table = {
  // any operation
  rest_forbidden: [403, 'You are not allowed to do that.'],
  rest_cookie_invalid_nonce: [403, 'The nonce is missing, stale or belongs to another session.'],
  account_suspended: [403, 'This account is suspended.'],
  account_banned: [403, 'This account is banned.'],
  pro_feature_required: [403, 'This feature is switched off.'],
  rest_no_route: [404, 'There is no such route.'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'The path exists, but not with this method.'],
  invalid_parameter: [400, 'A query or path parameter is not valid.'],
  missing_required_field: [400, 'A required field is missing.'],
  invalid_data: [400, 'The body is not valid.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  invalid_url: [400, 'A web address is not valid.'],
  conflict: [409, 'The request conflicts with another one.'],
  body_too_large: [413, 'The body is too large.'],
  unsupported_media_type: [415, 'Send the body as application/json.'],
  misdirected_request: [421, 'This server does not answer for that host.'],
  idempotency_mismatch: [422, 'This idempotency key was used with another request.'],
  rate_limit_exceeded: [429, 'Too many requests. Try again later.'],
  internal_error: [500, 'Something went wrong on our side.'],
  service_unavailable: [503, 'The service is busy or unavailable. Try again in a moment.'],
  storage_full: [503, 'The storage is full; reading still works.'],

  // accounts
  registration_closed: [403, 'Registration is closed.'],
  invalid_username: [400, 'A username has 3 to 30 of the characters a-z, 0-9, _ and -.'],
  username_taken: [400, 'This username is taken.'],
  invalid_email: [400, 'The e-mail address is not valid.'],
  email_taken: [400, 'This e-mail address is in use.'],
  weak_password: [400, 'The password is too easy to guess.'],
  wrong_password: [400, 'The present password is not right.'],
  invalid_token: [400, 'The link is not valid or has expired.'],
  setup_done: [409, 'The first administrator exists already.'],
  application_password_not_found: [404, 'There is no such application password.'],
  last_admin: [409, 'The last administrator must stay.'],
  user_not_found: [404, 'There is no such user.'],

  // spaces
  space_not_found: [404, 'There is no such space.'],
  duplicate_slug: [400, 'This slug is taken.'],
  already_member: [400, 'This user is a member already.'],
  not_member: [400, 'You are not a member of this space.'],
  member_not_found: [404, 'This user is not a member of the space.'],
  cannot_remove_self: [400, 'You cannot remove yourself; leave the space instead.'],
  permission_denied: [403, 'You are not allowed to manage this.'],

  // conversation
  feed_not_found: [404, 'There is no such feed.'],
  invalid_content: [400, 'The text is missing or too long.'],
  invalid_scheduled_time: [400, 'A scheduled feed needs a scheduled_at in the future.'],
  comment_not_found: [404, 'There is no such comment.'],
  parent_not_found: [404, 'There is no such comment to reply to.'],
  feed_locked: [403, 'Comments are closed here.'],
  content_not_found: [404, 'There is no such feed or comment.'],
  invalid_reaction_type: [400, 'A reaction is one of like, love, laugh, wow, sad, angry.'],
  reaction_not_found: [404, 'There is no such reaction.'],
  already_bookmarked: [400, 'This feed is bookmarked already.'],
  bookmark_not_found: [404, 'This feed is not bookmarked.'],
  survey_not_found: [404, 'This feed has no survey.'],
  survey_closed: [400, 'The survey has ended.'],
  invalid_option: [400, 'The survey has no such option.'],

  // people
  already_following: [400, 'You follow this person already, or have asked to.'],
  cannot_follow_self: [400, 'You cannot follow yourself.'],
  not_following: [400, 'You do not follow this person.'],
  request_not_found: [404, 'There is no such request.'],
  notification_not_found: [404, 'There is no such notification.'],
  subscription_not_found: [404, 'There is no such subscription.'],
  invalid_search: [400, 'A search has at least 2 characters.'],
  invalid_filter: [400, 'A filter is not valid.'],
  topic_required: [400, 'A post here needs a topic.'],

  // learning
  course_not_found: [404, 'There is no such course.'],
  section_not_found: [404, 'There is no such section.'],
  lesson_not_found: [404, 'There is no such lesson.'],
  lesson_locked: [403, 'This lesson is not open to you yet.'],
  invalid_difficulty: [400, 'A difficulty is one of beginner, intermediate, advanced.'],
  already_enrolled: [400, 'This person is enrolled already.'],
  not_enrolled: [403, 'You are not enrolled in this course.'],
  prerequisites_missing: [403, 'Other courses must be completed first.'],
  course_not_complete: [400, 'The course is not completed yet.'],
  certificate_not_found: [404, 'There is no such certificate.'],
  quiz_not_found: [404, 'There is no such quiz.'],
  invalid_answers: [400, 'Some questions have no answer.'],
  max_attempts_reached: [403, 'All attempts are used.'],
  already_submitted: [409, 'This quiz is passed already, or waits to be graded.'],

  // running a community
  invalid_reason: [400, 'A reason is one of spam, harassment, hate_speech, inappropriate, misinformation, violence, other.'],
  invalid_role: [400, 'A role is one of admin, manager, moderator.'],
  missing_query: [400, 'The search has no words.'],
  invalid_api_key: [401, 'The provider of GIFs refuses the key.'],
  gif_disabled: [403, 'The search for GIFs is switched off.'],
  leaderboard_disabled: [404, 'The leaderboard is switched off.'],
  invalid_period: [400, 'A period is one of all_time, this_month, this_week, today.'],
  setting_not_found: [404, 'There is no such setting.'],
  invalid_setting_key: [400, 'There is no such setting.'],
  invalid_value: [400, 'The setting does not take this value.'],
  email_not_verified: [403, 'Confirm your e-mail address first.'],
  account_pending: [403, 'This account waits for an administrator.'],
  export_not_found: [404, 'There is no such export.'],

  // media
  media_not_found: [404, 'There is no such file.'],
  storage_quota_exceeded: [413, 'Your storage is used up. Delete files you no longer need.'],
  file_too_large: [413, 'The file is too large.'],
  invalid_file_type: [400, 'Files of this type are not taken.'],
  preview_not_found: [404, 'Nothing was found at that address.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof table

/** Status and default message of each code. */
export const ERRORS: Readonly<Record<ErrorCode, readonly [status: number, message: string]>> = table
