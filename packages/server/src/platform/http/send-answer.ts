import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingFor, pack } from './encoding.ts'
import { namesTag } from './etag.ts'
import type { Body } from './fragments.ts'
import { commonHeaders, type HeaderList } from './heads.ts'
import type { RateLimits } from './rate-limits.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** What may be done with an answer on its way. */
export interface Keeping {
  /** The client may keep it and ask whether it is still right, and it may be packed. Otherwise it is for this once, and sent as it is. */
  readonly kept: boolean
  /** What it depends on beside the address. */
  readonly vary: string
}

export const ONCE: Keeping = { kept: false, vary: '' }

export interface Sending {
  readonly status: number
  readonly type: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Body
  readonly keeping: Keeping
}

type Pieces = readonly (string | Buffer)[]

/** Called when an answer goes out. */
export type Sent = (request: FastifyRequest, status: number) => void

/**
 * Sends answers of operations. They go to Node in one piece, headers as a list and the body whole, since Fastify's way there would cost more
 * than many a handler does.
 */
export const createSendAnswer = (limits: RateLimits, sent: Sent) => {
  const write = (request: FastifyRequest, reply: FastifyReply, status: number, headers: HeaderList, pieces: Pieces) => {
    const { raw } = reply
    // It throws for a header that cannot be sent; then the answer is still Fastify's, who makes an error of it.
    raw.writeHead(status, headers)
    reply.hijack()
    // Node sends them with the headers in one go.
    for (let i = 0; i < pieces.length - 1; i++) raw.write(pieces[i])
    raw.end(pieces.at(-1))
    sent(request, status)
  }

  const sendText = (
    request: FastifyRequest,
    reply: FastifyReply,
    { status, type }: Sending,
    headers: HeaderList,
    pieces: Pieces,
    encoding: Encoding | null,
  ) => {
    let length = 0
    for (const piece of pieces) length += Buffer.byteLength(piece)
    if (encoding) headers.push('content-encoding', encoding)
    headers.push('content-type', type, 'content-length', length)
    write(request, reply, status, headers, pieces)
  }

  return (request: FastifyRequest, reply: FastifyReply, sending: Sending): Promise<void> | undefined => {
    const { body, keeping } = sending
    const headers = commonHeaders(request, reply.standing ?? limits.unlimited())
    for (const [name, value] of sending.headers) headers.push(name, value)
    if (!keeping.kept) {
      headers.push('cache-control', 'no-store')
      sendText(request, reply, sending, headers, [body.text()], null)
      return undefined
    }
    const tag = `W/"${body.tag()}"`
    headers.push('cache-control', 'private, no-cache', 'vary', keeping.vary, 'etag', tag)
    if (namesTag(request.headers['if-none-match'], tag)) {
      write(request, reply, 304, headers, [])
      return undefined
    }
    const { pieces } = body
    const accepted = request.headers['accept-encoding']
    if (accepted === undefined && pieces) {
      sendText(request, reply, sending, headers, pieces, null)
      return undefined
    }
    const text = body.text()
    const encoding = encodingFor(accepted, text.length)
    if (!encoding) {
      sendText(request, reply, sending, headers, [text], null)
      return undefined
    }
    return pack(text, encoding, body.packed).then((packed) => sendText(request, reply, sending, headers, [packed], encoding))
  }
}

export type SendAnswer = ReturnType<typeof createSendAnswer>
