import { type Db, dialectOf } from './database.ts'
import { batchStatement } from './sql/batch-statement.ts'
import { statement } from './sql/statement.ts'

export interface ClaimedJob {
  readonly id: number
  /** The event that created it. */
  readonly event_id: number | null
  readonly name: string
  readonly payload: string
  readonly attempts: number
}

const claiming = (lock: string) =>
  batchStatement<ClaimedJob>(
    { id: 'bigint' },
    (rows) => `delete from jobs where id in (select j.id from ${rows} d cross join jobs j where j.id = d.id and j.status = 'ready' ${lock})
      returning id, event_id, name, payload, attempts`,
  )

const claim = { sqlite: claiming(''), postgres: claiming('for update of j skip locked') }

/** Claims jobs for the transaction that runs them, in the order of their ids, by deleting them; skips those locked by other workers. */
export const claimJobs = async (db: Db, ids: readonly number[]): Promise<ClaimedJob[]> => {
  const taken = await claim[dialectOf(db)](
    db,
    ids.map((id) => [id]),
  )
  return taken.sort((a, b) => a.id - b.id)
}

const lease = (skip: string, names: string) =>
  statement<ClaimedJob>(
    `update jobs set run_at = $2 where id in (select id from jobs
       where status = 'ready' and outgoing = 1 and run_at <= $1 ${names} order by run_at, id limit $3 ${skip})
     returning id, event_id, name, payload, attempts`,
  )
const leasesOf = (names: string) => ({ sqlite: lease('', names), postgres: lease('for update skip locked', names) })

const leases = new Map<string, ReturnType<typeof leasesOf>>()
const known = (names: string) => {
  const found = leases.get(names) ?? leasesOf(names)
  leases.set(names, found)
  return found
}
/** Job names are constants, so they need no escaping. */
const listed = (names: readonly string[]) => names.map((name) => `'${name}'`).join()

interface Lease {
  readonly now: string
  /** End of the lease. */
  readonly until: string
  readonly limit: number
  /** Only jobs with this name. */
  readonly only?: string
  /** No jobs with these names. */
  readonly except?: readonly string[]
}

/** Leases due outgoing jobs to one worker, oldest first. */
export const leaseJobs = (db: Db, { now, until, limit, only, except = [] }: Lease): Promise<ClaimedJob[]> => {
  const names = only !== undefined ? `and name = '${only}'` : except.length > 0 ? `and name not in (${listed(except)})` : ''
  return known(names)[dialectOf(db)](db, [now, until, limit])
}

/** A webhook delivery leased to one sender. */
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

/** Leases deliveries of one webhook that are due at `now` to one sender until `until`. */
export const leaseDeliveries = (db: Db, webhookId: number, now: string, until: string, limit: number): Promise<LeasedDelivery[]> =>
  deliveryLeases[dialectOf(db)](db, [webhookId, now, until, limit])
