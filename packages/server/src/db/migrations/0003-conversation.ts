import type { Ddl, Up } from './dialect.ts'

/** Sort orders of the feed lists: name → columns. Each has an index on all listed feeds and one per space. */
const ORDERS = {
  published: 'published_at desc, id desc',
  active: 'active_at desc, id desc',
  likes: 'reactions_count desc, id desc',
  popular: '(reactions_count + 2 * comments_count) desc, id desc',
  alphabetical: 'title, slug, id',
} as const

/** The columns that decide visibility follow the sort columns, so that lists filter within the index. */
const SEEN_BY = 'space_id, privacy, user_id, is_sticky'
const SEEN_IN_SPACE = 'privacy, user_id, is_sticky'

/** The columns that lists sort and filter by; changes of the text are recorded by the code that indexes it. */
const LISTED = ['listed', 'space_id', 'privacy', 'published_at']

/** Records each feed that is listed, unlisted or moved, for the in-memory index of each process. */
const noteChanges = (kind: Ddl['kind']): string[] => {
  const moments = [
    { name: 'added', moment: 'after insert', when: 'new.listed = 1', id: 'new.id' },
    {
      name: 'moved',
      moment: `after update of ${LISTED.join(', ')}`,
      when: LISTED.map((column) => `old.${column} is distinct from new.${column}`).join(' or '),
      id: 'new.id',
    },
    { name: 'removed', moment: 'after delete', when: 'old.listed = 1', id: 'old.id' },
  ]
  return moments.flatMap(({ name, moment, when, id }) => {
    const note = `insert into feed_changes (feed_id) values (${id});`
    const trigger = `create trigger feeds_noted_${name} ${moment} on feeds for each row when (${when})`
    if (kind === 'sqlite') return [`${trigger} begin ${note} end`]
    const body = `create function feeds_noted_${name}() returns trigger language plpgsql as $body$ begin ${note} return null; end $body$`
    return [body, `${trigger} execute function feeds_noted_${name}()`]
  })
}

