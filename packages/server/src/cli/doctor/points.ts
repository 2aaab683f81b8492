import { INCONSISTENT_USERS, rebuildStatements } from '../../modules/leaderboard/index.ts'
import type { Check } from './check.ts'

const ABOUT: Readonly<Record<keyof typeof INCONSISTENT_USERS, string>> = {
  total_points: 'total_points of a user is the sum of their ledger entries',
  daily_scores: 'the points of a day are the sum of its ledger entries',
  period_scores: 'the points of a period are the sum of its days',
  contribution_counts: 'the contribution counts match the ledger entries that were not reversed',
}

const texts = rebuildStatements((column) => `${column} = $1`)

/** Checks of aggregates that are derived from the points ledger. */
export const KEPT_POINTS: readonly Check[] = (Object.keys(INCONSISTENT_USERS) as (keyof typeof INCONSISTENT_USERS)[]).map((name) => ({
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
