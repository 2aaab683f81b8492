import type { Module } from '../platform/module.ts'
import { activities } from './activities/index.ts'
import { bookmarks } from './bookmarks/index.ts'
import { comments } from './comments/index.ts'
import { feeds } from './feeds/index.ts'
import { links } from './links/index.ts'
import { reactions } from './reactions/index.ts'

/** Every module, in the order in which their routes are mounted. A new resource is one line here. */
export const MODULES: readonly Module[] = [feeds, comments, reactions, bookmarks, links, activities]
