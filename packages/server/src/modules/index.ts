import type { Module } from '../platform/module.ts'
import { accounts } from './accounts/index.ts'
import { activities } from './activities/index.ts'
import { bookmarks } from './bookmarks/index.ts'
import { comments } from './comments/index.ts'
import { feeds } from './feeds/index.ts'
import { links } from './links/index.ts'
import { profiles } from './profiles/index.ts'
import { reactions } from './reactions/index.ts'
import { settings } from './settings/index.ts'
import { spaces } from './spaces/index.ts'

/** Every module, in the order in which their routes are mounted. A new resource is one line here. */
export const MODULES: readonly Module[] = [accounts, settings, profiles, spaces, feeds, comments, reactions, bookmarks, links, activities]
