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

const namesOf = (schema: { properties?: object } | undefined) => Object.keys(schema?.properties ?? {})

/** Puts the members of a flat input where the route says they go: into the path, the query or the body. */
export const toRequest = (route: Route, input: Input): { path: string; body: string | undefined } => {
  const path = route.path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const value = input[name]
    if (value === undefined || value === null) throw new TypeError(`${route.method} ${route.path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const name of namesOf(route.query)) if (input[name] !== undefined) query.set(name, String(input[name]))
  const body = Object.fromEntries(namesOf(route.body).flatMap(name => (input[name] === undefined ? [] : [[name, input[name]]])))
  const text = query.toString()
  return { path: text ? `${path}?${text}` : path, body: route.body ? JSON.stringify(body) : undefined }
}

/** Sends one call; rejects with LyceumError when the server refuses. */
export const call = async (connection: Connection, route: Route, input: Input = {}, options: CallOptions = {}): Promise<Answer<unknown>> => {
  const { path, body } = toRequest(route, input)
  const response = await connection.fetch(connection.baseUrl + path, {
    method: route.method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      ...connection.headers(),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
    ...(options.signal && { signal: options.signal }),
  })
  const text = await response.text()
  const parsed = text ? (JSON.parse(text) as unknown) : undefined
  if (!response.ok) throw new LyceumError(response.status, (parsed ?? {}) as object, response.headers.get('x-request-id'))
  return { status: response.status, headers: response.headers, body: parsed }
}
