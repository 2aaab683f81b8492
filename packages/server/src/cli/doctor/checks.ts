import type { LockableTable } from '../../db/index.ts'
import { LESSONS_DONE } from '../../modules/courses/index.ts'
import { INCONSISTENT_USERS, rebuildStatements } from '../../modules/leaderboard/index.ts'

/** An invariant of the data. One query finds the violations, for the command and for tests. */
export interface Check {
  readonly name: string
  readonly about: string
  /** SQL that returns the `id` of each violation; `$1` is the current time. */
  readonly find: string
  /** How to recompute a stored value: the table whose row is locked, and statements with the id as `$1`. */
  readonly repair?: { readonly hold: LockableTable; readonly run: readonly string[] }
}

/** Reads checks from SQL: `-- name: invariant`, the query, and optionally `-- repair TABLE` with statements separated by semicolons. */
const checksIn = (script: string): Check[] =>
  script
    .split(/^ *-- (?=\w+: )/m)
    .slice(1)
    .map((text) => {
      const [, name = '', about = '', sql = ''] = /^(\w+): (.+?)\n(.*)$/s.exec(text) ?? []
      const [find = '', hold, run = ''] = sql.split(/^ *-- repair (\w+)\n/m)
      return { name, about, find, ...(hold && { repair: { hold: hold as LockableTable, run: run.split(';') } }) }
    })

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

const PUBLISHED_LESSONS = `select l.course_id as id from lessons l join course_sections s on s.id = l.section_id
  where l.status = 'published' and s.status = 'published'`
const TOPICS_OF_LISTED = 'select t.topic_id as id from feed_topics t join feeds f on f.id = t.feed_id where f.listed = 1'

const COUNTERS: readonly Check[] = [
  countCheck('feeds', 'comments_count', 'its published comments', `select post_id as id from comments where status = 'published'`),
  countCheck('feeds', 'reactions_count', 'reactions to it', 'select feed_id as id from reactions where comment_id is null'),
  countCheck('comments', 'reactions_count', 'reactions to it', 'select comment_id as id from reactions where comment_id is not null'),
  countCheck('spaces', 'posts_count', 'its listed feeds', 'select space_id as id from feeds where listed = 1 and space_id is not null'),
  countCheck('spaces', 'members_count', 'its active members', `select space_id as id from space_members where status = 'active'`),
  countCheck('users', 'followers_count', 'active followers', `select following_id as id from followers where status = 'active'`),
  countCheck('users', 'followings_count', 'users they follow', `select follower_id as id from followers where status = 'active'`),
  countCheck('topics', 'posts_count', 'listed feeds with it', TOPICS_OF_LISTED),
  countCheck(
    'courses',
    'sections_count',
    'its published sections',
    `select course_id as id from course_sections where status = 'published'`,
  ),
  countCheck('courses', 'lessons_count', 'published lessons in its published sections', PUBLISHED_LESSONS),
  countCheck('courses', 'students_count', 'enrolments in it', 'select course_id as id from enrolments'),
  ...checksIn(`
    -- survey_voters: voters of a survey is the number of people who voted
    select s.feed_id as id from surveys s left join (select feed_id, count(distinct user_id) as n from survey_votes group by feed_id) v
      on v.feed_id = s.feed_id where s.voters <> coalesce(v.n, 0)
    -- repair feeds
    update surveys set voters = (select count(distinct v.user_id) from survey_votes v where v.feed_id = $1) where feed_id = $1

    -- survey_votes: votes of a survey option is the number of votes for it
    select distinct o.feed_id as id from survey_options o
      left join (select feed_id, option_slug, count(*) as n from survey_votes group by feed_id, option_slug) v
      on v.feed_id = o.feed_id and v.option_slug = o.slug where o.votes <> coalesce(v.n, 0)
    -- repair feeds
    update survey_options set votes = (select count(*) from survey_votes v where v.feed_id = $1 and v.option_slug = survey_options.slug)
      where feed_id = $1
  `),
]

const rebuild = rebuildStatements((column) => `${column} = $1`)

