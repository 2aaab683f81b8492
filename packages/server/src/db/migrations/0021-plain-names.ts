import type { Up } from './dialect.ts'

/** Tables by their former names. */
export const TABLES = [
  ['holds', 'moderation_holds'],
  ['person_names', 'user_name_tokens'],
  ['notification_causes', 'notification_actors'],
  ['digests', 'digest_schedules'],
  ['points_windows', 'score_periods'],
  ['points_sums', 'period_scores'],
  ['points_days', 'daily_scores'],
  ['points_counts', 'contribution_counts'],
  ['analytics_changes', 'analytics_outbox'],
  ['analytics_members', 'analytics_member_rollups'],
  ['analytics_spaces', 'analytics_space_rollups'],
  ['analytics_hours', 'analytics_hourly_rollups'],
  ['feed_changes', 'feed_index_changelog'],
  ['feed_counts', 'listed_feed_counts'],
] as const

/** Tables that only PostgreSQL has. */
const POSTGRES_TABLES = [
  ['change_log', 'cache_invalidations'],
  ['change_log_floor', 'cache_invalidation_watermark'],
] as const

/** Columns of a table, which has its new name already. */
export const COLUMNS = [
  ['space_groups', 'serial', 'position'],
  ['spaces', 'serial', 'position'],
  ['feed_links', 'serial', 'position'],
  ['courses', 'serial', 'position'],
  ['topics', 'serial', 'position'],
  ['topics', 'everywhere', 'is_global'],
  ['leaderboard_levels', 'serial', 'position'],
  ['feed_topics', 'place', 'position'],
  ['feed_index_changelog', 'serial', 'position'],
  ['notifications', 'subject', 'dedup_key'],
  ['notifications', 'open', 'is_open'],
  ['user_name_tokens', 'part', 'token'],
  ['user_name_tokens', 'head', 'is_whole_word'],
  ['period_scores', 'window_id', 'period_id'],
  ['points_ledger', 'subject', 'dedup_key'],
  ['listed_feed_counts', 'listed', 'feeds_count'],
  ['webhooks', 'wake_at', 'recheck_at'],
] as const

const POSTGRES_COLUMNS = [
  ['cache_invalidations', 'touched', 'tags'],
  ['cache_invalidation_watermark', 'one', 'id'],
  ['cache_invalidation_watermark', 'run', 'run_id'],
  ['cache_invalidation_watermark', 'floor', 'watermark'],
  ['cache_invalidation_watermark', 'next', 'next_watermark'],
  ['cache_invalidation_watermark', 'moved_at', 'advanced_at'],
] as const

/** Each with its definition, since SQLite cannot rename an index. */
const INDEXES = [
  ['holds_feed', 'unique', 'moderation_holds_feed', 'moderation_holds (feed_id) where comment_id is null'],
  ['holds_comment', 'unique', 'moderation_holds_comment', 'moderation_holds (comment_id)'],
  ['holds_of', '', 'moderation_holds_content', 'moderation_holds (feed_id, comment_id)'],
  ['person_names_user', '', 'user_name_tokens_user', 'user_name_tokens (user_id, token)'],
  [
    'notification_causes_actor',
    'unique',
    'notification_actors_once',
    'notification_actors (notification_id, actor_id, coalesce(comment_id, 0))',
  ],
  ['notification_causes_newest', '', 'notification_actors_newest', 'notification_actors (notification_id, id, comment_id, actor_id)'],
  ['notification_causes_comment', '', 'notification_actors_comment', 'notification_actors (comment_id) where comment_id is not null'],
  ['notification_causes_by', '', 'notification_actors_actor', 'notification_actors (actor_id)'],
  ['digests_due', '', 'digest_schedules_due', 'digest_schedules (due_at)'],
  ['points_windows_days', '', 'score_periods_days', 'score_periods (last_day, first_day)'],
  ['points_sums_order', '', 'period_scores_order', 'period_scores (period_id, space_id, points desc, user_id)'],
  ['points_days_day', '', 'daily_scores_day', 'daily_scores (space_id, day)'],
  ['points_ledger_subject', '', 'points_ledger_dedup_key', 'points_ledger (dedup_key, id)'],
  ['feed_changes_marks', '', 'feed_index_changelog_checkpoints', 'feed_index_changelog (position) where feed_id = 0'],
  ['space_groups_serial', '', 'space_groups_position', 'space_groups (position, id)'],
  ['spaces_serial', '', 'spaces_position', 'spaces (position, id)'],
  ['topics_everywhere', '', 'topics_global', 'topics (is_global, status, position, id)'],
  ['notifications_person', '', 'notifications_dedup_key', 'notifications (user_id, dedup_key, is_open)'],
  ['notifications_joins', '', 'notifications_space_joins', `notifications (user_id, space_id) where type = 'space_join' and removed = 0`],
  ['jobs_once', 'unique', 'jobs_event', 'jobs (event_id, name) where event_id is not null'],
  ['users_seen', '', 'users_last_activity', `users (coalesce(last_activity, ''), id, last_activity) where status = 'active'`],
  ['feeds_held', '', 'feeds_awaiting_review', `feeds (status, published_at desc, id desc) where status in ('pending', 'spam')`],
  ['followers_of', '', 'followers_following', 'followers (following_id, status, id)'],
  ['followers_by', '', 'followers_follower', 'followers (follower_id, status, id)'],
  ['comments_liked', '', 'comments_reactions', 'comments (post_id, reactions_count, id)'],
] as const

