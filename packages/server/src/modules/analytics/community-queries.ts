import { type Db, statement, statementOne } from '../../db/index.ts'
import type { Bucket } from './date-buckets.ts'
import type { Range } from './range.ts'

export interface Totals {
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly members: number
}

export interface DayTotals extends Totals {
  readonly day: string
}

const ALL = ['posts', 'comments', 'reactions', 'members'] as const
const sums = ALL.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ')

const totals = statementOne<Totals>(`select ${sums} from analytics_hourly_rollups where generation = $1 and day >= $2 and day <= $3`)
const days = statement<DayTotals>(
  `select day, ${sums} from analytics_hourly_rollups where generation = $1 and day >= $2 and day <= $3 group by day order by day`,
)
const hours = statement<{ hour: number; n: number }>(
  `select hour, sum(posts + comments + reactions) as n from analytics_hourly_rollups where generation = $1 and day >= $2 and day <= $3
   group by hour order by hour`,
)

const NOTHING: Totals = { posts: 0, comments: 0, reactions: 0, members: 0 }
const FIRST_DAY = '0000-01-01'
const LAST_DAY = '9999-12-31'

export const totalsIn = async (db: Db, { generation, from, to }: Pick<Range, 'generation' | 'from' | 'to'>): Promise<Totals> =>
  (await totals(db, [generation, from, to])) ?? NOTHING
export const totalsEver = (db: Db, { generation }: Range): Promise<Totals> => totalsIn(db, { generation, from: FIRST_DAY, to: LAST_DAY })
export const daysIn = (db: Db, { generation, from, to }: Range): Promise<DayTotals[]> => days(db, [generation, from, to])
/** Posts, comments and reactions by the hour of the day. */
export const hoursIn = (db: Db, { generation, from, to }: Range) => hours(db, [generation, from, to])

/** What `names` come to in each bucket, from rows by day in their order. */
export const perBucket = <K extends string>(
  buckets: readonly Bucket[],
  rows: readonly (Readonly<Record<K, number>> & { readonly day: string })[],
  names: readonly K[],
): Record<K, number>[] => {
  let at = 0
  return buckets.map(({ last }) => {
    const sum = Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>
    for (let row = rows[at]; row && row.day <= last; row = rows[++at]) for (const name of names) sum[name] += row[name]
    return sum
  })
}
