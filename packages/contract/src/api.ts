import { account } from './resources/account.ts'
import { activities } from './resources/activities.ts'
import { analytics } from './resources/analytics.ts'
import { audit } from './resources/audit.ts'
import { auth } from './resources/auth.ts'
import { backups } from './resources/backups.ts'
import { batch } from './resources/batch.ts'
import { bookmarks } from './resources/bookmarks.ts'
import { comments } from './resources/comments.ts'
import { courseCopies, courseSections } from './resources/course-sections.ts'
import { adminCourses, courses } from './resources/courses.ts'
import { feeds } from './resources/feeds.ts'
import { followers } from './resources/followers.ts'
import { gif } from './resources/gif.ts'
import { leaderboard, leaderboardLevels } from './resources/leaderboard.ts'
import { adminLessons, lessons } from './resources/lessons.ts'
import { links } from './resources/links.ts'
import { managers } from './resources/managers.ts'
import { media } from './resources/media.ts'
import { members } from './resources/members.ts'
import { migrations } from './resources/migrations.ts'
import { moderation } from './resources/moderation.ts'
import { notifications } from './resources/notifications.ts'
import { privacy } from './resources/privacy.ts'
import { profiles } from './resources/profiles.ts'
import { certificates, progress } from './resources/progress.ts'
import { push } from './resources/push.ts'
import { adminQuizzes, quizzes } from './resources/quizzes.ts'
import { reactions } from './resources/reactions.ts'
import { registrations } from './resources/registrations.ts'
import { scheduledPosts } from './resources/scheduled-posts.ts'
import { settings } from './resources/settings.ts'
import { settingsPages } from './resources/settings-pages.ts'
import { spaceGroups } from './resources/space-groups.ts'
import { spaceMembers } from './resources/space-members.ts'
import { spaces } from './resources/spaces.ts'
import { stream } from './resources/stream.ts'
import { surveys } from './resources/surveys.ts'
import { adminTopics, topics } from './resources/topics.ts'
import { webhooks } from './resources/webhooks.ts'

/** All operations of the API by group. */
export const api = {
  account,
  activities,
  analytics,
  adminCourses,
  courseCopies,
  courseSections,
  courses,
  adminQuizzes,
  adminTopics,
  audit,
  auth,
  batch,
  backups,
  bookmarks,
  comments,
  feeds,
  followers,
  gif,
  leaderboard,
  leaderboardLevels,
  adminLessons,
  lessons,
  links,
  managers,
  media,
  members,
  migrations,
  moderation,
  notifications,
  privacy,
  profiles,
  certificates,
  progress,
  push,
  quizzes,
  reactions,
  registrations,
  scheduledPosts,
  settings,
  settingsPages,
  spaceGroups,
  spaceMembers,
  spaces,
  stream,
  surveys,
  topics,
  webhooks,
} as const
