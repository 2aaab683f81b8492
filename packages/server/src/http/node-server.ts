import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { ApiError } from '../core/errors.ts'

/** Maximum size of the request line with its headers in bytes, and maximum number of headers. */
const HEAD_BYTES = 16_384
const MOST_HEADERS = 100

/** Timeouts for clients, in milliseconds. */
export interface ClientTimeouts {
  /** For the request line and the headers. */
  readonly head: number
  /** For the whole request. */
  readonly request: number
  /** For a multipart request, which takes long on a slow connection; 300,000 by default. */
  readonly upload?: number
  /** Without a byte in either direction. A response that is not read is aborted after up to twice this time, at the next check of Node. */
  readonly silence: number
}

export const CLIENT_TIMEOUTS: ClientTimeouts = { head: 10_000, request: 15_000, silence: 20_000 }

const UPLOAD_MS = 300_000

/** Timeout without a byte of the rest of a request that has been answered. */
const REST_SILENCE_MS = 2000

/** Interval of the checks for slow requests. */
const CHECKS_WITHIN = 15

const LATEST = Symbol('latest')
const AHEAD = Symbol('ahead')
const ANNOUNCED = Symbol('announced')

/** Maximum number of pipelined requests per connection. Clients that read their responses need fewer. */
const MOST_AHEAD = 128
/** Maximum number of pipelined requests of all connections. Above it, connections with more than one are closed. */
const MOST_AHEAD_IN_ALL = 1000

/** A connection with its last response, the number of its pipelined requests, and whether a response announced its end. */
type Marked = Socket & { [LATEST]?: ServerResponse; [AHEAD]?: number; [ANNOUNCED]?: true }

const isForm = ({ headers }: IncomingMessage) => /^multipart\/form-data\b/i.test(headers['content-type'] ?? '')
const hasBody = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Node has a single timeout for all requests, which must be that of uploads. Other requests get a shorter one, and so does the rest of an
 * upload that has been answered.
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
 * Closing a connection while the client still sends resets it and discards the response, so the client would not learn that its request was
 * too large. The rest of the request is read and discarded, within the limits of `endInTime`.
 */
const closeAfterRest = (incoming: IncomingMessage, response: ServerResponse) => {
  if (!hasBody(incoming)) return
  // Runs before the listener of Node, which closes the connection.
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
 * Runs the requests of a connection one after the other. Node may have parsed thousands of small pipelined requests from one packet.
 * Running them concurrently would delay other clients, and the responses would fill memory until the client reads them.
 */
const createAfterFormer = () => {
  let inAll = 0
  const shutDown = (socket: Marked, requests: number) => {
    socket[AHEAD] = (socket[AHEAD] ?? 0) - requests
    inAll -= requests
  }
  return (socket: Marked, former: ServerResponse | undefined, run: () => void) => {
    if (!former || former.writableFinished) return run()
    if (socket[AHEAD] === undefined) socket.once('close', () => shutDown(socket, socket[AHEAD] ?? 0))
    const ahead = (socket[AHEAD] ?? 0) + 1
    if (ahead > MOST_AHEAD || (ahead > 1 && inAll >= MOST_AHEAD_IN_ALL)) return void socket.destroy()
    socket[AHEAD] = ahead
    inAll += 1
    former.once('finish', () => {
      if (socket.destroyed) return
      shutDown(socket, 1)
      if (socket.writable) run()
    })
  }
}

/** An HTTP/1.1 server with the limits that the open internet requires. */
export const createListener = (
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { head, request, silence, upload = UPLOAD_MS }: ClientTimeouts = CLIENT_TIMEOUTS,
): Server => {
  const afterFormer = createAfterFormer()
  const handle = (incoming: IncomingMessage, response: ServerResponse) => {
    const socket = incoming.socket as Marked
    const former = socket[LATEST]
    socket[LATEST] = response
    if (connections.leaving) announceClose(socket)
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
      // Node would send a response of its own format; see refuseOddHead.
      requireHostHeader: false,
    },
    handle,
  )
  server.setTimeout(silence)
  // A client that does not read never sees the end of the connection, and the system would keep megabytes of unread data for minutes.
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.resetAndDestroy()
    else socket.destroy()
  })
  const connections = trackConnections(server)
  // Node would drop the surplus silently; see refuseOddHead.
  server.maxHeadersCount = 0
  // An unknown expectation is no reason to refuse a request.
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

