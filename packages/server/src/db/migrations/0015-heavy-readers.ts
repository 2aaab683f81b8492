import type { Up } from './dialect.ts'

/** Covering indexes for members with thousands of notifications and comments. */
export const heavyReaders: Up = () => [
  `create index notifications_joins on notifications (user_id, space_id) where type = 'space_join' and removed = 0`,
  'drop index notification_causes_newest',
  'create index notification_causes_newest on notification_causes (notification_id, id, comment_id, actor_id)',
  'drop index comments_unpublished',
  // A covering index: SQLite prefers scanning more of the index to reading the table.
  `create index comments_unpublished on comments (post_id, user_id, status) where status <> 'published'`,
  'drop index comments_author',
  'create index comments_author on comments (user_id, created_at, id, status, post_id)',
]