/** Checks of aggregates that are derived from the points ledger. */
export const POINTS_AGGREGATES: readonly Check[] = checksIn(`
  -- total_points: total_points of a user is the sum of their ledger entries
  ${INCONSISTENT_USERS.total_points}
  -- repair users
  ${rebuild.total_points.join(';')}

  -- daily_scores: the points of a day are the sum of its ledger entries
  ${INCONSISTENT_USERS.daily_scores}
  -- repair users
  ${rebuild.daily_scores.join(';')}

  -- period_scores: the points of a period are the sum of its days
  ${INCONSISTENT_USERS.period_scores}
  -- repair users
  ${rebuild.period_scores.join(';')}

  -- contribution_counts: the contribution counts match the ledger entries that were not reversed
  ${INCONSISTENT_USERS.contribution_counts}
  -- repair users
  ${rebuild.contribution_counts.join(';')}
`)

/** Checks of the ledger itself, which cannot be repaired. */
export const LEDGER: readonly Check[] = checksIn(`
  -- points_reversals: a reversal negates one ledger entry, on the same day
  select r.id from points_ledger r left join points_ledger l on l.id = r.reverses
    where r.reverses is not null and (l.id is null or l.reverses is not null or r.points <> 0 - l.points or r.day <> l.day
      or r.dedup_key <> l.dedup_key or r.user_id <> l.user_id or coalesce(r.space_id, 0) <> coalesce(l.space_id, 0))

  -- points_once: a contribution earns points once
  select max(id) as id from points_ledger group by dedup_key having sum(case when reverses is null then 1 else -1 end) not in (0, 1)
`)

const RELATIONS = checksIn(`
  -- feed_listed: a feed is listed if and only if it is published, has not expired and does not belong to a lesson
  -- A recently expired one is still waiting for its job; overdue jobs are reported as warnings.
  select id from feeds where (listed = 1 and (status <> 'published' or lesson_id is not null))
    or (listed = 0 and status = 'published' and lesson_id is null and (expired_at is null or expired_at > $1))

  -- listed_feed_counts: the stored totals of lists match the listed feeds
  select coalesce(k.space_id, c.space_id) || ' ' || coalesce(k.privacy, c.privacy) as id from listed_feed_counts k
    full join (select coalesce(space_id, 0) as space_id, privacy, count(*) as n from feeds where listed = 1 group by coalesce(space_id, 0), privacy) c
    on c.space_id = k.space_id and c.privacy = k.privacy where coalesce(k.feeds_count, 0) <> coalesce(c.n, 0)

  -- feed_topics_dates: the topic entries of a listed feed have its publication time
  select distinct c.feed_id as id from feed_topics c join feeds f on f.id = c.feed_id where f.listed = 1 and c.published_at <> f.published_at
  -- repair feeds
  update feed_topics set published_at = (select f.published_at from feeds f where f.id = $1) where feed_id = $1

  -- topic_parents: a parent topic has no parent
  select t.id from topics t join topics p on p.id = t.parent_id where p.parent_id is not null or p.id = t.id

  -- lesson_sections: a lesson belongs to a section of its course
  select l.id from lessons l join course_sections s on s.id = l.section_id where s.course_id <> l.course_id

  -- course_circles: no course requires itself, directly or indirectly
  with recursive before(id, required_id) as (
    select course_id, required_id from course_prerequisites
    union select b.id, r.required_id from before b join course_prerequisites r on r.course_id = b.required_id)
  select distinct id from before where id = required_id

  -- comment_parents: a reply belongs to a top-level comment of the same feed
  select c.id from comments c join comments p on p.id = c.parent_id where p.post_id <> c.post_id or p.parent_id is not null

  -- reaction_feeds: a reaction to a comment has the feed of that comment
  select r.id from reactions r join comments c on c.id = r.comment_id where c.post_id <> r.feed_id

  -- pinned_comments: a pinned comment is a published top-level one
  select id from comments where is_sticky = 1 and (parent_id is not null or status <> 'published')

  -- survey_options: votes refer to existing options, and a single choice has one vote per member
  select v.feed_id as id from survey_votes v left join survey_options o on o.feed_id = v.feed_id and o.slug = v.option_slug where o.slug is null
    union select feed_id from survey_votes group by feed_id, user_id having count(*) > 1 and min(slot) = 0

  -- activity_objects: an activity refers to an existing object
  select a.id from activities a left join feeds f on a.object_type = 'feed' and f.id = a.object_id
    left join comments c on a.object_type = 'comment' and c.id = a.object_id
    left join spaces s on a.object_type = 'space' and s.id = a.object_id
    left join users u on a.object_type = 'user' and u.id = a.object_id
    where a.object_type in ('feed', 'comment', 'space', 'user') and f.id is null and c.id is null and s.id is null and u.id is null

  -- scheduled_plans: only scheduled feeds have a scheduling entry
  select p.feed_id as id from scheduled_posts p join feeds f on f.id = p.feed_id where f.status <> 'scheduled'
  -- repair feeds
  delete from scheduled_posts where feed_id = $1 and not exists (select 1 from feeds where id = $1 and status = 'scheduled')

  -- scheduled_jobs: a scheduled feed has the job that publishes it
  select f.id from feeds f left join jobs j on j.name = 'feeds.publish'
      and j.payload = '{"feed_id":' || f.id || ',"at":"' || f.scheduled_at || '"}'
    where f.status = 'scheduled' and f.scheduled_at > $1 and j.id is null

  -- published_once: a feed is not published twice, unless it was hidden in between
  select max(e.id) as id from events e where e.name = 'feed.published' group by e.payload, e.created_at
    having count(*) > 1 and count(*) > 1 + (select count(*) from events h where h.name = 'feed.hidden' and h.created_at = e.created_at
      and (h.payload = e.payload or h.payload like substr(e.payload, 1, length(e.payload) - 1) || ',%'))

  -- feed_search: the search index has exactly the feeds that do not belong to a lesson
  select f.id from feeds f where f.lesson_id is null and not exists (select 1 from feed_search s where s.rowid = f.id)
    union select s.rowid from feed_search s where not exists (select 1 from feeds f where f.id = s.rowid and f.lesson_id is null)
`)

