import type { Up } from './dialect.ts'

const EVERY = ['insert', 'update', 'delete'] as const

/** The changes of each table that invalidate tags, and the kinds of the tags with the SQL of their ids on `$row`; '' for none. */
const RULES: readonly (readonly [table: string, on: readonly string[], tags: Readonly<Record<string, string>>])[] = [
  ['feeds', ['insert', 'delete', 'update of listed, space_id, user_id, privacy, type, is_sticky, published_at'], { lists: '' }],
  ['feeds', ['update of comments_count, reactions_count, active_at'], { counts: '' }],
  ['feeds', ['update of title, slug'], { titles: '' }],
  ['feeds', ['update', 'delete'], { feed: '$row.id' }],
  ['feeds', ['delete', 'update of status, listed, privacy, space_id, user_id, lesson_id'], { sight: '' }],
  ['feeds', ['insert', 'delete', 'update of status, listed, privacy, space_id, user_id'], { writer: '$row.user_id' }],
  ['feeds', ['delete', 'update of title, slug, message_rendered'], { words: '$row.id' }],
  ['comments', EVERY, { feed: '$row.post_id', comment: '$row.id' }],
  ['comments', ['delete', 'update of status, user_id, post_id'], { sight: '' }],
  ['comments', ['insert', 'delete', 'update of status, user_id, post_id'], { writer: '$row.user_id' }],
  ['reactions', EVERY, { feed: '$row.feed_id', marks: '$row.user_id' }],
  ['bookmarks', EVERY, { marks: '$row.user_id', bookmarks: '$row.user_id' }],
  [
    'users',
    [
      'update of username, email, display_name, avatar, total_points, is_verified, status, short_description, website, cover_photo, social_links, badge_slugs',
      'delete',
    ],
    { user: '$row.id' },
  ],
  ['users', ['insert', 'delete', 'update of status'], { people: '' }],
  ['users', ['update of username, email, status', 'delete'], { account: '$row.id' }],
  ['users', ['delete', 'update of status, is_private, username'], { sight: '' }],
  ['users', ['update', 'delete'], { profile: '$row.id' }],
  ['managers', EVERY, { user: '$row.user_id', account: '$row.user_id', lists: '' }],
  ['manager_spaces', EVERY, { user: '$row.user_id', account: '$row.user_id', lists: '' }],
  ['sessions', ['update of token_hash, user_id, expires_at', 'delete'], { session: '$row.id' }],
  ['application_passwords', ['update of hash, user_id', 'delete'], { user: '$row.user_id', account: '$row.user_id' }],
  ['spaces', ['insert', 'delete', 'update of title, slug, type, privacy, status, settings'], { space: '$row.id', lists: '', places: '' }],
  ['spaces', ['insert', 'delete', 'update of privacy, status, settings'], { sight: '' }],
  ['space_members', EVERY, { member: '$row.user_id', within: '$row.space_id' }],
  ['followers', ['insert', 'delete', 'update of status'], { member: '$row.follower_id' }],
  ['followers', EVERY, { notices: '$row.following_id' }],
  ['topics', ['update of title, slug, status', 'delete'], { topic: '$row.id', topics: '' }],
  ['feed_topics', EVERY, { feed: '$row.feed_id', lists: '' }],
  ['settings', EVERY, { setting: '$row.key', settings: '' }],
  ['achievements', EVERY, { achieved: '$row.user_id', points: '' }],
  ['leaderboard_levels', EVERY, { levels: '' }],
  ['moderation_config', EVERY, { moderation: '' }],
  ['notifications', EVERY, { notices: '$row.user_id' }],
  ['notification_causes', EVERY, { notices: '(select n.user_id from notifications n where n.id = $row.notification_id)' }],
  ['courses', EVERY, { sight: '' }],
  ['lessons', EVERY, { sight: '' }],
  ['enrolments', EVERY, { sight: '' }],
  ['lesson_completions', EVERY, { sight: '' }],
  ['activities', EVERY, { activities: '' }],
  ['points_ledger', ['insert', 'delete'], { points: '' }],
  ['points_windows', ['update of state', 'delete'], { points: '' }],
  ['analytics_state', ['update'], { figures: '' }],
  ['feed_changes', ['insert'], { finds: '' }],
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

const touch = (tags: Readonly<Record<string, string>>, row: string): string =>
  Object.entries(tags)
    .map(
      ([kind, id]) => `subject := ${id ? `'${kind}:' || ${id.replace('$row', row)}` : `'${kind}'`};
      if strpos(touched, chr(10) || subject || chr(10)) = 0 then touched := touched || subject || chr(10); end if;`,
    )
    .join('\n      ')

const triggersOf = (table: string, event: string): string[] => {
  const row = event === 'delete' ? 'old' : 'new'
  const rules = RULES.filter(([of]) => of === table).flatMap(([, on, tags]) =>
    on.filter((one) => one.startsWith(event)).map((one) => ({ columns: one.slice('update of '.length), touches: touch(tags, row) })),
  )
  if (rules.length === 0) return []
  const name = `follow_${table}_${event}`
  const isAlways = rules.some(({ columns }) => columns === '')
  const condition = isAlways ? '' : `when (${rules.map(({ columns }) => changed(columns)).join(' or ')})`
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
      ${rules.map(({ columns, touches }) => (columns ? `if ${changed(columns)} then ${touches} end if;` : touches)).join('\n      ')}
      if length(touched) > 16000 then touched := '*'; end if;
      if touched is distinct from before then perform set_config('lyceum.touched', touched, true); end if;
      return null;
    end $body$`,
    `create trigger ${name} after ${event} on ${table} for each row ${condition} execute function ${name}()`,
  ]
}

const triggers = [...new Set(RULES.map(([table]) => table))].flatMap((table) => EVERY.flatMap((event) => triggersOf(table, event)))

/** On SQLite the writing connection creates temporary triggers. The current definitions are in `db/code`. */
export const changeLogOfPostgres: Up = ({ kind }) => (kind === 'postgres' ? [WITHOUT_FORMER, ...LOG, ...triggers] : [])
