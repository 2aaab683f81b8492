import type { Infer, Topic, TopicOption } from '@lyceum/contract'
import { pick } from '../../util/pick.ts'
import type { TopicRecord } from './queries.ts'

type AdminOnly = Infer<typeof Topic>['admin_only']

const adminOnly = (flag: 0 | 1): AdminOnly => (flag === 1 ? 'yes' : 'no')

/** A topic as shown to members; `space_ids` contains only spaces that the member may see. */
export const viewTopicChoice = (row: TopicRecord, space_ids: readonly number[] = []): Infer<typeof TopicOption> => ({
  ...pick(row, 'id', 'title', 'slug', 'description', 'color', 'icon', 'parent_id', 'created_at', 'updated_at'),
  serial: row.position,
  admin_only: adminOnly(row.admin_only),
  space_ids: [...space_ids],
})

export const viewTopic = (row: TopicRecord, space_ids: readonly number[] = []): Infer<typeof Topic> => ({
  ...viewTopicChoice(row, space_ids),
  ...pick(row, 'posts_count', 'status'),
  everywhere: row.is_global === 1,
})

/** A topic in the response of a space that offers it. */
export const viewOfferedTopic = (row: TopicRecord) => ({
  ...pick(row, 'id', 'title', 'slug', 'color', 'icon'),
  admin_only: adminOnly(row.admin_only),
})
