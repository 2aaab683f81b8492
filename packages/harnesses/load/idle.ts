import { connect, type Socket } from 'node:net'
import { limit } from '../kit/server-process.ts'
import type { Report } from './job.ts'
import type { Stage } from './stage.ts'
import { descriptorsOf, memoryOf } from './watch.ts'

export interface Idle {
  readonly connections: number
  /** How many of them received a response and were still open at the end. */
  readonly answered: number
  readonly held: number
  readonly during: Report
  /** KiB per connection. */
  readonly memory: number
}

interface Waiting {
  readonly socket: Socket
  answered: boolean
  open: boolean
}

/** Limited so that the accept queue does not overflow. */
const AT_ONCE = 100
const TIMEOUT_MS = 5000

/** A connection that sends one request and stays open; resolves on the response or when the connection closes. */
const sitDown = (port: number, request: string): Promise<Waiting> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const found: Waiting = { socket, answered: false, open: true }
    // A connection that the server neither accepts nor refuses stays open.
    setTimeout(() => resolve(found), TIMEOUT_MS).unref()
    const gone = () => {
      found.open = false
      resolve(found)
    }
    socket.on('data', (chunk) => {
      found.answered ||= chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200'
      resolve(found)
    })
    socket.on('error', gone)
    socket.on('end', gone)
    socket.on('close', gone)
    socket.write(request)
  })

const sitDownAll = async ({ port, crowd }: Stage, count: number): Promise<Waiting[]> => {
  const request = `GET ${crowd.root}/notifications/unread HTTP/1.1\r\nhost: load\r\nauthorization: ${crowd.people[0]}\r\n\r\n`
  const all: Waiting[] = []
  while (all.length < count)
    all.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - all.length) }, () => sitDown(port, request)))))
  return all
}

export interface IdleRun {
  readonly idle: Idle
  /** The open connections. */
  readonly waiting: readonly Waiting[]
}

/** Many connections that send one request and then stay idle, while others send requests at the usual rate. */
export const runIdle = async (stage: Stage, connections: number, rate: number, seconds: number): Promise<IdleRun> => {
  const memory = memoryOf(stage.server.pid)
  const waiting = await sitDownAll(stage, connections)
  const grown = memoryOf(stage.server.pid) - memory
  const during = await stage.generator.run({ rate, seconds, connections: 16 })
  const held = waiting.filter(({ open }) => open).length
  const answered = waiting.filter((one) => one.answered).length
  return { idle: { connections, answered, held, during, memory: (grown * 1024) / connections }, waiting }
}

/** Limits: KiB per connection, and the 99th percentile of the other requests in ms. */
export const judgeIdle = (
  { connections, answered, held, during, memory }: Idle,
  most: { readonly memory: number; readonly ms: number },
): string[] => [
  ...Object.entries(during.failed).map(([what, count]) => `${count} × ${what}`),
  ...(during.unanswered + during.refused.count > 0 ? [`${during.unanswered} were not answered, ${during.refused.count} refused`] : []),
  ...(answered < connections ? [`${connections - answered} had no answer`] : []),
  ...(held < connections ? [`${connections - held} were cut`] : []),
  ...(during.served.p99 > most.ms ? [`others took ${Math.round(during.served.p99)} ms`] : []),
  ...(memory > most.memory ? [`each took ${Math.round(memory)} KiB`] : []),
]

export interface Beyond {
  readonly answered: number
  readonly refused: number
  /** Whether earlier connections kept working, and new ones succeeded once descriptors were free. */
  readonly goesOn: boolean
  readonly comesBack: boolean
}

/** Lowers the server's descriptor limit and opens more connections than it allows. */
export const runBeyond = async (stage: Stage, room: number, comers: number): Promise<Beyond> => {
  const { server, generator } = stage
  const few = { rate: 50, seconds: 0.5, connections: 4 }
  limit(server, 'nofile', descriptorsOf(server.pid) + room)
  const all = await sitDownAll(stage, comers)
  for (const { socket } of all.slice(0, Math.ceil(room / 2))) socket.destroy()
  const during = await generator.run(few)
  limit(server, 'nofile', 'unlimited')
  for (const { socket } of all) socket.destroy()
  const after = await generator.run(few)
  const answered = all.filter((one) => one.answered).length
  const goesOn = server.running && during.served.count === during.sent
  return { answered, refused: comers - answered, goesOn, comesBack: after.served.count === after.sent }
}

/** Shutdown time with all connections open, in ms, and the exit code; after `graceMs` the process is killed, and the code is null. */
export const endOf = async ({ server }: Stage, graceMs: number): Promise<{ code: number | null; ms: number }> => {
  const begun = performance.now()
  const late = setTimeout(() => void server.end('SIGKILL'), graceMs)
  const code = await server.end('SIGTERM')
  clearTimeout(late)
  return { code, ms: performance.now() - begun }
}
