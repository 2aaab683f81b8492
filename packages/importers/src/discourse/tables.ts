import type { TableShape, Wanted } from '../staging/shape.ts'
import type { Staging } from '../staging/staging.ts'

const columns = (integers: string, texts: string): TableShape['columns'] =>
  Object.fromEntries([
    ...integers.split(' ').map((name) => [name, 'integer'] as const),
    ...texts
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => [name, 'text'] as const),
  ])

/** Copied tables and columns. Times and booleans are text in PostgreSQL's output format. */
const TABLES = {
  users: {
    columns: columns(
      'id uploaded_avatar_id',
      'username name created_at last_seen_at active admin moderator approved staged suspended_till silenced_till password_hash salt password_algorithm',
    ),
    key: 'id',
  },
  user_passwords: { columns: columns('user_id', 'password_hash password_salt password_algorithm'), key: 'user_id' },
  user_emails: { columns: columns('id user_id', 'email primary'), indexes: ['user_id'] },
  user_profiles: {
    columns: columns('user_id profile_background_upload_id card_background_upload_id', 'location website bio_raw'),
    key: 'user_id',
  },
  user_options: {
    columns: columns('user_id digest_after_minutes', 'email_digests hide_profile_and_presence hide_profile'),
    key: 'user_id',
  },
  user_avatars: { columns: columns('user_id custom_upload_id gravatar_upload_id', ''), indexes: ['user_id'] },
  categories: {
    columns: columns(
      'id topic_id user_id position parent_category_id uploaded_logo_id uploaded_background_id',
      'name slug description created_at read_restricted',
    ),
    key: 'id',
  },
  category_groups: { columns: columns('id category_id group_id permission_type', '') },
  category_moderation_groups: { columns: columns('id category_id group_id', '') },
  category_users: { columns: columns('id category_id user_id notification_level', ''), indexes: ['category_id, user_id'] },
  groups: {
    columns: columns(
      'id visibility_level members_visibility_level flair_upload_id',
      'name full_name automatic bio_raw created_at public_admission allow_membership_requests',
    ),
    key: 'id',
  },
  group_users: { columns: columns('id group_id user_id', 'owner created_at'), indexes: ['group_id, user_id'] },
  group_requests: { columns: columns('id group_id user_id', 'created_at'), indexes: ['group_id, user_id'] },
  topics: {
    columns: columns(
      'id user_id category_id',
      'title slug created_at bumped_at last_posted_at deleted_at visible closed archived archetype pinned_at pinned_until pinned_globally',
    ),
    key: 'id',
  },
  posts: {
    columns: columns(
      'id user_id topic_id post_number reply_to_post_number post_type last_editor_id',
      'raw cooked created_at last_version_at deleted_at hidden user_deleted self_edits version',
    ),
    key: 'id',
    indexes: ['topic_id, post_number'],
  },
  post_actions: {
    columns: columns(
      'id post_id user_id post_action_type_id agreed_by_id disagreed_by_id deferred_by_id',
      'created_at deleted_at agreed_at disagreed_at deferred_at',
    ),
    key: 'id',
    indexes: ['post_action_type_id, post_id, user_id'],
  },
  discourse_reactions_reactions: { columns: columns('id post_id', 'reaction_value'), key: 'id' },
  discourse_reactions_reaction_users: {
    columns: columns('id reaction_id user_id post_id', 'created_at'),
    key: 'id',
    indexes: ['post_id, user_id'],
  },
  discourse_solved_solved_topics: {
    columns: columns('id topic_id answer_post_id accepter_user_id', 'created_at'),
    indexes: ['answer_post_id'],
  },
  topic_custom_fields: {
    columns: columns('id topic_id', 'name value created_at'),
    keep: { column: 'name', test: (value: unknown) => value === 'accepted_answer_post_id' },
  },
  tags: { columns: columns('id target_tag_id', 'name description created_at'), key: 'id' },
  topic_tags: { columns: columns('id topic_id tag_id', ''), indexes: ['topic_id, id', 'tag_id'] },
  tag_group_memberships: { columns: columns('id tag_id tag_group_id', '') },
  tag_group_permissions: { columns: columns('id tag_group_id group_id', '') },
  uploads: { columns: columns('id user_id', 'original_filename url sha1 extension created_at'), key: 'id' },
  post_uploads: { columns: columns('post_id upload_id', ''), indexes: ['upload_id, post_id'] },
  upload_references: {
    columns: columns('upload_id target_id', 'target_type'),
    indexes: ['upload_id, target_id'],
    keep: { column: 'target_type', test: (value: unknown) => value === 'Post' },
  },
  bookmarks: { columns: columns('id user_id post_id bookmarkable_id', 'bookmarkable_type created_at'), key: 'id' },
  polls: {
    columns: columns('id post_id type status results visibility', 'name title close_at updated_at'),
    key: 'id',
    indexes: ['post_id, id'],
  },
  poll_options: { columns: columns('id poll_id', 'digest html'), key: 'id', indexes: ['poll_id, id'] },
  poll_votes: { columns: columns('poll_id poll_option_id user_id rank', 'created_at'), indexes: ['poll_id, user_id'] },
  user_followers: { columns: columns('user_id follower_id', 'created_at') },
  permalinks: {
    columns: columns('id topic_id post_id category_id tag_id', 'url'),
    indexes: ['topic_id', 'post_id', 'category_id', 'tag_id'],
  },
  topic_links: {
    columns: columns('id link_topic_id', 'url domain internal'),
    keep: { column: 'internal', test: (value: unknown) => value === 't' },
  },
  reviewables: {
    columns: columns('id status', 'type'),
    keep: { column: 'type', test: (value: unknown) => value === 'ReviewableQueuedPost' },
  },
  site_settings: { columns: columns('id', 'name value') },
} satisfies Record<string, TableShape>

export type DiscourseTable = keyof typeof TABLES

export const DISCOURSE_TABLES: Readonly<Record<DiscourseTable, TableShape>> = TABLES

/** Tables that every community has. */
const REQUIRED: readonly DiscourseTable[] = ['users', 'categories', 'topics', 'posts']

/** Tables whose rows are only counted for the report. */
const COUNTED: Readonly<Record<string, string>> = {
  chat_messages: 'chat messages',
  post_revisions: 'earlier versions of posts',
  user_badges: 'user badges',
  drafts: 'drafts',
  muted_users: 'muted users',
  ignored_users: 'ignored users',
  invites: 'invitations',
}
const NOTHING: TableShape = { columns: { id: 'integer' }, keep: { column: 'id', test: () => false } }

export const wantedTables: Wanted = (table) => (TABLES as Readonly<Record<string, TableShape>>)[table] ?? (COUNTED[table] ? NOTHING : null)

/** Row counts of the tables that are not imported. */
export const countedTables = (staging: Staging): [name: string, count: number][] =>
  Object.entries(COUNTED).map(([table, name]) => [name, staging.seen(table)])

/** Makes the copied tables available to queries. Returns the name of a missing required table, or null. */
export const defineTables = (staging: Staging): DiscourseTable | null => {
  const present = staging.tables()
  const missing = REQUIRED.find((table) => !present.includes(table))
  if (missing) return missing
  for (const [table, shape] of Object.entries(TABLES)) staging.define(table, present.includes(table) ? table : null, shape)
  return null
}
