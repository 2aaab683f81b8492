import { type EventPosition, isLater } from '../db/index.ts'
import type { Told } from './event-source.ts'
import type { Credential, Sink } from './types.ts'

/** Why a stream was ended from here. Only after `stopping` is it worth while to come back at once. */
export type Farewell = 'replaced' | 'signed_out' | 'stopping'

/** A reader who leaves so many bytes lying is dropped; he may come back and go on where he was. */
export const MOST_BACKLOG = 256 * 1024

export interface Connection {
  readonly userId: number
  readonly credential: Credential
  /** Events up to here are not for it; null while it is being opened. */
  after: EventPosition | null
  /** When something was last written, in milliseconds of this process. */
  lastSent: number
  readonly isOpen: () => boolean
  /** Sends events that come after `after`; while the beginning is not out yet they wait for it. */
  tell(told: readonly Told[], cursorOf: (position: EventPosition) => string): void
  /** Sends the beginning, and what waited for it. */
  begin(text: string): void
  /** A sign of life; nothing while the beginning is not out. */
  ping(text: () => string): void
  end(reason: Farewell): void
}

export const eventText = (name: string, data: string, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`

/** `closed` is called once, in the moment in which nothing more will be written. */
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
    if (sink.backlog() + text.length > MOST_BACKLOG) return drop()
    sink.send(text)
    connection.lastSent = performance.now()
  }

  const connection: Connection = {
    userId,
    credential,
    after: null,
    lastSent: performance.now(),
    isOpen: () => open,
    tell: (told, cursorOf) => {
      const { after } = connection
      if (!after) return
      let text = ''
      for (const { event, name, data } of told) if (isLater(event.position, after)) text += eventText(name, data, cursorOf(event.position))
      if (waiting === null) return send(text)
      waiting += text
      if (waiting.length > MOST_BACKLOG) drop()
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
