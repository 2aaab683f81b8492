import { events } from '@lyceum/contract'
import type { Services, WriteContext } from '../core/context.ts'
import { type ClaimedJob, claimJobs, type Db, insertReturningId, runText, statement, statementOne } from '../db/index.ts'
import { addEach, emitEach } from './emit-batch.ts'
import type { Registry } from './registry.ts'

const insertEvent = insertReturningId('insert into events (name, actor_id, payload, created_at) values ($1, $2, $3, $4)')
const JOB = 'insert into jobs (event_id, name, outgoing, payload, run_at, created_at)'
const insertJob = statement(`${JOB} values ($1, $2, $3, $4, $5, $6)`)
const dueJobs = statement<ClaimedJob>(
  `select id, event_id, name, payload, attempts from jobs where status = 'ready' and outgoing = 0 and run_at <= $1 order by run_at, id limit $2`,
)
const dueDelivery = statementOne<{ id: number }>(`select id from jobs where status = 'ready' and outgoing = 1 and run_at <= $1 limit 1`)
const postpone = statement('update jobs set attempts = attempts + 1, run_at = $2, last_error = $3, status = $4 where id = $1')
const remove = statement('delete from jobs where id = $1')
const hand = statement('update jobs set outgoing = 1 where id = $1')

/** Transactional jobs that are due, oldest first. */
export const dueJobsAt = (db: Db, now: string, limit: number) => dueJobs(db, [now, limit])
/** Whether any outgoing job is due. This query is cheaper than a transaction that finds none. */
export const hasDueDeliveries = async (db: Db, now: string): Promise<boolean> => (await dueDelivery(db, [now])) !== undefined
const pullBack = (names: string) =>
  statement(
    `update jobs set run_at = case when outgoing = 1 then $2 else $1 end, created_at = $1
       where status = 'ready' and (created_at > $3 or run_at > $4) and name not in (${names})`,
  )
const pullBackBy = new Map<string, ReturnType<typeof pullBack>>()
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
  const text = names.join() || `''`
  const run = pullBackBy.get(text) ?? pullBack(text)
  pullBackBy.set(text, run)
  await run(db, [now, lease, born, waiting])
}
export const postponeJob = (db: Db, id: number, runAt: string, error: string, status: 'ready' | 'parked') =>
  postpone(db, [id, runAt, error, status])
export const removeJob = (db: Db, id: number) => remove(db, [id])
const insertPart = statement(
  `insert into jobs (event_id, name, payload, run_at, created_at, attempts, last_error) values ($1, $2, $3, $4, $5, $6, $7)`,
)

interface Failed {
  readonly name: string
  readonly runAt: string
  readonly error: string
}

/** Splits a shared job into one per listener, so that a failing listener delays no other. */
export const splitJob = async (db: Db, record: ClaimedJob, listenerJobs: readonly string[], now: string, failed: Failed): Promise<void> => {
  const [taken] = await claimJobs(db, [record.id])
  if (!taken) return
  for (const name of listenerJobs) {
    const [runAt, attempts, error] = name === failed.name ? [failed.runAt, 1, failed.error] : [now, 0, null]
    await insertPart(db, [taken.event_id, name, taken.payload, runAt, now, attempts, error])
  }
}
const dropGivenUp = statement<{ id: number }>(
  `delete from jobs where status = 'parked' and outgoing = 1 and run_at <= $1 and name = $2 returning id`,
)
/** Deletes outgoing jobs of this name that were parked before a time; returns their number. */
export const deleteDeadLettered = async (db: Db, name: string, before: string): Promise<number> =>
  (await dropGivenUp(db, [before, name])).length
/** For a job that was transactional when it was added and is an outgoing one now. */
export const handToDeliveries = (db: Db, id: number) => hand(db, [id])

/** The context of one write. `actorId` is recorded as the actor of events; `told` is notified of added jobs. */
export const writeContext = (
  services: Services,
  registry: Registry,
  db: Db,
  now: string,
  actorId: number | null,
  told: (added: 'event' | 'job') => void,
): WriteContext => {
  const add = (eventId: number | null, name: string, payload: string, runAt: string) => {
    const job = registry.jobs.get(name)
    const values = [eventId, name, job?.deliver ? 1 : 0, payload, runAt, now]
    return job?.condition ? runText(db, `${JOB} select $1, $2, $3, $4, $5, $6 where ${job.condition}`, values) : insertJob(db, values)
  }
  return {
    db,
    now,
    services,
    emit: async (name, payload) => {
      if (!Object.hasOwn(events, name)) throw new Error(`no event is called ${name}`)
      const text = JSON.stringify(payload)
      const id = await insertEvent(db, [name, actorId, text, now])
      told('event')
      const listeners = registry.listeners.get(name)
      if (!listeners) return
      for (const listener of listeners) await add(id, listener, text, now)
      told('job')
    },
    emitEach: async (name, caused) => {
      if (caused.length === 0) return
      const left = await emitEach(db, registry, now, name, caused)
      told('event')
      if (left) told('job')
    },
    enqueue: async (name, payload, { runAt = now } = {}) => {
      if (!registry.jobs.has(name)) throw new Error(`no job is called ${name}`)
      await add(null, name, JSON.stringify(payload), runAt)
      told('job')
    },
    enqueueEach: async (name, payloads, { runAt } = {}) => {
      if (!registry.jobs.has(name)) throw new Error(`no job is called ${name}`)
      if (payloads.length === 0) return
      const added = payloads.map((payload) => [null, JSON.stringify(payload)] as const)
      await addEach(db, registry, name, added, { now, runAt })
      told('job')
    },
  }
}
