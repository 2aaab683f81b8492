import type { Actor, ReadContext } from '../core/context.ts'
import type { TailedEvent } from '../db/index.ts'

/** The credential of a caller: the id of the application password or session. */
export interface Credential {
  readonly kind: 'application-password' | 'session'
  readonly credentialId: number
}

/** Where a stream is written to. */
export interface Sink {
  send(text: string): void
  /** Bytes that the client has not read yet. */
  backlog(): number
  end(): void
  destroy(): void
  /** Called once when the connection ends, for whatever reason. */
  onClose(done: () => void): void
}

export interface StreamOptions {
  readonly userId: number
  /** Network address of the client. */
  readonly address: string
  readonly credential: Credential
  /** Maximum number of streams of the member; the oldest is closed for a new one. */
  readonly maxPerMember: number
  /** Id of the last event that the client received; null for a new stream. */
  readonly lastEventId: string | null
}

/** The streams of this process. */
export interface Realtime {
  /** @throws 503 service_unavailable if this process has too many streams or is stopping */
  admit(): void
  /** Number of open streams of this address in this process. */
  streamsOf(address: string): number
  open(opening: StreamOptions, sink: Sink): void
  /** Wakes the streams because this process committed events. */
  committed(): void
  /** Number of open streams. */
  streams(): number
  /** Ends all streams and refuses new ones. */
  stop(): Promise<void>
}

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
