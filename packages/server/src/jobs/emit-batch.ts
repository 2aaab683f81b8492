import { type EventName, events } from '@lyceum/contract'
import type { AttributedEvent } from '../core/context.ts'
import { batchStatement, type Db } from '../db/index.ts'
import type { Job, Registry } from './registry.ts'

const insertEvents = batchStatement<{ id: number; payload: string }>(
  { actor_id: 'bigint', payload: 'text' },
  (rows) =>
    `insert into events (name, actor_id, payload, created_at) select $2, d.actor_id, d.payload, $3 from ${rows} d returning id, payload`,
)

const insertJobs = (when = '1 = 1') =>
  batchStatement(
    { event_id: 'bigint', payload: 'text' },
    (rows) =>
      `insert into jobs (event_id, name, outgoing, payload, run_at, created_at) select d.event_id, $2, $3, d.payload, $4, $5
       from ${rows} d where ${when}`,
  )

/** A cached statement for each condition of a job. */
const inserting = new Map<string | undefined, ReturnType<typeof insertJobs>>()
const jobsWhere = (job: Job | undefined) => {
  const known = inserting.get(job?.condition)
  if (known) return known
  const made = insertJobs(job?.condition)
  inserting.set(job?.condition, made)
  return made
}

/** A new job: its event, if any, and its payload as JSON. */
type Added = readonly [eventId: number | null, payload: string]

/** Adds many jobs of one name in one statement. */
export const addEach = async (
  db: Db,
  { jobs }: Registry,
  name: string,
  added: readonly Added[],
  { now, runAt = now }: { readonly now: string; readonly runAt?: string | undefined },
): Promise<void> => {
  const job = jobs.get(name)
  await jobsWhere(job)(db, added, [name, job?.deliver ? 1 : 0, runAt, now])
}

/** Records many events of one name, and the jobs of their listeners, in a few statements. Returns whether any job may have been added. */
export const emitEach = async <N extends EventName>(
  db: Db,
  registry: Registry,
  now: string,
  name: N,
  caused: readonly AttributedEvent<N>[],
): Promise<boolean> => {
  if (!Object.hasOwn(events, name)) throw new Error(`no event is called ${name}`)
  const rows = caused.map(({ actorId, payload }) => [actorId, JSON.stringify(payload)])
  const made = await insertEvents(db, rows, [name, now])
  const listeners = registry.listeners.get(name) ?? []
  const added = made.map(({ id, payload }): Added => [id, payload])
  for (const listener of listeners) await addEach(db, registry, listener, added, { now })
  return listeners.length > 0
}
