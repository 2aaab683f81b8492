import type { EventName, EventPayload } from '@lyceum/contract'
import type { Services, WriteContext, Writer } from '../context.ts'

/** Runs in a transaction that also removes the job: its effects happen exactly once. A listener's is told the id of its event. */
export type TransactionalJob<P> = (ctx: WriteContext, payload: P, eventId: number | null) => Promise<void>
/** Talks to the outside (mail, webhooks), without a transaction: delivered at least once. `write` records what became of it. */
export type OutgoingJob<P> = (services: Services, payload: P, write: Writer) => Promise<void>

export interface Job {
  /** `module.verb` */
  readonly name: string
  readonly run?: TransactionalJob<never>
  readonly deliver?: OutgoingJob<never>
  /** Tries before it is parked. */
  readonly attempts?: number
  /** SQL; where it does not hold, the event leaves no job: for listeners that mostly have nothing to do. */
  readonly when?: string
}

export interface Listener {
  readonly event: EventName
  readonly job: Job
}

/** What a module does when an event happens. `name` is `module.verb`; the payload is the event's. */
export const on = <N extends EventName>(event: N, name: string, run: TransactionalJob<EventPayload<N>>, when?: string): Listener => ({
  event,
  job: { name: `${name}:${event}`, run: run as TransactionalJob<never>, ...(when && { when }) },
})

/** A job that handlers enqueue by name. */
export const job = <P>(name: string, run: TransactionalJob<P>): Job => ({ name, run: run as TransactionalJob<never> })
export const outgoing = <P>(name: string, deliver: OutgoingJob<P>, attempts?: number): Job => ({
  name,
  deliver: deliver as OutgoingJob<never>,
  ...(attempts && { attempts }),
})

export interface Registry {
  readonly jobs: ReadonlyMap<string, Job>
  readonly listeners: ReadonlyMap<string, readonly string[]>
}

export const createRegistry = (listeners: readonly Listener[], jobs: readonly Job[]): Registry => {
  const byName = new Map<string, Job>()
  for (const entry of [...jobs, ...listeners.map((listener) => listener.job)]) {
    if (byName.has(entry.name)) throw new Error(`two jobs are called ${entry.name}`)
    byName.set(entry.name, entry)
  }
  const byEvent = Map.groupBy(listeners, (listener) => listener.event as string)
  return { jobs: byName, listeners: new Map([...byEvent].map(([event, list]) => [event, list.map((listener) => listener.job.name)])) }
}
