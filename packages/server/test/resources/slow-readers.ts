import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryOf } from '../load/watch.ts'
import type { Stage } from './stage.ts'

/** Requests that each connection sends at once: what the system buffers is soon full. */
const REQUESTS = 20
const LOOK_MS = 50

export interface SlowReaders {
  readonly name: string
  readonly path: (stage: Stage) => string
  readonly headers?: string
}

/** The largest answers that there are. */
export const SLOW_READERS: readonly SlowReaders[] = [
  { name: 'a page of long posts', path: () => '/feeds?per_page=100' },
  { name: 'a page of long posts, compressed', path: () => '/feeds?per_page=100', headers: 'accept-encoding: gzip\r\n' },
  { name: 'search results', path: () => '/feeds?per_page=100&search=chapter' },
  { name: 'all lessons of a course', path: ({ courseId }) => `/courses/${courseId}/lessons` },
  { name: 'the description of the API', path: () => '/openapi.json' },
]

/** Opens connections that ask and do not read, spread over so many accounts. */
export const openSlowReaders = (stage: Stage, { path, headers = '' }: SlowReaders, connections: number, accounts: number): Socket[] => {
  const { port, crowd, abusers } = stage
  return Array.from({ length: connections }, (_, i) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.pause()
    socket.on('error', () => {})
    const mine = `host: load\r\nauthorization: ${abusers[i % accounts]}\r\n${headers}\r\n`
    socket.write(`GET ${crowd.root}${path(stage)} HTTP/1.1\r\n${mine}`.repeat(REQUESTS))
    return socket
  })
}

/** By how much the memory of the server grows while many do not read, in MiB. */
export const growthUnder = async (
  stage: Stage,
  readers: SlowReaders,
  connections: number,
  accounts: number,
  seconds: number,
): Promise<number> => {
  const { pid } = stage.server
  const before = memoryOf(pid)
  let most = before
  const sockets = openSlowReaders(stage, readers, connections, accounts)
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(LOOK_MS)) most = Math.max(most, memoryOf(pid))
  for (const socket of sockets) socket.destroy()
  return most - before
}
