import querystring from 'node:querystring'
import type { Logged } from './community.ts'
import type { Described, Operation } from './document.ts'
import { type FuzzRequest, pathOf, textOf } from './requests.ts'
import type { FuzzAnswer } from './send.ts'

/** A problem in a response: its kind, the same for the same fault, and the details. */
export interface Problem {
  readonly kind: string
  readonly details: string
}

const EVERY_ANSWER = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-content-type-options'] as const

/** Codes for an unreadable body, also from operations without a body. */
const UNREADABLE = ['invalid_json', 'invalid_data', 'body_too_large', 'unsupported_media_type']

/** What no error may reveal: SQL, a stack trace, a file path. */
const REVEALING = /\bSQLITE_|\bselect .+ from |\binsert into |syntax error at|node_modules|\.ts:\d+|\bat [\w.]+ \(|<html/i

/** They depend on an external service that is not available. */
const NEED_OTHERS = /^gif\./

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the operation that handled a request; it may differ from the one the request was generated from. */
export const createFinder = (operations: readonly Operation[], root: string) => {
  const byRoute = new Map(
    operations.map((operation) => [`${operation.method} ${root}${operation.path.replace(/\{([^}]+)\}/g, ':$1')}`, operation]),
  )
  return ({ route, method }: Logged): Operation | undefined => byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`)
}

const sentIn = (request: FuzzRequest) => `${querystring.unescape(pathOf(request))} ${textOf(request) ?? ''}`

const failure = (described: Described, operation: Operation | undefined, request: FuzzRequest, { status, text }: FuzzAnswer): Problem[] => {
  const body = parsed(text)
  const revealed = REVEALING.exec(text.slice(0, 5000))?.[0]
  // Echoing part of the request reveals nothing.
  if (revealed !== undefined && !sentIn(request).includes(revealed)) return [{ kind: 'reveals', details: text.slice(0, 300) }]
  if (/problem\+json/.test(request.headers['accept'] ?? '')) {
    const { status: given, code, title } = (body ?? {}) as { status?: unknown; code?: unknown; title?: unknown }
    const good = given === status && typeof code === 'string' && typeof title === 'string'
    if (!good) return [{ kind: 'a problem off its shape', details: text.slice(0, 300) }]
  } else {
    const wrong = described.checkFailure(body, status)
    if (wrong) return [{ kind: 'an error off its shape', details: `${wrong}: ${text.slice(0, 300)}` }]
  }
  const { code } = body as { code: string }
  if (!operation || UNREADABLE.includes(code) || operation.failures.get(status)?.includes(code)) return []
  return [{ kind: `undeclared ${status} ${code}`, details: `${operation.id} does not declare it` }]
}

/** All problems in a response, for any caller. */
export const problemsOf = (described: Described, operation: Operation | undefined, request: FuzzRequest, answer: FuzzAnswer): Problem[] => {
  const { status, headers, text } = answer
  const problems: Problem[] = []
  const missing = EVERY_ANSWER.filter((name) => headers[name] === undefined)
  if (missing.length > 0) problems.push({ kind: 'headers are missing', details: missing.join(', ') })
  if (status >= 500 && !(status === 503 && NEED_OTHERS.test(operation?.id ?? '')))
    problems.push({ kind: `status ${status}`, details: text.slice(0, 300) })
  if (request.method === 'HEAD' || status === 204 || status === 304) {
    if (text !== '') problems.push({ kind: `a body with ${request.method} ${status}`, details: text.slice(0, 100) })
    return problems
  }
  const asTable = request.query.some(([name, value]) => name === 'format' && value === 'csv')
  if (asTable && status === 200 && /^text\/csv/.test(String(headers['content-type']))) return problems
  if (!/^application\/(problem\+)?json/.test(String(headers['content-type']))) {
    return [...problems, { kind: 'not JSON', details: `${headers['content-type']}: ${text.slice(0, 200)}` }]
  }
  if (status >= 400) return [...problems, ...failure(described, operation, request, answer)]
  if (!operation) return [...problems, { kind: 'success without an operation', details: text.slice(0, 200) }]
  if (!operation.success.includes(status)) return [...problems, { kind: `undeclared ${status}`, details: operation.id }]
  const off = operation.checkSuccess(parsed(text))
  return off ? [...problems, { kind: 'off its schema', details: `${operation.id}: ${off}` }] : problems
}
