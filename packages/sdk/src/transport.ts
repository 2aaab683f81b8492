import type { Route } from '@lyceum/contract'
import { LyceumError } from './error.ts'

export interface Connection {
  /** The API root, such as `https://community.example/api/v2`. */
  readonly baseUrl: string
  readonly headers: () => Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

export interface CallOptions {
  /** Makes a POST idempotent: a repeated request within 24 hours returns the first response. */
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface Answer<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

type Input = Readonly<Record<string, unknown>>

/** The input fields for a part of the request; all remaining ones if the schema does not list its fields. */
const namesOf = (schema: { readonly properties?: object } | undefined, left: readonly string[]) =>
  schema ? (schema.properties ? Object.keys(schema.properties) : left) : []
const isGiven = (value: unknown) => value !== undefined && value !== null

/** A path segment; null for values that would change the path even if encoded. */
const segment = (value: unknown): string | null => {
  const text = isGiven(value) ? String(value).toWellFormed() : ''
  return text === '' || text === '.' || text === '..' ? null : encodeURIComponent(text)
}

/** A form for uploads, JSON for other routes with a body. */
const bodyOf = (route: Route, given: readonly string[], input: Input): string | FormData | undefined => {
  if (route.consumes !== 'multipart')
    return route.body ? JSON.stringify(Object.fromEntries(given.map((name) => [name, input[name]]))) : undefined
  const form = new FormData()
  for (const name of given) form.set(name, String(input[name]))
  const { file, filename } = input
  // A part of a form is a file only if it has a name.
  if (file instanceof Blob) form.set('file', file, typeof filename === 'string' ? filename : file instanceof File ? file.name : 'file')
  return form
}

/**
 * Distributes the fields of the input to path, query and body of the route.
 * @throws TypeError if a path parameter is missing, empty or a dot segment
 */
export const toRequest = (route: Route, input: Input): { readonly path: string; readonly body: string | FormData | undefined } => {
  const left = new Set(Object.keys(input))
  const path = route.path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const text = segment(input[name])
    left.delete(name)
    if (text === null) throw new TypeError(`${route.method} ${route.path} needs ${name}`)
    return text
  })
  const query = new URLSearchParams()
  for (const name of namesOf(route.query, [...left])) if (isGiven(input[name])) query.set(name, String(input[name]))
  const given = namesOf(route.body, [...left]).filter((name) => input[name] !== undefined)
  return { path: query.size > 0 ? `${path}?${query}` : path, body: bodyOf(route, given, input) }
}

/** The parsed JSON; undefined if it is invalid or empty. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends a request.
 * @throws LyceumError if the response is an error or not JSON; the error of `fetch` if there is no response
 */
export const call = async (
  connection: Connection,
  route: Route,
  input: Input = {},
  options: CallOptions = {},
): Promise<Answer<unknown>> => {
  const { path, body } = toRequest(route, input)
  const response = await connection.fetch(connection.baseUrl + path, {
    method: route.method,
    headers: {
      accept: 'application/json',
      // For a form, fetch sets the content type with its boundary.
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      ...connection.headers(),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal }),
  })
  const { status, headers, ok } = response
  const answer = parsed(await response.text())
  if (!ok || answer === undefined) throw new LyceumError(status, answer, headers.get('x-request-id'))
  return { status, headers, body: answer }
}
