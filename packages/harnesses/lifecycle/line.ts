import { connect, type Socket } from 'node:net'

/**
 * What became of one request. `answered`: whole. `refused`: nobody listened, nothing was sent. `unaccepted`: a new connection that was closed
 * before the server took it. `dropped`: a connection that had been answered before, and whose end nobody had announced, was closed with the
 * request unanswered. `cut`: the answer had begun.
 */
export type Outcome = 'answered' | 'refused' | 'unaccepted' | 'dropped' | 'cut'

export interface Exchange {
  readonly outcome: Outcome
  /** 0 without an answer. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an endpoint answers is what the harness is about
  readonly body: any
  /** The answer said that the connection ends with it. */
  readonly last: boolean
}

export interface Sending {
  readonly type?: string
  readonly body?: string | Buffer
  readonly key?: string
  /** The first half of the body is sent; the rest once this resolves. */
  readonly half?: Promise<unknown>
}

/** One client with one connection at a time, which it keeps as long as the server lets it. */
export interface Line {
  send(method: string, path: string, sending?: Sending): Promise<Exchange>
  close(): void
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly last: boolean
}

/** A whole answer; undefined while it is not all there. */
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
  // Told by the close that follows.
  socket.on('error', () => {})
  return socket
}

export const openLine = (base: string, authorization: string): Line => {
  const { host, pathname } = new URL(base)
  let kept: Socket | null = null

  const keep = (socket: Socket) => {
    kept = socket
    // Closed while nothing was asked for: the next request opens another one, as clients do.
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
