import type { LockableTable } from '../../db/index.ts'
import { INCONSISTENT_USERS, rebuildStatements } from '../../modules/leaderboard/index.ts'
import type { Check } from './check.ts'
import { LEARNING } from './learning.ts'

/** A check of a stored count: `column` of `table` is the number of rows of `counted`, whose `id` refers to the row. */
const countCheck = (table: LockableTable, column: string, what: string, counted: string): Check => {
  const object = table.replace(/s$/, '')
  return {
    name: `${object}_${column}`,
    about: `${column} of a ${object} is the number of ${what}`,
    find: `select t.id from ${table} t left join (select id, count(*) as n from (${counted}) r group by id) c on c.id = t.id
      where t.${column} <> coalesce(c.n, 0)`,
    repair: { hold: table, run: [`update ${table} set ${column} = (select count(*) from (${counted}) r where r.id = $1) where id = $1`] },
  }
}

const COUNTERS: readonly Check[] = [
  countCheck('feeds', 'comments_count', 'its published comments', `select post_id as id from comments where status = 'published'`),
  countCheck('feeds', 'reactions_count', 'reactions to it', 'select feed_id as id from reactions where comment_id is null'),
  countCheck('comments', 'reactions_count', 'reactions to it', 'select comment_id as id from reactions where comment_id is not null'),
  countCheck('spaces', 'posts_count', 'its listed feeds', 'select space_id as id from feeds where listed = 1 and space_id is not null'),
  countCheck('spaces', 'members_count', 'its active members', `select space_id as id from space_members where status = 'active'`),
  countCheck('users', 'followers_count', 'active followers', `select following_id as id from followers where status = 'active'`),
  countCheck('users', 'followings_count', 'users they follow', `select follower_id as id from followers where status = 'active'`),
  countCheck(
    'topics',
    'posts_count',
    'listed feeds with it',
    'select t.topic_id as id from feed_topics t join feeds f on f.id = t.feed_id where f.listed = 1',
  ),
  countCheck(
    'courses',
    'sections_count',
    'its published sections',
    `select course_id as id from course_sections where status = 'published'`,
  ),
  countCheck(
    'courses',
    'lessons_count',
    'published lessons in its published sections',
    `select l.course_id as id from lessons l join course_sections s on s.id = l.section_id
     where l.status = 'published' and s.status = 'published'`,
  ),
  countCheck('courses', 'students_count', 'enrolments in it', 'select course_id as id from enrolments'),
  {
    name: 'survey_voters',
    about: 'voters of a survey is the number of people who voted',
    find: `select s.feed_id as id from surveys s left join (select feed_id, count(distinct user_id) as n from survey_votes group by feed_id) v
      on v.feed_id = s.feed_id where s.voters <> coalesce(v.n, 0)`,
    repair: {
      hold: 'feeds',
      run: ['update surveys set voters = (select count(distinct v.user_id) from survey_votes v where v.feed_id = $1) where feed_id = $1'],
    },
  },
  {
    name: 'survey_votes',
    about: 'votes of a survey option is the number of votes for it',
    find: `select distinct o.feed_id as id from survey_options o
      left join (select feed_id, option_slug, count(*) as n from survey_votes group by feed_id, option_slug) v
      on v.feed_id = o.feed_id and v.option_slug = o.slug where o.votes <> coalesce(v.n, 0)`,
    repair: {
      hold: 'feeds',
      run: [
        `update survey_options set votes = (select count(*) from survey_votes v where v.feed_id = $1 and v.option_slug = survey_options.slug)
         where feed_id = $1`,
      ],
    },
  },
]

const LISTS: readonly Check[] = [
  {
    name: 'feed_listed',
    about: 'a feed is listed if and only if it is published, has not expired and does not belong to a lesson',
    // A recently expired one is still waiting for its job; overdue jobs are reported as warnings.
    find: `select id from feeds where (listed = 1 and (status <> 'published' or lesson_id is not null))
      or (listed = 0 and status = 'published' and lesson_id is null and (expired_at is null or expired_at > $1))`,
    timed: true,
  },
  {
    name: 'listed_feed_counts',
    about: 'the stored totals of lists match the listed feeds',
    find: `select coalesce(k.space_id, c.space_id) || ' ' || coalesce(k.privacy, c.privacy) as id from listed_feed_counts k
      full join (select coalesce(space_id, 0) as space_id, privacy, count(*) as n from feeds where listed = 1 group by coalesce(space_id, 0), privacy) c
      on c.space_id = k.space_id and c.privacy = k.privacy where coalesce(k.feeds_count, 0) <> coalesce(c.n, 0)`,
  },
]

