import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credential, Sink } from '../../realtime/types.ts'
import { ownerOf, type Unsent } from './unsent-bytes.ts'

/** What the handler of a stream of events gets beside the rest. */
export interface Listening {
  readonly credential: Credential
  readonly lastEventId: string | null
}

/** What it answers with: takes over once the head of the answer is out. */
export type Streaming = (sink: Sink) => void

export const listeningOf = ({ credential, headers }: FastifyRequest): Listening => {
  const last = headers['last-event-id']
  if (!credential) throw new Error('a stream of events needs a caller')
  return { credential, lastEventId: typeof last === 'string' && last !== '' ? last : null }
}

/** Nothing between here and the client may keep it back, store it or pack it; afterwards the connection is of no use. */
const HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' }

/** Holds each event against its declaration; tests do. */
const checkText = (text: string, check: (event: unknown) => void) => {
  for (const [, event, data] of text.matchAll(/^event: (.*)\n(?:id: .*\n)?data: (.*)\n$/gm)) check({ event, data: JSON.parse(data ?? '') })
}

/** Leaves the answer open as a stream of Server-Sent Events; `setHeaders` puts on it what every answer carries, `closed` hears its end. */
export const createOpenStream =
  (setHeaders: (request: FastifyRequest, reply: FastifyReply) => void, closed: (request: FastifyRequest) => void, unsent: Unsent) =>
  (request: FastifyRequest, reply: FastifyReply, start: Streaming, check: ((event: unknown) => void) | null) => {
    reply.hijack()
    const { raw } = reply
    setHeaders(request, reply)
    raw.once('close', () => closed(request))
    raw.writeHead(200, HEAD)
    // A HEAD request has its answer with that.
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
