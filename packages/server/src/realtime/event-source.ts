import type { Actor, ReadContext } from '../core/context.ts'
import type { TailedEvent } from '../db/index.ts'

/** What one member hears of one event: the event of the stream by name, and its data as JSON. */
export interface Told {
  readonly event: TailedEvent
  readonly name: string
  readonly data: string
}

export interface Gathered {
  /** The only members who may have something to hear; null: anybody may. */
  readonly audience: ReadonlySet<number> | null
  /** What each of them hears, by id, in the order of the events. What somebody may see is read in here, and so after the facts. */
  readonly tell: (actors: readonly Actor[]) => Promise<ReadonlyMap<number, readonly Told[]>>
}

/** What the stream says is a module's to decide; this folder only transports it. */
export interface StreamSource {
  /** Reads what several events are about, once for everybody. */
  readonly gather: (ctx: ReadContext, events: readonly TailedEvent[]) => Promise<Gathered>
  /** Data of the first event of a stream, without the cursor. */
  readonly greet: (ctx: ReadContext, actor: Actor) => Promise<object>
}