/** Excludes enrolments `e` whose progress a job is recounting in batches. */
const SETTLED = `not exists (select 1 from jobs j where j.name = 'progress.recount' and j.payload like '{"course_id":' || e.course_id || ',%')`

const PERCENT = `case when c.lessons_count = 0 then 0 when d.done >= c.lessons_count then 100 else d.done * 100 / c.lessons_count end`

/** Enrolments with their courses and the number of published lessons that the student has completed. */
const COUNTED = `enrolments e join courses c on c.id = e.course_id join (select e.id, ${LESSONS_DONE} as done from enrolments e) d on d.id = e.id`

const LEARNING = checksIn(`
  -- attempt_numbers: the attempts of a member in a quiz are numbered from 1 without a gap
  select max(id) as id from quiz_attempts group by user_id, lesson_id having min(attempt_number) <> 1 or max(attempt_number) <> count(*)

  -- attempts_open: a member has at most one open attempt in a quiz
  select max(id) as id from quiz_attempts where status = 'in_progress' group by user_id, lesson_id having count(*) > 1

  -- attempts_submitted: a submitted attempt has its score and its times, a graded one the time of its grading, and an open one none of them
  select id from quiz_attempts where (status = 'in_progress' and (submitted_at is not null or graded_at is not null or passed = 1))
    or (status <> 'in_progress' and (score is null or submitted_at is null or submitted_at < started_at or time_spent < 0))
    or (status = 'graded' and (graded_at is null or graded_at < submitted_at))

  -- attempt_lessons: an attempt, its questions and its lesson are of the same quiz and course
  select a.id from quiz_attempts a join lessons l on l.id = a.lesson_id join quiz_versions v on v.id = a.version_id
    where l.course_id <> a.course_id or v.lesson_id <> a.lesson_id or l.type <> 'quiz'

  -- attempts_passed: an enrolled student who passed a quiz has completed its lesson
  -- The student may undo the completion later; its event is retained for a while.
  select a.id from quiz_attempts a join enrolments e on e.course_id = a.course_id and e.user_id = a.user_id
    left join lesson_completions k on k.user_id = a.user_id and k.lesson_id = a.lesson_id
    left join events v on v.name = 'lesson.completed'
      and v.payload = '{"lesson_id":' || a.lesson_id || ',"course_id":' || a.course_id || ',"user_id":' || a.user_id || '}'
    where a.passed = 1 and k.lesson_id is null and v.id is null and a.submitted_at >= e.enrolled_at
      and a.submitted_at > (select min(created_at) from events)

  -- completion_courses: a completion has the course of its lesson
  select k.lesson_id as id from lesson_completions k join lessons l on l.id = k.lesson_id where l.course_id <> k.course_id

  -- enrolment_progress: completed_lessons and progress of an enrolment match its completions
  select e.id from ${COUNTED} where (e.completed_lessons <> d.done or e.progress <> ${PERCENT}) and ${SETTLED}
  -- repair enrolments
  update enrolments set completed_lessons = (select d.done from ${COUNTED} where e.id = $1),
    progress = (select ${PERCENT} from ${COUNTED} where e.id = $1) where id = $1

  -- enrolment_completed: an enrolment is completed if and only if all published lessons of its course are, with the completion time of the course
  select e.id from ${COUNTED} left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id
    where ((e.completed_at is not null) <> (c.lessons_count > 0 and d.done >= c.lessons_count)
      or (e.completed_at is not null and (k.completed_at is null or k.completed_at <> e.completed_at))) and ${SETTLED}

  -- certificates: a student has a certificate if and only if they completed the course, unless lessons changed after it was issued
  select k.course_id || ' ' || k.user_id as id from course_completions k
    where k.certificate_at is not null and (k.certificate_code is null or k.certificate_at < k.completed_at)
    union select e.course_id || ' ' || e.user_id from enrolments e join courses c on c.id = e.course_id
      left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id
    where ((e.completed_at is not null and k.certificate_at is null)
      or (e.completed_at is null and k.certificate_at is not null and c.lessons_count > 0
        and not exists (select 1 from lessons l where l.course_id = e.course_id and l.updated_at >= k.certificate_at)
        and not exists (select 1 from course_sections s where s.course_id = e.course_id and s.updated_at >= k.certificate_at))) and ${SETTLED}
`)

