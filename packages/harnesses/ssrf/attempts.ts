import { type AddressInfo, createServer, type Server, Socket } from 'node:net'

export interface Watch {
  /** Addresses and ports that this process tried to connect to, without the excluded ones. */
  readonly attempts: readonly string[]
  /** The port of the listeners, the same on each address. */
  readonly port: number
  /** Addresses of the listeners. */
  readonly addresses: readonly string[]
  /** Number of connections they received. */
  connections(): number
  reset(): void
  stop(): Promise<void>
}

const HERE = ['127.0.0.1', '127.0.0.2', '::1'] as const

const listen = (host: string, port: number, onConnection: () => void): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      onConnection()
      socket.on('error', () => {}).destroy()
    })
    // Not every machine has all of these addresses.
    server.once('error', () => resolve(null)).listen(port, host, () => resolve(server))
  })

/**
 * Listens on the loopback addresses and records every connection attempt of the process to any address: a connection to another machine
 * would reach no listener, but must not be attempted either. `known`: ports that the test itself uses.
 */
export const watch = async (known: readonly number[]): Promise<Watch> => {
  const attempts: string[] = []
  let connections = 0
  const count = () => {
    connections += 1
  }
  const first = await listen(HERE[0], 0, count)
  if (!first) throw new Error('nothing can listen on 127.0.0.1')
  const { port } = first.address() as AddressInfo
  const rest = await Promise.all(HERE.slice(1).map(async (host) => [host, await listen(host, port, count)] as const))
  const servers = [[HERE[0], first] as const, ...rest].flatMap(([host, server]) => (server ? [{ host, server }] : []))

  const { connect } = Socket.prototype
  Socket.prototype.connect = function (this: Socket, ...given: never[]) {
    this.on('connectionAttempt', (address: string, to: number) => {
      if (!known.includes(to)) attempts.push(`${address} ${to}`)
    })
    return (connect as (...all: never[]) => Socket).apply(this, given)
  } as typeof connect

  return {
    attempts,
    port,
    addresses: servers.map(({ host }) => host),
    connections: () => connections,
    reset: () => {
      attempts.length = 0
      connections = 0
    },
    stop: async () => {
      Socket.prototype.connect = connect
      await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
