import { isSpanContextValid, type Span, type SpanContext } from '@opentelemetry/api'

const VERSION_0 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const STORED = /"traceparent":"([0-9a-f-]{55})"/
const SAMPLED = 1

/** The value of the header for a span, as W3C Trace Context defines it. */
export const traceparentOf = (span: Span): string => {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

export const parseTraceparent = (value: string | undefined): SpanContext | undefined => {
  const [, traceId = '', spanId = '', flags = ''] = VERSION_0.exec(value ?? '') ?? []
  const parsed = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED, isRemote: true }
  return isSpanContextValid(parsed) ? parsed : undefined
}

/** The spans that caused stored work. */
export const causesOf = (payloads: readonly string[]): SpanContext[] =>
  payloads.flatMap((payload) => parseTraceparent(STORED.exec(payload)?.[1]) ?? [])