const BELONGINGS: readonly Check[] = [
  {
    name: 'feed_topics_dates',
    about: 'the topic entries of a listed feed have its publication time',
    find: `select distinct c.feed_id as id from feed_topics c join feeds f on f.id = c.feed_id
      where f.listed = 1 and c.published_at <> f.published_at`,
    repair: {
      hold: 'feeds',
      run: ['update feed_topics set published_at = (select f.published_at from feeds f where f.id = $1) where feed_id = $1'],
    },
  },
  {
    name: 'topic_parents',
    about: 'a parent topic has no parent',
    find: 'select t.id from topics t join topics p on p.id = t.parent_id where p.parent_id is not null or p.id = t.id',
  },
  {
    name: 'lesson_sections',
    about: 'a lesson belongs to a section of its course',
    find: 'select l.id from lessons l join course_sections s on s.id = l.section_id where s.course_id <> l.course_id',
  },
  {
    name: 'course_circles',
    about: 'no course requires itself, directly or indirectly',
    find: `with recursive before(id, required_id) as (
        select course_id, required_id from course_prerequisites
        union select b.id, r.required_id from before b join course_prerequisites r on r.course_id = b.required_id)
      select distinct id from before where id = required_id`,
  },
  {
    name: 'comment_parents',
    about: 'a reply belongs to a top-level comment of the same feed',
    find: 'select c.id from comments c join comments p on p.id = c.parent_id where p.post_id <> c.post_id or p.parent_id is not null',
  },
  {
    name: 'reaction_feeds',
    about: 'a reaction to a comment has the feed of that comment',
    find: 'select r.id from reactions r join comments c on c.id = r.comment_id where c.post_id <> r.feed_id',
  },
  {
    name: 'pinned_comments',
    about: 'a pinned comment is a published top-level one',
    find: `select id from comments where is_sticky = 1 and (parent_id is not null or status <> 'published')`,
  },
  {
    name: 'survey_options',
    about: 'votes refer to existing options, and a single choice has one vote per member',
    find: `select v.feed_id as id from survey_votes v left join survey_options o on o.feed_id = v.feed_id and o.slug = v.option_slug where o.slug is null
      union select feed_id from survey_votes group by feed_id, user_id having count(*) > 1 and min(slot) = 0`,
  },
  {
    name: 'activity_objects',
    about: 'an activity refers to an existing object',
    find: `select a.id from activities a left join feeds f on a.object_type = 'feed' and f.id = a.object_id
      left join comments c on a.object_type = 'comment' and c.id = a.object_id
      left join spaces s on a.object_type = 'space' and s.id = a.object_id
      left join users u on a.object_type = 'user' and u.id = a.object_id
      where a.object_type in ('feed', 'comment', 'space', 'user') and f.id is null and c.id is null and s.id is null and u.id is null`,
  },
  {
    name: 'scheduled_plans',
    about: 'only scheduled feeds have a scheduling entry',
    find: `select p.feed_id as id from scheduled_posts p join feeds f on f.id = p.feed_id where f.status <> 'scheduled'`,
    repair: {
      hold: 'feeds',
      run: [`delete from scheduled_posts where feed_id = $1 and not exists (select 1 from feeds where id = $1 and status = 'scheduled')`],
    },
  },
  {
    name: 'scheduled_jobs',
    about: 'a scheduled feed has the job that publishes it',
    find: `select f.id from feeds f left join jobs j on j.name = 'feeds.publish'
        and j.payload = '{"feed_id":' || f.id || ',"at":"' || f.scheduled_at || '"}'
      where f.status = 'scheduled' and f.scheduled_at > $1 and j.id is null`,
    timed: true,
  },
  {
    name: 'published_once',
    about: 'a feed is not published twice, unless it was hidden in between',
    find: `select max(e.id) as id from events e where e.name = 'feed.published' group by e.payload, e.created_at
      having count(*) > 1 and count(*) > 1 + (select count(*) from events h where h.name = 'feed.hidden' and h.created_at = e.created_at
        and (h.payload = e.payload or h.payload like substr(e.payload, 1, length(e.payload) - 1) || ',%'))`,
  },
  {
    name: 'feed_search',
    about: 'the search index has exactly the feeds that do not belong to a lesson',
    find: `select f.id from feeds f where f.lesson_id is null and not exists (select 1 from feed_search s where s.rowid = f.id)
      union select s.rowid from feed_search s where not exists (select 1 from feeds f where f.id = s.rowid and f.lesson_id is null)`,
  },
]

const sameName = (table: string, column: string): Check => ({
  name: `${table}_${column}`,
  about: `${column} of ${table} is unique, ignoring case`,
  find: `select max(id) as id from ${table} group by lower(${column}) having count(*) > 1`,
})

