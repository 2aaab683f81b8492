import { htmlToText } from '../html-to-text.ts'
import type { Staging } from '../staging/staging.ts'

/** Id of the automatic group `everyone`. */
const EVERYONE = 0
const ADMINS = 1
/** Id of the automatic group of all members. */
const TRUST_LEVEL_0 = 10
const SEE = 3
const REPLY = 2

/** Groups that can read a category, besides administrators; null for all members. */
type Readers = ReadonlySet<number> | null

export interface Category {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parent: number | null
  readonly position: number
  readonly created_at: string | null
  readonly creator: number | null
  readonly logo: number | null
  readonly background: number | null
  readonly readers: Readers
  readonly moderators: ReadonlySet<number>
  /** Whether its readers can start topics, and reply. */
  readonly canPost: boolean
  readonly canReply: boolean
}

interface Row {
  readonly id: number
  readonly user_id: number | null
  readonly position: number | null
  readonly parent_category_id: number | null
  readonly uploaded_logo_id: number | null
  readonly uploaded_background_id: number | null
  readonly name: string | null
  readonly slug: string | null
  readonly description: string | null
  readonly created_at: string | null
  readonly read_restricted: string | null
}

const grouped = (rows: Iterable<{ category_id: number; group_id: number }>): Map<number, Set<number>> => {
  const groups = new Map<number, Set<number>>()
  for (const { category_id, group_id } of rows) groups.set(category_id, (groups.get(category_id) ?? new Set()).add(group_id))
  return groups
}

/**
 * The readers of each category. A subcategory is at least as restricted as its parent. Categories without permission rows are
 * restricted.
 */
const readersOf = (rows: ReadonlyMap<number, Row>, granted: ReadonlyMap<number, ReadonlySet<number>>) => {
  const own = ({ id, read_restricted }: Row): Readers => {
    if (read_restricted === 'f') return null
    const groups = new Set(granted.get(id))
    if (groups.has(EVERYONE) || groups.has(TRUST_LEVEL_0)) return null
    groups.delete(ADMINS)
    return groups
  }
  const all = new Map<number, Readers>()
  for (const row of rows.values()) {
    let readers = own(row)
    const seen = new Set([row.id])
    for (
      let at = rows.get(row.parent_category_id ?? 0);
      at && !seen.has(at.id) && seen.size < 10;
      at = rows.get(at.parent_category_id ?? 0)
    ) {
      seen.add(at.id)
      const outer = own(at)
      if (outer !== null) readers = readers === null ? outer : new Set([...readers].filter((group) => outer.has(group)))
    }
    all.set(row.id, readers)
  }
  return all
}

const GRANTS = 'select category_id, group_id from category_groups where category_id is not null and group_id is not null'

export const readCategories = (staging: Staging): Map<number, Category> => {
  const rows = new Map([...staging.rows<Row>('select * from categories where id > 0 order by id')].map((row) => [row.id, row]))
  const readers = readersOf(rows, grouped(staging.rows(GRANTS)))
  const explicit = new Set([...staging.rows<{ id: number }>('select distinct category_id as id from category_groups')].map(({ id }) => id))
  const posting = grouped(staging.rows(`${GRANTS} and permission_type < ${REPLY}`))
  const replying = grouped(staging.rows(`${GRANTS} and permission_type < ${SEE}`))
  const moderating = grouped(staging.rows('select category_id, group_id from category_moderation_groups'))
  /** Categories without permissions are open to all members; staff-only ones are restricted. */
  const allows = (granted: ReadonlyMap<number, ReadonlySet<number>>, id: number) =>
    !explicit.has(id) || [...(granted.get(id) ?? [])].some((group) => group === EVERYONE || group >= TRUST_LEVEL_0)
  return new Map(
    [...rows.values()].map((row): [number, Category] => [
      row.id,
      {
        id: row.id,
        name: row.name ?? '',
        slug: row.slug || `${row.id}-category`,
        description: htmlToText(row.description ?? '').text,
        parent: row.parent_category_id,
        position: row.position ?? 0,
        created_at: row.created_at,
        creator: row.user_id,
        logo: row.uploaded_logo_id,
        background: row.uploaded_background_id,
        readers: readers.get(row.id) ?? null,
        moderators: moderating.get(row.id) ?? new Set(),
        canPost: allows(posting, row.id),
        canReply: allows(replying, row.id),
      },
    ]),
  )
}

/** The ancestors of a category and the category itself, outermost first. */
export const pathOf = (categories: ReadonlyMap<number, Category>, category: Category): Category[] => {
  const path = [category]
  for (let at = categories.get(category.parent ?? 0); at && !path.includes(at) && path.length < 10; at = categories.get(at.parent ?? 0))
    path.unshift(at)
  return path
}

/**
 * The categories that become space groups: top-level categories with subcategories. Restricted ones are excluded, because everyone sees
 * space groups.
 */
export const groupingCategories = (categories: ReadonlyMap<number, Category>): Category[] => {
  const tops = new Set<Category>()
  for (const category of categories.values()) {
    const [top] = pathOf(categories, category)
    if (top && top !== category && top.readers === null) tops.add(top)
  }
  return [...tops].sort(inOrder)
}

export const inOrder = (a: Category, b: Category): number => a.position - b.position || a.id - b.id
