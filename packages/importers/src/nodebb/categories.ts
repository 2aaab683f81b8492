import { jsonFields, numberOf, textOf } from '../fields.ts'
import type { Staging } from '../staging/staging.ts'
import { type Holders, holdersOf } from './privileges.ts'

export interface Category {
  readonly cid: number
  readonly name: string
  /** As in addresses, such as `5/workshop`. */
  readonly slug: string
  readonly description: string
  /** Id of the parent; 0 for none. */
  readonly parent: number
  readonly order: number
  readonly disabled: boolean
  /** A heading without topics of its own. */
  readonly isHeading: boolean
  /** Where a category without topics leads; empty for a real category. */
  readonly link: string
  readonly background: string
  readonly privacy: 'public' | 'private' | 'secret'
  readonly readers: Holders
  readonly moderators: Holders
  /** Whether its readers can start topics, and reply. */
  readonly canPost: boolean
  readonly canReply: boolean
}

/** Whether a privilege is held by others than the staff. */
const isGranted = ({ everyone, groups, uids }: Holders): boolean =>
  everyone || uids.length > 0 || groups.some((name) => name !== 'administrators' && name !== 'Global Moderators')

/** A category is as visible as its topics were: public if everyone could read them, private if they could only see that it exists. */
const privacyOf = (readers: Holders, finders: Holders): Category['privacy'] =>
  readers.everyone ? 'public' : finders.everyone ? 'private' : 'secret'

/** The categories by id. The pseudo category of other servers, and what cannot be parsed, is not among them. */
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

/** The category at the top of the tree; the category itself if its parents are missing or form a circle. */
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
 * The categories that become space groups: those at the top that others are below. Space groups are visible to all, so one that not everyone
 * could find is none.
 */
export const groupingCategories = (categories: ReadonlyMap<number, Category>): Category[] => {
  const tops = new Set<Category>()
  for (const category of categories.values()) {
    const top = topOf(categories, category)
    if (top !== category && top.privacy !== 'secret' && !top.disabled) tops.add(top)
  }
  return [...tops].sort(inOrder)
}

/** All categories but links to other places, and headings that a space group replaces. */
export const spaceCategories = (categories: ReadonlyMap<number, Category>, hasTopics: (cid: number) => boolean): Category[] => {
  const groups = new Set(groupingCategories(categories))
  return [...categories.values()]
    .filter((category) => !category.link && !(category.isHeading && groups.has(category) && !hasTopics(category.cid)))
    .sort(inOrder)
}
