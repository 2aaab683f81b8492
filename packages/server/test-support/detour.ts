import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/**
 * `held`: data is delayed until the network works again. `lost`: data is dropped in both directions without an error, and connections of
 * that time stay dead. `refused`: new and existing connections are closed.
 */
export type Way = 'open' | 'held' | 'lost' | 'refused'

export type Change = (chunk: Buffer) => Buffer

/** A proxy in front of a service, on its own port. */
export interface Detour {
  readonly port: number
  set(way: Way): void
  /** Delays all data from now on, in each direction. */
  delay(ms: number): void
  /** Modifies the data sent to the service from now on; null stops it. */
  alter(change: Change | null): void
  close(): Promise<void>
}

interface Pipe {
  readonly ends: readonly Socket[]
  deaf: boolean
}

/** Writes chunks in order, each when it is due. */
const createLane = (to: Socket, isDeaf: () => boolean) => {
  const waiting: { readonly chunk: Buffer; readonly at: number }[] = []
  const drain = () => {
    for (let next = waiting[0]; next; next = waiting[0]) {
      const left = next.at - performance.now()
      if (left > 0) return void setTimeout(drain, Math.ceil(left))
      waiting.shift()
      if (!isDeaf() && to.writable) to.write(next.chunk)
    }
  }
  return (chunk: Buffer, delay: number) => {
    if (delay === 0 && waiting.length === 0) return void (to.writable && to.write(chunk))
    waiting.push({ chunk, at: Math.max(waiting.at(-1)?.at ?? 0, performance.now() + delay) })
    if (waiting.length === 1) drain()
  }
}

/** Host and port of a PostgreSQL URL. */
export const postgresAt = ({ searchParams, hostname, port }: URL): NetConnectOpts => {
  const folder = searchParams.get('host')
  return folder ? { path: `${folder}/.s.PGSQL.${port || 5432}` } : { host: hostname, port: Number(port) || 5432 }
}

/** The same URL through the proxy. */
export const byWayOf = ({ port }: Pick<Detour, 'port'>, address: URL): string => {
  const url = new URL(address)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return url.toString()
}

export const openDetour = async (service: NetConnectOpts): Promise<Detour> => {
  const pipes = new Set<Pipe>()
  let way: Way = 'open'
  let delay = 0
  let change: Change | null = null

  const carry = (pipe: Pipe, from: Socket, to: Socket, isChanged: boolean) => {
    const send = createLane(to, () => pipe.deaf)
    from.on('data', (chunk) => {
      if (!pipe.deaf) send(isChanged && change ? change(chunk) : chunk, delay)
    })
    from.on('error', () => {})
    from.on('close', (failed) => {
      if (way === 'lost') return
      pipes.delete(pipe)
      if (failed || pipe.deaf) to.destroy()
      else to.end()
    })
    if (way === 'held') from.pause()
  }

  const server = createServer((here) => {
    here.on('error', () => {})
    if (way === 'refused') return void here.resetAndDestroy()
    if (way === 'lost') {
      pipes.add({ ends: [here], deaf: true })
      return void here.resume()
    }
    const there = connect(service)
    const pipe: Pipe = { ends: [here, there], deaf: false }
    pipes.add(pipe)
    // A client of an unavailable service must see the failed connection.
    there.on('error', () => here.resetAndDestroy())
    carry(pipe, here, there, true)
    carry(pipe, there, here, false)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const each = (work: (socket: Socket) => void) => {
    for (const { ends } of pipes) ends.forEach(work)
  }

  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      way = next
      if (next === 'held') each((socket) => socket.pause())
      else each((socket) => socket.resume())
      if (next === 'lost') for (const pipe of pipes) pipe.deaf = true
      // A closed connection is reported repeatedly until it arrives.
      else for (const { ends } of pipes) if (ends.some(({ destroyed }) => destroyed)) for (const socket of ends) socket.destroy()
      if (next === 'refused')
        for (const { ends } of pipes) {
          ends[0]?.resetAndDestroy()
          ends[1]?.destroy()
        }
    },
    delay: (ms) => {
      delay = ms
    },
    alter: (next) => {
      change = next
    },
    close: async () => {
      each((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
