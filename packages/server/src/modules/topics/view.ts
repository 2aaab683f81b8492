import type { Infer, Topic, TopicOption } from '@lyceum/contract'
import type { TopicRecord } from './queries.ts'

type AdminOnly = Infer<typeof Topic>['admin_only']

const adminOnly = (flag: 0 | 1): AdminOnly => (flag === 1 ? 'yes' : 'no')

/** A topic as shown to members; `space_ids` contains only spaces that the member may see. */
export const viewTopicChoice = (
  { id, title, slug, description, color, icon, parent_id, position, admin_only }: TopicRecord,
  space_ids: readonly number[] = [],
): Infer<typeof TopicOption> => ({
  id,
  title,
  slug,
  description,
  color,
  icon,
  parent_id,
  serial: position,
  admin_only: adminOnly(admin_only),
  space_ids: [...space_ids],
})

/** A topic as shown to administrators. */
export const viewTopic = (row: TopicRecord, space_ids: readonly number[] = []): Infer<typeof Topic> => ({
  ...viewTopicChoice(row, space_ids),
  posts_count: row.posts_count,
  status: row.status,
  everywhere: row.is_global === 1,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** A topic in the response of a space that offers it. */
export const viewOfferedTopic = ({ id, title, slug, color, icon, admin_only }: TopicRecord) => ({
  id,
  title,
  slug,
  color,
  icon,
  admin_only: adminOnly(admin_only),
})
