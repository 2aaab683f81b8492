import type { Actor, ReadContext } from '../core/context.ts'
import type { TailedEvent } from '../db/index.ts'

/** What one member receives of an event: the name of the stream event and its data as JSON. */
export interface MemberEvent {
  readonly event: TailedEvent
  readonly name: string
  readonly data: string
}

export interface EventBatch {
  /** Members who may receive something; null if anyone may. */
  readonly audience: ReadonlySet<number> | null
  /** What each member receives, by member id, in the order of the events. Access is checked here, after the rows were read. */
  readonly eventsFor: (actors: readonly Actor[]) => Promise<ReadonlyMap<number, readonly MemberEvent[]>>
}

/** The source of stream content. A module provides it; this folder only transports it. */
export interface StreamSource {
  /** Reads the rows of several events, once for all members. */
  readonly loadBatch: (ctx: ReadContext, events: readonly TailedEvent[]) => Promise<EventBatch>
  /** Data of the first event of a stream, without the cursor. */
  readonly initialData: (ctx: ReadContext, actor: Actor) => Promise<object>
}
