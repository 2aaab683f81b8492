import { type Db, dialectOf } from './database.ts'
import { statement, statementOne } from './statement.ts'

export interface ClaimedJob {
  readonly id: number
  readonly name: string
  readonly payload: string
  readonly attempts: number
}

const claim = {
  sqlite: statementOne<ClaimedJob>(`delete from jobs where id = $1 and status = 'ready' returning id, name, payload, attempts`),
  postgres: statementOne<ClaimedJob>(
    `delete from jobs where id = (select id from jobs where id = $1 and status = 'ready' for update skip locked)
     returning id, name, payload, attempts`,
  ),
}

/** Takes a job out of the table for the transaction that runs it; undefined when another worker has it. */
export const claimJob = (db: Db, id: number): Promise<ClaimedJob | undefined> => claim[dialectOf(db)](db, [id])

const lease = (skip: string) =>
  statement<ClaimedJob>(
    `update jobs set run_at = $2 where id in (select id from jobs
       where status = 'ready' and outgoing = 1 and run_at <= $1 order by run_at, id limit $3 ${skip})
     returning id, name, payload, attempts`,
  )

const leases = { sqlite: lease(''), postgres: lease('for update skip locked') }

/** Takes outgoing jobs that are due at `now` for one worker: the others leave them alone until `until`. */
export const leaseJobs = (db: Db, now: string, until: string, limit: number): Promise<ClaimedJob[]> =>
  leases[dialectOf(db)](db, [now, until, limit])
