import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryOf } from '../load/watch.ts'
import type { Stage } from './stage.ts'

/** Pipelined requests per connection, enough to fill the system's buffers soon. */
const REQUESTS = 20
const LOOK_MS = 50

export interface SlowReaders {
  readonly name: string
  /** `n`: index of the connection. */
  readonly path: (stage: Stage, n: number) => string
  readonly headers?: string
}

/** The largest responses, and distinct responses that cannot share memory. */
export const SLOW_READERS: readonly SlowReaders[] = [
  { name: 'a page of long posts', path: () => '/feeds?per_page=100' },
  { name: 'a page of long posts, compressed', path: () => '/feeds?per_page=100', headers: 'accept-encoding: gzip\r\n' },
  { name: 'pages that differ', path: (_stage, n) => `/feeds?per_page=${50 + (n % 50)}` },
  { name: 'search results', path: (_stage, n) => `/feeds?per_page=${50 + (n % 50)}&search=chapter` },
  { name: 'all lessons of a course', path: ({ courseId }) => `/courses/${courseId}/lessons` },
  { name: 'the description of the API', path: () => '/openapi.json' },
]

/** Opens connections that send requests and do not read, spread over several accounts. */
export const openSlowReaders = (stage: Stage, { path, headers = '' }: SlowReaders, connections: number, accounts: number): Socket[] => {
  const { port, crowd, abusers } = stage
  return Array.from({ length: connections }, (_, i) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.pause()
    socket.on('error', () => {})
    const mine = `host: load\r\nauthorization: ${abusers[i % accounts]}\r\n${headers}\r\n`
    socket.write(`GET ${crowd.root}${path(stage, i)} HTTP/1.1\r\n${mine}`.repeat(REQUESTS))
    return socket
  })
}

/** Reads the same responses first, so that the caches and the heap have their usual size. */
export const readAll = async (stage: Stage, rounds: number): Promise<void> => {
  for (let n = 0; n < rounds; n++)
    for (const { path } of SLOW_READERS) {
      const headers = { authorization: stage.abusers[n % 6] ?? '' }
      await (await fetch(`${stage.crowd.origin}${stage.crowd.root}${path(stage, n)}`, { headers })).arrayBuffer()
    }
}

/** The server's peak memory in MiB while many clients do not read; sampled until it reaches `enough`. */
export const memoryUnder = async (
  stage: Stage,
  readers: readonly SlowReaders[],
  connections: number,
  accounts: number,
  seconds: number,
  enough = Number.POSITIVE_INFINITY,
): Promise<number> => {
  let most = 0
  const sockets = readers.flatMap((each) => openSlowReaders(stage, each, Math.ceil(connections / readers.length), accounts))
  for (const end = performance.now() + seconds * 1000; performance.now() < end && most < enough; await pause(LOOK_MS))
    most = Math.max(most, memoryOf(stage.server.pid))
  for (const socket of sockets) socket.destroy()
  return most
}
