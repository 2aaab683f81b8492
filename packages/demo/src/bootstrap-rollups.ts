import { type Db, insertRows, refreshStatisticsOf, runText, statement } from '../../server/src/db/index.ts'
import { MEMBER_COUNTS } from '../../server/src/modules/analytics/accumulators.ts'
import { numberOfDay } from '../../server/src/modules/analytics/date-buckets.ts'
import { finishRebuild, readState } from '../../server/src/modules/analytics/rollup-state.ts'
import { startOf } from '../../server/src/util/days.ts'

/** Days are in UTC. */
const dayOf = (at: string) => `substr(${at}, 1, 10)`
const numberOf = (at: string) => `cast(replace(${dayOf(at)}, '-', '') as bigint)`

const POSTS = `f.status = 'published' and f.lesson_id is null`

const counts = MEMBER_COUNTS.join(', ')
const sumOf = (table: string, names: readonly string[]) => names.map((name) => `sum(${table}.${name})`).join(', ')

/** All contributions of members, with their day. */
const contributions = `select f.user_id, ${dayOf('f.published_at')} as day, 1 as posts, 0 as comments, 0 as reactions, f.reactions_count as post_reactions,
    f.comments_count as post_comments, 0 as comment_reactions from feeds f where ${POSTS}
  union all select c.user_id, ${dayOf('c.created_at')}, 0, 1, 0, 0, 0, c.reactions_count from comments c where c.status = 'published'
  union all select r.user_id, ${dayOf('r.created_at')}, 0, 0, 1, 0, 0, 0 from reactions r`

// Groups by day first, so that the rows come in key order.
const days = `insert into analytics_member_rollups (generation, span, start, user_id, joined, ${counts})
  select cast($1 as bigint), 1, cast(replace(d.day, '-', '') as bigint), d.user_id, ${numberOf('u.created_at')}, ${counts}
  from (select day, user_id, ${MEMBER_COUNTS.map((name) => `sum(${name}) as ${name}`).join(', ')} from (${contributions}) a group by day, user_id) d
  cross join users u where u.id = d.user_id`

/** Weeks and months, computed from the days; `analytics_starts` maps days to their starts. */
const longerSpan = (span: 7 | 30) => `insert into analytics_member_rollups (generation, span, start, user_id, joined, ${counts})
  select m.generation, ${span}, s.start, m.user_id, max(m.joined), ${sumOf('m', MEMBER_COUNTS)} from analytics_member_rollups m
  join analytics_starts s on s.day = m.start and s.span = ${span} where m.generation = $1 and m.span = 1
  group by m.generation, s.start, m.user_id`

const spaces = `insert into analytics_space_rollups (generation, day, space_id, posts, comments, reactions, joins)
  select cast($1 as bigint), a.day, a.space_id, sum(a.posts), sum(a.comments), sum(a.reactions), sum(a.joins) from (
    select ${dayOf('f.published_at')} as day, f.space_id, 1 as posts, 0 as comments, 0 as reactions, 0 as joins from feeds f where ${POSTS}
    union all select ${dayOf('c.created_at')}, f.space_id, 0, 1, 0, 0 from comments c cross join feeds f where f.id = c.post_id and c.status = 'published'
    union all select ${dayOf('r.created_at')}, f.space_id, 0, 0, 1, 0 from reactions r cross join feeds f where f.id = r.feed_id
    union all select ${dayOf('m.joined_at')}, m.space_id, 0, 0, 0, 1 from space_members m where m.status = 'active') a
  where a.space_id is not null group by a.day, a.space_id`

const hours = `insert into analytics_hourly_rollups (generation, day, hour, posts, comments, reactions, members)
  select cast($1 as bigint), substr(a.at, 1, 10), cast(substr(a.at, 12, 2) as bigint), sum(a.posts), sum(a.comments), sum(a.reactions), sum(a.members) from (
    select substr(f.published_at, 1, 13) as at, 1 as posts, 0 as comments, 0 as reactions, 0 as members from feeds f where ${POSTS}
    union all select substr(c.created_at, 1, 13), 0, 1, 0, 0 from comments c where c.status = 'published'
    union all select substr(r.created_at, 1, 13), 0, 0, 1, 0 from reactions r
    union all select substr(u.created_at, 1, 13), 0, 0, 0, 1 from users u where u.status = 'active') a
  group by a.at`

const activeDays = statement<{ day: number }>(
  'select distinct start as day from analytics_member_rollups where generation = $1 and span = 1',
)
const createStarts =
  'create temporary table analytics_starts (span bigint not null, day bigint not null, start bigint not null, primary key (span, day))'

const fillStarts = async (db: Db, generation: number): Promise<void> => {
  await runText(db, createStarts, [])
  const rows = (await activeDays(db, [generation])).flatMap(({ day }) => {
    const text = String(day).replace(/(....)(..)(..)/, '$1-$2-$3')
    return [
      [7, day, numberOfDay(startOf('week', text))],
      [30, day, numberOfDay(startOf('month', text))],
    ]
  })
  await insertRows(db, 'analytics_starts', ['span', 'day', 'start'], rows)
}

/**
 * Like `rebuildRollups`, but with a few statements over all data, for a process with exclusive access to a community in UTC. Yields after
 * each of `ROLLUP_STEPS`.
 */
export async function* bootstrapRollups(db: Db): AsyncGenerator<void> {
  const generation = (await readState(db)).generation + 1
  await runText(db, days, [generation])
  yield
  await fillStarts(db, generation)
  for (const table of ['analytics_member_rollups', 'analytics_starts']) await refreshStatisticsOf(db, table)
  for (const text of [longerSpan(7), longerSpan(30), spaces, hours]) {
    await runText(db, text, [generation])
    yield
  }
  await runText(db, 'drop table analytics_starts', [])
  for (const table of ['analytics_member_rollups', 'analytics_space_rollups', 'analytics_hourly_rollups'])
    await runText(db, `delete from ${table} where generation < $1`, [generation])
  await runText(db, 'delete from analytics_outbox where id > 0', [])
  await finishRebuild(db, [generation, 'UTC'])
  yield
}

export const ROLLUP_STEPS = 6
