const EVERY = ['insert', 'update', 'delete'] as const

export interface Followed {
  readonly table: string
  readonly on: readonly ('insert' | 'delete' | 'update' | `update of ${string}`)[]
  /** Subject kind → the column that holds its id; '' for a subject without one. Told exactly, also a query in brackets over `$row`. */
  readonly subjects: Readonly<Record<string, string>>
  /** Of use only where changes are told exactly. */
  readonly exactly?: true
}

const PERSON =
  'username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs'

/** The tables whose changes are told, on SQLite by these triggers, on PostgreSQL by those of `postgres-follow.ts`. */
export const FOLLOWED: readonly Followed[] = [
  {
    table: 'feeds',
    on: ['insert', 'delete', 'update of listed, space_id, user_id, privacy, type, is_sticky, published_at'],
    subjects: { lists: '' },
  },
  { table: 'feeds', on: ['update of comments_count, reactions_count, active_at'], subjects: { counts: '' }, exactly: true },
  { table: 'feeds', on: ['update of title, slug'], subjects: { titles: '' }, exactly: true },
  { table: 'feeds', on: ['update', 'delete'], subjects: { feed: 'id' } },
  { table: 'comments', on: EVERY, subjects: { feed: 'post_id', comment: 'id' } },
  { table: 'reactions', on: EVERY, subjects: { feed: 'feed_id' } },
  { table: 'reactions', on: EVERY, subjects: { marks: 'user_id' }, exactly: true },
  { table: 'bookmarks', on: EVERY, subjects: { marks: 'user_id' }, exactly: true },
  { table: 'users', on: [`update of ${PERSON}`, 'delete'], subjects: { user: 'id' } },
  { table: 'users', on: ['insert', 'delete', 'update of status'], subjects: { people: '' } },
  { table: 'managers', on: EVERY, subjects: { user: 'user_id', lists: '' } },
  { table: 'manager_spaces', on: EVERY, subjects: { user: 'user_id', lists: '' } },
  { table: 'application_passwords', on: ['update of hash, user_id', 'delete'], subjects: { user: 'user_id' } },
  {
    table: 'spaces',
    on: ['insert', 'delete', 'update of title, slug, type, privacy, status, settings'],
    subjects: { space: 'id', lists: '', places: '' },
  },
  { table: 'space_members', on: EVERY, subjects: { member: 'user_id' } },
  { table: 'followers', on: ['insert', 'delete', 'update of status'], subjects: { member: 'follower_id' } },
  { table: 'topics', on: ['update of title, slug, status', 'delete'], subjects: { topic: 'id', topics: '' } },
  { table: 'feed_topics', on: EVERY, subjects: { feed: 'feed_id', lists: '' } },
  { table: 'settings', on: EVERY, subjects: { setting: 'key' } },
  { table: 'achievements', on: EVERY, subjects: { achieved: 'user_id' } },
  { table: 'leaderboard_levels', on: EVERY, subjects: { levels: '' } },
  { table: 'moderation_config', on: EVERY, subjects: { moderation: '' } },
]
