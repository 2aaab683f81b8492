import type { Entry } from '../source.ts'
import { broken } from '../unreadable.ts'
import type { Context } from './context.ts'
import { plainText } from './text.ts'
import { validTime } from './times.ts'

/** A BuddyBoss topic. */
export interface TopicRow {
  readonly id: number
  readonly name: string | null
  readonly slug: string | null
  readonly created: string | null
  /** Ids of the groups that offer it, comma-separated. */
  readonly groups: string | null
  /** Whether it is also available outside of groups. */
  readonly is_global: number
  /** Whether members may use it anywhere. */
  readonly is_open: number
}

export const topicOf = (row: TopicRow, { founded }: { readonly founded: string }): Entry<'topics'> => {
  const id = String(row.id)
  const title = plainText(row.name ?? '').replace(/\s+/g, ' ')
  if (title === '') return broken(id, 'it has no name')
  const spaces = (row.groups ?? '').split(',').filter((group) => group !== '')
  return {
    id,
    title,
    slug: row.slug || `topic-${id}`,
    spaces: row.is_global || spaces.length === 0 ? null : spaces,
    ...(!row.is_open && { admin_only: true }),
    created_at: validTime(row.created) ?? founded,
  }
}

const TOPICS = `select t.id, t.name, t.slug, (select min(r.date_created) from bb_topic_relationships r where r.topic_id = t.id) as created,
  (select group_concat(distinct r.item_id) from bb_topic_relationships r join bp_groups g on g.id = r.item_id
    where r.topic_id = t.id and r.item_type = 'groups') as groups,
  exists (select 1 from bb_topic_relationships r where r.topic_id = t.id and r.item_type <> 'groups') as is_global,
  not exists (select 1 from bb_topic_relationships r where r.topic_id = t.id) or exists (select 1 from bb_topic_relationships r
    where r.topic_id = t.id and r.permission_type in ('anyone', 'members')) as is_open
  from bb_topics t order by t.id`

export function* readTopics({ staging, site }: Context): Generator<Entry<'topics'>> {
  for (const row of staging.rows<TopicRow>(TOPICS)) yield topicOf(row, site)
}
