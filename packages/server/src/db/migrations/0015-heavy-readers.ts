import type { Migration } from './dialect.ts'

/** For those who have thousands of notifications and comments: what is counted of them is read from indexes alone. */
export const heavyReaders: Migration = {
  name: '0015-heavy-readers',
  up: () => [
    `create index notifications_joins on notifications (user_id, space_id) where type = 'space_join' and removed = 0`,
    'drop index notification_causes_newest',
    'create index notification_causes_newest on notification_causes (notification_id, id, comment_id, actor_id)',
    'drop index comments_unpublished',
    // With all that is asked for in it: SQLite would rather read more of an index than look into the table.
    `create index comments_unpublished on comments (post_id, user_id, status) where status <> 'published'`,
    'drop index comments_author',
    'create index comments_author on comments (user_id, created_at, id, status, post_id)',
  ],
}
