import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  /** Of an error. */
  readonly code: string
  readonly retryAfter: boolean
}

/** A connection that carries one request at a time, with as little work as can be: the server is to be what is slow. */
export interface WireClient {
  /** `done` gets null when the connection ends without an answer. */
  send(request: Buffer, done: (answer: Answer | null) => void): void
  readonly isOpen: boolean
  close(): void
}

const lengthOf = (head: string): number => Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)

/** `ended` is told once when the connection is no more, whoever ended it. */
export const openWire = (port: number, ended: () => void = () => {}): WireClient => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let done: ((answer: Answer | null) => void) | null = null
  let answer: Answer | null = null
  /** Of the body, in bytes. */
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
