import { jsonFields, numberOf, textOf } from '../fields.ts'
import type { Staging } from '../staging/staging.ts'
import { type Holders, holdersOf } from './privileges.ts'

export interface Category {
  readonly cid: number
  readonly name: string
  /** Slug as in URLs, such as `5/workshop`. */
  readonly slug: string
  readonly description: string
  /** Id of the parent; 0 if it has none. */
  readonly parent: number
  readonly order: number
  readonly disabled: boolean
  /** Whether it is a section heading that cannot contain topics. */
  readonly isHeading: boolean
  /** Target of a link category; empty for others. */
  readonly link: string
  readonly background: string
  readonly privacy: 'public' | 'private' | 'secret'
  readonly readers: Holders
  readonly moderators: Holders
  /** Whether its readers can start topics, and reply. */
  readonly canPost: boolean
  readonly canReply: boolean
}

/** Whether anyone besides the staff has a privilege. */
const isGranted = ({ everyone, groups, uids }: Holders): boolean =>
  everyone || uids.length > 0 || groups.some((name) => name !== 'administrators' && name !== 'Global Moderators')

/** The privacy of a category: public if everyone can read its topics, private if everyone can only see that it exists. */
const privacyOf = (readers: Holders, finders: Holders): Category['privacy'] =>
  readers.everyone ? 'public' : finders.everyone ? 'private' : 'secret'

/** Categories by id. Excludes the pseudo category for remote servers, and rows that cannot be parsed. */
export const readCategories = (staging: Staging): Map<number, Category> => {
  const categories = new Map<number, Category>()
  const rows = [
    ...staging.rows<{ _key: string; data: string }>(`select _key, data from hash where _key >= 'category:0' and _key < 'category::'`),
  ]
  for (const { _key, data } of rows) {
    const cid = Number(_key.slice('category:'.length))
    const fields = jsonFields(data)
    if (!fields || cid === 0) continue
    const readers = holdersOf(staging, cid, 'topics:read')
    categories.set(cid, {
      cid,
      name: textOf(fields['name']),
      slug: textOf(fields['slug']) || String(cid),
      description: textOf(fields['description']),
      parent: numberOf(fields['parentCid']) ?? 0,
      order: numberOf(fields['order']) ?? 0,
      disabled: numberOf(fields['disabled']) === 1,
      isHeading: numberOf(fields['isSection']) === 1,
      link: textOf(fields['link']),
      background: textOf(fields['backgroundImage']),
      privacy: privacyOf(readers, holdersOf(staging, cid, 'find')),
      readers,
      moderators: holdersOf(staging, cid, 'moderate'),
      canPost: isGranted(holdersOf(staging, cid, 'topics:create')),
      canReply: isGranted(holdersOf(staging, cid, 'topics:reply')),
    })
  }
  return categories
}

const inOrder = (a: Category, b: Category) => a.order - b.order || a.cid - b.cid

const DEEPEST = 100

/** The root category; the category itself if its ancestors are missing or form a cycle. */
export const topOf = (categories: ReadonlyMap<number, Category>, category: Category): Category => {
  const seen = new Set<number>()
  let at = category
  while (!seen.has(at.cid) && seen.size < DEEPEST) {
    seen.add(at.cid)
    const parent = categories.get(at.parent)
    if (!parent) return at
    at = parent
  }
  return category
}

/**
 * The categories that become space groups: root categories with subcategories. Hidden ones are excluded, because everyone sees
 * space groups.
 */
export const groupingCategories = (categories: ReadonlyMap<number, Category>): Category[] => {
  const tops = new Set<Category>()
  for (const category of categories.values()) {
    const top = topOf(categories, category)
    if (top !== category && top.privacy !== 'secret' && !top.disabled) tops.add(top)
  }
  return [...tops].sort(inOrder)
}

/** All categories except links, and headings that become space groups. */
export const spaceCategories = (categories: ReadonlyMap<number, Category>, hasTopics: (cid: number) => boolean): Category[] => {
  const groups = new Set(groupingCategories(categories))
  return [...categories.values()]
    .filter((category) => !category.link && !(category.isHeading && groups.has(category) && !hasTopics(category.cid)))
    .sort(inOrder)
}
