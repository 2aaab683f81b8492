import type { ColumnType, TableShape, Value } from '../staging/shape.ts'
import { OPTIONS, type TableShapes, USERS, usermeta } from '../wordpress/index.ts'

type Types = Readonly<Record<string, ColumnType>>

const STAMPS: Types = { created_at: 'text', updated_at: 'text' }

const table = (columns: Types, indexes: readonly string[] = []): TableShape => ({
  columns: { id: 'integer', ...columns, ...STAMPS },
  key: 'id',
  indexes,
})

const only = (shape: TableShape, column: string, test: (value: Value) => boolean): TableShape => ({ ...shape, keep: { column, test } })
const counted: TableShape = { columns: { id: 'integer' }, keep: { column: 'id', test: () => false } }

/** FluentCommunity's tables by their names without prefix, with columns in their original order. */
export const TABLES: TableShapes = {
  users: USERS,
  usermeta: usermeta(),
  options: OPTIONS,
  fcom_xprofile: table(
    {
      user_id: 'integer',
      total_points: 'integer',
      username: 'text',
      status: 'text',
      is_verified: 'integer',
      display_name: 'text',
      avatar: 'text',
      short_description: 'text',
      last_activity: 'text',
      meta: 'text',
    },
    ['user_id', 'username collate nocase'],
  ),
  fcom_spaces: table({
    created_by: 'integer',
    parent_id: 'integer',
    title: 'text',
    slug: 'text',
    logo: 'text',
    cover_photo: 'text',
    description: 'text',
    type: 'text',
    privacy: 'text',
    status: 'text',
    serial: 'integer',
    settings: 'text',
  }),
  fcom_space_user: table({ space_id: 'integer', user_id: 'integer', status: 'text', role: 'text', meta: 'text' }, ['space_id, user_id']),
  fcom_posts: table(
    {
      user_id: 'integer',
      parent_id: 'integer',
      title: 'text',
      slug: 'text',
      message: 'text',
      message_rendered: 'text',
      type: 'text',
      content_type: 'text',
      space_id: 'integer',
      privacy: 'text',
      status: 'text',
      featured_image: 'text',
      meta: 'text',
      is_sticky: 'integer',
      comments_count: 'integer',
      reactions_count: 'integer',
      priority: 'integer',
      expired_at: 'text',
      scheduled_at: 'text',
    },
    ['type, space_id'],
  ),
  fcom_post_comments: table(
    {
      user_id: 'integer',
      post_id: 'integer',
      parent_id: 'integer',
      reactions_count: 'integer',
      message: 'text',
      message_rendered: 'text',
      meta: 'text',
      type: 'text',
      content_type: 'text',
      status: 'text',
      is_sticky: 'integer',
    },
    ['type'],
  ),
  fcom_post_reactions: table(
    { user_id: 'integer', object_id: 'integer', parent_id: 'integer', object_type: 'text', type: 'text', ip_address: 'text' },
    ['type, object_type, object_id, user_id', 'type, object_id, user_id'],
  ),
  fcom_terms: table({ parent_id: 'integer', taxonomy_name: 'text', slug: 'text', title: 'text', description: 'text', settings: 'text' }),
  fcom_term_feed: table({ term_id: 'integer', post_id: 'integer' }, ['post_id']),
  fcom_meta: only(
    table({ object_type: 'text', object_id: 'integer', meta_key: 'text', value: 'text' }, ['object_type, object_id']),
    'object_type',
    (type) => type === 'user' || type === 'term_space_relation',
  ),
  fcom_media_archive: table(
    {
      object_source: 'text',
      media_key: 'text',
      user_id: 'integer',
      feed_id: 'integer',
      is_active: 'integer',
      sub_object_id: 'integer',
      media_type: 'text',
      driver: 'text',
      media_path: 'text',
      media_url: 'text',
      settings: 'text',
    },
    ['media_key', 'media_url'],
  ),
  fcom_followers: table({ follower_id: 'integer', followed_id: 'integer', level: 'integer' }, ['follower_id, followed_id']),
  fcom_notification_users: only(
    table({ object_type: 'text', notification_type: 'text', object_id: 'integer', user_id: 'integer', is_read: 'integer' }, [
      'user_id, notification_type',
    ]),
    'object_type',
    (type) => type === 'notification_pref',
  ),
  fcom_notifications: counted,
  fcom_user_activities: only(
    table(
      {
        user_id: 'integer',
        feed_id: 'integer',
        space_id: 'integer',
        related_id: 'integer',
        message: 'text',
        is_public: 'integer',
        action_name: 'text',
      },
      ['feed_id, user_id'],
    ),
    'action_name',
    (name) => name === 'course_completed',
  ),
  fcom_chat_messages: counted,
  fcom_chat_threads: counted,
}
