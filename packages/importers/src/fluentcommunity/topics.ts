import { flagAt, readMeta, textAt } from '../wordpress/index.ts'
import { type Community, clean, countOf, type KindReader, slugOf } from './community.ts'
import { timesOf } from './spaces.ts'

export interface TopicRow {
  readonly id: number
  readonly parent_id: number | null
  readonly slug: string | null
  readonly title: string | null
  readonly description: string | null
  readonly settings: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** Topic relations have the space id as their key. A topic without relations belongs to no space. */
const SPACES = `select distinct s.id from fcom_meta m join fcom_spaces s on s.id = cast(m.meta_key as integer)
  where m.object_type = 'term_space_relation' and m.object_id = ? and s.type = 'community' order by s.id`

export const topicOf = (community: Community, row: TopicRow) => {
  const { value: settings } = readMeta(row.settings)
  const slug = slugOf(row.slug)
  const icon = textAt(settings, 'emoji')
  return {
    id: String(row.id),
    title: clean(row.title).trim() || slug || `${row.id}`,
    slug: slug || `topic-${row.id}`,
    description: clean(row.description),
    ...(icon && { icon }),
    admin_only: flagAt(settings, 'admin_only'),
    spaces: Array.from(community.staging.rows<{ id: number }>(SPACES, row.id), ({ id }) => String(id)),
    ...timesOf(community, 'fcom_terms', row),
  }
}

const TOPICS = "from fcom_terms where taxonomy_name = 'post_topic'"

export const topics: KindReader<'topics'> = {
  table: 'fcom_terms',
  count: (community) => countOf(community, TOPICS),
  read: function* (community) {
    for (const row of community.staging.rows<TopicRow>(`select * ${TOPICS} order by id`)) yield topicOf(community, row)
  },
}
