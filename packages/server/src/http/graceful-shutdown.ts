import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'

interface Connections {
  readonly sockets: Set<Socket>
  /** The last response of each connection. */
  readonly latest: WeakMap<Socket, ServerResponse>
  /** Connections whose response announced their end. */
  readonly announced: WeakSet<Socket>
  /** Counts accepted connections. */
  opened: number
  leaving: boolean
}

const connectionsOf = new WeakMap<Server, Connections>()

/** Minimum time for clients to learn that their connection ends, in milliseconds. */
const ANNOUNCED_MS = 500
const POLL_MS = 20
/**
 * Maximum time to wait for a turn of the event loop without new connections. While each response closes its connection, new ones keep
 * coming.
 */
const QUIET_MS = 100

const announceClose = ({ announced }: Connections, socket: Socket, response: ServerResponse) => {
  if (response.headersSent) return
  response.shouldKeepAlive = false
  announced.add(socket)
}

const closesAnyway = (response: ServerResponse | undefined) => response?.getHeader('connection') === 'close'

/** Tracks connections so that the server can drain them. */
export const followConnections = (server: Server): void => {
  const connections: Connections = { sockets: new Set(), latest: new WeakMap(), announced: new WeakSet(), opened: 0, leaving: false }
  connectionsOf.set(server, connections)
  const { sockets } = connections
  server.on('connection', (socket: Socket) => {
    connections.opened += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    close(done)
    // Browsers open connections before they need them. Node waits for those when it closes, because they are new rather than idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    return server
  }
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

/** Must be called for each request before it is answered. */
export const noteRequest = (server: Server, response: ServerResponse): void => {
  const connections = connectionsOf.get(server)
  const { socket } = response.req
  if (!connections) return
  connections.latest.set(socket, response)
  if (connections.leaving) announceClose(connections, socket, response)
}

/** Whether the server is stopping. */
export const isLeaving = (server: Server): boolean => connectionsOf.get(server)?.leaving ?? false

/** From now on, each response announces the end of its connection, so that clients reconnect elsewhere. */
export const announceLeave = (server: Server): void => {
  const connections = connectionsOf.get(server)
  if (!connections || connections.leaving) return
  connections.leaving = true
  for (const socket of connections.sockets) {
    const response = connections.latest.get(socket)
    if (response && !response.writableEnded) announceClose(connections, socket, response)
  }
}

/**
 * Drains the connections. Keeps answering for `seconds` so that load balancers notice, then stops accepting connections, and keeps
 * answering until all clients know that their connection ends, for at most half a second.
 */
export const leave = async (server: Server, seconds: number): Promise<void> => {
  const connections = connectionsOf.get(server)
  if (!connections) return
  if (seconds > 0) {
    announceLeave(server)
    await pause(seconds * 1000)
  }
  await untilNoNewConnections(connections)
  announceLeave(server)
  // Closes only the listener. Closing the server would end connections that are idle for a moment.
  Listener.prototype.close.call(server)
  const { sockets, announced, latest } = connections
  const deadline = performance.now() + ANNOUNCED_MS
  const allAnnounced = () => [...sockets].every((socket) => announced.has(socket) || closesAnyway(latest.get(socket)))
  while (!allAnnounced() && performance.now() < deadline) await pause(POLL_MS)
}