/** Refuses what the parser accepts: other HTTP versions, too many headers, a missing or ambiguous host. */
export const rejectInvalidHead = (request: IncomingMessage): void => {
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
 * Whether a response may be written now: the last request has been answered and had ended before the invalid bytes, or it is itself the
 * invalid one and its response is next.
 */
const mayAnswer = (response: ServerResponse | undefined): boolean => {
  if (response === undefined) return true
  const { complete } = response.req
  return response.writableFinished ? complete : !complete && !response.headersSent && response.socket !== null
}

/** The headers of a response that Fastify does not send; `common` are those of every response. */
export const refusalHeaders = (body: string, common: Readonly<Record<string, string>>) => ({
  ...common,
  'x-request-id': randomUUID(),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(body.length),
})

/**
 * Answers invalid or late bytes and closes the connection. Sends nothing while an earlier response is in progress, because the bytes would
 * be read as part of it. `headers` are those of every response.
 */
export const rejectMalformedRequest = (
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void => {
  if (!socket.writable || error.code === 'ECONNRESET' || !mayAnswer((socket as Marked)[LATEST])) {
    socket.destroy()
    return
  }
  const [status, message] = WHY[error.code ?? ''] ?? [400, 'The request is not well-formed HTTP.']
  const body = JSON.stringify(malformed(status, message).body())
  const lines = Object.entries({ ...refusalHeaders(body, headers), connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  // Closes both directions: a client that never closes its side would keep the connection open.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`, () => socket.destroy())
}

interface Connections {
  readonly sockets: Set<Marked>
  /** Counts accepted connections. */
  opened: number
  leaving: boolean
}

const connectionsOf = new WeakMap<Server, Connections>()

/** Minimum time for clients to learn that their connection ends, in milliseconds. */
const ANNOUNCED_MS = 500
const POLL_MS = 20
/** Maximum wait for a turn without new connections: while each response closes its connection, new ones keep coming. */
const QUIET_MS = 100

/** The response to the last request announces the end of the connection, unless its headers have been sent. */
const announceClose = (socket: Marked) => {
  const response = socket[LATEST]
  if (!response || response.headersSent) return
  response.shouldKeepAlive = false
  socket[ANNOUNCED] = true
}

/** Tracks connections so that the server can drain them. */
const trackConnections = (server: Server): Connections => {
  const sockets = new Set<Marked>()
  const connections: Connections = { sockets, opened: 0, leaving: false }
  connectionsOf.set(server, connections)
  server.on('connection', (socket: Socket) => {
    connections.opened += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    announceShutdown(server)
    close(done)
    for (const socket of sockets) {
      // Browsers open connections before they need them. Node waits for those when it closes, because they are new rather than idle.
      if (socket.bytesRead === 0) socket.destroy()
      // Node would wait for another request on a connection whose response is being sent.
      else socket[LATEST]?.once('finish', () => socket.destroySoon())
    }
    return server
  }
  return connections
}

/** Connections that are established but not yet accepted would be reset when the listener closes. */
const untilNoNewConnections = async (connections: Connections): Promise<void> => {
  const deadline = performance.now() + QUIET_MS
  for (let before = -1; performance.now() < deadline && connections.opened !== before; ) {
    before = connections.opened
    await setImmediate()
    await setImmediate()
  }
}

export const isShuttingDown = (server: Server): boolean => connectionsOf.get(server)?.leaving ?? false

/** From now on, each response announces the end of its connection, so that clients reconnect elsewhere. */
export const announceShutdown = (server: Server): void => {
  const connections = connectionsOf.get(server)
  if (!connections || connections.leaving) return
  connections.leaving = true
  for (const socket of connections.sockets) announceClose(socket)
}

/**
 * Drains the connections. Keeps answering for `seconds` so that load balancers notice, then stops accepting connections, and keeps
 * answering until all clients know that their connection ends, for at most half a second.
 */
export const leave = async (server: Server, seconds: number): Promise<void> => {
  const connections = connectionsOf.get(server)
  if (!connections) return
  if (seconds > 0) {
    announceShutdown(server)
    await pause(seconds * 1000)
  }
  await untilNoNewConnections(connections)
  announceShutdown(server)
  // Closes only the listener. Closing the server would end connections that are idle for a moment.
  Listener.prototype.close.call(server)
  const deadline = performance.now() + ANNOUNCED_MS
  const isInformed = (socket: Marked) => socket[ANNOUNCED] || socket[LATEST]?.getHeader('connection') === 'close'
  const allAnnounced = () => [...connections.sockets].every(isInformed)
  while (!allAnnounced() && performance.now() < deadline) await pause(POLL_MS)
}