const POSTGRES_INDEXES = [
  ['feed_changes_settled', 'feed_index_changelog_xid'],
  ['change_log_xid', 'cache_invalidations_xid'],
  ['events_settled', 'events_commit_order'],
] as const

/** Constraints and sequences whose names PostgreSQL derived from those of a table or column; NOT NULL has a name from version 18 on. */
const renameDerived = (table: string, from: string, to: string) => `do $body$
  declare derived record;
  begin
    for derived in select conname as name from pg_constraint where conrelid = '${table}'::regclass and position('${from}' in conname) > 0 loop
      execute format('alter table ${table} rename constraint %I to %I', derived.name, replace(derived.name, '${from}', '${to}'));
    end loop;
    for derived in select s.relname as name from pg_class s join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid
      where s.relkind = 'S' and d.refobjid = '${table}'::regclass and position('${from}' in s.relname) > 0 loop
      execute format('alter sequence %I rename to %I', derived.name, replace(derived.name, '${from}', '${to}'));
    end loop;
  end $body$`

const renameColumns = (columns: readonly (readonly [table: string, from: string, to: string])[]) =>
  columns.map(([table, from, to]) => `alter table ${table} rename column ${from} to ${to}`)

const FORMER_TRIGGERS = ['feeds_noted_added', 'feeds_noted_moved', 'feeds_noted_removed', 'feeds_unsearched']

/** With their triggers, which are named like them; those of `analytics_` keep their names and are replaced. */
const DROP_FORMER_FUNCTIONS = `do $body$
  declare former regprocedure;
  begin
    for former in select oid::regprocedure from pg_proc where pronamespace = current_schema()::regnamespace
      and (proname like 'follow\\_%' or proname like 'feeds\\_noted\\_%' or proname = 'change_log_ended') loop
      execute format('drop function %s cascade', former);
    end loop;
  end $body$`

const onSqlite = [
  ...FORMER_TRIGGERS.map((name) => `drop trigger if exists ${name}`),
  ...TABLES.map(([from, to]) => `alter table ${from} rename to ${to}`),
  ...renameColumns(COLUMNS),
  ...INDEXES.flatMap(([from, unique, to, on]) => [`drop index ${from}`, `create ${unique} index ${to} on ${on}`]),
]

const onPostgres = [
  // A table with trigger events that wait for the end of the transaction cannot be altered.
  'set constraints all immediate',
  DROP_FORMER_FUNCTIONS,
  ...[...TABLES, ...POSTGRES_TABLES].flatMap(([from, to]) => [
    `alter table ${from} rename to ${to}`,
    renameDerived(to, `${from}_`, `${to}_`),
  ]),
  ...renameColumns([...COLUMNS, ...POSTGRES_COLUMNS]),
  ...[...COLUMNS, ...POSTGRES_COLUMNS].map(([table, from, to]) => renameDerived(table, `_${from}_`, `_${to}_`)),
  ...INDEXES.map(([from, , to]) => `alter index ${from} rename to ${to}`),
  ...POSTGRES_INDEXES.map(([from, to]) => `alter index ${from} rename to ${to}`),
]

/** Names in the terms of the field. The triggers, which name tables as well, are installed anew after it. */
export const plainNames: Up = ({ kind }) => (kind === 'sqlite' ? onSqlite : onPostgres)
