import type { Ddl, Up } from './dialect.ts'

const COUNTS = ['posts', 'comments', 'reactions', 'post_reactions', 'post_comments', 'comment_reactions'] as const

/** A row trigger that runs in the transaction of the change; the text is the same for both databases. */
const trigger = (
  { kind }: Ddl,
  name: string,
  table: string,
  moment: string,
  when: string | null,
  statements: readonly string[],
): string[] => {
  const condition = when === null ? '' : `when (${when})`
  const body = statements.map((text) => `${text};`).join(' ')
  if (kind === 'sqlite') return [`create trigger analytics_${name} ${moment} on ${table} for each row ${condition} begin ${body} end`]
  const result = moment.startsWith('before delete') ? 'old' : 'null'
  return [
    `create function analytics_${name}() returns trigger language plpgsql as $body$ begin ${body} return ${result}; end $body$`,
    `create trigger analytics_${name} ${moment} on ${table} for each row ${condition} execute function analytics_${name}()`,
  ]
}

const add = (columns: string) => `insert into analytics_changes (at, user_id, space_id, ${columns})`

/** Whether a feed counts as a post: it is published, and not the discussion of a lesson. */
const isPost = (row: string) => `${row}.status = 'published' and ${row}.lesson_id is null`

const post = (row: string, sign: '' | '-') =>
  `${add('posts, post_reactions, post_comments')}
   select ${row}.published_at, ${row}.user_id, ${row}.space_id, ${sign}1, ${sign}${row}.reactions_count, ${sign}${row}.comments_count
   where ${isPost(row)}`

/** Comments and reactions of a feed, counted for a space. */
const under = (feed: string, space: string, sign: '' | '-') => [
  `${add('comments, comment_reactions')} select c.created_at, c.user_id, ${space}, ${sign}1, ${sign}c.reactions_count
   from comments c where c.post_id = ${feed} and c.status = 'published'`,
  `${add('reactions')} select r.created_at, r.user_id, ${space}, ${sign}1 from reactions r where r.feed_id = ${feed}`,
]

// No rows if the feed is already deleted: its own trigger subtracted its comments and reactions. Deletions use "before" triggers, since
// PostgreSQL runs "after" triggers when the cascade is complete.
const comment = (row: string, sign: '' | '-') =>
  `${add('comments, comment_reactions')} select ${row}.created_at, ${row}.user_id, f.space_id, ${sign}1, ${sign}${row}.reactions_count
   from feeds f where f.id = ${row}.post_id and ${row}.status = 'published'`

const reaction = (row: string, sign: '' | '-') =>
  `${add('reactions')} select ${row}.created_at, ${row}.user_id, f.space_id, ${sign}1 from feeds f where f.id = ${row}.feed_id`

const joined = (row: string, sign: '' | '-') =>
  `${add('joins')} select ${row}.joined_at, null, ${row}.space_id, ${sign}1 where ${row}.status = 'active'`

const account = (row: string, sign: '' | '-') =>
  `${add('members')} select ${row}.created_at, null, null, ${sign}1 where ${row}.status = 'active'`

const differ = (...columns: string[]) => columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')
const PLACE = ['status', 'lesson_id', 'published_at', 'user_id', 'space_id']

const triggers = (d: Ddl): string[] => [
  ...trigger(d, 'feed_added', 'feeds', 'after insert', isPost('new'), [post('new', '')]),
  ...trigger(d, 'feed_changed', 'feeds', `after update of ${PLACE.join(', ')}`, differ(...PLACE), [post('old', '-'), post('new', '')]),
  ...trigger(
    d,
    'feed_counted',
    'feeds',
    'after update of reactions_count, comments_count',
    `${isPost('new')} and (${differ('reactions_count', 'comments_count')}) and not (${differ(...PLACE)})`,
    [
      `${add('post_reactions, post_comments')} values (new.published_at, new.user_id, new.space_id,
       new.reactions_count - old.reactions_count, new.comments_count - old.comments_count)`,
    ],
  ),
  ...trigger(d, 'feed_moved', 'feeds', 'after update of space_id', differ('space_id'), [
    ...under('new.id', 'old.space_id', '-'),
    ...under('new.id', 'new.space_id', ''),
  ]),
  ...trigger(d, 'feed_removed', 'feeds', 'before delete', null, [post('old', '-'), ...under('old.id', 'old.space_id', '-')]),
  ...trigger(d, 'comment_added', 'comments', 'after insert', `new.status = 'published'`, [comment('new', '')]),
  ...trigger(d, 'comment_changed', 'comments', 'after update of status, reactions_count', differ('status', 'reactions_count'), [
    comment('old', '-'),
    comment('new', ''),
  ]),
  ...trigger(d, 'comment_removed', 'comments', 'before delete', `old.status = 'published'`, [comment('old', '-')]),
  ...trigger(d, 'reaction_added', 'reactions', 'after insert', null, [reaction('new', '')]),
  ...trigger(d, 'reaction_removed', 'reactions', 'before delete', null, [reaction('old', '-')]),
  ...trigger(d, 'member_added', 'space_members', 'after insert', `new.status = 'active'`, [joined('new', '')]),
  ...trigger(d, 'member_changed', 'space_members', 'after update of status, joined_at', differ('status', 'joined_at'), [
    joined('old', '-'),
    joined('new', ''),
  ]),
  ...trigger(d, 'member_removed', 'space_members', 'after delete', `old.status = 'active'`, [joined('old', '-')]),
  ...trigger(d, 'account_added', 'users', 'after insert', `new.status = 'active'`, [account('new', '')]),
  ...trigger(d, 'account_changed', 'users', 'after update of status', differ('status'), [account('old', '-'), account('new', '')]),
  ...trigger(d, 'account_removed', 'users', 'after delete', `old.status = 'active'`, [account('old', '-')]),
]

export const analytics: Up = (d) => {
  const { kind, id, int, text } = d
  const counts = COUNTS.map((name) => `${name} ${int} not null default 0`).join(', ')
  // Stored in the order of the key, so that a range is contiguous.
  const clustered = kind === 'sqlite' ? ' without rowid' : ''
  return [
    `create table analytics_state (
        id ${int} primary key check (id = 1), generation ${int} not null, zone ${text} not null, stale ${int} not null, rebuilding_until ${text})`,
    `insert into analytics_state (id, generation, zone, stale, rebuilding_until) values (1, 0, 'UTC', 1, null)`,
    `create table analytics_changes (
        id ${id}, at ${text} not null, user_id ${int}, space_id ${int}, ${counts}, joins ${int} not null default 0,
        members ${int} not null default 0)`,
    `create table analytics_members (
        generation ${int} not null, span ${int} not null check (span in (1, 7, 30)), start ${int} not null,
        user_id ${int} not null, joined ${int} not null, ${counts}, primary key (generation, span, start, user_id))${clustered}`,
    `create table analytics_spaces (
        generation ${int} not null, day ${text} not null, space_id ${int} not null, posts ${int} not null default 0,
        comments ${int} not null default 0, reactions ${int} not null default 0, joins ${int} not null default 0,
        primary key (generation, day, space_id))${clustered}`,
    `create table analytics_hours (
        generation ${int} not null, day ${text} not null, hour ${int} not null, posts ${int} not null default 0,
        comments ${int} not null default 0, reactions ${int} not null default 0, members ${int} not null default 0,
        primary key (generation, day, hour))${clustered}`,
    ...triggers(d),
  ]
}
