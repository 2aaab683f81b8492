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
 * The server refused, or something between here and there answered in its place. `code` is one of the contract's;
 * `unexpected_answer` where the answer is none of a Lyceum server: the page of a proxy, say.
 */
export class LyceumError extends Error {
  override name = 'LyceumError'
  readonly status: number
  readonly code: ErrorCode | 'unexpected_answer'
  /** Details, such as `field`, `errors` or `retry_after`. */
  readonly data: Readonly<Record<string, unknown>>
  /** To name in a report to whoever runs the server. */
  readonly requestId: string | null
  constructor(status: number, body: unknown, requestId: string | null) {
    const known = isErrorBody(body) ? body : null
    super(known?.message ?? `Not an answer of a Lyceum server (status ${status}).`)
    this.status = status
    this.code = known?.code ?? 'unexpected_answer'
    this.data = known?.data ?? {}
    this.requestId = requestId
  }
}
