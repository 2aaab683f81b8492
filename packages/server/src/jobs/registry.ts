import type { EventName, EventPayload } from '@lyceum/contract'
import type { Services, WriteContext, Writer } from '../core/context.ts'

/** Input of a job: its payload and the event that created it. */
export interface JobInput<P> {
  readonly payload: P
  readonly eventId: number | null
}
/** What the listeners of a batch of events have loaded, by loader. */
export type SharedFacts = Map<unknown, unknown>
/** Runs in the transaction that deletes its jobs or pending events, so their effects happen exactly once. Gets one unless it is batched. */
export type TransactionalJob<P> = (ctx: WriteContext, given: readonly JobInput<P>[], shared: SharedFacts) => Promise<void>
/** Handles one job. A listener also gets the id of its event. */
type OneJob<P> = (ctx: WriteContext, payload: P, eventId: number | null) => Promise<void>
/** Contacts other systems (mail, webhooks) outside a transaction, so it is delivered at least once. `write` records the result. */
export type OutgoingJob<P> = (services: Services, payload: P, write: Writer) => Promise<void>

export interface Job {
  /** `module.verb` */
  readonly name: string
  readonly run?: TransactionalJob<never>
  /** As a listener, gets many events in one call, for which it takes its locks together and needs few statements. */
  readonly isBatched?: boolean
  readonly deliver?: OutgoingJob<never>
  /** Attempts before the job is parked. */
  readonly attempts?: number
  /** Maximum number of concurrent deliveries of this kind. Deliveries to hosts that members choose must not crowd out mail. */
  readonly maxConcurrent?: number
  /** The job is scheduled for a moment that is stored elsewhere, too. It must not run earlier, even if the clock was changed. */
  readonly isScheduled?: boolean
}

export interface Listener {
  readonly event: EventName
  /** Has a row in the database only if it failed. */
  readonly job: Job
  /** Runs before the other listeners of its event, because it locks accounts, which come first in the lock order. */
  readonly isPriority?: boolean
}

const oneByOne =
  <P>(run: OneJob<P>): TransactionalJob<P> =>
  async (ctx, given) => {
    for (const { payload, eventId } of given) await run(ctx, payload, eventId)
  }

/** What a module does when an event happens. `name` is `module.verb`; the payload is that of the event. */
export const on = <N extends EventName>(event: N, name: string, run: OneJob<EventPayload<N>>): Listener => ({
  event,
  job: { name: `${name}:${event}`, run: oneByOne(run) as TransactionalJob<never> },
})

/**
 * Like `on` for many events of one name at a time. It takes each kind of lock for all of them before it proceeds in the lock order.
 */
export const onBatch = <N extends EventName>(
  event: N,
  name: string,
  run: (ctx: WriteContext, payloads: readonly EventPayload<N>[], eventIds: readonly (number | null)[]) => Promise<void>,
): Listener => {
  const all: TransactionalJob<EventPayload<N>> = (ctx, given) =>
    run(
      ctx,
      given.map(({ payload }) => payload),
      given.map(({ eventId }) => eventId),
    )
  return { event, job: { name: `${name}:${event}`, run: all as TransactionalJob<never>, isBatched: true } }
}

/** Takes the locks that all projectors of an event need, in the lock order, then loads the rows that they use. */
type FactsLoader<N extends EventName, Facts> = (ctx: WriteContext, payloads: readonly EventPayload<N>[]) => Promise<Facts>

/** A listener that derives rows from facts, which are loaded once for all projectors of the event with the same loader. */
export const projector = <N extends EventName, Facts>(
  event: N,
  name: string,
  load: FactsLoader<N, Facts>,
  project: (ctx: WriteContext, facts: Facts) => Promise<void>,
): Listener => {
  const run: TransactionalJob<EventPayload<N>> = async (ctx, given, shared) => {
    const payloads = given.map(({ payload }) => payload)
    if (!shared.has(load)) shared.set(load, await load(ctx, payloads))
    await project(ctx, shared.get(load) as Facts)
  }
  return { event, job: { name: `${name}:${event}`, run: run as TransactionalJob<never>, isBatched: true } }
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

/** The listeners of an event, in the order in which they run. */
export interface EventListeners {
  readonly jobs: readonly Job[]
  /** Whether all of them accept many events. */
  readonly isBatched: boolean
}

export interface Registry {
  readonly jobs: ReadonlyMap<string, Job>
  readonly listeners: ReadonlyMap<string, EventListeners>
}

export const createRegistry = (listeners: readonly Listener[], jobs: readonly Job[]): Registry => {
  const byName = new Map<string, Job>()
  for (const entry of [...jobs, ...listeners.map(({ job }) => job)]) {
    if (byName.has(entry.name)) throw new Error(`two jobs are called ${entry.name}`)
    byName.set(entry.name, entry)
  }
  const byEvent = new Map<string, EventListeners>()
  for (const [event, list] of Map.groupBy(listeners, (listener) => listener.event as string)) {
    const inOrder = list.toSorted((a, b) => Number(b.isPriority ?? false) - Number(a.isPriority ?? false)).map(({ job }) => job)
    byEvent.set(event, { jobs: inOrder, isBatched: inOrder.every(({ isBatched }) => isBatched) })
  }
  return { jobs: byName, listeners: byEvent }
}
