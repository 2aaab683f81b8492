import type { Up } from './dialect.ts'

/** Without statistics, SQLite preferred the index on `is_read` to that on a member's unread notifications, and read those of all members. */
export const notificationAges: Up = () => [
  'drop index notifications_age',
  'create index notifications_read_age on notifications (created_at) where is_read = 1',
  'create index notifications_unread_age on notifications (created_at) where is_read = 0',
]
