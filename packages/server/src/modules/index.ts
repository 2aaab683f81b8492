import type { Module } from '../platform/module.ts'
import { accounts } from './accounts/index.ts'
import { activities } from './activities/index.ts'
import { bookmarks } from './bookmarks/index.ts'
import { comments } from './comments/index.ts'
import { courses } from './courses/index.ts'
import { delivery } from './delivery/index.ts'
import { directory } from './directory/index.ts'
import { feeds } from './feeds/index.ts'
import { files } from './files/index.ts'
import { followers } from './followers/index.ts'
import { lessons } from './lessons/index.ts'
import { links } from './links/index.ts'
import { notifications } from './notifications/index.ts'
import { profiles } from './profiles/index.ts'
import { progress } from './progress/index.ts'
import { quizzes } from './quizzes/index.ts'
import { reactions } from './reactions/index.ts'
import { scheduled } from './scheduled/index.ts'
import { settings } from './settings/index.ts'
import { spaces } from './spaces/index.ts'
import { stream } from './stream/index.ts'
import { topics } from './topics/index.ts'

/** Every module, in the order in which their routes are mounted. A new resource is one line here. */
export const MODULES: readonly Module[] = [
  accounts,
  settings,
  profiles,
  directory,
  followers,
  topics,
  spaces,
  courses,
  feeds,
  comments,
  reactions,
  bookmarks,
  links,
  activities,
  scheduled,
  delivery,
  notifications,
  files,
  lessons,
  progress,
  quizzes,
  stream,
]
