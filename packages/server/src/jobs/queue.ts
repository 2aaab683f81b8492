import { type EventName, events } from '@lyceum/contract'
import { nowOf } from '../core/clock.ts'
import type { Services, WriteContext, Writer } from '../core/context.ts'
import { addLastEvents, batchStatement, claimEvents, type Db, type DueRow, type NewEvent, runText, statement } from '../db/index.ts'
import type { Job, Registry } from './registry.ts'

const JOB = 'insert into jobs (event_id, name, outgoing, payload, run_at, created_at)'
const insertJob = statement(`${JOB} values (null, $1, $2, $3, $4, $5)`)
const insertJobs = batchStatement({ payload: 'text' }, (rows) => `${JOB} select null, $2, $3, d.payload, $4, $5 from ${rows} d`)
const postpone = statement('update jobs set attempts = attempts + 1, run_at = $2, last_error = $3, status = $4 where id = $1')
export const removeJob = statement('delete from jobs where id = $1')
/** By id; for a job that was transactional when it was added and is an outgoing one now. */
export const handToDeliveries = statement('update jobs set outgoing = 1 where id = $1')

/**
 * Makes jobs due that were created after `born` or are scheduled after `waiting`: after the clock was set back, they would wait for as long
 * as it went back. Outgoing jobs, which may be in progress, are left until `lease`; timed ones are not changed.
 */
export const rescheduleFutureJobs = async (
  db: Db,
  { jobs }: Registry,
  { now, lease, born, waiting }: { now: string; lease: string; born: string; waiting: string },
): Promise<void> => {
  const names = [...jobs.values()].filter(({ isScheduled }) => isScheduled).map(({ name }) => `'${name}'`)
  await runText(
    db,
    `update jobs set run_at = case when outgoing = 1 then $2 else $1 end, created_at = $1
     where status = 'ready' and (created_at > $3 or run_at > $4) and name not in (${names.join() || `''`})`,
    [now, lease, born, waiting],
  )
}

/** What is recorded about a failed job. */
export interface Failure {
  readonly status: 'parked' | 'ready'
  readonly error: string
  readonly runAt: string
}
export const postponeJob = (db: Db, id: number, { runAt, error, status }: Failure) => postpone(db, [id, runAt, error, status])

const insertPart = statement(
  `insert into jobs (event_id, name, payload, run_at, created_at, attempts, last_error) values ($1, $2, $3, $4, $5, $6, $7)`,
)
/** Replaces a pending event by a job for each of its listeners, so that the failing one delays no other. */
export const splitEvent = async (
  db: Db,
  { id, payload, created_at }: DueRow,
  listeners: readonly Job[],
  now: string,
  failing: string,
  { runAt, error }: Failure,
): Promise<void> => {
  if ((await claimEvents(db, [id])).size === 0) return
  for (const { name } of listeners)
    await insertPart(db, [id, name, payload, ...(name === failing ? [runAt, created_at, 1, error] : [now, created_at, 0, null])])
}
const dropGivenUp = statement<{ id: number }>(
  `delete from jobs where status = 'parked' and outgoing = 1 and run_at <= $1 and name = $2 returning id`,
)
/** Deletes outgoing jobs of this name that were parked before a time; returns their number. */
export const deleteDeadLettered = async (db: Db, name: string, before: string): Promise<number> =>
  (await dropGivenUp(db, [before, name])).length

/**
 * Runs one write with its context. `actorId` is recorded as the actor of events; `onAdded` is called for events, and for work of the worker.
 * The events are inserted at the end, by one statement.
 */
export const runWrite = async <T>(
  services: Services,
  registry: Registry,
  db: Db,
  actorId: number | null,
  onAdded: (added: 'event' | 'job') => void,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<T> => {
  const now = nowOf(services.clock)
  const { payload: jsonOf } = services.tracing
  const caused: NewEvent[] = []
  const isPending = (name: EventName) => {
    if (!Object.hasOwn(events, name)) throw new Error(`no event is called ${name}`)
    const pending = registry.listeners.has(name)
    onAdded('event')
    if (pending) onAdded('job')
    return pending
  }
  const outgoing = (name: string) => {
    const job = registry.jobs.get(name)
    if (!job) throw new Error(`no job is called ${name}`)
    onAdded('job')
    return job.deliver ? 1 : 0
  }
  const result = await work({
    db,
    now,
    services,
    snapshot: services.caches.inTransaction(services.caches.unpolled()),
    emit: async (name, payload) => {
      caused.push({ name, actorId, payload: jsonOf(payload), isPending: isPending(name) })
    },
    emitEach: async (name, all) => {
      if (all.length === 0) return
      const pending = isPending(name)
      for (const one of all) caused.push({ name, actorId: one.actorId, payload: jsonOf(one.payload), isPending: pending })
    },
    enqueue: async (name, payload, { runAt = now } = {}) => {
      await insertJob(db, [name, outgoing(name), jsonOf(payload), runAt, now])
    },
    enqueueEach: async (name, payloads, { runAt = now } = {}) => {
      if (payloads.length === 0) return
      const rows = payloads.map((payload) => jsonOf(payload))
      await insertJobs(db, rows, [name, outgoing(name), runAt, now])
    },
  })
  await addLastEvents(db, caused, now)
  return result
}

export const createWriter =
  (services: Services, registry: Registry, worker: { readonly wake: () => void }): Writer =>
  async (actorId, work, lockKey) => {
    const added = { event: false, job: false }
    const onAdded = (what: 'event' | 'job') => {
      added[what] = true
    }
    const result = await services.database.write((db) => runWrite(services, registry, db, actorId, onAdded, work), 'request', lockKey)
    if (added.job) worker.wake()
    if (added.event) services.realtime.committed()
    return result
  }
