import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Body, NextChunk } from '../../cache/json-fragments.ts'
import type { Log } from '../../observability/log.ts'
import { createSemaphore } from '../../util/semaphore.ts'
import type { RateLimits } from '../overload/rate-limits.ts'
import type { Cors } from '../security/cors.ts'
import { type Encoding, encodingFor, pack } from './compression.ts'
import { type Owner, ownerOf, type Unsent, type UnsentReservation } from './unsent-bytes.ts'

/** Maximum number of large responses produced concurrently, in total and per owner, and of those waiting per owner. */
const AT_ONCE = 2
const PER_OWNER = 1
const WAITING_PER_OWNER = 20
/** Maximum number of remembered operations with large responses; the oldest is evicted first. */
const MOST_KNOWN = 2000

/**
 * Handles responses that are expected to be large, judged by the last response of the same operation to the same owner: refused early if
 * there is no room, produced a few at a time, and with a turn of the event loop for other requests in between.
 */
export const createLargeResponses = (unsent: Unsent) => {
  const semaphore = createSemaphore<Owner>({ concurrent: AT_ONCE, perKey: PER_OWNER, waitingPerKey: WAITING_PER_OWNER })
  const sizes = new Map<string, number>()
  const keyOf = (request: FastifyRequest, operation: string) => `${ownerOf(request)} ${operation}`

  return {
    /** Runs `make`, in its turn if the response is likely to be large. @throws 429, 503 */
    make: <T>(request: FastifyRequest, operation: string, make: () => Promise<T>): Promise<T> => {
      const expected = sizes.size > 0 ? sizes.get(keyOf(request, operation)) : undefined
      if (expected === undefined) return make()
      const owner = ownerOf(request)
      return semaphore.run(owner, async () => {
        unsent.checkRoom(owner, expected)
        try {
          return await make()
        } finally {
          await setImmediate()
        }
      })
    },

    /** Records the size of a response in bytes. */
    note: (request: FastifyRequest, operation: string, size: number): void => {
      if (size <= LARGE && sizes.size === 0) return
      const key = keyOf(request, operation)
      sizes.delete(key)
      if (size <= LARGE) return
      const [oldest] = sizes.keys()
      if (sizes.size >= MOST_KNOWN && oldest !== undefined) sizes.delete(oldest)
      sizes.set(key, size)
    },
  }
}

export type LargeResponses = ReturnType<typeof createLargeResponses>

/** Responses with more bytes are sent in chunks, each after the client has read the previous one. */
export const LARGE = 128 * 1024
const CHUNK_BYTES = 64 * 1024

function* portionsOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const bytes of pieces) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
  }
}

/** Sends a body in chunks after the head has been sent; informs `holding` whenever the client has read some. */
const sendInChunks = (response: ServerResponse, pieces: readonly Buffer[], holding: UnsentReservation): void => {
  const portions = portionsOf(pieces)
  const send = () => {
    holding.moved()
    for (;;) {
      if (response.destroyed) return
      const { value, done } = portions.next()
      if (done) return void response.end()
      if (response.write(value)) continue
      response.once('drain', send)
      return
    }
  }
  send()
}

/** Across all requests, one chunk is produced per turn of the event loop. */
const turns = createSemaphore<Owner>({ concurrent: 1, perKey: 1 })

interface Reserved {
  readonly owner: Owner
  /** Bytes that `holding` counts: the largest chunk, and what the response retains besides. */
  readonly size: number
  readonly retained: number
  readonly holding: UnsentReservation
}

/** Sends chunks that are produced after the client has read the previous one. A response that cannot be completed is aborted. */
const sendGenerated = async (response: ServerResponse, next: NextChunk, { owner, size, retained, holding }: Reserved): Promise<void> => {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const make = () =>
    turns.run(owner, async () => {
      // Closed responses, which are not counted any more, leave the queue at once.
      if (!response.destroyed) await setImmediate()
      return response.destroyed ? null : next()
    })
  // A function of its own, so that nothing holds a chunk that has been sent while the response waits for its turn.
  const sendNext = async (): Promise<boolean> => {
    const chunk = await make()
    if (response.destroyed) return false
    if (!chunk) {
      response.end()
      return false
    }
    // The reservation remains while no chunk exists, because the next one will need it.
    holding.resize(Math.max(size, retained + chunk.length))
    if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal })
    holding.moved()
    return true
  }
  try {
    while (await sendNext()) {}
  } catch (error) {
    response.destroy()
    if (!gone.signal.aborted) throw error
  }
}

export const JSON_TYPE = 'application/json; charset=utf-8'

interface ResponseParts {
  readonly status: number
  readonly type: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Body
  /** What it depends on besides the URL. The client may cache and revalidate it, and it may be compressed; null: neither. */
  readonly vary: string | null
}

type Pieces = readonly (string | Buffer)[]

const bytesOf = (piece: string | Buffer): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece)

export type Sent = (request: FastifyRequest, status: number) => void

/**
 * Sends the responses of operations. They bypass Fastify and go to Node at once, with headers as a list and the whole body, because
 * Fastify's path costs more than many handlers. Large ones are sent in chunks as fast as the client reads. Unread bytes are counted.
 */
