import type { Entry } from '../source.ts'
import type { Context } from './context.ts'
import { groupUrls, type Site } from './site.ts'
import { parentOf } from './space-groups.ts'
import { plainText } from './text.ts'
import { validTime } from './times.ts'
import { groupStatus } from './visibility.ts'

export interface GroupRow {
  readonly id: number
  readonly name: string | null
  readonly slug: string | null
  readonly description: string | null
  readonly status: string | null
  readonly date_created: string | null
  /** The creator; null if the account was deleted. */
  readonly creator: number | null
  /** Who may post: members, mods or admins. */
  readonly posting: string | null
  /** Former slugs, separated by line breaks. */
  readonly former_slugs: string | null
  /** The root group, if it is not hidden, and the group type. */
  readonly root: number | null
  readonly group_type: string | null
  readonly avatar: string | null
  readonly cover: string | null
}

const PRIVACY = { public: 'public', private: 'private', hidden: 'secret' } as const

const MAY_POST: Readonly<Record<string, readonly string[]>> = { mods: ['moderator', 'admin'], admins: ['admin'] }

export const titleOf = ({ id, name, slug }: Pick<GroupRow, 'id' | 'name' | 'slug'>): string =>
  plainText(name ?? '').replace(/\s+/g, ' ') || slug || `Group ${id}`

export const slugOf = ({ id, slug }: Pick<GroupRow, 'id' | 'slug'>): string => slug || `group-${id}`

export const spaceOf = (row: GroupRow, site: Site): Entry<'spaces'> => {
  const status = groupStatus(row.status)
  const parent = parentOf(row)
  const posting = MAY_POST[row.posting ?? '']
  const description = plainText(row.description ?? '')
  const slugs = [slugOf(row), ...(row.former_slugs ?? '').split('\n')].filter((slug) => slug !== '')
  return {
    id: String(row.id),
    urls: groupUrls(site, slugs),
    title: titleOf(row),
    slug: slugOf(row),
    ...(parent && { group: parent }),
    ...(description && { description }),
    privacy: PRIVACY[status],
    status: 'published',
    settings: {
      ...(posting && { post_permissions: posting }),
      ...(status === 'private' && { can_request_join: 'yes' }),
      ...(status === 'public' && { members_page_status: 'logged_in' }),
    },
    ...(row.avatar && { logo: row.avatar }),
    ...(row.cover && { cover_photo: row.cover }),
    created_by: row.creator === null ? null : String(row.creator),
    created_at: validTime(row.date_created) ?? site.founded,
  }
}

const meta = (key: string) => `(select meta_value from bp_groups_groupmeta m where m.group_id = g.id and m.meta_key = '${key}' limit 1)`
const picture = (kind: string) => `(select '${kind}:' || g.id from pictures p where p.id = '${kind}:' || g.id)`

const SPACES = `select g.id, g.name, g.slug, g.description, g.status, g.date_created, u.ID as creator, ${meta('activity_feed_status')} as posting,
  (select group_concat(meta_value, char(10)) from bp_groups_groupmeta m where m.group_id = g.id and m.meta_key = 'previous_slug') as former_slugs,
  (select r.root from group_root r join bp_groups t on t.id = r.root and t.status in ('public', 'private') where r.id = g.id) as root,
  (select t.slug from group_type t where t.group_id = g.id order by t.slug limit 1) as group_type,
  ${picture('group-avatar')} as avatar, ${picture('group-cover')} as cover
  from bp_groups g left join users u on u.ID = g.creator_id order by g.id`

export function* readSpaces({ staging, site }: Context): Generator<Entry<'spaces'>> {
  for (const row of staging.rows<GroupRow>(SPACES)) yield spaceOf(row, site)
}
