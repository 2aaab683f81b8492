import type { Up } from './dialect.ts'

/** Indexes for lists of what is new since a time. */
export const recentChanges: Up = () => [
  `create index users_changed on users (updated_at, id) where status = 'active'`,
  'create index comments_changed on comments (updated_at, id)',
]