const NAMES: readonly Check[] = [
  sameName('feeds', 'slug'),
  sameName('spaces', 'slug'),
  sameName('space_groups', 'slug'),
  sameName('topics', 'slug'),
  sameName('courses', 'slug'),
  sameName('users', 'username'),
  sameName('users', 'email'),
]

const ABOUT: Readonly<Record<keyof typeof INCONSISTENT_USERS, string>> = {
  total_points: 'total_points of a user is the sum of their ledger entries',
  daily_scores: 'the points of a day are the sum of its ledger entries',
  period_scores: 'the points of a period are the sum of its days',
  contribution_counts: 'the contribution counts match the ledger entries that were not reversed',
}

const texts = rebuildStatements((column) => `${column} = $1`)

/** Checks of aggregates that are derived from the points ledger. */
export const POINTS_AGGREGATES: readonly Check[] = (Object.keys(INCONSISTENT_USERS) as (keyof typeof INCONSISTENT_USERS)[]).map((name) => ({
  name,
  about: ABOUT[name],
  find: INCONSISTENT_USERS[name],
  repair: { hold: 'users', run: texts[name] },
}))

/** Checks of the ledger itself, which cannot be repaired. */
export const LEDGER: readonly Check[] = [
  {
    name: 'points_reversals',
    about: 'a reversal negates one ledger entry, on the same day',
    find: `select r.id from points_ledger r left join points_ledger l on l.id = r.reverses
      where r.reverses is not null and (l.id is null or l.reverses is not null or r.points <> 0 - l.points or r.day <> l.day or r.dedup_key <> l.dedup_key
      or r.user_id <> l.user_id or coalesce(r.space_id, 0) <> coalesce(l.space_id, 0))`,
  },
  {
    name: 'points_once',
    about: 'a contribution earns points once',
    find: `select max(id) as id from points_ledger group by dedup_key
      having sum(case when reverses is null then 1 else -1 end) not in (0, 1)`,
  },
]

const HELD = `('pending', 'spam')`

/** Checks of the moderation queue and of reports. */
const MODERATION: readonly Check[] = [
  {
    name: 'held_feeds',
    about: 'a feed is in the moderation queue if and only if it is pending or spam',
    find: `select f.id from feeds f left join moderation_holds h on h.feed_id = f.id and h.comment_id is null
      where (f.status in ${HELD} and h.id is null) or (f.status not in ${HELD} and h.id is not null)`,
    repair: {
      hold: 'feeds',
      run: [
        `delete from moderation_holds where feed_id = $1 and comment_id is null and not exists (select 1 from feeds f where f.id = $1 and f.status in ${HELD})`,
        `insert into moderation_holds (feed_id, reason, created_at) select f.id, 'moderator', f.updated_at from feeds f where f.id = $1 and f.status in ${HELD}
         and not exists (select 1 from moderation_holds h where h.feed_id = $1 and h.comment_id is null)`,
      ],
    },
  },
  {
    name: 'held_comments',
    about: 'a comment is in the moderation queue, with its feed, if and only if it is pending or spam',
    find: `select c.id from comments c left join moderation_holds h on h.comment_id = c.id
      where (c.status in ${HELD} and (h.id is null or h.feed_id <> c.post_id)) or (c.status not in ${HELD} and h.id is not null)`,
    repair: {
      hold: 'comments',
      run: [
        `delete from moderation_holds where comment_id = $1`,
        `insert into moderation_holds (feed_id, comment_id, reason, created_at) select c.post_id, c.id, 'moderator', c.updated_at from comments c
         where c.id = $1 and c.status in ${HELD}`,
      ],
    },
  },
  {
    name: 'reports_own',
    about: 'no member reported themselves',
    find: 'select id from reports where reporter_id = reported_user_id',
  },
]

/** Checks of webhooks. */
const WEBHOOKS: readonly Check[] = [
  {
    name: 'webhook_events',
    about: 'a webhook subscribes to at least one event',
    find: 'select w.id from webhooks w where not exists (select 1 from webhook_events e where e.webhook_id = w.id)',
  },
  {
    name: 'webhook_times',
    about: 'a delivery has a next attempt if and only if it is pending',
    find: `select id from webhook_deliveries where (status = 'pending') <> (next_try_at is not null)`,
  },
]

export const CHECKS: readonly Check[] = [
  ...COUNTERS,
  ...POINTS_AGGREGATES,
  ...LEDGER,
  ...LISTS,
  ...BELONGINGS,
  ...LEARNING,
  ...MODERATION,
  ...WEBHOOKS,
  ...NAMES,
]
