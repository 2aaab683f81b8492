import { type Db, dialectOf } from './database.ts'
import { runText } from './sql/statement.ts'

export interface ClaimedJob {
  readonly id: number
  /** The event that created it. */
  readonly event_id: number | null
  readonly name: string
  readonly payload: string
  readonly attempts: number
  /** Of the event, if there is one. */
  readonly created_at: string
}

/** Rows that another worker has locked are left to that worker; SQLite has a single writer. */
const skipLocked = (db: Db): string => (dialectOf(db) === 'postgres' ? 'for update skip locked' : '')

/** Claims a job for the transaction that runs it, by deleting it; undefined if another worker has it. */
export const claimJob = async (db: Db, id: number): Promise<ClaimedJob | undefined> => {
  const [claimed] = await runText<ClaimedJob>(
    db,
    `delete from jobs where id = (select id from jobs where id = $1 and status = 'ready' ${skipLocked(db)})
     returning id, event_id, name, payload, attempts, created_at`,
    [id],
  )
  return claimed
}

/** Job names are constants, so they need no escaping. */
const listed = (names: readonly string[]) => names.map((name) => `'${name}'`).join()

interface Lease {
  readonly now: string
  /** End of the lease. */
  readonly until: string
  readonly limit: number
  readonly only?: string
  readonly except?: readonly string[]
}

/** Leases due outgoing jobs to one worker, oldest first. */
export const leaseJobs = (db: Db, { now, until, limit, only, except = [] }: Lease): Promise<ClaimedJob[]> => {
  const names = only !== undefined ? `and name = '${only}'` : except.length > 0 ? `and name not in (${listed(except)})` : ''
  return runText<ClaimedJob>(
    db,
    `update jobs set run_at = $2 where id in (select id from jobs
       where status = 'ready' and outgoing = 1 and run_at <= $1 ${names} order by run_at, id limit $3 ${skipLocked(db)})
     returning id, event_id, name, payload, attempts, created_at`,
    [now, until, limit],
  )
}

export interface LeasedDelivery {
  readonly id: number
  readonly event_id: number
  readonly event: string
  readonly name: string
  readonly payload: string
  readonly actor_id: number | null
  readonly occurred_at: string
  readonly attempts: number
  readonly tries: number
}

/** Leases deliveries of one webhook that are due at `now` to one sender until `until`. */
export const leaseDeliveries = (db: Db, webhookId: number, now: string, until: string, limit: number): Promise<LeasedDelivery[]> =>
  runText<LeasedDelivery>(
    db,
    `update webhook_deliveries set locked_until = $3 where id in (select id from webhook_deliveries
       where webhook_id = $1 and status = 'pending' and next_try_at <= $2 and (locked_until is null or locked_until <= $2)
       order by next_try_at, id limit $4 ${skipLocked(db)})
     returning id, event_id, event, name, payload, actor_id, occurred_at, attempts, tries`,
    [webhookId, now, until, limit],
  )
