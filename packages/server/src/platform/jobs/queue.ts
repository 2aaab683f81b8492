import { events } from '@lyceum/contract'
import { type ClaimedJob, type Db, statement, statementOne } from '../../db/index.ts'
import type { Services, WriteContext } from '../context.ts'
import type { Registry } from './registry.ts'

const insertEvent = statementOne<{ id: number }>(
  'insert into events (name, actor_id, payload, created_at) values ($1, $2, $3, $4) returning id',
)
const insertJob = statement('insert into jobs (event_id, name, payload, run_at, created_at) values ($1, $2, $3, $4, $5)')
const dueJobs = statement<ClaimedJob>(
  `select id, name, payload, attempts from jobs where status = 'ready' and run_at <= $1 order by run_at, id limit $2`,
)
const postpone = statement('update jobs set attempts = attempts + 1, run_at = $2, last_error = $3, status = $4 where id = $1')
const leaseJob = statementOne<{ id: number }>(
  `update jobs set run_at = $2 where id = $1 and status = 'ready' and run_at <= $3 returning id`,
)

export const dueJobsAt = (db: Db, now: string, limit: number) => dueJobs(db, [now, limit])
export const postponeJob = (db: Db, id: number, runAt: string, error: string, status: 'ready' | 'parked') =>
  postpone(db, [id, runAt, error, status])
/** Keeps other workers away from the job until `until`; undefined when one of them has it. */
export const lease = (db: Db, id: number, until: string, now: string) => leaseJob(db, [id, until, now])

/** The context of one write. `actorId` is recorded as the one who caused the events; `onJob` tells that a job was added. */
export const writeContext = (
  services: Services,
  registry: Registry,
  db: Db,
  now: string,
  actorId: number | null,
  onJob: () => void,
): WriteContext => ({
  db,
  now,
  services,
  emit: async (name, payload) => {
    if (!Object.hasOwn(events, name)) throw new Error(`no event is called ${name}`)
    const text = JSON.stringify(payload)
    const row = await insertEvent(db, [name, actorId, text, now])
    const listeners = registry.listeners.get(name)
    if (!row || !listeners) return
    for (const listener of listeners) await insertJob(db, [row.id, listener, text, now, now])
    onJob()
  },
  enqueue: async (name, payload, { runAt = now } = {}) => {
    if (!registry.jobs.has(name)) throw new Error(`no job is called ${name}`)
    await insertJob(db, [null, name, JSON.stringify(payload), runAt, now])
    onJob()
  },
})
