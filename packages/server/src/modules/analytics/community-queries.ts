import type { ReadContext } from '../../core/context.ts'
import { statement, statementOne, type Tables } from '../../db/index.ts'
import { ROLLUPS } from './accumulators.ts'
import type { Bucket } from './date-buckets.ts'
import type { Range } from './range.ts'

type DayTotals = Omit<Tables['analytics_hourly_rollups'], 'generation' | 'hour'>
type Totals = Omit<DayTotals, 'day'>
type QueryContext = Pick<ReadContext, 'db'>

const sums = ROLLUPS.hours.counts.map((name) => `coalesce(sum(${name}), 0) as ${name}`).join(', ')
const IN_RANGE = 'from analytics_hourly_rollups where generation = $1 and day >= $2 and day <= $3'

const totals = statementOne<Totals>(`select ${sums} ${IN_RANGE}`)
const days = statement<DayTotals>(`select day, ${sums} ${IN_RANGE} group by day order by day`)
const hours = statement<{ hour: number; n: number }>(
  `select hour, sum(posts + comments + reactions) as n ${IN_RANGE} group by hour order by hour`,
)

export const totalsIn = async ({ db }: QueryContext, { generation, from, to }: Range): Promise<Totals> =>
  (await totals(db, [generation, from, to])) as Totals

export const daysIn = ({ db }: QueryContext, { generation, from, to }: Range): Promise<DayTotals[]> => days(db, [generation, from, to])

export const hoursIn = ({ db }: QueryContext, { generation, from, to }: Range) => hours(db, [generation, from, to])

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
