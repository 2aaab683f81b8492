import type { Server, ServerResponse } from 'node:http'
import { Server as Listener, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'

interface Connections {
  readonly sockets: Set<Socket>
  /** The response to the last request of each connection. */
  readonly latest: WeakMap<Socket, ServerResponse>
  /** Those who were told that their connection ends with the answer. */
  readonly told: WeakSet<Socket>
  /** Rises with each connection. */
  opened: number
  leaving: boolean
}

const known = new WeakMap<Server, Connections>()

/** How long those who are connected are given to hear of it, at least. */
const ANNOUNCED_MS = 500
const LOOK_MS = 20
/** How long a turn of the event loop is waited for in which nobody comes; they never stop coming where each answer sends them away. */
const QUIET_MS = 100

const tell = ({ told }: Connections, socket: Socket, response: ServerResponse) => {
  if (response.headersSent) return
  response.shouldKeepAlive = false
  told.add(socket)
}

const endsAnyway = (response: ServerResponse | undefined) => response?.getHeader('connection') === 'close'

/** Keeps an eye on who is connected, so that the server can take its leave of them. */
export const followConnections = (server: Server): void => {
  const connections: Connections = { sockets: new Set(), latest: new WeakMap(), told: new WeakSet(), opened: 0, leaving: false }
  known.set(server, connections)
  const { sockets } = connections
  server.on('connection', (socket: Socket) => {
    connections.opened += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    close(done)
    // Browsers open connections before they need them. Node waits for those when it closes, since they are not idle but new.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    return server
  }
}

/** Whoever has connected by now, and was not accepted yet, would be cut off when the listener closes. */
const untilNobodyComes = async (connections: Connections): Promise<void> => {
  const late = performance.now() + QUIET_MS
  for (let before = -1; performance.now() < late && connections.opened !== before; ) {
    before = connections.opened
    await setImmediate()
    await setImmediate()
  }
}

/** To be told of each request before it is answered. */
export const noteRequest = (server: Server, response: ServerResponse): void => {
  const connections = known.get(server)
  const { socket } = response.req
  if (!connections) return
  connections.latest.set(socket, response)
  if (connections.leaving) tell(connections, socket, response)
}

/** Whether a server has been told to stop. */
export const isLeaving = (server: Server): boolean => known.get(server)?.leaving ?? false

/** From now on each answer says that it is the last one of its connection: whoever has more to ask asks elsewhere. */
export const announceLeave = (server: Server): void => {
  const connections = known.get(server)
  if (!connections || connections.leaving) return
  connections.leaving = true
  for (const socket of connections.sockets) {
    const response = connections.latest.get(socket)
    if (response && !response.writableEnded) tell(connections, socket, response)
  }
}

/**
 * Takes leave of those who are connected: goes on answering for so many seconds, so that whoever sends requests here finds out. Then it lets nobody
 * in any more, who is refused rather than cut off, and goes on answering until all others know, or half a second has passed.
 */
export const leave = async (server: Server, seconds: number): Promise<void> => {
  const connections = known.get(server)
  if (!connections) return
  if (seconds > 0) {
    announceLeave(server)
    await pause(seconds * 1000)
  }
  await untilNobodyComes(connections)
  announceLeave(server)
  // Of the listener alone: closing the server would end connections that are idle for a moment.
  Listener.prototype.close.call(server)
  const { sockets, told, latest } = connections
  const late = performance.now() + ANNOUNCED_MS
  const all = () => [...sockets].every((socket) => told.has(socket) || endsAnyway(latest.get(socket)))
  while (!all() && performance.now() < late) await pause(LOOK_MS)
}
