import { refreshStatisticsOf, runText } from '../../../server/src/db/index.ts'
import type { Loading, Steps } from './scene.ts'

/** SQL that sets a counter column from a query of `id` and `n`. */
const kept = (table: string, key: string, column: string, counted: string) =>
  `update ${table} set ${column} = c.n from (${counted}) c where c.id = ${table}.${key}`

/** Counters that are not part of the plan, computed from the rows. */
const FIGURES = [
  `insert into listed_feed_counts (space_id, privacy, feeds_count) select coalesce(space_id, 0), privacy, count(*) from feeds where listed = 1
   group by coalesce(space_id, 0), privacy on conflict (space_id, privacy) do update set feeds_count = excluded.feeds_count`,
  kept(
    'spaces',
    'id',
    'posts_count',
    'select space_id as id, count(*) as n from feeds where listed = 1 and space_id is not null group by space_id',
  ),
  kept(
    'spaces',
    'id',
    'members_count',
    `select space_id as id, count(*) as n from space_members where status = 'active' group by space_id`,
  ),
  kept('users', 'id', 'followers_count', 'select following_id as id, count(*) as n from followers group by following_id'),
  kept('users', 'id', 'followings_count', 'select follower_id as id, count(*) as n from followers group by follower_id'),
  kept('topics', 'id', 'posts_count', 'select topic_id as id, count(*) as n from feed_topics group by topic_id'),
  kept('surveys', 'feed_id', 'voters', 'select feed_id as id, count(distinct user_id) as n from survey_votes group by feed_id'),
  `update survey_options set votes = c.n from (select feed_id, option_slug, count(*) as n from survey_votes group by feed_id, option_slug) c
   where c.feed_id = survey_options.feed_id and c.option_slug = survey_options.slug`,
]

export async function* countAll({ load: { db } }: Loading): Steps {
  for (const text of FIGURES) {
    await runText(db, text, [])
    yield 1
  }
}

const INTO = 'insert into activities (user_id, action_type, object_type, object_id, space_id, feed_id, comment_id, created_at)'
const none = 'cast(null as bigint)'

/** The activities that event listeners would record, in order of ids. */
const ACTIVITIES = {
  memberships: `select m.user_id, 'space_joined', 'space', m.space_id, m.space_id, ${none}, ${none}, m.joined_at from space_members m order by m.id`,
  follows: `select f.follower_id, 'follow_user', 'user', f.following_id, ${none}, ${none}, ${none}, f.created_at from followers f order by f.id`,
  posts: `select f.user_id, 'post_created', 'feed', f.id, f.space_id, f.id, ${none}, f.created_at from feeds f where f.lesson_id is null order by f.id`,
  // A cross join makes SQLite scan the comments first.
  comments: `select c.user_id, 'comment_added', 'comment', c.id, f.space_id, f.id, c.id, c.created_at
    from comments c cross join feeds f where f.id = c.post_id order by c.id`,
  reactions: `select r.user_id, 'reaction_added', case when r.comment_id is null then 'feed' else 'comment' end, coalesce(r.comment_id, r.feed_id),
    f.space_id, f.id, r.comment_id, r.created_at from reactions r cross join feeds f where f.id = r.feed_id order by r.id`,
  bookmarks: `select b.user_id, 'bookmark_added', 'feed', f.id, f.space_id, f.id, ${none}, b.created_at
    from bookmarks b cross join feeds f where f.id = b.feed_id order by b.id`,
} as const

export async function* recordAll({ load: { db }, plan }: Loading): Steps {
  for (const table of ['feeds', 'comments']) await refreshStatisticsOf(db, table)
  for (const [rows, text] of Object.entries(ACTIVITIES)) {
    await runText(db, `${INTO} ${text}`, [])
    yield plan.counts[rows as keyof typeof ACTIVITIES]
  }
}
export const RECORDED = Object.keys(ACTIVITIES) as (keyof typeof ACTIVITIES)[]
