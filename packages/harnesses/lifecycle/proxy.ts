import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Interval of the readiness checks in ms. */
const CHECK_EVERY_MS = 100

export interface Proxy {
  readonly url: string
  /** Requests retried on another server because the first did not receive them. */
  readonly again: number
  /** Requests per server. */
  readonly sent: readonly number[]
  /** Resolves once that server is in rotation again. */
  back(port: number): Promise<void>
  stop(): Promise<void>
}

interface Backend {
  readonly port: number
  up: boolean
  sent: number
}

const read = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
    async (answer) => {
      await answer.text()
      return answer.status === 200
    },
    () => false,
  )

/**
 * A round-robin load balancer: it removes servers that are not ready, keeps connections open, and retries a request on another server only
 * if the first was not reached, or if the request is idempotent and got no response. `cuts`: truncates the response of that number.
 */
export const startProxy = async (ports: readonly number[], { cuts = 0 } = {}): Promise<Proxy> => {
  const backends: Backend[] = ports.map((port) => ({ port, up: false, sent: 0 }))
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  let turn = 0
  let again = 0
  let answers = 0
  let stopped = false
  const waiting = new Set<() => void>()

  const look = async (backend: Backend) => {
    backend.up = await isReady(backend.port)
    for (const check of waiting) check()
    if (!stopped) setTimeout(() => void look(backend), CHECK_EVERY_MS).unref()
  }

  const next = (tried: ReadonlySet<Backend>): Backend | undefined => {
    turn += 1
    const ready = backends.filter((backend) => backend.up && !tried.has(backend))
    return ready[turn % Math.max(1, ready.length)]
  }

  const fail = (response: ServerResponse) => {
    if (!response.headersSent) response.writeHead(502)
    response.end()
  }

  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, tried: Set<Backend>): void => {
    const backend = next(tried)
    if (!backend) {
      fail(response)
      return
    }
    tried.add(backend)
    const { method = 'GET', url = '/', headers } = incoming
    const { connection: _connection, ...passed } = headers
    let reached = false
    const sent = request({ host: '127.0.0.1', port: backend.port, method, path: url, headers: passed, agent }, (answer) => {
      backend.sent += 1
      answers += 1
      const { connection: _theirs, 'keep-alive': _long, 'transfer-encoding': _how, ...told } = answer.headers
      response.writeHead(answer.statusCode ?? 502, told)
      if (cuts > 0 && answers % cuts === 0) return void response.destroy()
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    sent.once('socket', (socket) => {
      reached = !socket.connecting
      if (reached) return
      socket.once('connect', () => {
        reached = true
      })
    })
    sent.on('error', () => {
      if (response.headersSent) return void response.destroy()
      if (reached && method !== 'GET') return fail(response)
      again += 1
      forward(incoming, body, response, tried)
    })
    response.once('close', () => sent.destroy())
    sent.end(body)
  }

  const server = createServer((incoming, response) => {
    read(incoming).then(
      (body) => forward(incoming, body, response, new Set()),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const backend of backends) await look(backend)

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get again() {
      return again
    },
    get sent() {
      return backends.map(({ sent }) => sent)
    },
    back: (port) =>
      new Promise((resolve) => {
        const check = () => {
          if (!backends.find((backend) => backend.port === port)?.up) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    stop: async () => {
      stopped = true
      server.closeAllConnections()
      server.close()
      agent.destroy()
      await once(server, 'close')
    },
  }
}
