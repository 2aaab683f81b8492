import type { Dialect } from '../database.ts'
import { type CodeObject, type Trigger, trigger } from './code-object.ts'

const add = (columns: string) => `insert into analytics_outbox (at, user_id, space_id, ${columns})`

/** Whether a feed counts as a post: it is published, and not the discussion of a lesson. */
const isPost = (row: string) => `${row}.status = 'published' and ${row}.lesson_id is null`

const post = (row: string, sign: '' | '-') =>
  `${add('posts, post_reactions, post_comments')}
   select ${row}.published_at, ${row}.user_id, ${row}.space_id, ${sign}1, ${sign}${row}.reactions_count, ${sign}${row}.comments_count
   where ${isPost(row)}`

/** Comments and reactions of a feed, counted for a space. */
const contributionsTo = (feed: string, space: string, sign: '' | '-') => [
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
const COUNTED_BY = ['status', 'lesson_id', 'published_at', 'user_id', 'space_id']

const of = (name: string, table: string, moment: string, when: string | null, ...statements: string[]): Trigger => ({
  name: `analytics_${name}`,
  table,
  moment,
  when,
  statements,
})

const TRIGGERS: readonly Trigger[] = [
  of('feed_added', 'feeds', 'after insert', isPost('new'), post('new', '')),
  of('feed_changed', 'feeds', `after update of ${COUNTED_BY.join(', ')}`, differ(...COUNTED_BY), post('old', '-'), post('new', '')),
  of(
    'feed_counted',
    'feeds',
    'after update of reactions_count, comments_count',
    `${isPost('new')} and (${differ('reactions_count', 'comments_count')}) and not (${differ(...COUNTED_BY)})`,
    `${add('post_reactions, post_comments')} values (new.published_at, new.user_id, new.space_id,
     new.reactions_count - old.reactions_count, new.comments_count - old.comments_count)`,
  ),
  of(
    'feed_moved',
    'feeds',
    'after update of space_id',
    differ('space_id'),
    ...contributionsTo('new.id', 'old.space_id', '-'),
    ...contributionsTo('new.id', 'new.space_id', ''),
  ),
  of('feed_removed', 'feeds', 'before delete', null, post('old', '-'), ...contributionsTo('old.id', 'old.space_id', '-')),
  of('comment_added', 'comments', 'after insert', `new.status = 'published'`, comment('new', '')),
  of(
    'comment_changed',
    'comments',
    'after update of status, reactions_count',
    differ('status', 'reactions_count'),
    comment('old', '-'),
    comment('new', ''),
  ),
  of('comment_removed', 'comments', 'before delete', `old.status = 'published'`, comment('old', '-')),
  of('reaction_added', 'reactions', 'after insert', null, reaction('new', '')),
  of('reaction_removed', 'reactions', 'before delete', null, reaction('old', '-')),
  of('member_added', 'space_members', 'after insert', `new.status = 'active'`, joined('new', '')),
  of(
    'member_changed',
    'space_members',
    'after update of status, joined_at',
    differ('status', 'joined_at'),
    joined('old', '-'),
    joined('new', ''),
  ),
  of('member_removed', 'space_members', 'after delete', `old.status = 'active'`, joined('old', '-')),
  of('account_added', 'users', 'after insert', `new.status = 'active'`, account('new', '')),
  of('account_changed', 'users', 'after update of status', differ('status'), account('old', '-'), account('new', '')),
  of('account_removed', 'users', 'after delete', `old.status = 'active'`, account('old', '-')),
]

/** Write the changes of analytics counts to the outbox, in the transaction of the change. */
export const analyticsCode = (dialect: Dialect): CodeObject[] => TRIGGERS.map((one) => trigger(dialect, one))
