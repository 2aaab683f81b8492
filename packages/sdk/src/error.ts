import type { ErrorCode } from '@lyceum/contract'

/** An error that the server answered. `code` is one of the contract's, `data` holds its details. */
export class LyceumError extends Error {
  override name = 'LyceumError'
  readonly status: number
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>
  /** To name in a report to whoever runs the server. */
  readonly requestId: string | null
  constructor(status: number, body: { code?: string; message?: string; data?: Record<string, unknown> }, requestId: string | null) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = (body.code ?? 'internal_error') as ErrorCode
    this.data = body.data ?? {}
    this.requestId = requestId
  }
}
