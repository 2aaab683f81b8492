import { connect, type Socket } from 'node:net'

export interface WireAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface Exchange {
  readonly answers: readonly WireAnswer[]
  readonly closed: boolean
  /** Bytes that are not a complete response. */
  readonly rest: string
  readonly ms: number
}

export type Bytes = string | Buffer

const bytesOf = (piece: Bytes) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)

/** Parses one complete response from the front; undefined while it is incomplete. */
const readAnswer = (bytes: Buffer, bodiless: boolean): { answer: WireAnswer; rest: Buffer } | undefined => {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? Number.NaN)
  const headers = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const none = bodiless || status < 200 || status === 204 || status === 304
  const length = none ? 0 : Number(headers.get('content-length') ?? Number.NaN)
  const start = end + 4
  if (Number.isNaN(length) || bytes.length < start + length) return undefined
  return { answer: { status, headers, body: bytes.subarray(start, start + length).toString('utf8') }, rest: bytes.subarray(start + length) }
}

export interface ExchangeOptions {
  /** Number of responses that end the exchange; by default it ends when the server closes, or with the first. */
  readonly answers?: number
  /** Waits for the server to close, however many responses arrive. */
  readonly untilClosed?: boolean
  /** Half-closes the connection after sending. */
  readonly end?: boolean
  /** For HEAD: responses have no body. */
  readonly bodiless?: boolean
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number
}

/** Sends raw bytes over a new connection and returns the responses. */
export const exchange = (
  port: number,
  pieces: readonly Bytes[],
  { answers: wanted = 1, untilClosed = false, end = false, bodiless = false, timeoutMs = 10_000 }: ExchangeOptions = {},
): Promise<Exchange> =>
  new Promise((resolve) => {
    const started = performance.now()
    const answers: WireAnswer[] = []
    let received: Buffer = Buffer.alloc(0)
    let done = false
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    const finish = (closed: boolean) => {
      if (done) return
      done = true
      clearTimeout(late)
      socket.destroy()
      resolve({ answers, closed, rest: received.toString('latin1'), ms: performance.now() - started })
    }
    const late = setTimeout(() => finish(false), timeoutMs)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      for (let found = readAnswer(received, bodiless); found; found = readAnswer(received, bodiless)) {
        if (found.answer.status >= 200) answers.push(found.answer)
        received = found.rest
      }
      if (!untilClosed && answers.length >= wanted) finish(false)
    })
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    // A request rejected before it was sent completely ends in a reset; what was received until then counts.
    socket.on('error', () => {})
    for (const piece of pieces) socket.write(bytesOf(piece))
    if (end) socket.end()
  })

/** Sends bytes and aborts the connection in the middle of them. */
export const abort = (port: number, piece: Bytes): Promise<void> =>
  new Promise((resolve) => {
    const socket: Socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytesOf(piece), () => socket.resetAndDestroy()))
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
