import type { Module } from '../core/module.ts'
import { accounts } from './accounts/module.ts'
import { activities } from './activities/module.ts'
import { analytics } from './analytics/module.ts'
import { auditLog } from './audit/module.ts'
import { backups } from './backups/module.ts'
import { batch } from './batch/module.ts'
import { bookmarks } from './bookmarks/module.ts'
import { comments } from './comments/module.ts'
import { courses } from './courses/module.ts'
import { feeds } from './feeds/module.ts'
import { scheduled } from './feeds/scheduled/module.ts'
import { followers } from './followers/module.ts'
import { gif } from './gif/module.ts'
import { leaderboard } from './leaderboard/module.ts'
import { lessons } from './lessons/module.ts'
import { files } from './media/module.ts'
import { members, registrations } from './members/module.ts'
import { migrations } from './migrations/module.ts'
import { moderation } from './moderation/module.ts'
import { delivery } from './notifications/delivery/module.ts'
import { notifications } from './notifications/module.ts'
import { privacy } from './privacy/module.ts'
import { progress } from './progress/module.ts'
import { quizzes } from './quizzes/module.ts'
import { reactions } from './reactions/module.ts'
import { links } from './settings/links/module.ts'
import { settings } from './settings/module.ts'
import { spaces } from './spaces/module.ts'
import { stream } from './stream/module.ts'
import { topics } from './topics/module.ts'
import { webhooks } from './webhooks/module.ts'

/** All modules, in the order in which their routes are mounted. */
export const MODULES: readonly Module[] = [
  accounts,
  privacy,
  auditLog,
  settings,
  members,
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
  migrations,
  backups,
  gif,
  batch,
]
