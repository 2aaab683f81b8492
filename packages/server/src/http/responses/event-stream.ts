import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credential, Sink } from '../../realtime/types.ts'
import { ownerOf, type Unsent } from './unsent-bytes.ts'

/** What the handler of an event stream gets in addition. */
export interface StreamRequest {
  readonly credential: Credential
  readonly lastEventId: string | null
}

/** The response of such a handler: takes over once the head has been sent. */
export type StreamResponse = (sink: Sink) => void

export const streamRequestOf = ({ credential, headers }: FastifyRequest): StreamRequest => {
  const last = headers['last-event-id']
  if (!credential) throw new Error('a stream of events needs a caller')
  return { credential, lastEventId: typeof last === 'string' && last !== '' ? last : null }
}

/** Proxies must not buffer, store or compress the stream. The connection cannot be reused afterwards. */
const HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

/** Validates each event against its declaration; for tests. */
const checkText = (text: string, check: (event: unknown) => void) => {
  for (const [, event, data] of text.matchAll(/^event: (.*)\n(?:id: .*\n)?data: (.*)\n$/gm)) check({ event, data: JSON.parse(data ?? '') })
}

/** Opens a response as a stream of Server-Sent Events. `setHeaders` sets the headers of every response; `closed` is called at its end. */
export const createOpenStream =
  (setHeaders: (request: FastifyRequest, reply: FastifyReply) => void, closed: (request: FastifyRequest) => void, unsent: Unsent) =>
  (request: FastifyRequest, reply: FastifyReply, start: StreamResponse, check: ((event: unknown) => void) | null) => {
    reply.hijack()
    const { raw } = reply
    setHeaders(request, reply)
    raw.once('close', () => closed(request))
    raw.writeHead(200, HEAD)
    // This completes the response to a HEAD request.
    if (request.method === 'HEAD') return raw.end()
    raw.flushHeaders()
    raw.on('error', () => {})
    const holding = unsent.hold(ownerOf(request), raw, 0)
    const note = () => holding.resize(raw.writableLength)
    start({
      send: (text) => {
        if (check) checkText(text, check)
        raw.write(text, note)
        note()
      },
      backlog: () => raw.writableLength,
      end: () => raw.end(),
      destroy: () => raw.destroy(),
      onClose: (done) => raw.once('close', done),
    })
  }

export type OpenStream = ReturnType<typeof createOpenStream>
