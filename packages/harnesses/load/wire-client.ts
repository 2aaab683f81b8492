import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  readonly code: string
  readonly retryAfter: boolean
}

/** A connection with one request at a time and minimal overhead, so that the server is the bottleneck. */
export interface WireClient {
  /** `done` receives null when the connection ends without a response. */
  send(request: Buffer, done: (answer: Answer | null) => void): void
  readonly isOpen: boolean
  close(): void
}

const lengthOf = (head: string): number => Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)

/** `ended` is called once when the connection closes, whichever side closed it. */
export const openWire = (port: number, ended: () => void = () => {}): WireClient => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let done: ((answer: Answer | null) => void) | null = null
  let answer: Answer | null = null
  /** Remaining bytes of the body. */
  let left = 0
  let partial: Buffer | null = null
  let open = true
  let closes = false

  const finish = (found: Answer | null) => {
    const tell = done
    done = null
    answer = null
    if (closes) socket.end()
    tell?.(found)
  }

  const begin = (bytes: Buffer) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) {
      partial = bytes
      return
    }
    partial = null
    const head = bytes.toString('latin1', 0, end).toLowerCase()
    const status = Number(head.slice(9, 12))
    const isOdd = status >= 400
    const code = isOdd ? (/"code":"(\w+)"/.exec(bytes.toString('latin1', end))?.[1] ?? '') : ''
    answer = { status, code, retryAfter: isOdd && head.includes('\r\nretry-after: ') }
    closes = head.includes('\r\nconnection: close')
    if (closes) open = false
    left = (status === 204 || status === 304 ? 0 : lengthOf(head)) - (bytes.length - end - 4)
    if (left <= 0) finish(answer)
  }

  socket.on('data', (chunk) => {
    if (left <= 0) return begin(partial ? Buffer.concat([partial, chunk]) : chunk)
    left -= chunk.length
    if (left <= 0) finish(answer)
  })
  socket.on('error', () => {})
  socket.on('end', () => {
    open = false
  })
  socket.on('close', () => {
    open = false
    finish(null)
    ended()
  })

  return {
    send: (request, tell) => {
      done = tell
      socket.write(request)
    },
    get isOpen() {
      return open
    },
    close: () => {
      open = false
      socket.destroy()
    },
  }
}
