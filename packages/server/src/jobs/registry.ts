import type { EventName, EventPayload } from '@lyceum/contract'
import type { Services, WriteContext, Writer } from '../core/context.ts'

/** What one job was given: its payload, and the event that it was born of. */
export interface JobInput<P> {
  readonly payload: P
  readonly eventId: number | null
}
/** Runs in a transaction that also removes the jobs: their effects happen exactly once. Of a kind that does not run together it gets one. */
export type TransactionalJob<P> = (ctx: WriteContext, given: readonly JobInput<P>[]) => Promise<void>
/** What is done for one job. A listener's is told the id of its event. */
type OneJob<P> = (ctx: WriteContext, payload: P, eventId: number | null) => Promise<void>
/** Talks to the outside (mail, webhooks), without a transaction: delivered at least once. `write` records what became of it. */
export type OutgoingJob<P> = (services: Services, payload: P, write: Writer) => Promise<void>

export interface Job {
  /** `module.verb` */
  readonly name: string
  readonly run?: TransactionalJob<never>
  /** Several that are due at once run in one transaction, by one call: locks are taken for all of them, and few statements do for many. */
  readonly together?: boolean
  readonly deliver?: OutgoingJob<never>
  /** Tries before it is parked. */
  readonly attempts?: number
  /** Most deliveries of this kind at once: those that wait for machines which members choose must leave places to mail. */
  readonly places?: number
  /** What it is put off until is a moment that is kept elsewhere as well: it must not come before, whatever the clock did. */
  readonly timed?: boolean
  /** SQL; where it does not hold, the event leaves no job: for listeners that mostly have nothing to do. */
  readonly when?: string
  /** The listeners of one event that share this job, by the names of their own. */
  readonly shares?: readonly string[]
}

export interface Listener {
  readonly event: EventName
  readonly job: Job
  /** Runs before the others of its event: it holds people, which come first in the order of locks. */
  readonly first?: boolean
}

const oneByOne =
  <P>(run: OneJob<P>): TransactionalJob<P> =>
  async (ctx, given) => {
    for (const { payload, eventId } of given) await run(ctx, payload, eventId)
  }

/** What a module does when an event happens. `name` is `module.verb`; the payload is the event's. */
export const on = <N extends EventName>(event: N, name: string, run: OneJob<EventPayload<N>>, when?: string): Listener => ({
  event,
  job: { name: `${name}:${event}`, run: oneByOne(run) as TransactionalJob<never>, ...(when && { when }) },
})

/** The same for many events of that name at a time: what it holds it holds for all of them before it goes on to what comes later in the order of locks. */
export const onMany = <N extends EventName>(
  event: N,
  name: string,
  run: (ctx: WriteContext, payloads: readonly EventPayload<N>[]) => Promise<void>,
): Listener => {
  const all: TransactionalJob<EventPayload<N>> = (ctx, given) =>
    run(
      ctx,
      given.map(({ payload }) => payload),
    )
  return { event, job: { name: `${name}:${event}`, run: all as TransactionalJob<never>, together: true } }
}

/** Lets listeners run before others of their events. */
export const first = (listeners: readonly Listener[]): Listener[] => listeners.map((listener) => ({ ...listener, first: true }))

/** A job that handlers enqueue by name. */
export const job = <P>(name: string, run: OneJob<P>): Job => ({ name, run: oneByOne(run) as TransactionalJob<never> })
/** The same for one that is put off until a moment that is kept elsewhere as well. */
export const timedJob = <P>(name: string, run: OneJob<P>): Job => ({ ...job(name, run), timed: true })
export const outgoing = <P>(name: string, deliver: OutgoingJob<P>, attempts?: number): Job => ({
  name,
  deliver: deliver as OutgoingJob<never>,
  ...(attempts && { attempts }),
})

export interface Registry {
  readonly jobs: ReadonlyMap<string, Job>
  /** The jobs that an event leaves, by its name. */
  readonly listeners: ReadonlyMap<string, readonly string[]>
}

/** What an event leaves: one job that several listeners share, and those that have one of their own. */
const jobsOf = (event: string, listeners: readonly Listener[]): { left: string[]; shared: Job | null } => {
  const [alone, together] = [listeners.filter(({ job }) => job.when), listeners.filter(({ job }) => !job.when)]
  const names = together.toSorted((a, b) => Number(b.first ?? false) - Number(a.first ?? false)).map(({ job }) => job.name)
  const shared = names.length > 1 ? { name: `on:${event}`, shares: names, together: together.every(({ job }) => job.together) } : null
  return { left: [...(shared ? [shared.name] : names), ...alone.map(({ job }) => job.name)], shared }
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
