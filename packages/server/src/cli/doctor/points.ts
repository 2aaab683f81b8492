import { INCONSISTENT_USERS, rebuildStatements } from '../../modules/leaderboard/index.ts'
import type { Check } from './check.ts'

const ABOUT: Readonly<Record<keyof typeof INCONSISTENT_USERS, string>> = {
  total_points: 'total_points of a person are what their rows of the ledger come to',
  daily_scores: 'the points of a day are what its rows of the ledger come to',
  period_scores: 'the points of a window are what its days come to',
  contribution_counts: 'the kept numbers of what earned points are those of the rows that stand',
}

const texts = rebuildStatements((column) => `${column} = $1`)

/** What is kept of the points. */
export const KEPT_POINTS: readonly Check[] = (Object.keys(INCONSISTENT_USERS) as (keyof typeof INCONSISTENT_USERS)[]).map((name) => ({
  name,
  about: ABOUT[name],
  find: INCONSISTENT_USERS[name],
  repair: { hold: 'users', run: texts[name] },
}))

/** The ledger itself, which nothing can make right again. */
export const LEDGER: readonly Check[] = [
  {
    name: 'points_reversals',
    about: 'a reversal takes back what a row gave, on its day',
    find: `select r.id from points_ledger r left join points_ledger l on l.id = r.reverses
      where r.reverses is not null and (l.id is null or l.reverses is not null or r.points <> 0 - l.points or r.day <> l.day or r.dedup_key <> l.dedup_key
      or r.user_id <> l.user_id or coalesce(r.space_id, 0) <> coalesce(l.space_id, 0))`,
  },
  {
    name: 'points_once',
    about: 'what earns points earns them once',
    find: `select max(id) as id from points_ledger group by dedup_key
      having sum(case when reverses is null then 1 else -1 end) not in (0, 1)`,
  },
]
