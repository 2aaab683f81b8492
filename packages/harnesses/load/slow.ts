import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Report } from './job.ts'
import type { Stage } from './stage.ts'
import { connectedTo, memoryOf } from './watch.ts'

/**
 * Kinds of slow clients: headers or a body sent byte by byte; responses not read, or read a few bytes at a time; a stream that is not read;
 * and many pipelined requests whose responses are not read.
 */
export const WAYS = ['head', 'body', 'stuck', 'sip', 'stream', 'flood'] as const
export type Way = (typeof WAYS)[number]

const FLOOD = 500
const DRIP_MS = 1000
const SIP_BYTES = 16
/** The share of the run during which clients connect. */
const COMING = 0.25
const LOOK_MS = 250

interface Client {
  readonly way: Way
  readonly socket: Socket
  readonly drip: () => void
  /** Its local port, which identifies the server's side of the connection. */
  port: number | undefined
  /** It noticed that the connection was cut; a client that does not read never does. */
  cut: boolean
}

const head = (method: string, path: string, further = '') => `${method} ${path} HTTP/1.1\r\nhost: load\r\n${further}`

/** The first bytes it sends. */
const openingOf = (way: Way, root: string, authorization: string): string => {
  const mine = `authorization: ${authorization}\r\n`
  if (way === 'head') return head('GET', `${root}/feeds`, `${mine}x-slow: `)
  if (way === 'body')
    return head('POST', `${root}/feeds`, `${mine}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{"message": "`)
  if (way === 'stream') return head('GET', `${root}/stream`, `${mine}accept: text/event-stream\r\n\r\n`)
  if (way === 'flood') return head('GET', `${root}/feeds`, `${mine}\r\n`).repeat(FLOOD)
  return head('GET', `${root}/openapi.json`, '\r\n').repeat(4)
}

const openClient = (way: Way, port: number, root: string, authorization: string): Client => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  if (way === 'head' || way === 'body') socket.resume()
  else socket.pause()
  const client: Client = {
    way,
    socket,
    port: undefined,
    cut: false,
    drip: () => {
      if (way === 'head' || way === 'body') socket.write('x')
      if (way === 'sip') socket.read(SIP_BYTES)
    },
  }
  const cut = () => {
    client.cut = true
  }
  socket.on('connect', () => {
    client.port = socket.localPort
  })
  socket.on('error', cut)
  socket.on('end', cut)
  socket.on('close', cut)
  socket.write(openingOf(way, root, authorization))
  return client
}

/**
 * Clients whose connection the server still has open. A client cannot read to detect the end, because reading would make it a normal
 * client.
 */
const heldBy = (port: number, clients: readonly Client[]): Client[] => {
  const held = connectedTo(port)
  return clients.filter((client) => client.port === undefined || held.has(client.port))
}

export interface Slow {
  readonly clients: number
  readonly before: Report
  readonly during: Report
  /** The kinds that the server must cut, and how many of each were open at the end. */
  readonly mustEnd: readonly Way[]
  readonly open: Readonly<Partial<Record<Way, number>>>
  /** When the last client that must be cut was cut, in seconds after the first connected. */
  readonly cutAfter: number
  /** Memory growth in MiB. */
  readonly memory: number
}

export interface Slowness {
  readonly clients: number
  /** Duration of the other clients' requests. */
  readonly seconds: number
  /** How many ms after the end of the run the server may still cut the clients in `mustEnd`. */
  readonly graceMs: number
  /** The kinds that the server must cut; it may keep the others open indefinitely. */
  readonly mustEnd: readonly Way[]
  /** Requests per second of the other clients. */
  readonly rate: number
  readonly ways?: readonly Way[]
}

/** Runs many slow clients of every kind while others send requests at the usual rate. */
export const runSlow = async (
  { generator, server, crowd, port }: Stage,
  { clients, seconds, graceMs, mustEnd, rate, ways = WAYS }: Slowness,
): Promise<Slow> => {
  const usual = { rate, connections: 16 }
  const before = await generator.run({ ...usual, seconds: Math.min(seconds / 3, 3) })
  const memory = memoryOf(server.pid)
  const slow: Client[] = []
  const begun = performance.now()
  // They connect during the first part only, so that connecting is not measured.
  const coming = setInterval(() => {
    const due = Math.min(clients, Math.ceil((clients * (performance.now() - begun)) / (seconds * COMING * 1000)))
    for (let n = slow.length; n < due; n++) {
      const person = crowd.people[Math.floor(n / ways.length) % crowd.people.length] ?? ''
      slow.push(openClient(ways[n % ways.length] as Way, port, crowd.root, person))
    }
    if (slow.length === clients) clearInterval(coming)
  }, 10)
  const dripping = setInterval(() => {
    for (const { cut, drip } of slow) if (!cut) drip()
  }, DRIP_MS)
  let most = memory
  const looking = setInterval(() => {
    most = Math.max(most, memoryOf(server.pid))
  }, 100)
  const during = await generator.run({ ...usual, seconds })
  clearInterval(dripping)
  clearInterval(looking)
  const late = performance.now() + graceMs
  const left = () => heldBy(port, slow)
  while (left().some(({ way }) => mustEnd.includes(way)) && performance.now() < late) await pause(LOOK_MS)
  const cutAfter = (performance.now() - begun) / 1000
  const open: Partial<Record<Way, number>> = {}
  for (const { way } of left()) open[way] = (open[way] ?? 0) + 1
  for (const { socket } of slow) socket.destroy()
  return { clients, before, during, mustEnd, open, cutAfter, memory: most - memory }
}

export interface SlowExpectation {
  /** Maximum growth of the others' 99th percentile, as a factor and in additional ms. */
  readonly times: number
  readonly ms: number
  /** MiB for all of them together. */
  readonly memory: number
}

/** Violations; empty after a correct run. */
export const judgeSlow = ({ clients, before, during, mustEnd, open, memory }: Slow, most: SlowExpectation): string[] => {
  const limit = before.served.p99 * most.times + most.ms
  const kept = mustEnd.filter((way) => open[way])
  const odd = [before, during].flatMap(({ failed }) => Object.entries(failed))
  return [
    ...odd.map(([what, count]) => `${count} × ${what}`),
    ...(during.unanswered + during.refused.count > 0 ? [`${during.unanswered} were not answered, ${during.refused.count} refused`] : []),
    ...(during.served.p99 > limit ? [`others took ${Math.round(during.served.p99)} ms, ${Math.round(before.served.p99)} before`] : []),
    ...kept.map((way) => `${open[way]} of way ${way} were not cut`),
    ...(memory > most.memory ? [`memory grew by ${Math.round(memory)} MiB with ${clients}`] : []),
  ]
}

export const slowFigures = ({ clients, before, during, mustEnd, open, cutAfter, memory }: Slow): Record<string, number | string> => ({
  'slow clients': clients,
  'p99 of other clients ms': `${during.served.p99.toFixed(1)} (before ${before.served.p99.toFixed(1)})`,
  'others served': during.served.count,
  failed: during.sent - during.served.count,
  'not cut': mustEnd.reduce((sum, way) => sum + (open[way] ?? 0), 0),
  'all cut after s': Math.round(cutAfter),
  'streams held': open.stream ?? 0,
  'memory MiB': `+${Math.round(memory)}`,
})