export const createSendResponse = (commonHeaders: CommonHeaders, unsent: Unsent, log: Log, sent: Sent) => {
  const end = (request: FastifyRequest, raw: ServerResponse, pieces: Pieces) => {
    // Node sends them together with the headers.
    for (let i = 0; i < pieces.length - 1; i++) raw.write(pieces[i])
    raw.end(pieces.at(-1))
    if (raw.writableLength > 0) unsent.hold(ownerOf(request), raw, raw.writableLength)
  }

  const write = (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    headers: HeaderList,
    pieces: Pieces,
    holding: UnsentReservation | null = null,
  ) => {
    const { raw } = reply
    // Node throws for an invalid header. Then the response has not been sent, and Fastify sends the error.
    raw.writeHead(status, headers)
    reply.hijack()
    if (holding) sendInChunks(raw, pieces.map(bytesOf), holding)
    else end(request, raw, pieces)
    sent(request, status)
  }

  /** Counts a large response before more of it is produced. @throws 429 or 503 if too much is unread */
  const reserve = (request: FastifyRequest, { raw }: FastifyReply, { size, pieces, text }: Body): UnsentReservation | null => {
    if (size <= LARGE || request.method === 'HEAD') return null
    const owner = ownerOf(request)
    const shared = pieces?.[0]
    // The response to a write must be sent in any case.
    if (request.method === 'GET') unsent.checkRoom(owner, size, shared)
    const held = shared ?? text()
    return unsent.hold(owner, raw, size, typeof held === 'string' ? undefined : held)
  }

  /** Its entity tag would have to cover the whole body, so it has none. */
  const sendChunks = (
    request: FastifyRequest,
    reply: FastifyReply,
    { status, type, body, vary }: ResponseParts,
    headers: HeaderList,
    { retained, start }: NonNullable<Body['chunks']>,
  ) => {
    const owner = ownerOf(request)
    const { raw } = reply
    const { size } = body
    unsent.checkRoom(owner, size)
    headers.push('cache-control', 'private, no-cache', 'vary', vary ?? '', 'content-type', type)
    raw.writeHead(status, headers)
    reply.hijack()
    sent(request, status)
    if (request.method === 'HEAD') return void raw.end()
    const { id } = request
    sendGenerated(raw, start(), { owner, size, retained, holding: unsent.hold(owner, raw, size) }).catch((error: unknown) =>
      log.error({ event: 'response_aborted', request_id: id, err: error }, 'response aborted'),
    )
  }

  return (request: FastifyRequest, reply: FastifyReply, sending: ResponseParts): Promise<void> | void => {
    const { body, vary, status, type } = sending
    const headers = commonHeaders(request, reply)
    for (const [name, value] of sending.headers) headers.push(name, value)
    const send = (pieces: Pieces, holding: UnsentReservation | null, encoding: Encoding | null = null) => {
      let length = 0
      for (const piece of pieces) length += Buffer.byteLength(piece)
      if (encoding) headers.push('content-encoding', encoding)
      headers.push('content-type', type, 'content-length', length)
      write(request, reply, status, headers, pieces, holding)
    }
    if (body.chunks) return sendChunks(request, reply, sending, headers, body.chunks)
    if (vary === null) {
      const holding = reserve(request, reply, body)
      headers.push('cache-control', 'no-store')
      return send([body.text()], holding)
    }
    const tag = `W/"${body.tag()}"`
    headers.push('cache-control', 'private, no-cache', 'vary', vary, 'etag', tag)
    if (namesTag(request.headers['if-none-match'], tag)) return write(request, reply, 304, headers, [])
    const holding = reserve(request, reply, body)
    const encoding = encodingFor(request.headers['accept-encoding'], body.size)
    if (!encoding) return send(body.pieces ?? [body.text()], holding)
    return pack(body.text, encoding, body.packed).then((packed) => {
      holding?.resize(packed.length, body.packed && packed)
      send([packed], holding, encoding)
    })
  }
}

export type SendResponse = ReturnType<typeof createSendResponse>

/** Whether `If-None-Match` contains this tag (`W/"…"` or `"…"`), by the weak comparison of RFC 9110; `*` matches any. */
export const namesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header === tag || header.trim() === '*') return true
  const opaque = tag.startsWith('W/') ? tag.slice(2) : tag
  // A tag contains no quotes, so text between quotes is a tag, even with commas.
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? []
  return named.includes(opaque)
}

/** Alternating names and values of headers. */
type HeaderList = (string | number)[]

/** The headers of every response. */
export const createCommonHeaders = (limits: RateLimits, cors: Cors) => (request: FastifyRequest, reply: FastifyReply) => {
  const { limit, remaining, resetAt } = reply.rateLimit ?? limits.unlimited()
  const headers: HeaderList = [
    'x-request-id',
    request.id,
    'x-content-type-options',
    'nosniff',
    'x-ratelimit-limit',
    limit,
    'x-ratelimit-remaining',
    remaining,
    'x-ratelimit-reset',
    resetAt,
  ]
  if (cors) for (const [name, value] of cors.headersOf(request)) headers.push(name, value)
  return headers
}

type CommonHeaders = ReturnType<typeof createCommonHeaders>

/** Sets them on a response that is not sent by `sendResponse`. */
export const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply, commonHeaders: CommonHeaders) => {
  const list = commonHeaders(request, reply)
  for (let i = 0; i < list.length; i += 2) {
    const [name, value] = [String(list[i]), String(list[i + 1])]
    const vary = name === 'vary' ? reply.getHeader('vary') : undefined
    if (vary === undefined) reply.raw.setHeader(name, value)
    else reply.header('vary', `${vary}, ${value}`)
  }
}