const HELD = `('pending', 'spam')`

const OPERATIONS = checksIn(`
  -- held_feeds: a feed is in the moderation queue if and only if it is pending or spam
  select f.id from feeds f left join moderation_holds h on h.feed_id = f.id and h.comment_id is null
    where (f.status in ${HELD} and h.id is null) or (f.status not in ${HELD} and h.id is not null)
  -- repair feeds
  delete from moderation_holds where feed_id = $1 and comment_id is null
    and not exists (select 1 from feeds f where f.id = $1 and f.status in ${HELD});
  insert into moderation_holds (feed_id, reason, created_at) select f.id, 'moderator', f.updated_at from feeds f
    where f.id = $1 and f.status in ${HELD} and not exists (select 1 from moderation_holds h where h.feed_id = $1 and h.comment_id is null)

  -- held_comments: a comment is in the moderation queue, with its feed, if and only if it is pending or spam
  select c.id from comments c left join moderation_holds h on h.comment_id = c.id
    where (c.status in ${HELD} and (h.id is null or h.feed_id <> c.post_id)) or (c.status not in ${HELD} and h.id is not null)
  -- repair comments
  delete from moderation_holds where comment_id = $1;
  insert into moderation_holds (feed_id, comment_id, reason, created_at) select c.post_id, c.id, 'moderator', c.updated_at from comments c
    where c.id = $1 and c.status in ${HELD}

  -- reports_own: no member reported themselves
  select id from reports where reporter_id = reported_user_id

  -- webhook_events: a webhook subscribes to at least one event
  select w.id from webhooks w where not exists (select 1 from webhook_events e where e.webhook_id = w.id)

  -- webhook_times: a delivery has a next attempt if and only if it is pending
  select id from webhook_deliveries where (status = 'pending') <> (next_try_at is not null)
`)

const UNIQUE_NAMES = ['feeds.slug', 'spaces.slug', 'space_groups.slug', 'topics.slug', 'courses.slug', 'users.username', 'users.email']

const NAMES = UNIQUE_NAMES.map((name): Check => {
  const [table, column] = name.split('.')
  return {
    name: `${table}_${column}`,
    about: `${column} of ${table} is unique, ignoring case`,
    find: `select max(id) as id from ${table} group by lower(${column}) having count(*) > 1`,
  }
})

export const CHECKS: readonly Check[] = [...COUNTERS, ...POINTS_AGGREGATES, ...LEDGER, ...RELATIONS, ...LEARNING, ...OPERATIONS, ...NAMES]
