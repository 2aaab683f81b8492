import type { Staging } from '../staging/staging.ts'
import { numberAt, type PhpValue } from '../wordpress/index.ts'
import type { Site } from './site.ts'

const PAGE = 'select post_name as name, post_parent as parent from posts where ID = ?'
const MOST_LEVELS = 10

/** The path of a page: its slug after those of its ancestors; null if the page does not exist. */
const pathOfPage = (staging: Pick<Staging, 'get'>, id: number | null): string | null => {
  const names: string[] = []
  for (let at = id ?? 0; at > 0 && names.length < MOST_LEVELS; ) {
    const page = staging.get<{ name: string | null; parent: number | null }>(PAGE, at)
    if (!page?.name) break
    names.unshift(page.name)
    at = page.parent ?? 0
  }
  return names.length > 0 ? names.join('/') : null
}

/** Paths of the directories, from the option `bp-pages`: ids of pages by component. */
export const readPages = (staging: Pick<Staging, 'get'>, pages: PhpValue): Site['pages'] => {
  const path = (component: string) => pathOfPage(staging, numberAt(pages, component)) ?? component
  return { members: path('members'), groups: path('groups'), activity: path('activity') }
}
