import { ERRORS, type ErrorCode } from '../errors.ts'
import { codeWhenOff } from '../features.ts'
import type { Route } from '../route.ts'
import type { Node } from './schemas.ts'

/** Whether something is required anywhere in it. */
const hasRequired = (schema: unknown): boolean => {
  if (schema === null || typeof schema !== 'object') return false
  const { required } = schema as { required?: unknown }
  return (Array.isArray(required) && required.length > 0) || Object.values(schema).some(hasRequired)
}
const isEmpty = (schema: unknown) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).length === 0

/** Whether `Idempotency-Key` means something to this operation. */
export const isRepeatable = (route: Route) => route.method === 'POST' && route.write !== false

/** Codes that an operation has because of its access and its inputs. */
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
  if (route.feature) codes.push(codeWhenOff(route.feature))
  if (route.access !== 'public' && route.access !== 'member') codes.push(route.forbidden ?? 'rest_forbidden')
  if (!isEmpty(route.params) || !isEmpty(route.query) || isRepeatable(route)) codes.push('invalid_parameter')
  if (route.body) codes.push('invalid_data', 'invalid_json', 'body_too_large', 'unsupported_media_type')
  if (hasRequired(route.body)) codes.push('missing_required_field')
  if (isRepeatable(route)) codes.push('idempotency_mismatch')
  return codes
}

/** Every code that an operation may answer, by status; in the order of the table of errors. */
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

/** What a status means here, in a few words. */
export const STATUS_TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Credentials are missing or wrong',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Another method is needed',
  409: 'In conflict with the present state',
  413: 'The body is too large',
  415: 'The body is not JSON',
  421: 'The request is for another host',
  422: 'The idempotency key belongs to another request',
  429: 'Too many requests',
  500: 'A mistake of the server',
  503: 'The server is busy or unavailable',
}

/** Answers that are alike wherever they occur, by status and codes. */
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

/** Headers that every answer carries. */
const USUAL = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id']

export const headersOf = (...further: readonly string[]): Node =>
  Object.fromEntries([...USUAL, ...further].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const exampleOf = (status: number, code: ErrorCode) => (status === 401 ? 'unauthorized' : code)

const failure = (status: number, codes: readonly ErrorCode[]): Node => ({
  description: `${STATUS_TITLES[status] ?? 'Refused'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
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

/** The error answers of an operation, with references to those that many share. */
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

const errorExample = (code: ErrorCode, status: number, message: string): Node => ({
  summary: message,
  value: { code, message, data: { status } },
})

/** One example an error code, and the 401 that shares its code with a 403. */
export const errorExamples = (): Record<string, Node> => ({
  unauthorized: errorExample('rest_forbidden', 401, 'Sign in to do that.'),
  ...Object.fromEntries(
    Object.entries(ERRORS).map(([code, [status, message]]) => [code, errorExample(code as ErrorCode, status, message)]),
  ),
})
