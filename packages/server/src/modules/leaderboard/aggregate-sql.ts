import { COMPONENTS, COUNTED_COMPONENTS, ledgerKindOf, SCORE_COLUMNS } from './point-rules.ts'

/** The ledger rows that the aggregates contain. */
const FOLDED = 'points_ledger l left join points_unfolded w on w.user_id = l.user_id where (w.user_id is null or l.id < w.from_id)'

/** The ledger rows of some users that the aggregates do not contain yet; `users` is SQL of a table with their ids. */
export const unfoldedOf = (users: string): string =>
  `points_unfolded w cross join points_ledger l where w.user_id in (select d.user_id from ${users} d) and l.user_id = w.user_id and l.id >= w.from_id`

const withAliases = (sums: readonly string[]) => sums.map((sum, i) => `${sum} as ${SCORE_COLUMNS[i]}`).join(', ')
const ledgerSums = withAliases([
  'sum(l.points)',
  ...COMPONENTS.map((component) => `sum(case when l.kind = '${ledgerKindOf(component)}' then l.points else 0 end)`),
])
const daySums = withAliases(SCORE_COLUMNS.map((column) => `sum(d.${column})`))

/** SQL of the number of ledger rows `l` in effect for a score component. */
export const countOf = (component: (typeof COUNTED_COMPONENTS)[number]): string =>
  `sum(case when l.kind = '${ledgerKindOf(component)}' then case when l.reverses is null then 1 else -1 end else 0 end)`
const counts = COUNTED_COMPONENTS.map((component) => `${countOf(component)} as ${component}`).join(', ')

/**
 * Grouping column for the user. For all users it is an expression, so that SQLite sorts the rows instead of following the index on the user
 * and fetching each row of a large table at random.
 */
const personOf = (alias: string, and: string) => (and === '' ? `${alias}.user_id + 0` : `${alias}.user_id`)

/**
 * SQL that computes the daily scores from rows of the ledger; space 0 is the whole community. `and` limits the users: SQL after a where, on
 * table `l` or `d`.
 */
export const daysFrom = (and: string, rows = FOLDED): string =>
  `select ${personOf('l', and)} as user_id, 0 as space_id, l.day, ${ledgerSums} from ${rows}${and} group by ${personOf('l', and)}, l.day
  union all select ${personOf('l', and)}, l.space_id, l.day, ${ledgerSums} from ${rows} and l.space_id is not null${and}
  group by ${personOf('l', and)}, l.space_id, l.day`

/** SQL that computes the scores of periods in some states from daily scores. */
export const periodsFrom = (and: string, states: string, days = 'daily_scores'): string =>
  `select ${personOf('d', and)} as user_id, w.id as period_id, d.space_id, ${daySums} from score_periods w join ${days} d on d.day >= w.first_day and d.day <= w.last_day
  where w.state in (${states})${and} group by ${personOf('d', and)}, w.id, d.space_id`

export const countsFrom = (and: string, rows = FOLDED): string =>
  `select ${personOf('l', and)} as user_id, ${counts} from ${rows}${and} group by ${personOf('l', and)}`

const AGGREGATES = {
  daily_scores: { keys: ['user_id', 'space_id', 'day'], sums: SCORE_COLUMNS },
  period_scores: { keys: ['user_id', 'period_id', 'space_id'], sums: SCORE_COLUMNS },
  contribution_counts: { keys: ['user_id'], sums: COUNTED_COMPONENTS },
} as const
type Aggregate = keyof typeof AGGREGATES

/** SQL that inserts rows of an aggregate; existing rows are added to, or replaced. */
export const insertInto = (table: Aggregate, rows: string, onConflict?: 'add' | 'replace'): string => {
  const { keys, sums } = AGGREGATES[table]
  const insert = `insert into ${table} (${[...keys, ...sums].join(', ')}) ${rows}`
  if (!onConflict) return insert
  const update = sums.map((sum) => `${sum} = ${onConflict === 'add' ? `${table}.${sum} + ` : ''}excluded.${sum}`)
  return `${insert} on conflict (${keys.join(', ')}) do update set ${update.join(', ')}`
}

/** SQL for the ids of users for whom two queries of an aggregate differ. A union with a grouping is much faster than a join. */
const inconsistent = (table: Aggregate, stored: string, expected: string): string => {
  const { keys, sums } = AGGREGATES[table]
  const negated = sums.map((sum) => `0 - r.${sum}`).join(', ')
  return `select distinct b.user_id as id from (select ${[...keys, ...sums].join(', ')} from (${stored}) k
    union all select ${keys.join(', ')}, ${negated} from (${expected}) r) b
    group by ${keys.map((key) => `b.${key}`).join(', ')} having ${sums.map((sum) => `sum(b.${sum}) <> 0`).join(' or ')}`
}

/** SQL for the ids of users whose stored values differ from their ledger, by table. */
export const INCONSISTENT_USERS = {
  total_points: `select b.id from (select id, total_points as points from users
    union all select l.user_id + 0, 0 - sum(l.points) from ${FOLDED} group by l.user_id + 0) b group by b.id having sum(b.points) <> 0`,
  daily_scores: inconsistent('daily_scores', 'select * from daily_scores', daysFrom('')),
  period_scores: inconsistent(
    'period_scores',
    `select s.* from period_scores s join score_periods w on w.id = s.period_id where w.state = 'ready'`,
    periodsFrom('', `'ready'`),
  ),
  contribution_counts: inconsistent('contribution_counts', 'select * from contribution_counts', countsFrom('')),
} as const

const replaced = (table: Aggregate, condition: string, rows: string): string[] => [
  `delete from ${table} where ${condition}`,
  insertInto(table, rows),
]

/** Statements that rebuild the stored values of some users. `who` is SQL that limits a column to them. */
export const rebuildStatements = (who: (column: string) => string) => ({
  total_points: [
    `update users set total_points = (select coalesce(sum(l.points), 0) from ${FOLDED} and l.user_id = users.id) where ${who('id')}`,
  ],
  daily_scores: replaced('daily_scores', who('user_id'), daysFrom(` and ${who('l.user_id')}`)),
  period_scores: replaced('period_scores', who('user_id'), periodsFrom(` and ${who('d.user_id')}`, `'ready', 'filling'`)),
  contribution_counts: replaced('contribution_counts', who('user_id'), countsFrom(` and ${who('l.user_id')}`)),
})
