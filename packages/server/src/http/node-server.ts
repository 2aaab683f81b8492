import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../core/errors.ts'
import { followConnections, noteRequest } from './graceful-shutdown.ts'

/** Most bytes of a request line with its headers, and most headers. */
const HEAD_BYTES = 16_384
const MOST_HEADERS = 100

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the request line and the headers. */
  readonly head: number
  /** For the whole request. */
  readonly request: number
  /** For a form with a file in it, which a slow line takes long to send; 300,000 unless said. */
  readonly upload?: number
  /** Without a byte in either direction; an answer that is not read on is given up after up to twice as long, when Node looks again. */
  readonly silence: number
}

export const PATIENCE: Patience = { head: 10_000, request: 15_000, silence: 20_000 }

const UPLOAD_MS = 300_000

/** How long nothing may come of what is left of a request that has its answer. */
const REST_SILENCE_MS = 2000

/** How often it is looked whether a request takes too long. */
const CHECKS_WITHIN = 15

const LATEST = Symbol('latest')
const AHEAD = Symbol('ahead')

/** Most requests of a connection that wait for the one before them: more than anybody needs who reads the answers. */
const MOST_AHEAD = 128
/** Most such requests of all connections together; while there are more, a connection with more than one is closed. */
const MOST_AHEAD_IN_ALL = 1000

/** The response to the last request of each connection; those before it come first. */
type Marked = Socket & { [LATEST]?: ServerResponse; [AHEAD]?: number }

const isForm = ({ headers }: IncomingMessage) => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Node has one deadline for all requests, that of uploads. The others have to come in sooner, and so does what is left of an upload that has
 * its answer.
 */
const endInTime = (server: Server, incoming: IncomingMessage, response: ServerResponse, ms: number) => {
  if (!hasBody(incoming)) return
  const start = () => {
    const timer = setTimeout(() => {
      const late = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (!incoming.complete) server.emit('clientError', late, incoming.socket)
    }, ms)
    incoming.once('close', () => clearTimeout(timer))
  }
  if (isForm(incoming)) response.once('finish', () => incoming.complete || start())
  else start()
}

/**
 * A connection that is closed while its client still sends is reset, which takes the answer with it: whoever sends too much would never hear
 * that it is too much. What he still sends is read and dropped, in the time that `endInTime` gives and while something comes.
 */
const closeAfterRest = (incoming: IncomingMessage, response: ServerResponse) => {
  if (!hasBody(incoming)) return
  // Before the listener of Node, which closes the connection.
  response.prependOnceListener('finish', () => {
    if (incoming.complete) return
    const { socket } = incoming
    const close = socket.destroySoon
    const asBefore = () => {
      socket.destroySoon = close
    }
    incoming.once('close', asBefore)
    socket.destroySoon = () => {
      asBefore()
      socket.setTimeout(REST_SILENCE_MS)
      socket.end()
      incoming.once('close', () => socket.destroy())
    }
  })
}

/**
 * Runs what comes on one connection one after the other. Node has parsed all that came in one piece, thousands of requests if they are small;
 * run at once they would hold everybody else up, and their answers would lie in memory until somebody reads them.
 */
const createAfterFormer = () => {
  let inAll = 0
  const leave = (socket: Marked, requests: number) => {
    socket[AHEAD] = (socket[AHEAD] ?? 0) - requests
    inAll -= requests
  }
  return (socket: Marked, former: ServerResponse | undefined, run: () => void) => {
    if (!former || former.writableFinished) return run()
    if (socket[AHEAD] === undefined) socket.once('close', () => leave(socket, socket[AHEAD] ?? 0))
    const ahead = (socket[AHEAD] ?? 0) + 1
    if (ahead > MOST_AHEAD || (ahead > 1 && inAll >= MOST_AHEAD_IN_ALL)) return void socket.destroy()
    socket[AHEAD] = ahead
    inAll += 1
    former.once('finish', () => {
      if (socket.destroyed) return
      leave(socket, 1)
      if (socket.writable) run()
    })
  }
}

/** The HTTP/1.1 server with the limits that one on the open internet needs. */
export const createListener = (
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { head, request, silence, upload = UPLOAD_MS }: Patience = PATIENCE,
): Server => {
  const afterFormer = createAfterFormer()
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    const socket = incoming.socket as Marked
    const former = socket[LATEST]
    socket[LATEST] = response
    noteRequest(server, response)
    endInTime(server, incoming, response, request)
    closeAfterRest(incoming, response)
    afterFormer(socket, former, () => handler(incoming, response))
  }
  const server = createServer(
    {
      headersTimeout: head,
      requestTimeout: Math.max(request, upload),
      connectionsCheckingInterval: Math.ceil(Math.min(head, request) / CHECKS_WITHIN),
      keepAliveTimeout: 65_000,
      maxHeaderSize: HEAD_BYTES,
      // Node would answer by itself, in a shape of its own: see refuseOddHead.
      requireHostHeader: false,
    },
    handle,
  )
  server.setTimeout(silence)
  // Whoever does not read does not hear of an end either, and the system would keep what he was to read for minutes, megabytes of it.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else socket.destroy()
  })
  followConnections(server)
  // Node would drop what is beyond it without a word: see refuseOddHead.
  server.maxHeadersCount = 0
  // An expectation that means nothing here is no reason to refuse a request.
  server.on('checkExpectation', handle)
  return server
}

const malformed = (status: number, message: string) => new ApiError('invalid_data', { status, message })

const hostsOf = ({ rawHeaders }: IncomingMessage): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1
  return hosts
}

const VERSIONS = new Set(['1.0', '1.1'])

/** Refuses what the parser lets pass: other versions, more headers than anybody needs, a host that is missing or ambiguous. */
export const refuseOddHead = (request: IncomingMessage): void => {
  if (!VERSIONS.has(request.httpVersion)) throw malformed(400, 'The server speaks HTTP/1.1.')
  if (request.rawHeaders.length > 2 * MOST_HEADERS) throw malformed(431, `A request has at most ${MOST_HEADERS} headers.`)
  const hosts = hostsOf(request)
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1')) throw malformed(400, 'A request names its host once.')
}

const WHY: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The address and the headers are too long.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
}

/**
 * Whether an answer may be written now. The last request must have been answered, and have ended before what is wrong began; or be
 * itself what is wrong, and next in turn for its answer.
 */
const mayAnswer = (response: ServerResponse | undefined): boolean => {
  if (response === undefined) return true
  const { complete } = response.req
  return response.writableFinished ? complete : !complete && !response.headersSent && response.socket !== null
}

/**
 * Answers bytes that are no request, or not in time, and closes the connection. Where an earlier answer is under way on it nothing is
 * said: it would be taken for that one. `headers` are those that every answer carries.
 */
export const refuseUnreadable = (error: Error & { code?: string }, socket: Socket, headers: Readonly<Record<string, string>>): void => {
  if (!socket.writable || error.code === 'ECONNRESET' || !mayAnswer((socket as Marked)[LATEST])) {
    socket.destroy()
    return
  }
  const [status, message] = WHY[error.code ?? ''] ?? [400, 'The request is not well-formed HTTP.']
  const body = JSON.stringify(malformed(status, message).body())
  const lines = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(body.length),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // Not half-closed only: a client that never closes its side would keep the connection for ever.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}
