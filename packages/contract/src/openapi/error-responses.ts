import { ERRORS, type ErrorCode } from '../errors.ts'
import { disabledError } from '../features.ts'
import type { Route } from '../route.ts'
import type { Node } from './schemas.ts'

/** Whether the schema, or a part of it, has required fields. */
const hasRequired = (schema: unknown): boolean => {
  if (schema === null || typeof schema !== 'object') return false
  const { required } = schema as { required?: unknown }
  return (Array.isArray(required) && required.length > 0) || Object.values(schema).some(hasRequired)
}
const isEmpty = (schema: unknown) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).length === 0

/** Whether the operation supports `Idempotency-Key`. */
export const isRepeatable = (route: Route) => route.method === 'POST' && route.write !== false

/** Codes that follow from the access and the inputs of an operation. */
const implied = (route: Route): ErrorCode[] => {
  const codes: ErrorCode[] = [
    'account_suspended',
    'account_banned',
    'email_not_verified',
    'account_pending',
    'rate_limit_exceeded',
    'internal_error',
    'service_unavailable',
  ]
  const changes = route.method !== 'GET'
  if (changes && route.cookies !== 'ignored') codes.push('rest_cookie_invalid_nonce')
  if (changes && route.write !== false) codes.push('conflict', 'storage_full')
  if (route.feature) codes.push(disabledError(route.feature))
  if (route.access !== 'public' && route.access !== 'member') codes.push(route.forbidden ?? 'rest_forbidden')
  if (!isEmpty(route.params) || !isEmpty(route.query) || isRepeatable(route)) codes.push('invalid_parameter')
  if (route.body) codes.push('invalid_data', 'invalid_json', 'body_too_large', 'unsupported_media_type')
  if (hasRequired(route.body)) codes.push('missing_required_field')
  if (isRepeatable(route)) codes.push('idempotency_mismatch')
  return codes
}

/** All error codes of an operation by status, in the order of the error table. */
export const failuresOf = (route: Route): Map<number, ErrorCode[]> => {
  const { errors = [], fieldErrors = {}, queryErrors = {} } = route
  const codes = new Set<ErrorCode>([...implied(route), ...errors, ...Object.values(fieldErrors), ...Object.values(queryErrors)])
  const byStatus = new Map<number, ErrorCode[]>([[401, ['rest_forbidden']]])
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!codes.has(code)) continue
    const status = ERRORS[code][0]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].sort(([a], [b]) => a - b))
}

/** Meaning of each status. */
export const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Missing or invalid credentials',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict with the current state',
  413: 'Body too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: 'Idempotency key used for another request',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Service unavailable',
}

/** Responses that many operations share, by status and codes. */
const SHARED: Readonly<Record<string, string>> = {
  '401 rest_forbidden': 'Unauthorized',
  '413 body_too_large': 'BodyTooLarge',
  '415 unsupported_media_type': 'UnsupportedMediaType',
  '422 idempotency_mismatch': 'IdempotencyMismatch',
  '429 rate_limit_exceeded': 'TooManyRequests',
  '500 internal_error': 'InternalError',
  '503 service_unavailable': 'ServiceUnavailable',
  '503 service_unavailable storage_full': 'WritingUnavailable',
}

const EXTRA_HEADERS: Readonly<Record<number, readonly string[]>> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] }

/** Headers of every response. */
const COMMON = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']

export const headersOf = (...further: readonly string[]): Node =>
  Object.fromEntries([...COMMON, ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const exampleOf = (status: number, code: ErrorCode) => (status === 401 && code === 'rest_forbidden' ? 'unauthorized' : code)

const failure = (status: number, codes: readonly ErrorCode[]): Node => ({
  description: `${STATUS_TITLES[status] ?? 'Error'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
  headers: headersOf(...(EXTRA_HEADERS[status] ?? [])),
  content: {
    'application/json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/Error' },
          {
            type: 'object',
            properties: { code: { enum: codes }, data: { type: 'object', properties: { status: { const: status } } } },
          },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${exampleOf(status, code)}` }])),
    },
  },
})

/** The error responses of an operation; shared ones are references. */
export const failureResponses = (route: Route): Record<string, Node> =>
  Object.fromEntries(
    [...failuresOf(route)].map(([status, codes]) => {
      const shared = SHARED[[status, ...codes].join(' ')]
      return [status, shared ? { $ref: `#/components/responses/${shared}` } : failure(status, codes)]
    }),
  )

export const sharedResponses = (): Record<string, Node> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([key, name]) => {
      const [status, ...codes] = key.split(' ')
      return [name, failure(Number(status), codes as ErrorCode[])]
    }),
  )

/** Message of the 401. */
export const UNAUTHORIZED = 'Authentication is required.'

const errorExample = (code: ErrorCode, status: number, message: string): Node => ({
  summary: message,
  value: { code, message, data: { status } },
})

/** One example for each of the codes, and one for the 401 that shares its code with a 403. */
export const errorExamples = (used: ReadonlySet<ErrorCode>): Record<string, Node> => ({
  unauthorized: errorExample('rest_forbidden', 401, UNAUTHORIZED),
  ...Object.fromEntries([...used].map((code) => [code, errorExample(code, ...ERRORS[code])])),
})
