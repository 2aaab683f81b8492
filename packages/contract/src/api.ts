import { account } from './resources/account.ts'
import { activities } from './resources/activities.ts'
import { auth } from './resources/auth.ts'
import { bookmarks } from './resources/bookmarks.ts'
import { comments } from './resources/comments.ts'
import { courseCopies, courseSections } from './resources/course-sections.ts'
import { adminCourses, courses } from './resources/courses.ts'
import { feeds } from './resources/feeds.ts'
import { followers } from './resources/followers.ts'
import { adminLessons, lessons } from './resources/lessons.ts'
import { links } from './resources/links.ts'
import { media } from './resources/media.ts'
import { members } from './resources/members.ts'
import { notifications } from './resources/notifications.ts'
import { profiles } from './resources/profiles.ts'
import { certificates, progress } from './resources/progress.ts'
import { push } from './resources/push.ts'
import { adminQuizzes, quizzes } from './resources/quizzes.ts'
import { reactions } from './resources/reactions.ts'
import { scheduledPosts } from './resources/scheduled-posts.ts'
import { settings } from './resources/settings.ts'
import { spaceGroups } from './resources/space-groups.ts'
import { spaceMembers } from './resources/space-members.ts'
import { spaces } from './resources/spaces.ts'
import { stream } from './resources/stream.ts'
import { surveys } from './resources/surveys.ts'
import { adminTopics, topics } from './resources/topics.ts'

/** Every resource of the API. */
export const api = {
  account,
  activities,
  adminCourses,
  courseCopies,
  courseSections,
  courses,
  adminQuizzes,
  adminTopics,
  auth,
  bookmarks,
  comments,
  feeds,
  followers,
  adminLessons,
  lessons,
  links,
  media,
  members,
  notifications,
  profiles,
  certificates,
  progress,
  push,
  quizzes,
  reactions,
  scheduledPosts,
  settings,
  spaceGroups,
  spaceMembers,
  spaces,
  stream,
  surveys,
  topics,
} as const
