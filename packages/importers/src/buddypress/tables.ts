import type { ColumnType, TableShape } from '../staging/shape.ts'
import { CORE_TABLES, type TableShapes, USERS, usermeta } from '../wordpress/index.ts'

const shape = (columns: string, options: Omit<TableShape, 'columns'> = {}): TableShape => ({
  columns: Object.fromEntries(
    columns.split(/[\s,]+/).map((column) => {
      const [name = '', mark] = column.split(':')
      return [name, (mark === 'i' ? 'integer' : 'text') satisfies ColumnType]
    }),
  ),
  ...options,
})

/**
/** and BuddyBoss Platform by their names without prefix. Columns that end with `:i` hold integers.
 */
const BUDDYPRESS_TABLES: TableShapes = {
  bp_activity: shape(
    `id:i user_id:i component type action post_title content primary_link item_id:i secondary_item_id:i date_recorded date_updated
     hide_sitewide:i mptt_left:i mptt_right:i is_spam:i privacy status`,
    { key: 'id', indexes: ['type, id', 'item_id, type', 'user_id, type'] },
  ),
  bp_activity_meta: shape('id:i activity_id:i meta_key meta_value', { key: 'id', indexes: ['activity_id, meta_key'] }),
  bp_friends: shape('id:i initiator_user_id:i friend_user_id:i is_confirmed:i is_limited:i date_created', {
    key: 'id',
    indexes: ['initiator_user_id, friend_user_id'],
  }),
  bp_follow: shape('id:i leader_id:i follower_id:i', { key: 'id' }),
  bp_groups: shape('id:i creator_id:i name slug description status parent_id:i enable_forum:i date_created', { key: 'id' }),
  bp_groups_groupmeta: shape('id:i group_id:i meta_key meta_value', { key: 'id', indexes: ['group_id, meta_key'] }),
  bp_groups_members: shape(
    `id:i group_id:i user_id:i inviter_id:i is_admin:i is_mod:i user_title date_modified comments is_confirmed:i is_banned:i invite_sent:i`,
    { key: 'id', indexes: ['group_id, user_id'] },
  ),
  bp_groups_membermeta: shape('id:i member_id:i meta_key meta_value', { key: 'id', indexes: ['member_id, meta_key'] }),
  bp_invitations: shape(
    'id:i user_id:i inviter_id:i invitee_email class item_id:i secondary_item_id:i type content date_modified invite_sent:i accepted:i',
    { key: 'id' },
  ),
  bp_xprofile_groups: shape('id:i name description group_order:i can_delete:i', { key: 'id' }),
  bp_xprofile_fields: shape(
    `id:i group_id:i parent_id:i type name description is_required:i is_default_option:i field_order:i option_order:i order_by can_delete:i`,
    { key: 'id' },
  ),
  bp_xprofile_meta: shape('id:i object_id:i object_type meta_key meta_value', { key: 'id', indexes: ['object_id, meta_key'] }),
  bp_xprofile_data: shape('id:i field_id:i user_id:i value last_updated', { key: 'id', indexes: ['user_id'] }),
  bb_xprofile_visibility: shape('id:i field_id:i user_id:i value last_updated', { key: 'id', indexes: ['user_id'] }),
  bp_media: shape(
    `id:i blog_id:i attachment_id:i user_id:i title description album_id:i group_id:i activity_id:i message_id:i privacy type menu_order:i
     status date_created`,
    { key: 'id', indexes: ['activity_id', 'attachment_id'] },
  ),
  bp_document: shape(
    `id:i blog_id:i attachment_id:i user_id:i title description folder_id:i group_id:i activity_id:i message_id:i privacy menu_order:i
     status date_created date_modified`,
    { key: 'id', indexes: ['activity_id', 'attachment_id'] },
  ),
  bb_user_reactions: shape('id:i user_id:i reaction_id:i item_type item_id:i date_created', {
    key: 'id',
    indexes: ['user_id, item_id, item_type'],
  }),
  bb_bookmark: shape('id:i blog_id:i user_id:i type item_id:i status:i date_recorded', { key: 'id' }),
  bb_topics: shape('id:i name slug', { key: 'id' }),
  bb_topic_relationships: shape('id:i item_id:i item_type topic_id:i user_id:i permission_type permission_data menu_order:i date_created', {
    key: 'id',
    indexes: ['topic_id'],
  }),
  bb_activity_topic_relationship: shape('id:i topic_id:i activity_id:i component item_id:i date_created', {
    key: 'id',
    indexes: ['activity_id'],
  }),
  bp_suspend: shape(
    `id:i item_id:i item_type hide_sitewide:i hide_parent:i user_suspended:i reported:i user_report:i last_updated blog_id:i`,
    { key: 'id', indexes: ['item_type, item_id'] },
  ),
  bp_moderation: shape('id:i moderation_id:i user_id:i content date_created category_id:i user_report:i', {
    key: 'id',
    indexes: ['moderation_id'],
  }),
  bp_messages_messages: shape('id:i thread_id:i', { key: 'id' }),
  bp_notifications: shape('id:i user_id:i', { key: 'id' }),
}

/** Post types to stage: attachments, reaction types, group types, directory pages, and types that are only counted. */
const POST_TYPES = new Set([
  ...['attachment', 'bb_reaction', 'bp-group-type', 'post', 'topic', 'reply'],
  // Up to version 11, BuddyPress directories are pages.
  ...['page', 'buddypress'],
])
const POST_KEYS = /^(?:_wp_attached_file|bp_(?:media|video|document)_parent_activity_id|_bp_group_type_(?:key|label_name))$/
const USER_KEYS = /^(?:bp_favorite_activities|bp_xprofile_visibility_levels|last_activity|bb_profile_slug)$/

/** All staged tables by their names without prefix. */
export const TABLES: TableShapes = {
  ...CORE_TABLES,
  users: { ...USERS, indexes: ['user_nicename'] },
  usermeta: usermeta(USER_KEYS),
  posts: shape('ID:i post_title post_content post_status post_name post_parent:i post_type', {
    key: 'ID',
    indexes: ['post_type'],
    keep: { column: 'post_type', test: (type) => POST_TYPES.has(String(type)) },
  }),
  postmeta: shape('meta_id:i post_id:i meta_key meta_value', {
    key: 'meta_id',
    indexes: ['post_id, meta_key'],
    keep: { column: 'meta_key', test: (key) => POST_KEYS.test(String(key)) },
  }),
  terms: shape('term_id:i name slug term_group:i', { key: 'term_id' }),
  termmeta: shape('meta_id:i term_id:i meta_key meta_value', { key: 'meta_id', indexes: ['term_id'] }),
  term_taxonomy: shape('term_taxonomy_id:i term_id:i taxonomy', { key: 'term_taxonomy_id' }),
  term_relationships: shape('object_id:i term_taxonomy_id:i term_order:i', { indexes: ['term_taxonomy_id'] }),
  signups: shape('signup_id:i domain path title user_login user_email registered activated active:i', { key: 'signup_id' }),
  ...BUDDYPRESS_TABLES,
}
