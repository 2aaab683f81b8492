/** What a caller showed to prove who he is: its own id, of the application password or the session. */
export interface Credential {
  readonly kind: 'application-password' | 'session'
  readonly credentialId: number
}

/** Where a stream is written to. */
export interface Sink {
  send(text: string): void
  /** Bytes that the reader has not taken yet. */
  backlog(): number
  end(): void
  destroy(): void
  /** Called once, however it ended. */
  onClose(done: () => void): void
}

export interface Opening {
  readonly userId: number
  /** Network address of the client. */
  readonly address: string
  readonly credential: Credential
  /** Most streams of the member; the oldest is closed for a new one. */
  readonly mostOfMember: number
  /** The id of the last event that the client has seen; null: it begins now. */
  readonly lastEventId: string | null
}

/** The streams of this process. */
export interface Realtime {
  /** @throws 503 service_unavailable when this process has as many streams as it takes, or is about to stop */
  admit(): void
  /** How many streams this address has open here. */
  streamsOf(address: string): number
  open(opening: Opening, sink: Sink): void
  /** Events were committed by this process. */
  committed(): void
  /** How many streams are open. */
  streams(): number
  /** Ends every stream; no new one is taken. */
  stop(): Promise<void>
}
