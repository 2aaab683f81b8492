import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Delay between two bytes of a dripping peer, always below the timeout for the next byte. */
const DRIP_MS = 40
const BIG = 50 * 1024 * 1024

/** A faulty response of a peer. */
export interface Misbehavior {
  readonly name: string
  /** `elsewhere`: an address that must never receive a request. */
  readonly answer: (response: ServerResponse, request: IncomingMessage, elsewhere: string) => void
  /** A client that reads only the status gets a success in time. */
  readonly taken: boolean
  /** It lasts until the client gives up. */
  readonly hangs?: true
}

const drip = (response: ServerResponse, write: () => void) => {
  const timer = setInterval(write, DRIP_MS)
  response.on('close', () => clearInterval(timer))
}

/** Bypasses the HTTP library, which would refuse to send this. */
const raw = (response: ServerResponse, text: string | Buffer) => response.socket?.write(text)

const pour = (response: ServerResponse, bytes: number) => {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  let left = bytes
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length
      if (!response.write(chunk)) return
    }
    response.end()
  }
  response.on('drain', more)
  more()
}

const BOMB = gzipSync(Buffer.alloc(BIG, ' '))

const JSON_TYPE = { 'content-type': 'application/json' }

export const MISBEHAVIORS: readonly Misbehavior[] = [
  { name: 'says nothing', taken: false, hangs: true, answer: () => {} },
  { name: 'stops after the head', taken: false, hangs: true, answer: (response) => response.writeHead(200, JSON_TYPE).flushHeaders() },
  {
    name: 'drips its head',
    taken: false,
    hangs: true,
    answer: (response) => {
      raw(response, 'HTTP/1.1 200 OK\r\nx-long: ')
      drip(response, () => raw(response, 'x'))
    },
  },
  {
    name: 'drips its body',
    taken: false,
    hangs: true,
    answer: (response) => {
      response.writeHead(200, JSON_TYPE)
      drip(response, () => response.write(' '))
    },
  },
  { name: 'answers 500', taken: false, answer: (response) => void response.writeHead(500).end('{"data":[]}') },
  { name: 'answers 429', taken: false, answer: (response) => void response.writeHead(429, { 'retry-after': '7' }).end('{}') },
  {
    name: 'cuts its body off',
    taken: false,
    answer: (response) =>
      void response.writeHead(200, { ...JSON_TYPE, 'content-length': '999' }).write('{"data":[', () => response.destroy()),
  },
  {
    name: 'says less than it announced',
    taken: false,
    hangs: true,
    answer: (response) => raw(response, 'HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"data":[]}'),
  },
  {
    name: 'says more than it announced',
    taken: true,
    answer: (response) =>
      raw(response, 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"data":[]}'),
  },
  {
    name: 'pours 50 MB',
    taken: true,
    answer: (response) => {
      response.writeHead(200, JSON_TYPE)
      pour(response, BIG)
    },
  },
  {
    name: 'packs a bomb',
    taken: true,
    answer: (response) => void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
  },
  {
    name: 'says gzip and sends none',
    taken: false,
    answer: (response) => void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('{"data":[]}'),
  },
  {
    name: 'answers JSON of other types',
    taken: true,
    answer: (response) => void response.writeHead(200, JSON_TYPE).end('{"data":{"0":1,"length":9e9},"meta":[null],"pagination":"x"}'),
  },
  {
    name: 'answers deep JSON',
    taken: true,
    answer: (response) => void response.writeHead(200, JSON_TYPE).end(`${'['.repeat(60_000)}${']'.repeat(60_000)}`),
  },
  {
    name: 'redirects to this machine',
    taken: false,
    answer: (response, _request, elsewhere) => void response.writeHead(307, { location: elsewhere }).end(),
  },
  { name: 'closes at once', taken: false, answer: (response) => void response.socket?.destroy() },
  {
    name: 'closes after the head',
    taken: false,
    answer: (response) => {
      raw(response, 'HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n')
      response.socket?.destroySoon()
    },
  },
  { name: 'speaks no HTTP', taken: false, answer: (response) => raw(response, '220 mail.example ESMTP\r\n\u0000\u0001garbage\r\n\r\n') },
  {
    name: 'never ends its head',
    taken: false,
    answer: (response) => raw(response, `HTTP/1.1 200 OK\r\n${`x-long: ${'x'.repeat(1000)}\r\n`.repeat(100)}`),
  },
]

/** The name in URL form. */
export const slug = (name: string): string => name.replaceAll(' ', '-')
