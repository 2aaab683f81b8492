import { type Db, dialectOf } from './database.ts'
import { statement, statementOne } from './statement.ts'

export interface ClaimedJob {
  readonly id: number
  /** The event that it was born of. */
  readonly event_id: number | null
  readonly name: string
  readonly payload: string
  readonly attempts: number
}

const claim = {
  sqlite: statementOne<ClaimedJob>(`delete from jobs where id = $1 and status = 'ready' returning id, event_id, name, payload, attempts`),
  postgres: statementOne<ClaimedJob>(
    `delete from jobs where id = (select id from jobs where id = $1 and status = 'ready' for update skip locked)
     returning id, event_id, name, payload, attempts`,
  ),
}

/** Takes a job out of the table for the transaction that runs it; undefined when another worker has it. */
export const claimJob = (db: Db, id: number): Promise<ClaimedJob | undefined> => claim[dialectOf(db)](db, [id])

const lease = (skip: string) =>
  statement<ClaimedJob>(
    `update jobs set run_at = $2 where id in (select id from jobs
       where status = 'ready' and outgoing = 1 and run_at <= $1 order by run_at, id limit $3 ${skip})
     returning id, event_id, name, payload, attempts`,
  )

const leases = { sqlite: lease(''), postgres: lease('for update skip locked') }

/** Takes outgoing jobs that are due at `now` for one worker: the others leave them alone until `until`. */
export const leaseJobs = (db: Db, now: string, until: string, limit: number): Promise<ClaimedJob[]> =>
  leases[dialectOf(db)](db, [now, until, limit])

/** A webhook delivery that one sender has taken. */
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

const leaseOf = (skip: string) =>
  statement<LeasedDelivery>(
    `update webhook_deliveries set locked_until = $3 where id in (select id from webhook_deliveries
       where webhook_id = $1 and status = 'pending' and next_try_at <= $2 and (locked_until is null or locked_until <= $2)
       order by next_try_at, id limit $4 ${skip})
     returning id, event_id, event, name, payload, actor_id, occurred_at, attempts, tries`,
  )

const deliveryLeases = { sqlite: leaseOf(''), postgres: leaseOf('for update skip locked') }

/** Takes deliveries to one webhook that are due at `now` for one sender: the others leave them alone until `until`. */
export const leaseDeliveries = (db: Db, webhookId: number, now: string, until: string, limit: number): Promise<LeasedDelivery[]> =>
  deliveryLeases[dialectOf(db)](db, [webhookId, now, until, limit])
