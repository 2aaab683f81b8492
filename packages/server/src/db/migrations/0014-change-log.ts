import type { Migration } from './dialect.ts'

/** Each trigger with its cache tags: columns of which one must change ('' for none), then the tags in SQL. */
const TRIGGERS: readonly (readonly [table: string, event: string, touches: readonly (readonly string[])[]])[] = [
  [
    'feeds',
    'insert',
    [
      ['', `'lists'`],
      ['', `'writer:' || new.user_id`],
    ],
  ],
  [
    'feeds',
    'update',
    [
      ['listed, space_id, user_id, privacy, type, is_sticky, published_at', `'lists'`],
      ['comments_count, reactions_count, active_at', `'counts'`],
      ['title, slug', `'titles'`],
      ['', `'feed:' || new.id`],
      ['status, listed, privacy, space_id, user_id, lesson_id', `'sight'`],
      ['status, listed, privacy, space_id, user_id', `'writer:' || new.user_id`],
      ['title, slug, message_rendered', `'words:' || new.id`],
    ],
  ],
  [
    'feeds',
    'delete',
    [
      ['', `'lists'`],
      ['', `'feed:' || old.id`],
      ['', `'sight'`],
      ['', `'writer:' || old.user_id`],
      ['', `'words:' || old.id`],
    ],
  ],
  [
    'comments',
    'insert',
    [
      ['', `'feed:' || new.post_id`, `'comment:' || new.id`],
      ['', `'writer:' || new.user_id`],
    ],
  ],
  [
    'comments',
    'update',
    [
      ['', `'feed:' || new.post_id`, `'comment:' || new.id`],
      ['status, user_id, post_id', `'sight'`],
      ['status, user_id, post_id', `'writer:' || new.user_id`],
    ],
  ],
  [
    'comments',
    'delete',
    [
      ['', `'feed:' || old.post_id`, `'comment:' || old.id`],
      ['', `'sight'`],
      ['', `'writer:' || old.user_id`],
    ],
  ],
  ['reactions', 'insert', [['', `'feed:' || new.feed_id`, `'marks:' || new.user_id`]]],
  ['reactions', 'update', [['', `'feed:' || new.feed_id`, `'marks:' || new.user_id`]]],
  ['reactions', 'delete', [['', `'feed:' || old.feed_id`, `'marks:' || old.user_id`]]],
  ['bookmarks', 'insert', [['', `'marks:' || new.user_id`, `'bookmarks:' || new.user_id`]]],
  ['bookmarks', 'update', [['', `'marks:' || new.user_id`, `'bookmarks:' || new.user_id`]]],
  ['bookmarks', 'delete', [['', `'marks:' || old.user_id`, `'bookmarks:' || old.user_id`]]],
  ['users', 'insert', [['', `'people'`]]],
  [
    'users',
    'update',
    [
      [
        'username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs',
        `'user:' || new.id`,
      ],
      ['status', `'people'`],
      ['username, email, status', `'account:' || new.id`],
      ['status, is_private, username', `'sight'`],
      ['', `'profile:' || new.id`],
    ],
  ],
  [
    'users',
    'delete',
    [
      ['', `'user:' || old.id`],
      ['', `'people'`],
      ['', `'account:' || old.id`],
      ['', `'sight'`],
      ['', `'profile:' || old.id`],
    ],
  ],
  ['managers', 'insert', [['', `'user:' || new.user_id`, `'account:' || new.user_id`, `'lists'`]]],
  ['managers', 'update', [['', `'user:' || new.user_id`, `'account:' || new.user_id`, `'lists'`]]],
  ['managers', 'delete', [['', `'user:' || old.user_id`, `'account:' || old.user_id`, `'lists'`]]],
  ['manager_spaces', 'insert', [['', `'user:' || new.user_id`, `'account:' || new.user_id`, `'lists'`]]],
  ['manager_spaces', 'update', [['', `'user:' || new.user_id`, `'account:' || new.user_id`, `'lists'`]]],
  ['manager_spaces', 'delete', [['', `'user:' || old.user_id`, `'account:' || old.user_id`, `'lists'`]]],
  ['sessions', 'update', [['token_hash, user_id, expires_at', `'session:' || new.id`]]],
  ['sessions', 'delete', [['', `'session:' || old.id`]]],
  ['application_passwords', 'update', [['hash, user_id', `'user:' || new.user_id`, `'account:' || new.user_id`]]],
  ['application_passwords', 'delete', [['', `'user:' || old.user_id`, `'account:' || old.user_id`]]],
  [
    'spaces',
    'insert',
    [
      ['', `'space:' || new.id`, `'lists'`, `'places'`],
      ['', `'sight'`],
    ],
  ],
  [
    'spaces',
    'update',
    [
      ['title, slug, type, privacy, status, settings', `'space:' || new.id`, `'lists'`, `'places'`],
      ['privacy, status, settings', `'sight'`],
    ],
  ],
  [
    'spaces',
    'delete',
    [
      ['', `'space:' || old.id`, `'lists'`, `'places'`],
      ['', `'sight'`],
    ],
  ],
  ['space_members', 'insert', [['', `'member:' || new.user_id`, `'within:' || new.space_id`]]],
  ['space_members', 'update', [['', `'member:' || new.user_id`, `'within:' || new.space_id`]]],
  ['space_members', 'delete', [['', `'member:' || old.user_id`, `'within:' || old.space_id`]]],
  [
    'followers',
    'insert',
    [
      ['', `'member:' || new.follower_id`],
      ['', `'notices:' || new.following_id`],
    ],
  ],
  [
    'followers',
    'update',
    [
      ['status', `'member:' || new.follower_id`],
      ['', `'notices:' || new.following_id`],
    ],
  ],
  [
    'followers',
    'delete',
    [
      ['', `'member:' || old.follower_id`],
      ['', `'notices:' || old.following_id`],
    ],
  ],
  ['topics', 'update', [['title, slug, status', `'topic:' || new.id`, `'topics'`]]],
  ['topics', 'delete', [['', `'topic:' || old.id`, `'topics'`]]],
  ['feed_topics', 'insert', [['', `'feed:' || new.feed_id`, `'lists'`]]],
  ['feed_topics', 'update', [['', `'feed:' || new.feed_id`, `'lists'`]]],
  ['feed_topics', 'delete', [['', `'feed:' || old.feed_id`, `'lists'`]]],
  ['settings', 'insert', [['', `'setting:' || new.key`, `'settings'`]]],
  ['settings', 'update', [['', `'setting:' || new.key`, `'settings'`]]],
  ['settings', 'delete', [['', `'setting:' || old.key`, `'settings'`]]],
  ['achievements', 'insert', [['', `'achieved:' || new.user_id`, `'points'`]]],
  ['achievements', 'update', [['', `'achieved:' || new.user_id`, `'points'`]]],
  ['achievements', 'delete', [['', `'achieved:' || old.user_id`, `'points'`]]],
  ['leaderboard_levels', 'insert', [['', `'levels'`]]],
  ['leaderboard_levels', 'update', [['', `'levels'`]]],
  ['leaderboard_levels', 'delete', [['', `'levels'`]]],
  ['moderation_config', 'insert', [['', `'moderation'`]]],
  ['moderation_config', 'update', [['', `'moderation'`]]],
  ['moderation_config', 'delete', [['', `'moderation'`]]],
  ['notifications', 'insert', [['', `'notices:' || new.user_id`]]],
  ['notifications', 'update', [['', `'notices:' || new.user_id`]]],
  ['notifications', 'delete', [['', `'notices:' || old.user_id`]]],
  ['notification_causes', 'insert', [['', `'notices:' || (select n.user_id from notifications n where n.id = new.notification_id)`]]],
  ['notification_causes', 'update', [['', `'notices:' || (select n.user_id from notifications n where n.id = new.notification_id)`]]],
  ['notification_causes', 'delete', [['', `'notices:' || (select n.user_id from notifications n where n.id = old.notification_id)`]]],
  ['courses', 'insert', [['', `'sight'`]]],
  ['courses', 'update', [['', `'sight'`]]],
  ['courses', 'delete', [['', `'sight'`]]],
  ['lessons', 'insert', [['', `'sight'`]]],
  ['lessons', 'update', [['', `'sight'`]]],
  ['lessons', 'delete', [['', `'sight'`]]],
  ['enrolments', 'insert', [['', `'sight'`]]],
  ['enrolments', 'update', [['', `'sight'`]]],
  ['enrolments', 'delete', [['', `'sight'`]]],
  ['lesson_completions', 'insert', [['', `'sight'`]]],
  ['lesson_completions', 'update', [['', `'sight'`]]],
  ['lesson_completions', 'delete', [['', `'sight'`]]],
  ['activities', 'insert', [['', `'activities'`]]],
  ['activities', 'update', [['', `'activities'`]]],
  ['activities', 'delete', [['', `'activities'`]]],
  ['points_ledger', 'insert', [['', `'points'`]]],
  ['points_ledger', 'delete', [['', `'points'`]]],
  ['points_windows', 'update', [['state', `'points'`]]],
  ['points_windows', 'delete', [['', `'points'`]]],
  ['analytics_state', 'update', [['', `'figures'`]]],
  ['feed_changes', 'insert', [['', `'finds'`]]],
]

