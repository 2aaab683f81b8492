import type { EventName, EventPayload } from '@lyceum/contract'
import type { Services, WriteContext, Writer } from '../core/context.ts'

/** Input of a job: its payload and the event that created it. */
export interface JobInput<P> {
  readonly payload: P
  readonly eventId: number | null
}
/** Runs in the transaction that deletes the jobs, so their effects happen exactly once. Gets a single job unless the kind is batched. */
export type TransactionalJob<P> = (ctx: WriteContext, given: readonly JobInput<P>[]) => Promise<void>
/** Handles one job. A listener also gets the id of its event. */
type OneJob<P> = (ctx: WriteContext, payload: P, eventId: number | null) => Promise<void>
/** Contacts other systems (mail, webhooks) outside a transaction, so it is delivered at least once. `write` records the result. */
export type OutgoingJob<P> = (services: Services, payload: P, write: Writer) => Promise<void>

export interface Job {
  /** `module.verb` */
  readonly name: string
  readonly run?: TransactionalJob<never>
  /** Due jobs of this kind run together in one transaction and one call, which takes their locks together and needs few statements. */
  readonly isBatched?: boolean
  readonly deliver?: OutgoingJob<never>
  /** Attempts before the job is parked. */
  readonly attempts?: number
  /** Maximum number of concurrent deliveries of this kind. Deliveries to hosts that members choose must not crowd out mail. */
  readonly maxConcurrent?: number
  /** The job is scheduled for a moment that is stored elsewhere, too. It must not run earlier, even if the clock was changed. */
  readonly isScheduled?: boolean
  /** SQL condition. If it is false, the event creates no job; for listeners that rarely have anything to do. */
  readonly condition?: string
  /** Names of the listeners of an event that share this job. */
  readonly listenerJobs?: readonly string[]
}

export interface Listener {
  readonly event: EventName
  readonly job: Job
  /** Runs before the other jobs of its event, because it locks accounts, which come first in the lock order. */
  readonly isPriority?: boolean
}

const oneByOne =
  <P>(run: OneJob<P>): TransactionalJob<P> =>
  async (ctx, given) => {
    for (const { payload, eventId } of given) await run(ctx, payload, eventId)
  }

/** What a module does when an event happens. `name` is `module.verb`; the payload is that of the event. */
export const on = <N extends EventName>(event: N, name: string, run: OneJob<EventPayload<N>>, condition?: string): Listener => ({
  event,
  job: { name: `${name}:${event}`, run: oneByOne(run) as TransactionalJob<never>, ...(condition && { condition }) },
})

/**
 * Like `listener` for many events of one name at a time. It takes each kind of lock for all of them before it proceeds in the lock order.
 */
export const onBatch = <N extends EventName>(
  event: N,
  name: string,
  run: (ctx: WriteContext, payloads: readonly EventPayload<N>[]) => Promise<void>,
): Listener => {
  const all: TransactionalJob<EventPayload<N>> = (ctx, given) =>
    run(
      ctx,
      given.map(({ payload }) => payload),
    )
  return { event, job: { name: `${name}:${event}`, run: all as TransactionalJob<never>, isBatched: true } }
}

/** Makes listeners run before others of their events. */
export const withPriority = (listeners: readonly Listener[]): Listener[] => listeners.map((listener) => ({ ...listener, isPriority: true }))

/** A job that handlers enqueue by name. */
export const job = <P>(name: string, run: OneJob<P>): Job => ({ name, run: oneByOne(run) as TransactionalJob<never> })
/** Like `job`, for a moment that is stored elsewhere, too. */
export const scheduledJob = <P>(name: string, run: OneJob<P>): Job => ({ ...job(name, run), isScheduled: true })
export const outgoing = <P>(name: string, deliver: OutgoingJob<P>, attempts?: number): Job => ({
  name,
  deliver: deliver as OutgoingJob<never>,
  ...(attempts && { attempts }),
})

export interface Registry {
  readonly jobs: ReadonlyMap<string, Job>
  /** The jobs that an event creates, by event name. */
  readonly listeners: ReadonlyMap<string, readonly string[]>
}

/** The jobs of an event: one that several listeners share, and those of single listeners. */
const jobsOf = (event: string, listeners: readonly Listener[]): { left: string[]; shared: Job | null } => {
  const [conditional, unconditional] = [listeners.filter(({ job }) => job.condition), listeners.filter(({ job }) => !job.condition)]
  const names = unconditional.toSorted((a, b) => Number(b.isPriority ?? false) - Number(a.isPriority ?? false)).map(({ job }) => job.name)
  const shared =
    names.length > 1 ? { name: `on:${event}`, listenerJobs: names, isBatched: unconditional.every(({ job }) => job.isBatched) } : null
  return { left: [...(shared ? [shared.name] : names), ...conditional.map(({ job }) => job.name)], shared }
}

export const createRegistry = (listeners: readonly Listener[], jobs: readonly Job[]): Registry => {
  const byName = new Map<string, Job>()
  const add = (entry: Job) => {
    if (byName.has(entry.name)) throw new Error(`two jobs are called ${entry.name}`)
    byName.set(entry.name, entry)
  }
  for (const entry of [...jobs, ...listeners.map((listener) => listener.job)]) add(entry)
  const byEvent = new Map<string, readonly string[]>()
  for (const [event, list] of Map.groupBy(listeners, (listener) => listener.event as string)) {
    const { left, shared } = jobsOf(event, list)
    if (shared) add(shared)
    byEvent.set(event, left)
  }
  return { jobs: byName, listeners: byEvent }
}
