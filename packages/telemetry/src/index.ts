import type { IncomingMessage, ServerResponse } from 'node:http'
import { DiagLogLevel, diag, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type TracerProviderOptions,
} from '@opentelemetry/sdk-trace'
import { contextOf, currentScope, during, endScope, inScope, type Scope } from './scope.ts'
import { type Traceable, traceStatements } from './statements.ts'
import { causesOf, parseTraceparent, traceparentOf } from './traceparent.ts'

const MOST_LINKS = 16

export interface TracingOptions {
  /** URL of the collector without `/v1/traces`. */
  readonly endpoint: string
  readonly service: string
  /** The part of the traces that begin here to record, 0 to 1. */
  readonly ratio: number
  /** Receives what prevents the export. */
  readonly warn: (text: string) => void
}

/** What sends the traces. */
const resourceOf = (service: string): NonNullable<TracerProviderOptions['resource']> => {
  const attributes = { 'service.name': service }
  const resource = { attributes, getRawAttributes: () => Object.entries(attributes), merge: () => resource }
  return resource
}

const createProvider = ({ endpoint, service, ratio, warn }: TracingOptions) => {
  const quiet = () => {}
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  return new TracerProvider({
    resource: resourceOf(service),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }) })],
  })
}

/** Traces requests, statements, jobs and outgoing requests, and sends them to a collector. */
export const createTracing = (options: TracingOptions) => {
  const provider = createProvider(options)
  const tracer = provider.getTracer('lyceum')
  const requests = new WeakMap<IncomingMessage, Scope>()

  return {
    request: <Q extends IncomingMessage, R extends ServerResponse>(request: Q, response: R, handle: (request: Q, response: R) => void) => {
      const { method = '', headers } = request
      const { traceparent } = headers
      const parent = parseTraceparent(typeof traceparent === 'string' ? traceparent : undefined)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, contextOf(parent))
      const scope: Scope = { span, statements: null }
      requests.set(request, scope)
      response.once('close', () => {
        span.setAttribute('http.response.status_code', response.statusCode)
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        endScope(scope)
      })
      inScope(scope, () => handle(request, response))
    },

    operation:
      <Q extends { readonly raw: IncomingMessage; readonly id: string }, R, T>(route: string, handler: (request: Q, reply: R) => T) =>
      (request: Q, reply: R): T => {
        const scope = requests.get(request.raw)
        if (!scope) return handler(request, reply)
        scope.span.updateName(`${request.raw.method} ${route}`)
        scope.span.setAttributes({ 'http.route': route, 'lyceum.request_id': request.id })
        return inScope(scope, () => handler(request, reply))
      },

    work: <T>(name: string, payloads: readonly string[], run: () => Promise<T>): Promise<T> => {
      const [cause, ...others] = causesOf(payloads)
      const links = others.slice(0, MOST_LINKS).map((context) => ({ context }))
      const attributes = { 'messaging.batch.message_count': payloads.length }
      const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, links, attributes }, contextOf(cause))
      return during({ span, statements: null }, run)
    },

    payload: (payload: unknown): string => {
      const scope = currentScope()
      const isRecord = typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      return JSON.stringify(scope && isRecord ? { ...payload, traceparent: traceparentOf(scope.span) } : payload)
    },

    outgoing: async <T extends { readonly status: number }>(
      method: string,
      { hostname, port, protocol }: URL,
      send: (headers: Readonly<Record<string, string>>) => Promise<T>,
    ): Promise<T> => {
      // Paths of webhooks and push services are secrets.
      const attributes = { 'http.request.method': method, 'server.address': hostname, 'url.scheme': protocol.slice(0, -1) }
      const span = tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, contextOf(currentScope()?.span))
      if (port) span.setAttribute('server.port', Number(port))
      return during({ span, statements: null }, async () => {
        const answer = await send({ traceparent: traceparentOf(span) })
        span.setAttribute('http.response.status_code', answer.status)
        if (answer.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
        return answer
      })
    },

    database: (database: Traceable) => traceStatements(tracer, database),
    close: () => provider.shutdown(),
  }
}