const WITHOUT_FORMER = `do $body$
  declare former regprocedure;
  begin
    for former in select oid::regprocedure from pg_proc where proname like 'follow\\_%' and pronamespace = current_schema()::regnamespace loop
      execute format('drop function %s cascade', former);
    end loop;
  end $body$`

const LOG = [
  `create unlogged table change_log (xid xid8 not null, touched text not null default '*') with (fillfactor = 60)`,
  'create index change_log_xid on change_log (xid)',
  `create unlogged table change_log_floor (one integer primary key default 1 check (one = 1), run uuid not null default gen_random_uuid(),
    floor xid8 not null, next xid8 not null, moved_at timestamptz not null default clock_timestamp())`,
  `create function change_log_ended() returns trigger language plpgsql as $body$
  begin
    update change_log set touched = current_setting('lyceum.touched', true) where xid = new.xid;
    return null;
  end $body$`,
  `create constraint trigger change_log_ended after insert on change_log
    deferrable initially deferred for each row execute function change_log_ended()`,
]

const changed = (columns: string) =>
  columns
    .split(', ')
    .map((column) => `old.${column} is distinct from new.${column}`)
    .join(' or ')

const touch = ([columns = '', ...subjects]: readonly string[]): string => {
  const touches = subjects.map(
    (subject) => `subject := ${subject};
      if strpos(touched, chr(10) || subject || chr(10)) = 0 then touched := touched || subject || chr(10); end if;`,
  )
  return columns ? `if ${changed(columns)} then ${touches.join('\n      ')} end if;` : touches.join('\n      ')
}

