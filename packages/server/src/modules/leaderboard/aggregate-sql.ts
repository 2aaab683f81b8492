import { COUNTED_PARTS } from './ledger.ts'
import { ledgerKindOf, PARTS } from './rules.ts'

/** The ledger rows that the aggregates contain. */
const FOLDED = 'points_ledger l left join points_unfolded w on w.user_id = l.user_id where (w.user_id is null or l.id < w.from_id)'

export const COLUMNS: readonly string[] = ['points', ...PARTS]
const ledgerSums = ['sum(l.points)', ...PARTS.map((part) => `sum(case when l.kind = '${ledgerKindOf(part)}' then l.points else 0 end)`)]
const withAliases = (sums: readonly string[]) => sums.map((sum, i) => `${sum} as ${COLUMNS[i]}`).join(', ')
const daySums = COLUMNS.map((column) => `sum(d.${column})`)

const countColumns = COUNTED_PARTS.map(
  (part) => `sum(case when l.kind <> '${ledgerKindOf(part)}' then 0 when l.reverses is null then 1 else -1 end) as ${part}`,
).join(', ')

/**
 * Grouping column for the user. For all users it is an expression, so that SQLite sorts the rows instead of following the index on the user
 * and fetching each row of a large table at random.
 */
const personOf = (alias: string, and: string) => (and === '' ? `${alias}.user_id + 0` : `${alias}.user_id`)

/** SQL that recomputes the daily scores from the folded rows of the ledger. `and` limits the users: SQL after a where, on table `l` or `d`. */
export const daysFrom = (
  and: string,
) => `select ${personOf('l', and)} as user_id, 0 as space_id, l.day, ${withAliases(ledgerSums)} from ${FOLDED}${and}
  group by ${personOf('l', and)}, l.day
  union all select ${personOf('l', and)}, l.space_id, l.day, ${withAliases(ledgerSums)} from ${FOLDED} and l.space_id is not null${and}
  group by ${personOf('l', and)}, l.space_id, l.day`

export const periodsFrom = (and: string, states: string) =>
  `select ${personOf('d', and)} as user_id, w.id as period_id, d.space_id, ${withAliases(daySums)} from score_periods w join daily_scores d on d.day >= w.first_day and d.day <= w.last_day
  where w.state in (${states})${and} group by ${personOf('d', and)}, w.id, d.space_id`

export const countsFrom = (and: string) =>
  `select ${personOf('l', and)} as user_id, ${countColumns} from ${FOLDED}${and} group by ${personOf('l', and)}`

/** SQL for the ids of users for whom two queries with the same columns differ. A union with a grouping is much faster than a join. */
const inconsistent = (keys: readonly string[], columns: readonly string[], kept: string, right: string) => {
  const taken = columns.map((column) => `0 - r.${column}`).join(', ')
  const all = [...keys, ...columns].join(', ')
  return `select distinct b.user_id as id from (select ${all} from (${kept}) k union all select ${keys.join(', ')}, ${taken} from (${right}) r) b
    group by ${keys.map((key) => `b.${key}`).join(', ')} having ${columns.map((column) => `sum(b.${column}) <> 0`).join(' or ')}`
}

/** SQL for the ids of users whose stored values differ from their ledger, by table. */
export const INCONSISTENT_USERS = {
  total_points: `select b.id from (select id, total_points as points from users
    union all select l.user_id + 0, 0 - sum(l.points) from ${FOLDED} group by l.user_id + 0) b group by b.id having sum(b.points) <> 0`,
  daily_scores: inconsistent(['user_id', 'space_id', 'day'], COLUMNS, 'select * from daily_scores', daysFrom('')),
  period_scores: inconsistent(
    ['user_id', 'period_id', 'space_id'],
    COLUMNS,
    `select s.* from period_scores s join score_periods w on w.id = s.period_id where w.state = 'ready'`,
    periodsFrom('', `'ready'`),
  ),
  contribution_counts: inconsistent(['user_id'], COUNTED_PARTS, 'select * from contribution_counts', countsFrom('')),
} as const

const list = COLUMNS.join(', ')

/** Statements that rebuild the stored values of some users. `who` is SQL that limits a column to them. */
export const rebuildStatements = (who: (column: string) => string) => ({
  total_points: [
    `update users set total_points = (select coalesce(sum(l.points), 0) from ${FOLDED} and l.user_id = users.id) where ${who('id')}`,
  ],
  daily_scores: [
    `delete from daily_scores where ${who('user_id')}`,
    `insert into daily_scores (user_id, space_id, day, ${list}) ${daysFrom(` and ${who('l.user_id')}`)}`,
  ],
  period_scores: [
    `delete from period_scores where ${who('user_id')}`,
    `insert into period_scores (user_id, period_id, space_id, ${list}) ${periodsFrom(` and ${who('d.user_id')}`, `'ready', 'filling'`)}`,
  ],
  contribution_counts: [
    `delete from contribution_counts where ${who('user_id')}`,
    `insert into contribution_counts (user_id, ${COUNTED_PARTS.join(', ')}) ${countsFrom(` and ${who('l.user_id')}`)}`,
  ],
})
