import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Database } from '../db/index.ts'

interface Received {
  readonly raw: IncomingMessage
  readonly id: string
}

/** Spans of what this process does, for OpenTelemetry; `packages/telemetry` implements it. */
export interface Tracing {
  /** Runs a request in its span, below that of its `traceparent`. */
  request<Q extends IncomingMessage, R extends ServerResponse>(request: Q, response: R, handle: (request: Q, response: R) => void): void
  /** The same handler in the span of its request: a body is read outside of it. */
  operation<Q extends Received, R, T>(route: string, handler: (request: Q, reply: R) => T): (request: Q, reply: R) => T
  /** Runs events, a job or a delivery in a span below those that caused it, as their stored payloads tell. */
  work<T>(name: string, payloads: readonly string[], run: () => Promise<T>): Promise<T>
  /** A payload as JSON, with the current span. */
  payload(payload: unknown): string
  /** Sends a request in a span, with the headers that name it. */
  outgoing<T extends { readonly status: number }>(
    method: string,
    url: URL,
    send: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T>
  /** Puts the statements of a database into the spans that run them. */
  database(database: Database): void
  /** Sends the spans that have ended. */
  close(): Promise<void>
}

export const NO_TRACING: Tracing = {
  request: (request, response, handle) => handle(request, response),
  operation: (_route, handler) => handler,
  work: (_name, _payloads, run) => run(),
  payload: JSON.stringify,
  outgoing: (_method, _url, send) => send({}),
  database: () => {},
  close: async () => {},
}
