const EVERY = ['insert', 'update', 'delete'] as const

export interface CacheTagRule {
  readonly table: string
  readonly on: readonly ('insert' | 'delete' | 'update' | `update of ${string}`)[]
  /** Kind of tag → the column with its id, or a query in parentheses on `$row`; '' for a tag without an id. */
  readonly subjects: Readonly<Record<string, string>>
}

const USER_COLUMNS =
  'username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs'

/**
 * The row changes that invalidate cache tags, by the triggers of `sqlite/change-detection.ts` and `code/change-log.ts`. `sight`: the visibility of
 * existing content may have changed for someone; memberships of spaces have their own tags.
 */
export const CACHE_TAG_RULES: readonly CacheTagRule[] = [
  {
    table: 'feeds',
    on: ['insert', 'delete', 'update of listed, space_id, user_id, privacy, type, is_sticky, published_at'],
    subjects: { lists: '' },
  },
  { table: 'feeds', on: ['update of comments_count, reactions_count, active_at'], subjects: { counts: '' } },
  { table: 'feeds', on: ['update of title, slug'], subjects: { titles: '' } },
  { table: 'feeds', on: ['update', 'delete'], subjects: { feed: 'id' } },
  { table: 'comments', on: EVERY, subjects: { feed: 'post_id', comment: 'id' } },
  { table: 'reactions', on: EVERY, subjects: { feed: 'feed_id', marks: 'user_id' } },
  { table: 'bookmarks', on: EVERY, subjects: { marks: 'user_id', bookmarks: 'user_id' } },
  { table: 'users', on: [`update of ${USER_COLUMNS}`, 'delete'], subjects: { user: 'id' } },
  { table: 'users', on: ['insert', 'delete', 'update of status'], subjects: { people: '' } },
  { table: 'managers', on: EVERY, subjects: { user: 'user_id', account: 'user_id', lists: '' } },
  { table: 'manager_spaces', on: EVERY, subjects: { user: 'user_id', account: 'user_id', lists: '' } },
  { table: 'sessions', on: ['update of token_hash, user_id, expires_at', 'delete'], subjects: { session: 'id' } },
  { table: 'application_passwords', on: ['update of hash, user_id', 'delete'], subjects: { user: 'user_id', account: 'user_id' } },
  {
    table: 'spaces',
    on: ['insert', 'delete', 'update of title, slug, type, privacy, status, settings'],
    subjects: { space: 'id', lists: '', places: '' },
  },
  { table: 'space_members', on: EVERY, subjects: { member: 'user_id', within: 'space_id' } },
  { table: 'followers', on: ['insert', 'delete', 'update of status'], subjects: { member: 'follower_id' } },
  { table: 'topics', on: ['update of title, slug, status', 'delete'], subjects: { topic: 'id', topics: '' } },
  { table: 'feed_topics', on: EVERY, subjects: { feed: 'feed_id', lists: '' } },
  { table: 'settings', on: EVERY, subjects: { setting: 'key', settings: '' } },
  { table: 'achievements', on: EVERY, subjects: { achieved: 'user_id', points: '' } },
  { table: 'leaderboard_levels', on: EVERY, subjects: { levels: '' } },
  { table: 'moderation_config', on: EVERY, subjects: { moderation: '' } },
  // Identity and permissions of an account, apart from `user`, since names and points change far more often.
  { table: 'users', on: ['update of username, email, status', 'delete'], subjects: { account: 'id' } },
  { table: 'notifications', on: EVERY, subjects: { notices: 'user_id' } },
  {
    table: 'notification_actors',
    on: EVERY,
    subjects: { notices: '(select n.user_id from notifications n where n.id = $row.notification_id)' },
  },
  { table: 'followers', on: EVERY, subjects: { notices: 'following_id' } },
  { table: 'feeds', on: ['delete', 'update of status, listed, privacy, space_id, user_id, lesson_id'], subjects: { sight: '' } },
  { table: 'feeds', on: ['insert', 'delete', 'update of status, listed, privacy, space_id, user_id'], subjects: { writer: 'user_id' } },
  { table: 'feeds', on: ['delete', 'update of title, slug, message_rendered'], subjects: { words: 'id' } },
  { table: 'comments', on: ['delete', 'update of status, user_id, post_id'], subjects: { sight: '' } },
  { table: 'comments', on: ['insert', 'delete', 'update of status, user_id, post_id'], subjects: { writer: 'user_id' } },
  { table: 'users', on: ['delete', 'update of status, is_private, username'], subjects: { sight: '' } },
  { table: 'users', on: ['update', 'delete'], subjects: { profile: 'id' } },
  { table: 'spaces', on: ['insert', 'delete', 'update of privacy, status, settings'], subjects: { sight: '' } },
  { table: 'courses', on: EVERY, subjects: { sight: '' } },
  { table: 'lessons', on: EVERY, subjects: { sight: '' } },
  { table: 'enrolments', on: EVERY, subjects: { sight: '' } },
  { table: 'lesson_completions', on: EVERY, subjects: { sight: '' } },
  { table: 'activities', on: EVERY, subjects: { activities: '' } },
  // Leaderboards and ranks. The transactions of the ledger update the scores, about a dozen rows per entry, so the ledger's triggers suffice.
  { table: 'points_ledger', on: ['insert', 'delete'], subjects: { points: '' } },
  { table: 'score_periods', on: ['update of state', 'delete'], subjects: { points: '' } },
  { table: 'analytics_state', on: ['update'], subjects: { figures: '' } },
  // Search results.
  { table: 'feed_index_changelog', on: ['insert'], subjects: { finds: '' } },
]
