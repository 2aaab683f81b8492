export const UPDATE_OF = 'update of '

const EVERY = ['insert', 'update', 'delete'] as const

export interface CacheTagRule {
  readonly table: string
  readonly on: readonly ('insert' | 'delete' | 'update' | `${typeof UPDATE_OF}${string}`)[]
  /**
   * Kind of tag → the column with its id, or a query in parentheses on `$row`; '' for a tag without an id. If the rule follows changes of the
   * column itself, they invalidate the tags of the old and of the new value.
   */
  readonly tags: Readonly<Record<string, string>>
  /** Other tables that tags of these kinds cover, because they change only in transactions that change this one. */
  readonly alsoCovers?: readonly string[]
}

const USER_COLUMNS =
  'username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs, created_at'

/** The columns that an event names; empty if it is about all. */
export const columnsOfEvent = (event: string): readonly string[] =>
  event.startsWith(UPDATE_OF) ? event.slice(UPDATE_OF.length).split(', ') : []

/** The rows of an event, of which a tag with this column is invalidated. */
export const rowsOfEvent = (event: string, column: string): readonly ('old' | 'new')[] =>
  event === 'delete' ? ['old'] : columnsOfEvent(event).includes(column) ? ['old', 'new'] : ['new']

/**
 * The row changes that invalidate cache tags, by the triggers of `sqlite/change-detection.ts` and `code/change-log.ts`. `visibility`: someone may
 * see more or less of the existing content; memberships of spaces have their own tags. `viewer_state`: reactions and bookmarks of a member.
 */
export const CACHE_TAG_RULES: readonly CacheTagRule[] = [
  {
    table: 'feeds',
    on: ['insert', 'delete', 'update of listed, space_id, user_id, privacy, type, is_sticky, published_at'],
    tags: { lists: '' },
    alsoCovers: ['listed_feed_counts'],
  },
  // The listed feeds of a privacy: nearly all are public.
  { table: 'feeds', on: ['insert', 'delete', 'update of listed, space_id, user_id, privacy'], tags: { listed: 'privacy' } },
  { table: 'feeds', on: ['update of comments_count, reactions_count, active_at'], tags: { counts: '' } },
  { table: 'feeds', on: ['update of title, slug'], tags: { titles: '' } },
  { table: 'feeds', on: ['update', 'delete'], tags: { feed: 'id' } },
  { table: 'comments', on: EVERY, tags: { feed: 'post_id', comment: 'id' } },
  { table: 'reactions', on: EVERY, tags: { feed: 'feed_id', viewer_state: 'user_id' } },
  { table: 'bookmarks', on: EVERY, tags: { viewer_state: 'user_id', bookmarks: 'user_id' } },
  { table: 'users', on: [`update of ${USER_COLUMNS}`, 'delete'], tags: { user: 'id' } },
  { table: 'users', on: ['insert', 'delete', 'update of status'], tags: { people: '' } },
  { table: 'managers', on: EVERY, tags: { user: 'user_id', account: 'user_id', lists: '' } },
  { table: 'manager_spaces', on: EVERY, tags: { user: 'user_id', account: 'user_id', lists: '' } },
  { table: 'sessions', on: ['update of token_hash, user_id, expires_at', 'delete'], tags: { session: 'id' } },
  { table: 'application_passwords', on: ['update of hash, user_id', 'delete'], tags: { user: 'user_id', account: 'user_id' } },
  {
    table: 'spaces',
    on: ['insert', 'delete', 'update of title, slug, type, privacy, status, settings'],
    tags: { space: 'id', lists: '', spaces: '' },
  },
  { table: 'space_members', on: EVERY, tags: { member: 'user_id', within: 'space_id' } },
  { table: 'topics', on: ['update of title, slug, status', 'delete'], tags: { topic: 'id' } },
  { table: 'topics', on: ['update of title, slug, status, posts_count', 'delete'], tags: { topics: '' } },
  { table: 'feed_topics', on: EVERY, tags: { feed: 'feed_id', lists: '' } },
  { table: 'settings', on: EVERY, tags: { setting: 'key', settings: '' } },
  { table: 'achievements', on: EVERY, tags: { achieved: 'user_id', points: '' } },
  { table: 'leaderboard_levels', on: EVERY, tags: { levels: '' } },
  { table: 'moderation_config', on: EVERY, tags: { moderation: '' } },
  // Identity and permissions of an account, apart from `user`, since names and points change far more often.
  { table: 'users', on: ['update of username, email, status, is_verified, created_at', 'delete'], tags: { account: 'id' } },
  { table: 'notifications', on: EVERY, tags: { notices: 'user_id' } },
  {
    table: 'notification_actors',
    on: EVERY,
    tags: { notices: '(select n.user_id from notifications n where n.id = $row.notification_id)' },
  },
  { table: 'followers', on: EVERY, tags: { member: 'follower_id', notices: 'following_id' } },
  { table: 'feeds', on: ['delete', 'update of status, listed, privacy, space_id, user_id, lesson_id'], tags: { visibility: '' } },
  {
    table: 'feeds',
    on: ['insert', 'delete', 'update of status, listed, privacy, space_id, user_id, published_at'],
    tags: { writer: 'user_id' },
  },
  { table: 'feeds', on: ['delete', 'update of title, slug, message_rendered'], tags: { words: 'id' } },
  { table: 'comments', on: ['delete', 'update of status, user_id, post_id'], tags: { visibility: '' } },
  { table: 'comments', on: ['insert', 'delete', 'update of status, user_id, post_id, created_at'], tags: { writer: 'user_id' } },
  { table: 'users', on: ['delete', 'update of status, is_private, username'], tags: { visibility: '' } },
  { table: 'users', on: ['update', 'delete'], tags: { profile: 'id' } },
  { table: 'spaces', on: ['insert', 'delete', 'update of privacy, status, settings'], tags: { visibility: '' } },
  { table: 'courses', on: EVERY, tags: { visibility: '' } },
  { table: 'course_sections', on: EVERY, tags: { visibility: '' } },
  { table: 'lessons', on: EVERY, tags: { visibility: '' } },
  { table: 'enrolments', on: EVERY, tags: { visibility: '' } },
  { table: 'lesson_completions', on: EVERY, tags: { visibility: '' } },
  { table: 'activities', on: EVERY, tags: { activities: '' } },
  // Leaderboards and ranks. The transactions that update the scores also unmark the users, or delete their ledger.
  {
    table: 'points_unfolded',
    on: ['delete'],
    tags: { points: '' },
    alsoCovers: ['contribution_counts', 'daily_scores', 'period_scores'],
  },
  { table: 'points_ledger', on: ['delete'], tags: { points: '' } },
  { table: 'score_periods', on: ['update', 'delete'], tags: { points: '' } },
  {
    table: 'analytics_state',
    on: ['update'],
    tags: { analytics: '' },
    alsoCovers: ['analytics_hourly_rollups', 'analytics_member_rollups', 'analytics_space_rollups'],
  },
  // Search results.
  { table: 'feed_index_changelog', on: ['insert'], tags: { finds: '' }, alsoCovers: ['feed_search'] },
]
