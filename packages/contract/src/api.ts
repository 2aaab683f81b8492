import { account } from './resources/account.ts'
import { activities } from './resources/activities.ts'
import { auth } from './resources/auth.ts'
import { bookmarks, feeds } from './resources/feeds.ts'
import { links } from './resources/links.ts'
import { profiles } from './resources/profiles.ts'
import { settings } from './resources/settings.ts'
import { surveys } from './resources/surveys.ts'

/** Every resource of the API. */
export const api = { account, activities, auth, bookmarks, feeds, links, profiles, settings, surveys } as const
