import { type Db, runText } from '../../../server/src/db/index.ts'
import { BONUSES, COMMENTS_MILESTONE, type LedgerKind } from '../../../server/src/modules/leaderboard/point-rules.ts'

interface Source {
  readonly kind: LedgerKind
  readonly table: string
  /** SQL for the deduplication key of the source's row `t`. */
  readonly dedupKey: string
  readonly user: string
  readonly space: string
  readonly feed: string
  readonly comment: string
  readonly at: string
  readonly joins?: string
  readonly where: string
}

export const SOURCES: readonly Source[] = [
  {
    kind: 'post_created',
    table: 'feeds',
    dedupKey: `'post_created:feed:' || t.id`,
    user: 't.user_id',
    space: 't.space_id',
    feed: 't.id',
    comment: 'null',
    at: 't.published_at',
    where: `t.status = 'published' and t.lesson_id is null`,
  },
  {
    kind: 'comment_made',
    table: 'comments',
    dedupKey: `'comment_made:comment:' || t.id`,
    user: 't.user_id',
    space: 'f.space_id',
    feed: 't.post_id',
    comment: 't.id',
    at: 't.created_at',
    joins: 'join feeds f on f.id = t.post_id',
    where: `t.status = 'published'`,
  },
  {
    kind: 'reaction_received',
    table: 'reactions',
    dedupKey: `'reaction_received:reaction:' || t.id`,
    user: 'coalesce(c.user_id, f.user_id)',
    space: 'f.space_id',
    feed: 't.feed_id',
    comment: 't.comment_id',
    at: 't.created_at',
    joins: 'join feeds f on f.id = t.feed_id left join comments c on c.id = t.comment_id',
    where: 't.user_id <> coalesce(c.user_id, f.user_id)',
  },
  {
    kind: 'space_joined',
    table: 'space_members',
    dedupKey: `'space_joined:space:' || t.space_id || ':user:' || t.user_id`,
    user: 't.user_id',
    space: 'null',
    feed: 'null',
    comment: 'null',
    at: 't.joined_at',
    joins: 'join spaces s on s.id = t.space_id',
    where: `t.status = 'active' and coalesce(s.created_by, 0) <> t.user_id`,
  },
  {
    kind: 'course_completed',
    table: 'enrolments',
    dedupKey: `'course_completed:course:' || t.course_id || ':user:' || t.user_id`,
    user: 't.user_id',
    space: 'null',
    feed: 'null',
    comment: 'null',
    at: 't.completed_at',
    where: 't.completed_at is not null',
  },
]

const INTO = 'insert into points_ledger (user_id, kind, dedup_key, points, event_key, space_id, feed_id, comment_id, day, created_at)'
const ON_CONFLICT_IGNORE = 'on conflict (event_key) do nothing'
const big = (value: string) => `cast(${value} as bigint)`

/** SQL for deleted accounts, which earn nothing. The first condition allows the partial index of inactive accounts. */
const DELETED_USERS = `select x.id from users x where x.status <> 'active' and x.status = 'deleted'`

/** Inserts ledger rows for the rows of a source with ids above `after` and up to `last`. */
export const insertFromSource = (db: Db, source: Source, points: number, after: number, last: number, onConflict = ON_CONFLICT_IGNORE) => {
  const { kind, table, dedupKey, user, space, feed, comment, at, joins = '', where } = source
  const text = `${INTO} select ${user}, '${kind}', ${dedupKey}, ${big('$3')}, ${dedupKey}, ${big(space)}, ${big(feed)}, ${big(comment)}, substr(${at}, 1, 10), ${at}
    from ${table} t ${joins} where t.id > $1 and t.id <= $2 and ${where} and ${user} not in (${DELETED_USERS}) ${onConflict}`
  return runText(db, text, [after, last, points])
}

/**
 * SQL for bonuses that the posts, comments and courses in the ledger earn, for users without one: user, day, time, kind, deduplication key.
 */
