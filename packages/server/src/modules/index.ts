import type { Module } from '../core/module.ts'
import { accounts } from './accounts/index.ts'
import { activities } from './activities/index.ts'
import { analytics } from './analytics/index.ts'
import { auditLog } from './audit/index.ts'
import { bookmarks } from './bookmarks/index.ts'
import { comments } from './comments/index.ts'
import { courses } from './courses/index.ts'
import { delivery } from './delivery/index.ts'
import { directory } from './directory/index.ts'
import { feeds } from './feeds/index.ts'
import { files } from './files/index.ts'
import { followers } from './followers/index.ts'
import { gif } from './gif/index.ts'
import { leaderboard } from './leaderboard/index.ts'
import { lessons } from './lessons/index.ts'
import { links } from './links/index.ts'
import { managers } from './managers/index.ts'
import { moderation } from './moderation/index.ts'
import { notifications } from './notifications/index.ts'
import { privacy } from './privacy/index.ts'
import { profiles } from './profiles/index.ts'
import { progress } from './progress/index.ts'
import { quizzes } from './quizzes/index.ts'
import { reactions } from './reactions/index.ts'
import { registrations } from './registrations/index.ts'
import { scheduled } from './scheduled/index.ts'
import { settings } from './settings/index.ts'
import { spaces } from './spaces/index.ts'
import { stream } from './stream/index.ts'
import { topics } from './topics/index.ts'
import { webhooks } from './webhooks/index.ts'

/** Every module, in the order in which their routes are mounted. A new resource is one line here. */
export const MODULES: readonly Module[] = [
  accounts,
  privacy,
  auditLog,
  settings,
  profiles,
  directory,
  registrations,
  followers,
  topics,
  spaces,
  courses,
  feeds,
  comments,
  reactions,
  bookmarks,
  links,
  managers,
  moderation,
  activities,
  scheduled,
  delivery,
  notifications,
  files,
  lessons,
  progress,
  quizzes,
  leaderboard,
  stream,
  analytics,
  webhooks,
  gif,
]
