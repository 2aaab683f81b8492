import { account } from './resources/account.ts'
import { activities } from './resources/activities.ts'
import { auth } from './resources/auth.ts'
import { bookmarks } from './resources/bookmarks.ts'
import { comments } from './resources/comments.ts'
import { feeds } from './resources/feeds.ts'
import { links } from './resources/links.ts'
import { profiles } from './resources/profiles.ts'
import { reactions } from './resources/reactions.ts'
import { settings } from './resources/settings.ts'
import { spaceGroups } from './resources/space-groups.ts'
import { spaceMembers } from './resources/space-members.ts'
import { spaces } from './resources/spaces.ts'
import { surveys } from './resources/surveys.ts'

/** Every resource of the API. */
export const api = {
  account,
  activities,
  auth,
  bookmarks,
  comments,
  feeds,
  links,
  profiles,
  reactions,
  settings,
  spaceGroups,
  spaceMembers,
  spaces,
  surveys,
} as const