const bonusesFrom = (and: string) => `
  select n.user_id, n.day, n.created_at,
    case n.kind when 'post_created' then 'first_post' when 'comment_made' then 'comments_100' else 'course_streak' end as kind,
    case n.kind when 'post_created' then 'first_post:user:' || n.user_id when 'comment_made' then 'comments_100:user:' || n.user_id
      else replace(n.dedup_key, 'course_completed', 'course_streak') end as dedup_key
  from (
    select l.user_id, l.kind, l.dedup_key, l.day, l.created_at, row_number() over (partition by l.user_id, l.kind order by l.created_at, l.id) as place
    from points_ledger l where l.kind in ('post_created', 'comment_made', 'course_completed')${and}) n
  where case n.kind when 'post_created' then n.place = 1 when 'comment_made' then n.place = ${COMMENTS_MILESTONE} else n.place > 1 end`

const bonusPoints = `case b.kind ${Object.entries(BONUSES)
  .map(([kind, { points }]) => `when '${kind}' then ${points}`)
  .join(' ')} else 0 end`

/** Writing or reacting counts as a visit on that day. GROUP BY is faster than UNION: SQLite sorts groups but looks up each row of a union. */
const visits = (
  who: (column: string) => string,
) => `select a.user_id, a.day from (select t.user_id, substr(t.published_at, 1, 10) as day from feeds t where ${who('t.user_id')} and t.status = 'published'
  union all select t.user_id, substr(t.created_at, 1, 10) from comments t where ${who('t.user_id')}
  union all select t.user_id, substr(t.created_at, 1, 10) from reactions t where ${who('t.user_id')}) a group by a.user_id, a.day`

/** `points` is the placeholder for the value of a day. */
export const insertLogins = (who: (column: string) => string, points: string, onConflict = ON_CONFLICT_IGNORE) => {
  const dedupKey = `'daily_login:user:' || v.user_id || ':' || v.day`
  return `${INTO} select v.user_id, 'daily_login', ${dedupKey}, ${big(points)}, ${dedupKey}, ${big('null')}, ${big('null')}, ${big('null')}, v.day, v.day || ' 00:00:00'
     from (${visits(who)}) v where v.user_id not in (${DELETED_USERS}) ${onConflict}`
}

/** `and` has the same meaning as for `bonusesFrom`. */
export const insertBonuses = (and: string, onConflict = ON_CONFLICT_IGNORE) =>
  `${INTO} select b.user_id, b.kind, b.dedup_key, ${bonusPoints}, b.dedup_key, ${big('null')}, ${big('null')}, ${big('null')}, b.day, b.created_at
     from (${bonusesFrom(and)}) b where 1 = 1 ${onConflict}`

const CODES = Object.keys(BONUSES)
  .map((kind) => `'${kind}'`)
  .join(', ')

/** Statements that insert the achievements earned by ledger and points. */
export const insertAchievements = (who: (column: string) => string): string[] => [
  `insert into achievements (user_id, code, level_id, earned_at)
     select u.id, 'level:' || l.id, l.id, coalesce(u.last_activity, u.created_at) from users u join leaderboard_levels l on l.min_points > 0 and l.min_points <= u.total_points
     where ${who('u.id')} on conflict (user_id, code) do nothing`,
  `insert into achievements (user_id, code, earned_at) select l.user_id, l.kind, min(l.created_at) from points_ledger l
     where ${who('l.user_id')} and l.kind in (${CODES})
     and not exists (select 1 from points_ledger r where r.reverses = l.id) and l.reverses is null
     group by l.user_id, l.kind on conflict (user_id, code) do nothing`,
]

/** The highest id of a table, 0 if it is empty. */
export const highestId = async (db: Db, table: string): Promise<number> =>
  (await runText<{ id: number | null }>(db, `select max(id) as id from ${table}`, []))[0]?.id ?? 0
