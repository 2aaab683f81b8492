import type { Entry } from '../source.ts'
import type { Context } from './context.ts'
import type { Site } from './site.ts'
import { plainText } from './text.ts'
import { validTime } from './times.ts'

/** A parent group or a group type. */
export interface ParentRow {
  readonly kind: 'group' | 'type'
  readonly key: string | number
  readonly name: string | null
  readonly slug: string | null
  readonly created: string | null
}

/** Id of the space group of a group: its root group, or else its type. */
export const parentOf = ({ root, group_type }: { readonly root: number | null; readonly group_type: string | null }): string | null =>
  root !== null ? `group:${root}` : group_type !== null ? `type:${group_type}` : null

/** Space groups have one level. The root group becomes a space, too, so the slug of the space group must differ. */
export const spaceGroupOf = (row: ParentRow, { founded }: Pick<Site, 'founded'>): Entry<'space_groups'> => {
  const slug = row.slug || String(row.key)
  return {
    id: `${row.kind}:${row.key}`,
    title: plainText(row.name ?? '').replace(/\s+/g, ' ') || slug,
    slug: `${slug}-${row.kind === 'group' ? 'group' : 'groups'}`,
    created_at: validTime(row.created) ?? founded,
  }
}

/** Everyone sees the titles of space groups, so hidden groups, and types that only hidden groups use, are excluded. */
export const PARENTS = `select 'group' as kind, g.id as key, g.name, g.slug, g.date_created as created
  from bp_groups g where g.status in ('public', 'private') and g.id in (select root from group_root)
  union all
  select 'type', t.slug, max(t.name), t.slug, min(g.date_created) from group_type t join bp_groups g on g.id = t.group_id
  where g.status in ('public', 'private') group by t.slug order by 1, 2`

export function* readSpaceGroups({ staging, site }: Context): Generator<Entry<'space_groups'>> {
  for (const row of staging.rows<ParentRow>(PARENTS)) yield spaceGroupOf(row, site)
}
