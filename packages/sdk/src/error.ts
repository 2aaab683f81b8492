import type { ErrorCode } from '@lyceum/contract'

interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

const isErrorBody = (body: unknown): body is ErrorBody => {
  const { code, message } = (body ?? {}) as Partial<ErrorBody>
  return typeof code === 'string' && typeof message === 'string'
}

/**
 * The response of the server was an error, or did not come from a Lyceum server. `code` is an error code of the contract, or
 * `unexpected_answer` for a response from elsewhere, such as the error page of a proxy.
 */
export class LyceumError extends Error {
  override name = 'LyceumError'
  readonly status: number
  readonly code: ErrorCode | 'unexpected_answer'
  /** Details, such as `field`, `errors` or `retry_after`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Id of the request in the server log, for bug reports. */
  readonly requestId: string | null
  constructor(status: number, body: unknown, requestId: string | null) {
    const known = isErrorBody(body) ? body : null
    super(known?.message ?? `The response is not from a Lyceum server (status ${status}).`)
    this.status = status
    this.code = known?.code ?? 'unexpected_answer'
    this.data = known?.data ?? {}
    this.requestId = requestId
  }
}