export const conversation: Up = ({ kind, id, int, text }) => [
  // Long texts are last, so that the small columns are read without overflow pages.
  `create table feeds (
      id ${id}, user_id ${int} not null references users (id) on delete cascade,
      space_id ${int} references spaces (id) on delete cascade, listed ${int} not null default 0,
      privacy ${text} not null default 'public' check (privacy in ('public', 'private')),
      status ${text} not null default 'published' check (status in ('published', 'draft', 'scheduled', 'pending', 'spam')),
      published_at ${text} not null, active_at ${text} not null,
      comments_count ${int} not null default 0, reactions_count ${int} not null default 0,
      is_sticky ${int} not null default 0, priority ${int} not null default 0, parent_id ${int},
      type ${text} not null default 'feed', content_type ${text} not null default 'text',
      expired_at ${text}, scheduled_at ${text}, created_at ${text} not null, updated_at ${text} not null,
      slug ${text} not null unique, title ${text} not null default '', featured_image ${text},
      meta ${text} not null default '{}', message ${text} not null, message_rendered ${text} not null)`,
  ...Object.entries(ORDERS).flatMap(([name, columns]) => [
    `create index feeds_${name} on feeds (${columns}, ${SEEN_BY}) where listed = 1`,
    `create index feeds_space_${name} on feeds (space_id, ${columns}, ${SEEN_IN_SPACE}) where listed = 1`,
  ]),
  `create index feeds_unanswered on feeds (published_at desc, id desc, ${SEEN_BY}) where listed = 1 and comments_count = 0`,
  `create index feeds_author on feeds (user_id, published_at desc, id desc, space_id, privacy, is_sticky) where listed = 1`,
  `create index feeds_own on feeds (user_id, status, published_at desc, id desc)`,
  `create index feeds_type on feeds (type, published_at desc, id desc, ${SEEN_BY}) where listed = 1`,
  `create index feeds_held on feeds (status, published_at desc, id desc) where status in ('pending', 'spam')`,
  `create index feeds_space_all on feeds (space_id, status)`,
  `create unique index feeds_sticky on feeds (coalesce(space_id, 0)) where is_sticky = 1 and listed = 1`,
  `create index feeds_private on feeds (user_id, space_id) where listed = 1 and privacy = 'private'`,
  `create table feed_counts (
      space_id ${int} not null, privacy ${text} not null, listed ${int} not null default 0, primary key (space_id, privacy))`,
  kind === 'sqlite'
    ? // Short beginnings are found in most feeds: they have entries of their own, instead of being put together from thousands of words.
      `create virtual table feed_search using fts5 (
          document, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii', prefix = '1 2 3')`
    : `create table feed_search (rowid bigint primary key references feeds (id) on delete cascade, document tsvector not null)`,
  // Full-text tables of SQLite have no foreign keys, so a trigger deletes the row there.
  kind === 'sqlite'
    ? `create trigger feeds_unsearched after delete on feeds begin delete from feed_search where rowid = old.id; end`
    : `create index feed_search_document on feed_search using gin (document)`,
  `create table feed_changes (serial ${id}, feed_id ${int} not null${kind === 'postgres' ? ', xid xid8 not null default pg_current_xact_id()' : ''})`,
  `create index feed_changes_marks on feed_changes (serial) where feed_id = 0`,
  ...(kind === 'postgres' ? ['create index feed_changes_settled on feed_changes (xid)'] : []),
  ...noteChanges(kind),
  `create table feed_links (
      id ${id}, title ${text} not null, url ${text} not null, icon ${text} not null, enabled ${int} not null, new_tab ${int} not null,
      serial ${int} not null)`,
  `create table comments (
      id ${id}, user_id ${int} not null references users (id) on delete cascade,
      post_id ${int} not null references feeds (id) on delete cascade,
      parent_id ${int} references comments (id) on delete cascade, message ${text} not null, message_rendered ${text} not null,
      type ${text} not null default 'comment', content_type ${text} not null default 'text',
      status ${text} not null default 'published' check (status in ('published', 'pending', 'spam')),
      reactions_count ${int} not null default 0, is_sticky ${int} not null default 0, meta ${text} not null default '{}',
      created_at ${text} not null, updated_at ${text} not null)`,
  `create index comments_post on comments (post_id, created_at, id, is_sticky, status, user_id)`,
  `create index comments_top on comments (post_id, created_at, id) where parent_id is null`,
  `create index comments_liked on comments (post_id, reactions_count, id)`,
  `create index comments_parent on comments (parent_id, created_at, id)`,
  `create index comments_unpublished on comments (post_id, user_id) where status <> 'published'`,
  `create unique index comments_sticky on comments (post_id) where is_sticky = 1`,
  `create index comments_author on comments (user_id, created_at, id)`,
  `create table reactions (
      id ${id}, user_id ${int} not null references users (id) on delete cascade,
      feed_id ${int} not null references feeds (id) on delete cascade, comment_id ${int} references comments (id) on delete cascade,
      type ${text} not null, ip_address ${text} not null default '', created_at ${text} not null, updated_at ${text} not null)`,
  `create unique index reactions_feed on reactions (feed_id, user_id) where comment_id is null`,
  `create unique index reactions_comment on reactions (comment_id, user_id) where comment_id is not null`,
  `create index reactions_feed_newest on reactions (feed_id, id) where comment_id is null`,
  `create index reactions_comment_newest on reactions (comment_id, id) where comment_id is not null`,
  `create index reactions_user on reactions (user_id, feed_id, comment_id, type)`,
  `create index reactions_of_feed on reactions (feed_id, comment_id, type, id)`,
  `create table bookmarks (
      id ${id}, user_id ${int} not null references users (id) on delete cascade,
      feed_id ${int} not null references feeds (id) on delete cascade, created_at ${text} not null, unique (feed_id, user_id))`,
  `create index bookmarks_user on bookmarks (user_id, id)`,
  `create table surveys (feed_id ${int} primary key references feeds (id) on delete cascade, voters ${int} not null default 0)`,
  `create table survey_options (
      feed_id ${int} not null references surveys (feed_id) on delete cascade, slug ${text} not null, votes ${int} not null default 0,
      primary key (feed_id, slug))`,
  `create table survey_votes (
      feed_id ${int} not null references surveys (feed_id) on delete cascade, user_id ${int} not null references users (id) on delete cascade,
      slot ${int} not null, option_slug ${text} not null, created_at ${text} not null, primary key (feed_id, user_id, slot))`,
  `create index survey_votes_option on survey_votes (feed_id, option_slug, created_at, user_id)`,
  `create index survey_votes_user on survey_votes (user_id)`,
  `create table activities (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, action_type ${text} not null, object_id ${int} not null,
      object_type ${text} not null, space_id ${int} references spaces (id) on delete cascade,
      feed_id ${int} references feeds (id) on delete cascade, comment_id ${int} references comments (id) on delete cascade,
      meta ${text} not null default '{}', created_at ${text} not null)`,
  `create index activities_newest on activities (created_at desc, id desc)`,
  `create index activities_user on activities (user_id, created_at desc, id desc)`,
  `create index activities_space on activities (space_id, created_at desc, id desc)`,
  `create index activities_object on activities (object_type, object_id, action_type, user_id)`,
  `create index activities_feed on activities (feed_id, space_id, id)`,
  `create index activities_comment on activities (comment_id)`,
]
