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
