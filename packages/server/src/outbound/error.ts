export type OutboundReason = 'refused' | 'timeout' | 'too_large' | 'unreachable'

/**
 * A request that did not bring an answer. `refused`: the address may not be reached; `too_large`: the answer exceeded its limit;
 * `unreachable`: anything else, from a name that does not resolve to an answer that is no HTTP.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: OutboundReason
  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The OutboundError among an error and its causes: sockets and the HTTP client wrap what they are handed. */
export const outboundErrorIn = (error: unknown): OutboundError | null => {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof OutboundError) return at
    const inner = at instanceof AggregateError ? at.errors.find((item) => item instanceof OutboundError) : null
    if (inner) return inner as OutboundError
  }
  return null
}
