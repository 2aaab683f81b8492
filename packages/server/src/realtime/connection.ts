import { type EventPosition, isLater } from '../db/index.ts'
import type { MemberEvent } from './event-source.ts'
import type { Credential, Sink } from './types.ts'

/** Why the server ended a stream. Clients should reconnect immediately only after `stopping`. */
type CloseReason = 'replaced' | 'signed_out' | 'stopping'

/** A client with this many unread bytes is disconnected; it can reconnect and resume. */
export const MAX_BACKLOG_BYTES = 256 * 1024

export interface Connection {
  readonly userId: number
  readonly credential: Credential
  /** Id of the last event that the stream does not need; null while it is being opened. */
  after: EventPosition | null
  /** Time of the last write, in milliseconds of this process. */
  lastSent: number
  readonly isOpen: () => boolean
  /** Sends events after `after`. Until the initial data has been sent, they are queued. */
  deliver(told: readonly MemberEvent[], cursorOf: (position: EventPosition) => string): void
  /** Sends the initial data and the queued events. */
  begin(text: string): void
  /** Sends a ping, unless the initial data has not been sent yet. */
  ping(text: () => string): void
  end(reason: CloseReason): void
}

export const eventText = (name: string, data: string, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`

/** `closed` is called once, when nothing more will be written. */
export const createConnection = (
  userId: number,
  credential: Credential,
  sink: Sink,
  closed: (connection: Connection) => void,
): Connection => {
  let waiting: string | null = ''
  let open = true
  const close = () => {
    if (!open) return
    open = false
    closed(connection)
  }
  const drop = () => {
    close()
    sink.destroy()
  }
  sink.onClose(close)

  const send = (text: string) => {
    if (!open || text === '') return
    if (sink.backlog() + text.length > MAX_BACKLOG_BYTES) return drop()
    sink.send(text)
    connection.lastSent = performance.now()
  }

  const connection: Connection = {
    userId,
    credential,
    after: null,
    lastSent: performance.now(),
    isOpen: () => open,
    deliver: (told, cursorOf) => {
      const { after } = connection
      if (!after) return
      let text = ''
      for (const { event, name, data } of told) if (isLater(event.position, after)) text += eventText(name, data, cursorOf(event.position))
      if (waiting === null) return send(text)
      waiting += text
      if (waiting.length > MAX_BACKLOG_BYTES) drop()
    },
    begin: (text) => {
      const rest = waiting ?? ''
      waiting = null
      send(text + rest)
    },
    ping: (text) => {
      if (waiting === null) send(text())
    },
    end: (reason) => {
      if (!open) return
      send(eventText('closed', JSON.stringify({ reason })))
      close()
      sink.end()
    },
  }
  return connection
}