const triggers = TRIGGERS.flatMap(([table, event, touches]) => {
  const name = `follow_${table}_${event}`
  const isAlways = touches.some(([columns]) => columns === '')
  const condition = isAlways ? '' : `when (${touches.map(([columns = '']) => changed(columns)).join(' or ')})`
  return [
    `create function ${name}() returns trigger language plpgsql as $body$
    declare
      before text := current_setting('lyceum.touched', true);
      touched text := before;
      subject text;
    begin
      if before = '*' then return null; end if;
      if coalesce(before, '') = '' then
        insert into change_log (xid) values (pg_current_xact_id());
        touched := chr(10);
      end if;
      ${touches.map(touch).join('\n      ')}
      if length(touched) > 16000 then touched := '*'; end if;
      if touched is distinct from before then perform set_config('lyceum.touched', touched, true); end if;
      return null;
    end $body$`,
    `create trigger ${name} after ${event} on ${table} for each row ${condition} execute function ${name}()`,
  ]
})

/** On SQLite the writing connection creates temporary triggers. The current definitions are in `db/code`. */
export const changeLogOfPostgres: Migration = {
  name: '0014-change-log',
  up: ({ kind }) => (kind === 'postgres' ? [WITHOUT_FORMER, ...LOG, ...triggers] : []),
}
