import { connect, type Socket } from 'node:net'

/**
 * The outcome of a request. `answered`: complete response. `refused`: connection refused, nothing sent. `unaccepted`: a new connection
 * closed before the server accepted it. `dropped`: a reused connection, not announced as closing, was closed without a response. `cut`: the
 * response was truncated.
 */
export type Outcome = 'answered' | 'refused' | 'unaccepted' | 'dropped' | 'cut'

export interface Exchange {
  readonly outcome: Outcome
  /** 0 without a response. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the response type depends on the endpoint
  readonly body: any
  /** The response announced the end of the connection. */
  readonly last: boolean
}

export interface Sending {
  readonly type?: string
  readonly body?: string | Buffer
  readonly key?: string
  /** Sends the first half of the body immediately and the rest once this resolves. */
  readonly half?: Promise<unknown>
}

/** A client with one persistent connection at a time. */
export interface Line {
  send(method: string, path: string, sending?: Sending): Promise<Exchange>
  close(): void
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly last: boolean
}

/** A complete response; undefined while it is incomplete. */
const readAnswer = (bytes: Buffer): Answer | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = bytes.subarray(0, end).toString('latin1')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? (status === 304 ? 0 : Number.NaN))
  if (Number.isNaN(length) || bytes.length < end + 4 + length) return undefined
  return { status, text: bytes.subarray(end + 4, end + 4 + length).toString('utf8'), last: /^connection: *close/im.test(head) }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const headOf = (method: string, target: string, host: string, authorization: string, { type, body, key }: Sending): string => {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `host: ${host}`,
    ...(authorization === '' ? [] : [`authorization: ${authorization}`]),
    ...(body === undefined ? [] : [`content-type: ${type ?? 'application/json'}`, `content-length: ${Buffer.byteLength(body)}`]),
    ...(key === undefined ? [] : [`idempotency-key: ${key}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

const outcomeOf = (connected: boolean, received: number, fresh: boolean): Outcome => {
  if (!connected) return 'refused'
  if (received > 0) return 'cut'
  return fresh ? 'unaccepted' : 'dropped'
}

const begin = (host: string): Socket => {
  const { hostname, port } = new URL(`http://${host}`)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  // Handled by the close event that follows.
  socket.on('error', () => {})
  return socket
}

export const openLine = (base: string, authorization: string): Line => {
  const { host, pathname } = new URL(base)
  let kept: Socket | null = null

  const keep = (socket: Socket) => {
    kept = socket
    // Closed while idle: the next request opens a new connection, as clients do.
    for (const event of ['end', 'close'])
      socket.once(event, () => {
        if (kept === socket) kept = null
      })
  }

  const send: Line['send'] = (method, path, sending = {}) =>
    new Promise((resolve) => {
      const fresh = kept === null
      const socket = kept ?? begin(host)
      if (fresh) keep(socket)
      let connected = !fresh
      let received: Buffer = Buffer.alloc(0)
      const hear = (chunk: Buffer) => {
        received = Buffer.concat([received, chunk])
        const answer = readAnswer(received)
        if (answer) end({ outcome: 'answered', status: answer.status, body: parsed(answer.text), last: answer.last })
      }
      const gone = () => end({ outcome: outcomeOf(connected, received.length, fresh), status: 0, body: undefined, last: true })
      const end = (exchange: Exchange) => {
        socket.off('data', hear).off('close', gone)
        if (exchange.last) {
          if (kept === socket) kept = null
          socket.destroy()
        }
        resolve(exchange)
      }
      if (fresh)
        socket.once('connect', () => {
          connected = true
        })
      socket.on('data', hear).once('close', gone)
      socket.write(headOf(method, pathname + path, host, authorization, sending))
      const { body, half } = sending
      if (body === undefined) return
      if (!half) return void socket.write(body)
      const bytes = Buffer.from(body)
      socket.write(bytes.subarray(0, bytes.length >> 1))
      void half.then(() => socket.write(bytes.subarray(bytes.length >> 1)))
    })

  return {
    send,
    close: () => {
      kept?.destroy()
      kept = null
    },
  }
}
