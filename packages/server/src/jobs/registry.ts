import type { EventName, EventPayload } from '@lyceum/contract'
import type { Services, WriteContext, Writer } from '../core/context.ts'

/** An event as its listeners get it; `event_id` is null for a job that was added without one. */
export type Happened<N extends EventName> = EventPayload<N> & { readonly event_id: number | null; readonly happened_at: string }
/** What the listeners of a batch of events have loaded, by loader. */
export type SharedFacts = Map<unknown, unknown>
/** Runs in the transaction that deletes its job or pending events, so its effects happen exactly once. A listener gets many events. */
export type TransactionalJob<P> = (ctx: WriteContext, given: readonly P[], shared: SharedFacts) => Promise<unknown>
/** Contacts other systems (mail, webhooks) outside a transaction, so it is delivered at least once. `write` records the result. */
export type OutgoingJob<P> = (services: Services, payload: P, write: Writer) => Promise<void>

export interface Job {
  /** `module.verb` */
  readonly name: string
  readonly run?: TransactionalJob<never>
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
}

/** Takes the locks that the listeners of an event need, in the lock order and for all events at once, then loads the rows that they use. */
type FactsLoader<N extends EventName, Facts> = (ctx: WriteContext, events: readonly Happened<N>[]) => Promise<Facts>

/** A listener that derives rows from facts, which are loaded once for all projectors of the event with the same loader. */
export const projector = <N extends EventName, Facts>(
  event: N,
  name: string,
  load: FactsLoader<NoInfer<N>, Facts>,
  project: (ctx: WriteContext, facts: Facts) => Promise<unknown>,
): Listener => {
  const run: TransactionalJob<Happened<N>> = async (ctx, events, shared) => {
    if (!shared.has(load)) shared.set(load, await load(ctx, events))
    await project(ctx, shared.get(load) as Facts)
  }
  return { event, job: { name: `${name}:${event}`, run: run as TransactionalJob<never> } }
}

const given = async <E>(_ctx: WriteContext, events: E): Promise<E> => events

/** What a module does when events of one name happen. `name` is `module.verb`. */
export const on = <N extends EventName>(
  event: N,
  name: string,
  run: (ctx: WriteContext, events: readonly Happened<N>[]) => Promise<unknown>,
): Listener => projector(event, name, given<readonly Happened<N>[]>, run)

/** A job that handlers enqueue by name. */
export const job = <P>(name: string, run: (ctx: WriteContext, payload: P) => Promise<unknown>): Job => ({
  name,
  run: (async (ctx, [payload]) => run(ctx, payload as P)) satisfies TransactionalJob<P> as TransactionalJob<never>,
})
/** Like `job`, for a moment that is stored elsewhere, too. */
export const scheduledJob = <P>(name: string, run: (ctx: WriteContext, payload: P) => Promise<unknown>): Job => ({
  ...job(name, run),
  isScheduled: true,
})
export const outgoing = <P>(name: string, deliver: OutgoingJob<P>, attempts?: number): Job => ({
  name,
  deliver: deliver as OutgoingJob<never>,
  ...(attempts && { attempts }),
})

export interface Registry {
  readonly jobs: ReadonlyMap<string, Job>
  /** The listeners of each event, in the order in which they run. */
  readonly listeners: ReadonlyMap<string, readonly Job[]>
}

export const createRegistry = (listeners: readonly Listener[], jobs: readonly Job[]): Registry => {
  const byName = new Map<string, Job>()
  for (const entry of [...jobs, ...listeners.map(({ job }) => job)]) {
    if (byName.has(entry.name)) throw new Error(`two jobs are called ${entry.name}`)
    byName.set(entry.name, entry)
  }
  const byEvent = Map.groupBy(listeners, (listener) => listener.event as string)
  return { jobs: byName, listeners: new Map([...byEvent].map(([event, list]) => [event, list.map(({ job }) => job)])) }
}
