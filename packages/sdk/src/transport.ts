import type { Route } from '@lyceum/contract'
import { LyceumError } from './error.ts'

export interface Connection {
  /** The API root, such as `https://community.example/api/v2`. */
  readonly baseUrl: string
  readonly headers: () => Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

export interface CallOptions {
  /** Makes a POST safe to send again: the first answer is replayed for 24 hours. */
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

/** What a part of the request takes: all that is left, where the contract does not tell its names. */
const namesOf = (schema: { readonly properties?: object } | undefined, left: readonly string[]) =>
  schema ? (schema.properties ? Object.keys(schema.properties) : left) : []
const isGiven = (value: unknown) => value !== undefined && value !== null

/** One segment of a path. What would make it another path, even when encoded, is refused. */
const segment = (value: unknown): string | null => {
  const text = isGiven(value) ? String(value).toWellFormed() : ''
  return text === '' || text === '.' || text === '..' ? null : encodeURIComponent(text)
}

/** A form for routes that take a file with it, JSON for all others that take anything. */
const bodyOf = (route: Route, given: readonly string[], input: Input): string | FormData | undefined => {
  if (route.consumes !== 'multipart')
    return route.body ? JSON.stringify(Object.fromEntries(given.map((name) => [name, input[name]]))) : undefined
  const form = new FormData()
  for (const name of given) form.set(name, String(input[name]))
  const { file, filename } = input
  // Without a name the parts of a form are no files; that of a File is its own.
  if (file instanceof Blob) form.set('file', file, typeof filename === 'string' ? filename : file instanceof File ? file.name : 'file')
  return form
}

/**
 * Puts the members of a flat input where the route says they go: into the path, the query or the body.
 * @throws TypeError when a part of the path is missing, empty or a dot segment
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

/** The text as JSON; undefined when it is none, or empty. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Sends one call.
 * @throws LyceumError when the server refuses or the answer is not JSON; what `fetch` throws when there is no answer at all
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
      // A form names its own boundary.
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
