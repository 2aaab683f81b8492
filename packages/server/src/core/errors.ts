import { ERRORS, type ErrorCode } from '@lyceum/contract'

interface ErrorExtra {
  readonly message?: string
  /** Fields of `data` in addition to the status. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly status?: number
  /** False: a 401 without a challenge, so that browsers do not open a dialog for Basic credentials. */
  readonly challenge?: boolean
}

/** An error for the client: `throw new ApiError('feed_not_found')`. Status and message come from the contract. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  readonly challenge: boolean
  constructor(code: ErrorCode, { message, data = {}, status, challenge = true }: ErrorExtra = {}) {
    super(message ?? ERRORS[code][1])
    this.name = 'ApiError'
    this.code = code
    this.status = status ?? ERRORS[code][0]
    this.data = data
    this.challenge = challenge
  }

  body() {
    return { code: this.code, message: this.message, data: { status: this.status, ...this.data } }
  }
}

/** 401 for missing or wrong credentials. */
export const unauthorized = () => new ApiError('rest_forbidden', { status: 401, message: 'Authentication is required.' })

/** 400 for one field of the body. */
export const invalidField = (field: string, text: string) =>
  new ApiError('invalid_data', { message: `${field} ${text}.`, data: { errors: { [field]: text } } })

/** 400 for one query or path parameter. */
export const invalidParameter = (field: string, text: string) =>
  new ApiError('invalid_parameter', { message: `${field} ${text}.`, data: { field } })

/** `retryAfter` is in seconds. */
export const tooMany = (retryAfter: number) => new ApiError('rate_limit_exceeded', { data: { retry_after: Math.max(1, retryAfter) } })
