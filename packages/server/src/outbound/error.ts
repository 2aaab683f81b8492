type OutboundReason = 'refused' | 'timeout' | 'too_large' | 'unreachable'

/**
 * A request without a response. `refused`: the address is not allowed; `too_large`: the response exceeded its limit; `unreachable`:
 * anything else, from an unknown host name to an invalid response.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly reason: OutboundReason
  constructor(reason: OutboundReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Finds the OutboundError among an error and its causes; sockets and the HTTP client wrap errors. */
export const outboundErrorIn = (error: unknown): OutboundError | null => {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if (at instanceof OutboundError) return at
    const inner = at instanceof AggregateError ? at.errors.find((item) => item instanceof OutboundError) : null
    if (inner) return inner as OutboundError
  }
  return null
}
